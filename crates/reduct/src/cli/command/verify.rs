//! `reduct verify [RUN]`.

use super::inquiry;
use super::trace::again::{build_if_gone, refuse_if_changed};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::keeping::Chosen;
use crate::cli::view;
use reduct_lib::inquiry::inquiry_of;
use reduct_lib::{ClaimCheck, Refusal, Run, asks_and_varies_variables, verify};
use reduct_report::{claims, excerpt, human};
use reduct_session::event::Why;
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<VerifyArgs>("verify", Group::Runs, "runs")
    .listed("Continue a run; check its result; show which parts may vary");

/// Check again that the result of a run fails and is minimal
#[derive(clap::Args, Debug)]
struct VerifyArgs {
    #[command(flatten)]
    chosen: Chosen,

    #[command(flatten)]
    looks: view::Looks,
}

impl CommandArgs for VerifyArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn looks(&self) -> Option<&view::Looks> {
        Some(&self.looks)
    }
}

/// Checks a claim.
fn run(args: &VerifyArgs) -> Result<ExitCode, Refusal> {
    let run = Run::find(&args.chosen.place())?;
    if let Some(begun) = inquiry_of(&run)? {
        return inquiry::verify(&begun, &args.looks);
    }
    refuse_if_changed(&run)?;
    let _held = build_if_gone(&run)?;
    let (asks, is_discreet) = asks_and_varies_variables(&run)?;
    let looks = args.looks.asking(asks).discreet(is_discreet);
    looks.without_passes()?;
    let finding = view::show(&looks, |audience| verify(&run, audience))?;
    let is_pair = matches!(finding.holds, ClaimCheck::Differs | ClaimCheck::DoesNotDiffer);
    let size = if is_pair { String::new() } else { format!(" ({})", human::bytes(finding.bytes)) };
    let subject = format!("{}{size}", excerpt::path(&finding.out));
    let tests = human::counted(finding.tests, "tests");
    view::say(&format!("{subject} {} ({tests}).", words(&finding.holds)));
    if finding.replaced {
        view::say("It is not the result of this run: another run has replaced it, or it was changed by hand.");
    }
    if let Some(confidence) = finding.confidence {
        view::say(&format!("Confidence: {}.", confidence.trim_end_matches('.')));
    }
    Ok(ExitCode::from(match finding.holds.holds() {
        Some(true) => 0,
        Some(false) => 1,
        None => 4,
    }))
}

/// Returns what came of the check, as what is said of the result.
fn words(check: &ClaimCheck) -> String {
    match check {
        ClaimCheck::OneMinimal(minimal) => format!("fails, and is {}", claims::one_minimal(minimal)),
        ClaimCheck::Fails => "fails; nothing more was checked".into(),
        ClaimCheck::Reducible(bytes) => format!("fails, but it can be smaller by {}", human::bytes(*bytes)),
        ClaimCheck::Differs => "holds: one side passes, the other fails".into(),
        ClaimCheck::DoesNotDiffer => "does not hold: one side does not pass, or the other does not fail".into(),
        ClaimCheck::DoesNotFail => "does not fail".into(),
        ClaimCheck::Unknown(why) => format!("could not be checked to the end: {}", reason(why)),
        // There is none, as the test below sees to.
        _ => String::new(),
    }
}

/// Returns why it ended before it was done, in words.
fn reason(why: &Why) -> String {
    match why {
        Why::Stopped => "it was stopped".into(),
        Why::Interrupted => "it was interrupted".into(),
        Why::Trouble(what) => format!("there was trouble that did not pass: {what}"),
        _ => "it was not done in time".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_check_goes_without_its_words() {
        for check in ClaimCheck::of_each_kind() {
            assert!(!words(&check).is_empty(), "{check:?}");
        }
    }
}
