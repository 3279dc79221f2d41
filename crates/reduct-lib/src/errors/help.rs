//! What to do about a refusal.

use crate::errors::Refusal;
use std::borrow::Cow;

impl Refusal {
    /// Returns what to do about it, if there is something to say.
    ///
    /// It names options of the command `reduct`, most of which have the names of methods of [`crate::Builder`].
    pub fn help(&self) -> Option<Cow<'static, str>> {
        let help = self.known_help().or_else(|| self.own_help().map(Cow::from))?;
        (!help.is_empty()).then_some(help)
    }

    /// Returns the help that another error has, or that was put together when this one was made.
    fn known_help(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            Refusal::Load(error) => reduct_report::remarks::advice(error).into(),
            Refusal::Builder(error) => error.help(),
            Refusal::Versions(error) => error.help(),
            Refusal::Situation(error) => return error.help(),
            Refusal::Job(error) => error.help(),
            Refusal::Undo(error) => error.help(),
            Refusal::History(error) => error.help(),
            Refusal::OracleScript(error) => error.help(),
            Refusal::Fuzzing(error) => error.help(),
            Refusal::Triage(error) => error.help(),
            Refusal::TestPlace(error) => error.help(),
            Refusal::NotExplained(error) => error.help(),
            Refusal::Usage { help: known, .. }
            | Refusal::CannotStart { recipe: known, .. }
            | Refusal::DoesNotFail { advice: known, .. }
            | Refusal::EmptyFails { advice: known, .. }
            | Refusal::NeverOpened { advice: known, .. }
            | Refusal::Confined { advice: known, .. } => known.clone().into(),
            Refusal::TooWeak { confined } => {
                format!("{confined}\nwithout --confine=strict, tests are confined as far as it is possible here").into()
            }
            _ => return None,
        })
    }

    /// Returns the help that is the same for all refusals of a kind.
    fn own_help(&self) -> Option<&'static str> {
        Some(match self {
            Refusal::SameInputs => "give one that passes and one that fails",
            Refusal::UnknownName { .. } => "`reduct --help` lists the names",
            Refusal::Project(_) => "name a smaller folder with --in, or run the test without one: --bare",
            Refusal::Git(_) | Refusal::Folders(_) | Refusal::Patch(_) => "nothing was changed",
            Refusal::VersionsChanged(_) => "begin again",
            Refusal::OutExists(_) => {
                "move it away, choose another place with --out, or allow it to be replaced with --force"
            }
            Refusal::RunsNotKept { .. } => {
                "--state DIR (or the variable REDUCT_STATE) keeps runs in DIR/.reduct instead"
            }
            Refusal::NoRun(place) if !place.exists() => {
                "give a folder that is there (.reduct has one for each run), or none: then the last run of the current folder is taken"
            }
            Refusal::NoRun(_) => "a run is begun with: reduct FILE -- COMMAND",
            Refusal::RunMoved { .. } => "go on with it there, or begin again here",
            Refusal::OfAProgram => "`reduct resume` goes on with it, `reduct verify` checks its result",
            Refusal::NoTests(_) => "reduct resume goes on with it, if it is not done",
            Refusal::InputChanged(_) | Refusal::UnknownJob(..) => "begin again with the original",
            Refusal::TestChanged(..) => {
                "`reduct verify` says whether the result still holds; or reduce again, or put it back as it was"
            }
            Refusal::NoSupervisor => {
                "call it first thing in `main`; where that is not yours, as in tests, name a program with `use_supervisor`"
            }
            _ => return None,
        })
    }
}
