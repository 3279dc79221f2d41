//! What runs of `state` and `schedule` have come to: as their folders keep it, and as pages and texts about them say it.

use crate::human::{count, counted, sizes};
use crate::schedules::{self, FoundSwitches, NothingFound, Sought};
use crate::turns::{self, CauseTransitions};
use reduct_strategies::{Caveat, Claim, End, Evidence, Minimal, Refuted, Unproved};
use serde::{Deserialize, Serialize};

/// What the tests of a search among schedules are counted in.
pub const SWITCHES: &str = "switches";

/// What those of a search among values are counted in.
pub const VALUES: &str = "values";

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum InquiryAnswer {
    /// Values that cause the failure, from the input to the end.
    Values(CauseTransitions),
    /// Switches of threads with which the program fails; or, if it fails without any, with which it passes.
    Switches(FoundSwitches),
    /// No schedule that fails.
    NoFailure(NothingFound),
    /// No schedule that passes: the program fails without a switch, too.
    NoPass(NothingFound),
}

impl InquiryAnswer {
    /// Returns its size, and what that is counted in.
    pub fn size(&self) -> (usize, &'static str) {
        match self {
            InquiryAnswer::Values(found) => (found.values(), VALUES),
            InquiryAnswer::Switches(found) => (found.switches.len(), SWITCHES),
            InquiryAnswer::NoFailure(_) | InquiryAnswer::NoPass(_) => (0, SWITCHES),
        }
    }

    /// Returns the size before the search, in the same unit: of values there is none.
    pub fn before(&self) -> usize {
        match self {
            InquiryAnswer::Switches(found) => found.before,
            _ => self.size().0,
        }
    }

    /// Returns whether all was run again at the end, and was so.
    pub fn confirmed(&self) -> Option<bool> {
        match self {
            InquiryAnswer::Values(found) => (!found.stopped).then_some(found.confirmed == found.turns.len()),
            InquiryAnswer::Switches(found) => found.is_confirmed(),
            InquiryAnswer::NoFailure(_) | InquiryAnswer::NoPass(_) => None,
        }
    }

    /// Returns what is claimed of it.
    fn claim(&self) -> Claim {
        match self {
            InquiryAnswer::Values(found) if found.stopped => Claim::Fails(Unproved::Unfinished),
            InquiryAnswer::Values(found) => Claim::Values { turns: found.turns.len(), values: found.values() },
            InquiryAnswer::Switches(found) if found.confirmed < found.runs => match found.sought() {
                Sought::Failure => Claim::Refuted(Refuted::DidNotFail),
                Sought::Pass => Claim::Refuted(Refuted::DidNotPass),
            },
            InquiryAnswer::Switches(found) if found.stopped => unfinished(found.sought(), found.switches.len()),
            InquiryAnswer::Switches(found) if found.sought() == Sought::Pass => {
                Claim::PassesWith { count: found.switches.len(), unit: SWITCHES, end: End::Finished }
            }
            InquiryAnswer::Switches(_) => Claim::OneMinimal(Minimal::of(vec![SWITCHES])),
            InquiryAnswer::NoFailure(_) => Claim::Refuted(Refuted::NothingFailed),
            InquiryAnswer::NoPass(_) => Claim::Refuted(Refuted::NothingPassed),
        }
    }

    /// Returns what is claimed of it, and on what that rests.
    pub fn shown(&self) -> Evidence {
        let mut shown = Evidence::from(self.claim());
        if let InquiryAnswer::Values(found) = self {
            let changes = found.printing_other();
            shown.caveats.extend((changes > 0).then_some(Caveat::PrintsOther { changes }));
        }
        shown
    }

    /// Returns it in one line.
    pub(crate) fn title(&self) -> String {
        match self {
            InquiryAnswer::Values(found) if found.turns.is_empty() => "No cause was found".into(),
            InquiryAnswer::Values(found) => format!("A chain of {}", counted(found.turns.len(), "causes")),
            InquiryAnswer::Switches(found) if found.before == found.switches.len() => counted(found.before, SWITCHES),
            InquiryAnswer::Switches(found) => sizes((found.before, SWITCHES), self.size()),
            InquiryAnswer::NoFailure(found) => format!("No failure in {}", counted(found.tried, "schedules")),
            InquiryAnswer::NoPass(found) => format!("Passes in none of {}", counted(found.tried, "schedules")),
        }
    }

    /// Returns what is proved, and whether that was confirmed: the lines that the terminal has at the end of the run.
    pub(crate) fn evidence(&self) -> Vec<String> {
        match self {
            InquiryAnswer::Values(found) => found.evidence(),
            InquiryAnswer::Switches(found) => {
                let proved = found.proved().map(str::to_owned);
                proved.into_iter().chain(found.confirmed()).collect()
            }
            InquiryAnswer::NoFailure(_) | InquiryAnswer::NoPass(_) => vec![],
        }
    }

