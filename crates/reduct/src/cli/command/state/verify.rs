//! Looking at a run that was ended: are its changes still what they say, and what were its tests?

use super::known::Known;
use super::search::{first_search, of_change};
use crate::cli::usage;
use crate::cli::view::{self, Looks};
use reduct_core::Outcome;
use reduct_lib::inquiry::{Begun, Inquiry, inquiry_of};
use reduct_lib::{Refusal, Replay, Run, Stops};
use reduct_oracle::Oracle;
use reduct_oracle::signature::InputVocabulary;
use reduct_report::inquiries::tested;
use reduct_report::story::Story;
use reduct_report::turns;
use reduct_trace::StateChange;
use std::process::ExitCode;

/// Runs each change again, and it without each of its values.
pub(in crate::cli::command) fn verify(begun: &Begun, looks: &Looks) -> Result<ExitCode, Refusal> {
    let known = Known::kept(begun)?;
    known.is_unchanged(begun)?;
    let out = begun.out();
    let changes = changes(begun)?;
    let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for values"))?;
    let status = begun.job.goal.values().map_or(0, |options| options.status);
    let oracle = Oracle::new(known.failure.clone(), InputVocabulary::default()).passing_with(status);
    view::count(looks, story, |audience| {
        let mut inquiry = Inquiry::open(&begun.job, own.path(), 1 << 20, Stops::default(), audience)?;
        let mut passes = |change: &StateChange| -> Result<bool, Refusal> {
            let observed = inquiry.observe(&of_change(&known, change))?;
            Ok(oracle.verdict(&observed).outcome == Outcome::Pass)
        };
        let (mut wrong, mut needless) = (vec![], vec![]);
        for (at, change) in changes.iter().enumerate() {
            if !passes(change)? {
                wrong.push(turns::file(at));
                continue;
            }
            for without in 0..change.values.len() {
                let mut values = change.values.clone();
                values.remove(without);
                if passes(&StateChange { values, ..change.clone() })? {
                    needless.push(turns::file(at));
                    break;
                }
            }
        }
        let shown = out.strip_prefix(&begun.job.folder).unwrap_or(&out);
        let (words, holds) = turns::verified(shown, changes.len(), &wrong, &needless);
        view::say(&words);
        Ok(ExitCode::from(u8::from(!holds)))
    })
}

/// Returns the changes that stand in the place of the result.
fn changes(begun: &Begun) -> Result<Vec<StateChange>, Refusal> {
    let out = begun.out();
    let mut changes = vec![];
    for at in 0.. {
        let path = out.join(turns::file(at));
        let Ok(text) = std::fs::read_to_string(&path) else { break };
        let change = StateChange::parse(&text);
        changes.push(change.map_err(|error| usage(format!("{}: {error}", path.display()), "begin again"))?);
    }
    if changes.is_empty() {
        let what = format!("{} has no changes to be checked", out.display());
        return Err(usage(
            what,
            "a run that found no cause claims none; one that was stopped goes on with reduct resume",
        ));
    }
    Ok(changes)
}

/// Returns the tests of its search along the run.
pub(in crate::cli::command) fn replay(begun: &Begun) -> Result<Replay, Refusal> {
    let known = Known::kept(begun)?;
    let search = first_search(begun, known).ok_or_else(|| begun.no_tests())?;
    Ok(begun.replay(search))
}

/// Reads a run of this command back; nothing if it is one of another command.
pub(in crate::cli::command) fn story(run: &Run) -> Result<Option<Story>, Refusal> {
    inquiry_of(run)?.map(|begun| begun.story(replay(&begun), &mut tested)).transpose()
}
