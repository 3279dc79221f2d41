//! A claim and a caveat of each kind, for tests that none goes without its words. A kind that is new is an error of the
//! compiler here: it comes into the chain, so that those tests see it.

use super::{Caveat, Claim, End, Minimal, Others, Refuted, Unproved};
use std::iter::successors;

impl Claim {
    /// Returns a claim of each kind.
    #[doc(hidden)]
    pub fn of_each_kind() -> Vec<Claim> {
        successors(Some(Claim::Fails(Unproved::ByMethod)), Claim::following).collect()
    }

    fn following(&self) -> Option<Claim> {
        Some(match self {
            Claim::Fails(why) => match why.following() {
                Some(why) => Claim::Fails(why),
                None => Claim::OneMinimal(Minimal::of(vec!["lines"])),
            },
            Claim::OneMinimal(_) => Claim::OneMinimalDifference { units: vec!["lines"] },
            Claim::OneMinimalDifference { .. } => Claim::Difference { places: 2, unit: "lines", end: End::Finished },
            Claim::Difference { end, .. } => match end.following() {
                Some(end) => Claim::Difference { places: 2, unit: "lines", end },
                None => Claim::Causes { count: 2, lines: 3, in_last: false, end: End::Finished },
            },
            Claim::Causes { end, .. } => match end.following() {
                Some(end) => Claim::Causes { count: 2, lines: 3, in_last: false, end },
                None => Claim::Minima { count: 2, unit: "lines", others: Others::None },
            },
            Claim::Minima { others, .. } => match others.following() {
                Some(others) => Claim::Minima { count: 2, unit: "lines", others },
                None => Claim::Values { turns: 2, values: 3 },
            },
            Claim::Values { .. } => Claim::PassesWith { count: 2, unit: "switches", end: End::Finished },
            Claim::PassesWith { end, .. } => match end.following() {
                Some(end) => Claim::PassesWith { count: 2, unit: "switches", end },
                None => Claim::Explained,
            },
            Claim::Explained => Claim::Refuted(Refuted::DidNotFail),
            Claim::Refuted(Refuted::DidNotFail) => Claim::Refuted(Refuted::DidNotPass),
            Claim::Refuted(Refuted::DidNotPass) => Claim::Refuted(Refuted::Replaced),
            Claim::Refuted(Refuted::Replaced) => Claim::Refuted(Refuted::NothingFailed),
            Claim::Refuted(Refuted::NothingFailed) => Claim::Refuted(Refuted::NothingPassed),
            Claim::Refuted(Refuted::NothingPassed) => return None,
        })
    }
}

impl Unproved {
    fn following(&self) -> Option<Unproved> {
        Some(match self {
            Unproved::ByMethod => Unproved::PhasesSkipped,
            Unproved::PhasesSkipped => Unproved::AuditSkipped,
            Unproved::AuditSkipped => Unproved::AssumesMonotone,
            Unproved::AssumesMonotone => Unproved::Normalized,
            Unproved::Normalized => Unproved::PassingSideUntested,
            Unproved::PassingSideUntested => Unproved::MinRemoval { least: 2, unit: "lines" },
            Unproved::MinRemoval { .. } => Unproved::Unfinished,
            Unproved::Unfinished => Unproved::WentBack,
            Unproved::WentBack => return None,
        })
    }
}

impl End {
    fn following(self) -> Option<End> {
        match self {
            End::Finished => Some(End::Skipped),
            End::Skipped => Some(End::Unfinished),
            End::Unfinished => None,
        }
    }
}

impl Others {
    fn following(self) -> Option<Others> {
        match self {
            Others::None => Some(Others::Unclear(2)),
            Others::Unclear(_) => Some(Others::NotMonotone),
            Others::NotMonotone => Some(Others::NotAsked),
            Others::NotAsked => Some(Others::Unfinished),
            Others::Unfinished => None,
        }
    }
}

impl Caveat {
    /// Returns a caveat of each kind.
    #[doc(hidden)]
    pub fn of_each_kind() -> Vec<Caveat> {
        successors(Some(Caveat::ByPersonsWord { unresolved: 1 }), Caveat::following).collect()
    }

    fn following(&self) -> Option<Caveat> {
        match self {
            Caveat::ByPersonsWord { .. } => Some(Caveat::TriedForShare(0.5)),
            Caveat::TriedForShare(_) => Some(Caveat::Disabled { passes: vec!["lines"] }),
            Caveat::Disabled { .. } => Some(Caveat::Stays { steps: vec![1] }),
            Caveat::Stays { .. } => Some(Caveat::PrintsOther { changes: 1 }),
            Caveat::PrintsOther { .. } => Some(Caveat::DoesNotParse),
            Caveat::DoesNotParse => None,
        }
    }
}
