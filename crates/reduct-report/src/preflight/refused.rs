//! Why there is nothing to search for, in a line.

use std::path::PathBuf;

/// Why there is nothing to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoFailure {
    /// The whole input does not fail.
    OnTheWhole,
    /// The whole input needs more memory than a test may have.
    TooMuchMemory,
    /// It needs more processes.
    TooManyProcesses,
    /// It needs more disk space.
    TooMuchDisk,
    /// The test says of the whole input that it cannot tell.
    CannotTell,
    /// A server says that the whole input passes.
    ServerPasses,
    /// The whole input fails now and then.
    Flaky {
        /// How often it did.
        failed: usize,
        /// In so many runs.
        runs: usize,
    },
    /// It fails if the test gets the path of the input as its argument.
    OnlyAsArgument,
    /// It fails if the test gets the input on standard input.
    OnlyOnStandardInput,
    /// It fails in a copy of the user's folder.
    OnlyInACopy,
    /// In so many runs, the whole input showed nothing that the empty one does not show.
    NothingBesides(usize),
    /// It fails in a bare folder, and nothing fails in a copy of this project.
    WorksInACopy(PathBuf),
    /// Of two versions or inputs, the one that should fail does not.
    SideDoesNotFail(SideOfPair),
    /// The one that should fail fails now and then.
    SideIsFlaky(String),
    /// The one that should pass does not.
    OtherSideDoesNotPass(SideOfPair),
    /// Repeating does not tell one from the other.
    NotToldApart {
        /// What should fail.
        failing: String,
        /// What should pass.
        passing: String,
        /// Why not.
        why: String,
    },
}

/// One of two versions or inputs, and what was seen of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideOfPair {
    /// What it is called.
    pub name: String,
    /// What was seen.
    pub seen: SideSeen,
}

/// What was seen of a version or an input that should be otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideSeen {
    /// The failure.
    Failure,
    /// Success, by an exit status of 0.
    StatusZero,
    /// It cannot be built, and why.
    NotBuilt(String),
    /// Something that is not the failure that is looked for.
    NotTheFailure,
    /// Neither a failure nor success.
    Neither,
}

/// Returns why there is nothing to search for, in a line.
pub fn headline(why: &NoFailure) -> String {
    match why {
        NoFailure::OnTheWhole => "the failure does not occur on the whole input".into(),
        NoFailure::TooMuchMemory => "the whole input needs more memory than allowed: raise --memory".into(),
        NoFailure::TooManyProcesses => "the whole input needs more processes than allowed: raise --processes".into(),
        NoFailure::TooMuchDisk => "the whole input needs more disk space than allowed: raise --disk".into(),
        NoFailure::CannotTell => "the test cannot tell on the whole input".into(),
        NoFailure::ServerPasses => "the server answers that the whole input passes".into(),
        NoFailure::Flaky { failed, runs } => {
            format!("the test is flaky: on the same whole input the failure occurred in {failed} of {runs} runs")
        }
        NoFailure::OnlyAsArgument => {
            "the failure occurs only if the test gets the path of the input as its argument".into()
        }
        NoFailure::OnlyOnStandardInput => "the failure occurs only if the test gets the input on standard input".into(),
        NoFailure::OnlyInACopy => {
            "the failure occurs only in a copy of your folder: in a bare one the test misses something".into()
        }
        NoFailure::NothingBesides(runs) => {
            format!("in {runs} runs the whole input showed nothing that the empty one does not show too")
        }
        NoFailure::WorksInACopy(top) => {
            format!("the test works in a copy of {}: it exits with 0, on an empty input too", top.display())
        }
        NoFailure::SideDoesNotFail(side) => does_not_fail(side),
        NoFailure::SideIsFlaky(name) => {
            format!("the test is flaky: of two runs on {name}, one failed and one did not")
        }
        NoFailure::OtherSideDoesNotPass(side) => does_not_pass(side),
        NoFailure::NotToldApart { failing, passing, why } => {
            format!("{failing} cannot be told from {passing} by repeating the test: {why}")
        }
    }
}

fn does_not_fail(SideOfPair { name, seen }: &SideOfPair) -> String {
    match seen {
        SideSeen::StatusZero => format!("the failure does not occur in {name}: the test exits with 0 there"),
        SideSeen::NotBuilt(why) => format!("{name} cannot be built ({why}), so it cannot be tested"),
        SideSeen::NotTheFailure => format!("the failure does not occur in {name}"),
        SideSeen::Neither | SideSeen::Failure => format!("the test cannot tell whether {name} fails"),
    }
}

fn does_not_pass(SideOfPair { name, seen }: &SideOfPair) -> String {
    match seen {
        SideSeen::Failure => format!("{name} fails too, so the difference is not the cause"),
        SideSeen::NotBuilt(why) => format!("{name} cannot be built ({why}), so it is not known to pass"),
        _ => format!("{name} is not known to pass: the test shows neither success nor the failure there"),
    }
}
