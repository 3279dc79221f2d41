//! What a triage leaves: a text for people, JSON for programs, SARIF for dashboards (docs/TRIAGE.md).

use super::{Reason, TriageNote, failing_in};
use crate::{excerpt, human};
use reduct_input::{digest_of, hex};
use serde_json::{Value, json};
use std::fmt::Write;

/// Inputs of which the failures are the same.
pub struct GroupShown<'a> {
    /// What the failure looks like.
    pub signature: &'a str,
    /// The smallest one.
    pub smallest: MemberShown<'a>,
    /// The others, smaller ones first.
    pub others: Vec<MemberShown<'a>>,
}

/// One of them.
pub struct MemberShown<'a> {
    /// What it is called.
    pub name: &'a str,
    /// How many bytes it has.
    pub before: usize,
    /// How many are left.
    pub after: usize,
    /// What is left.
    pub left: &'a [u8],
    /// Whether it was reduced.
    pub reduced: bool,
    /// What is to be known of that.
    pub note: Option<&'a TriageNote>,
    /// Why it is the same as the smallest one.
    pub why: Reason,
}

/// All that is known of a folder of inputs.
pub struct TriageReport<'a> {
    /// The groups, in their order.
    pub groups: Vec<GroupShown<'a>>,
    /// What is to be known of inputs that fail, by their names, in the order in which they were run.
    pub notes: Vec<(&'a str, &'a TriageNote)>,
    /// Those that do not fail, and how their tests end.
    pub not_failing: &'a [(String, String)],
}

impl GroupShown<'_> {
    fn count(&self) -> usize {
        1 + self.others.len()
    }

    fn all(&self) -> impl Iterator<Item = &MemberShown<'_>> {
        std::iter::once(&self.smallest).chain(&self.others)
    }
}

impl TriageReport<'_> {
    /// Returns the text for people, `triage.md`.
    pub fn text(&self) -> String {
        let inputs = self.groups.iter().map(GroupShown::count).sum();
        let mut text = format!("# {}\n", failing_in(inputs, self.groups.len()));
        for group in &self.groups {
            let GroupShown { signature, smallest, others } = group;
            let count = human::counted(group.count() as u64, "inputs");
            let _ = writeln!(text, "\n## {} ({count})\n", smallest.name);
            let _ = writeln!(text, "{}", excerpt::clean(signature));
            let left = String::from_utf8_lossy(smallest.left);
            let _ = writeln!(text, "\n    {}\n", excerpt::shorten(&left, 200));
            for member in others {
                let _ = writeln!(text, "* {}: {}", member.name, member.why.describe());
            }
        }
        if !self.notes.is_empty() {
            let _ = writeln!(text, "\n## Not reduced to the end\n");
            for (name, note) in &self.notes {
                let _ = writeln!(text, "* {name}: {}", note.describe());
            }
        }
        if !self.not_failing.is_empty() {
            let _ = writeln!(text, "\n## Not failing\n");
            for (name, end) in self.not_failing {
                let _ = writeln!(text, "* {name}: {end}");
            }
        }
        text
    }

    /// Returns the same for programs, `triage.json`.
    pub fn json(&self) -> Value {
        let member = |member: &MemberShown<'_>| {
            json!({
                "name": member.name,
                "bytes": member.before,
                "left": member.after,
                "reduced": member.reduced,
                "note": member.note.map(TriageNote::describe),
                "why": member.why.describe(),
            })
        };
        let group = |group: &GroupShown<'_>| {
            json!({
                "name": group.smallest.name,
                "signature": group.signature,
                "members": group.all().map(member).collect::<Vec<_>>(),
            })
        };
        let not_failing = self.not_failing.iter().map(|(name, seen)| json!({ "name": name, "seen": seen }));
        json!({
            "version": 1,
            "groups": self.groups.iter().map(group).collect::<Vec<_>>(),
            "not_failing": not_failing.collect::<Vec<_>>(),
        })
    }

    /// Returns the same for dashboards, `triage.sarif`: one result a group, at its smallest input, with the others as
    /// related locations (SARIF 2.1.0).
    pub fn sarif(&self) -> Value {
        let digest = |bytes: &[u8]| hex(&digest_of(bytes)[..16]);
        let place = |name: &str| json!({ "physicalLocation": { "artifactLocation": { "uri": uri(name), "uriBaseId": "INPUTS" } } });
        let rule = |signature: &str| format!("failure-{}", &digest(signature.as_bytes())[..12]);
        let mut rules: Vec<(String, &str)> =
            self.groups.iter().map(|group| (rule(group.signature), group.signature)).collect();
        rules.sort();
        rules.dedup();
        let result = |group: &GroupShown<'_>| {
            let GroupShown { signature, smallest, others } = group;
            let related = others.iter().map(|member| {
                let mut related = place(member.name);
                related["message"] = json!({ "text": member.why.describe() });
                related
            });
            let count = human::counted(group.count() as u64, "inputs");
            json!({
                "ruleId": rule(signature),
                "level": "error",
                "kind": "fail",
                "message": { "text": format!("{signature}: {count} of them; the smallest is {}", smallest.name) },
                "locations": [place(smallest.name)],
                "relatedLocations": related.collect::<Vec<_>>(),
                "partialFingerprints": {
                    "reductSignature/v1": digest(signature.as_bytes()),
                    "reductReduced/v1": digest(smallest.left),
                },
                "occurrenceCount": group.count(),
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
                "results": self.groups.iter().map(result).collect::<Vec<_>>(),
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
