//! What a triage leaves, as it is handed to the report.

use super::group::{Comparison, Group, Grouping};
use super::triaged::Triaged;
use reduct_report::triage::{GroupShown, MemberShown, Reason, TriageReport};
use serde_json::Value;

/// The files, but for the inputs of the groups.
#[non_exhaustive]
pub struct Files {
    /// `triage.md`
    pub text: String,
    /// `triage.json`
    pub json: Value,
    /// `triage.sarif`
    pub sarif: Value,
}

/// Returns what is written about a triage.
///
/// ```no_run
/// # use reduct_lib::{Audience, Test};
/// let job = reduct_lib::reduce("").test(Test::command(["./browser", "{}"])).to_job();
/// let triaged = reduct_lib::triage(&job, "crashes".as_ref(), (None, 0), &mut Audience::default(), &mut |_| {})?;
/// let files = reduct_lib::triage_files(&triaged, &triaged.grouping());
/// println!("{}", files.text);
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
pub fn files(triaged: &Triaged, grouping: &Grouping<'_>) -> Files {
    let notes = triaged.failing.iter().zip(&triaged.reductions);
    let report = TriageReport {
        groups: grouping.groups().iter().filter_map(|group| shown(triaged, grouping, group)).collect(),
        notes: notes.filter_map(|(one, reduced)| Some((&*one.name, reduced.note.as_ref()?))).collect(),
        not_failing: &triaged.passing,
    };
    Files { text: report.text(), json: report.json(), sarif: report.sarif() }
}

/// Returns what is shown of a group; nothing of one without members.
fn shown<'a>(triaged: &'a Triaged, grouping: &Grouping<'_>, group: &'a Group) -> Option<GroupShown<'a>> {
    let (&smallest, others) = group.members.split_first()?;
    let member = |&at: &usize| {
        let (failing, reduced) = (&triaged.failing[at], &triaged.reductions[at]);
        MemberShown {
            name: &failing.name,
            before: reduced.before,
            after: reduced.after,
            left: &failing.text,
            reduced: failing.reduced,
            note: reduced.note.as_ref(),
            why: why(grouping, smallest, at),
        }
    };
    let others = others.iter().map(member).collect();
    Some(GroupShown { signature: &group.signature, smallest: member(&smallest), others })
}

/// Returns why an input belongs to the smallest one of its group.
fn why(grouping: &Grouping<'_>, smallest: usize, member: usize) -> Reason {
    match grouping.why(smallest, member) {
        Comparison::Same(why) | Comparison::Different(why) => why,
    }
}
