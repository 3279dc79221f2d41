//! What a triage leaves: a text for people, JSON for programs, SARIF for dashboards (docs/TRIAGE.md).

use super::group::Group;
use crate::Grouping;
use crate::Triaged;
use crate::Verdict;
use reduct_input::{digest_of, hex};
use reduct_report::{excerpt, human};
use serde_json::{Value, json};
use std::fmt::Write;

/// The files, but for the inputs of the groups.
pub struct Files {
    /// `triage.md`
    pub text: String,
    /// `triage.json`
    pub json: Value,
    /// `triage.sarif`
    pub sarif: Value,
}

/// Returns what is written about a triage. `folder` is what the folder of inputs is called.
pub fn files(triaged: &Triaged, grouping: &Grouping<'_>) -> Files {
    let report = Report { triaged, grouping };
    Files { text: report.text(), json: report.json(), sarif: report.sarif() }
}

struct Report<'a> {
    triaged: &'a Triaged,
    grouping: &'a Grouping<'a>,
}

impl Report<'_> {
    fn name(&self, at: usize) -> &str {
        &self.triaged.failing[at].name
    }

    /// Returns why somebody belongs to the smallest of its group.
    fn why(&self, smallest: usize, member: usize) -> String {
        match self.grouping.why(smallest, member) {
            Verdict::Same(why) | Verdict::Different(why) => why,
        }
    }

    fn text(&self) -> String {
        let Report { triaged, grouping } = self;
        let groups = grouping.groups();
        let mut text = format!("# {}\n", triaged.describe(groups.len()));
        for group in groups {
            let Some((&smallest, others)) = group.members.split_first() else { continue };
            let left = &triaged.failing[smallest].text;
            let _ = writeln!(
                text,
                "\n## {} ({})\n",
                self.name(smallest),
                human::counted(group.members.len() as u64, "inputs")
            );
            let _ = writeln!(text, "{}", excerpt::clean(&group.signature));
            let _ = writeln!(text, "\n    {}\n", excerpt::shorten(&String::from_utf8_lossy(left), 200));
            for &member in others {
                let _ = writeln!(text, "* {}: {}", self.name(member), self.why(smallest, member));
            }
        }
        let notes = triaged.failing.iter().zip(&triaged.reductions);
        let notes: Vec<_> = notes.filter_map(|(one, reduced)| Some((one, reduced.note.as_ref()?))).collect();
        if !notes.is_empty() {
            let _ = writeln!(text, "\n## Not reduced to the end\n");
            for (one, note) in notes {
                let _ = writeln!(text, "* {}: {note}", one.name);
            }
        }
        if !triaged.passing.is_empty() {
            let _ = writeln!(text, "\n## Not failing\n");
            for (name, seen) in &triaged.passing {
                let _ = writeln!(text, "* {name}: {seen}");
            }
        }
        text
    }

    fn json(&self) -> Value {
        let Report { triaged, grouping } = self;
        let group = |group: &Group| {
            let smallest = group.members[0];
            let member = |&at: &usize| {
                let reduced = &triaged.reductions[at];
                json!({
                    "name": self.name(at),
                    "bytes": reduced.before,
                    "left": reduced.after,
                    "reduced": triaged.failing[at].reduced,
                    "note": reduced.note,
                    "why": self.why(smallest, at),
                })
            };
            json!({
                "name": self.name(smallest),
                "signature": group.signature,
                "members": group.members.iter().map(member).collect::<Vec<_>>(),
            })
        };
        let passing = triaged.passing.iter().map(|(name, seen)| json!({ "name": name, "seen": seen }));
        json!({
            "version": 1,
            "groups": grouping.groups().iter().map(group).collect::<Vec<_>>(),
            "not_failing": passing.collect::<Vec<_>>(),
        })
    }

    /// SARIF 2.1.0: one result a group, at its smallest input, with the others as related locations.
    fn sarif(&self) -> Value {
        let Report { triaged, grouping } = self;
        let digest = |bytes: &[u8]| hex(&digest_of(bytes)[..16]);
        let place = |at: usize| json!({ "physicalLocation": { "artifactLocation": { "uri": uri(self.name(at)), "uriBaseId": "INPUTS" } } });
        let rule = |signature: &str| format!("failure-{}", &digest(signature.as_bytes())[..12]);
        let mut rules: Vec<(String, &str)> =
            grouping.groups().iter().map(|group| (rule(&group.signature), group.signature.as_str())).collect();
        rules.sort();
        rules.dedup();
        let result = |group: &Group| {
            let smallest = group.members[0];
            let related = group.members[1..].iter().map(|at| {
                let mut related = place(*at);
                related["message"] = json!({ "text": self.why(smallest, *at) });
                related
            });
            let count = human::counted(group.members.len() as u64, "inputs");
            json!({
                "ruleId": rule(&group.signature),
                "level": "error",
                "kind": "fail",
                "message": { "text": format!("{}: {} of them; the smallest is {}", group.signature, count, self.name(smallest)) },
                "locations": [place(smallest)],
                "relatedLocations": related.collect::<Vec<_>>(),
                "partialFingerprints": {
                    "reductSignature/v1": digest(group.signature.as_bytes()),
                    "reductReduced/v1": digest(&triaged.failing[smallest].text),
                },
                "occurrenceCount": group.members.len(),
            })
        };
        let rules = rules.iter().map(|(id, signature)| json!({ "id": id, "shortDescription": { "text": signature } }));
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "reduct",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules.collect::<Vec<_>>(),
                } },
                "originalUriBaseIds": { "INPUTS": { "description": { "text": "the folder that was triaged" } } },
                "results": grouping.groups().iter().map(result).collect::<Vec<_>>(),
            }],
        })
    }
}

/// Returns a name as a relative URI.
fn uri(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let shown = |byte: u8| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(shown).collect()
}