    /// Returns what limits that, in the same lines as there.
    pub(crate) fn caveats(&self) -> Vec<String> {
        match self {
            InquiryAnswer::Values(found) => found.caveats(),
            InquiryAnswer::Switches(found) => found.caveats().collect(),
            InquiryAnswer::NoFailure(_) | InquiryAnswer::NoPass(_) => vec![],
        }
    }

    /// Returns what it took, as names and values.
    pub(crate) fn effort(&self) -> Vec<(&'static str, String)> {
        match self {
            InquiryAnswer::Values(found) => {
                vec![("Tests", count(found.tests)), ("Executions asked about", count(found.points))]
            }
            InquiryAnswer::Switches(found) => {
                let until = match found.sought() {
                    Sought::Failure => "Schedules tried until one failed",
                    Sought::Pass => "Schedules tried until one passed",
                };
                let tried = (found.tried > 0).then(|| (until, count(found.tried)));
                tried.into_iter().chain([("Tests that looked for fewer switches", count(found.tests))]).collect()
            }
            InquiryAnswer::NoFailure(found) | InquiryAnswer::NoPass(found) => {
                vec![("Schedules tried", count(found.tried))]
            }
        }
    }

    /// Returns whether there is something to be checked again.
    pub(crate) fn is_result(&self) -> bool {
        match self {
            InquiryAnswer::Values(found) => !found.turns.is_empty(),
            InquiryAnswer::Switches(_) => true,
            InquiryAnswer::NoFailure(_) | InquiryAnswer::NoPass(_) => false,
        }
    }

    /// Returns it as the terminal lists it, without what was proved.
    pub(crate) fn text(&self) -> String {
        match self {
            InquiryAnswer::Values(found) => {
                let lead = format!("{}\n{}\n", found.compared, found.lead());
                if found.turns.is_empty() { lead } else { lead + "\n" + &turns::table(found) }
            }
            InquiryAnswer::Switches(found) => {
                let switches: Vec<String> = found.switches.iter().map(schedules::NamedSwitch::told).collect();
                let difference = found.difference_text().map_or(String::new(), |it| format!("\n{it}"));
                format!("{}\n\n  {}\n{difference}", found.does(), switches.join("\n  "))
            }
            InquiryAnswer::NoFailure(found) => found.told(Sought::Failure) + "\n",
            InquiryAnswer::NoPass(found) => found.told(Sought::Pass) + "\n",
        }
    }
}

/// Returns what is claimed of so many switches with which a program fails, or passes, where the search for fewer was stopped.
pub fn unfinished(sought: Sought, count: usize) -> Claim {
    match sought {
        Sought::Failure => Claim::Fails(Unproved::Unfinished),
        Sought::Pass => Claim::PassesWith { count, unit: SWITCHES, end: End::Unfinished },
    }
}

/// Returns what a test was, as a text: the changes, the switches, or how a schedule is drawn by chance.
pub fn tested(text: &str) -> String {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    // What is drawn by chance is said in the head.
    let drawn = || head.split_once(": ").map_or(head, |(_, drawn)| drawn).to_owned();
    if rest.is_empty() { drawn() } else { rest.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that was stopped, whose result has two switches and was so in some of 100 runs.
    fn stopped(passes: Option<&str>, confirmed: u64) -> Claim {
        let switch = schedules::NamedSwitch { thread: 1, point: 2, to: 2, place: "f".into(), source: None };
        let found = FoundSwitches {
            switches: vec![switch.clone(), schedules::NamedSwitch { point: 3, ..switch }],
            difference: None,
            before: 5,
            number: Some(1),
            as_recorded: true,
            stopped: true,
            tried: 1,
            tests: 3,
            unresolved: 0,
            others: 0,
            failure: "exit status 3".into(),
            passes: passes.map(str::to_owned),
            confirmed,
            runs: 100,
        };
        assert_eq!(found.proved(), None);
        InquiryAnswer::Switches(found).claim()
    }

    #[test]
    fn what_was_stopped_claims_what_was_seen() {
        assert_eq!(stopped(None, 100), Claim::Fails(Unproved::Unfinished));
        let unfinished = Claim::PassesWith { count: 2, unit: SWITCHES, end: End::Unfinished };
        assert_eq!(stopped(Some("exit status 0"), 100), unfinished);
        // Whether it was stopped or not: it did not hold.
        assert_eq!(stopped(None, 99), Claim::Refuted(Refuted::DidNotFail));
        assert_eq!(stopped(Some("exit status 0"), 99), Claim::Refuted(Refuted::DidNotPass));
    }
}
