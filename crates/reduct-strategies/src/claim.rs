//! What is known of a result, as data: made where the evidence is, put into words in one place.

mod each;

/// What was shown of a result, and what has to be said beside it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// What was shown.
    pub claim: Claim,
    /// On what it rests besides tests.
    pub caveats: Vec<Caveat>,
}

impl From<Claim> for Evidence {
    fn from(claim: Claim) -> Evidence {
        Evidence { claim, caveats: vec![] }
    }
}

/// What was shown of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// It failed; and why nothing more is claimed.
    Fails(Unproved),
    /// No single part of it can go, and no single edit be made.
    OneMinimal(Minimal),
    /// No single part of its difference to what passes can go, of these units.
    OneMinimalDifference {
        /// What the parts are.
        units: Vec<&'static str>,
    },
    /// One side passes, the other fails.
    Difference {
        /// In how many places they differ.
        places: usize,
        /// What the places are.
        unit: &'static str,
        /// Whether no single one of them can be taken over by the other side.
        end: End,
    },
    /// Of each cause: one version passes, another fails, and they differ in it alone.
    Causes {
        /// How many were found.
        count: usize,
        /// How many changed lines they take together.
        lines: usize,
        /// Whether in some the two differ in the last part of it only, as its other parts fail with more around them.
        in_last: bool,
        /// How far the search for them came.
        end: End,
    },
    /// Several results of which each is 1-minimal.
    Minima {
        /// How many were found.
        count: usize,
        /// What their parts are.
        unit: &'static str,
        /// Whether there are others.
        others: Others,
    },
    /// The failing run of a program passes with other values, in each of some places.
    Values {
        /// In how many places.
        turns: usize,
        /// How many values these are together.
        values: usize,
    },
    /// A program that fails as it is passes with these.
    PassesWith {
        /// How many.
        count: usize,
        /// What they are.
        unit: &'static str,
        /// Whether it does not pass with any one of them left out.
        end: End,
    },
    /// It failed, and of each part it is known what was tried in its place.
    Explained,
    /// Nothing: run again, it was not so.
    Refuted(Refuted),
}

/// How far a search came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// To its end.
    Finished,
    /// To its end, but for phases that were skipped.
    Skipped,
    /// It was stopped before.
    Unfinished,
}

/// Why of a result nothing is claimed but that it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unproved {
    /// The method proves nothing of it.
    ByMethod,
    /// Phases were skipped.
    PhasesSkipped,
    /// The audit of a test that fails now and then was skipped.
    AuditSkipped,
    /// That it is minimal was not tested; it follows if each part of a passing input passes too.
    AssumesMonotone,
    /// It was brought into a normal form after it was 1-minimal.
    Normalized,
    /// It is the difference to an empty side that was not tested.
    PassingSideUntested,
    /// Smaller removals than this were not tried.
    MinRemoval {
        /// So much at least was removed at once.
        least: usize,
        /// What that is counted in.
        unit: &'static str,
    },
    /// The search was stopped before its end.
    Unfinished,
    /// What the search came to did not fail each time, and a larger result was taken that did.
    WentBack,
}

/// In what a result is minimal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Minimal {
    /// The units of the kinds of parts that it has parts of: no single part can go.
    pub units: Vec<&'static str>,
    /// Those of them that were only tried where the text still parses.
    pub checked: Vec<&'static str>,
    /// How many edits of passes were left to make: none of them can be made.
    pub edits: usize,
    /// Whether only those of them were tried after which the text still parses.
    pub edits_checked: bool,
    /// How many pairs and groups of events the tests pointed to: none of them can go together.
    pub together: usize,
}

impl Minimal {
    /// Returns what is minimal in these units, with no edits left to make and no groups.
    pub fn of(units: Vec<&'static str>) -> Minimal {
        Minimal { units, ..Minimal::default() }
    }
}

/// Whether there are other minima than those that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Others {
    /// There are none, if each part of a passing input passes too.
    None,
    /// There may be some where the test could not tell, from so many seeds.
    Unclear(usize),
    /// There may be some: a part of something that does not fail was seen to fail.
    NotMonotone,
    /// There may be some: no more were asked for.
    NotAsked,
    /// There may be some: the search was stopped before its end.
    Unfinished,
}

/// Why a result does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refuted {
    /// Run again, it did not fail.
    DidNotFail,
    /// Run again, it did not pass.
    DidNotPass,
    /// Something else stands at its place.
    Replaced,
    /// Of all that was tried, nothing failed: there is no result.
    NothingFailed,
    /// Of all that was tried, nothing passed: there is no result.
    NothingPassed,
}

/// On what a claim rests besides tests.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Caveat {
    /// On the answers of a person, of whom so many could not tell.
    ByPersonsWord {
        /// Questions that the person could not answer.
        unresolved: u64,
    },
    /// Parts were tried only for a failure in at least this share of the runs; the result itself fails less often.
    TriedForShare(f64),
    /// These passes were switched off while it ran: nothing is claimed of what they try.
    Disabled {
        /// Their names.
        passes: Vec<&'static str>,
    },
    /// The input follows its language, and the result does not.
    DoesNotParse,
    /// With so many of the changes, a program passes, but prints something else than the run that passes.
    PrintsOther {
        /// How many changes.
        changes: usize,
    },
    /// The parts that these steps of the run removed were kept: the user asked for it.
    Stays {
        /// The numbers of the steps.
        steps: Vec<usize>,
    },
}
