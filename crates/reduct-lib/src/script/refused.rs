//! Why no script is written for other reducers.

use reduct_core::Outcome;
use reduct_oracle::script::Unsayable;
use std::borrow::Cow;

/// Why no script is written for other reducers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OracleScriptError {
    /// The run was no reduction.
    #[error("that run compared two sides")]
    TwoSides,
    /// A person or a server is the test.
    #[error("the test of that run is no command that other reducers could start")]
    NoCommand,
    /// Tests have run in copies of a project.
    #[error("the test of that run needs the project around its input, and other reducers run it without")]
    NeedsProject,
    /// Tests were run several times.
    #[error("the test of that run fails only now and then, and other reducers run it once")]
    Flaky,
    /// The failure cannot be told by a shell.
    #[error("no script can be written for this failure: {0}")]
    Unsayable(Unsayable),
    /// The script says something else than reduct.
    #[error(
        "no script was written: of the {input} input it would say that it {}, while reduct says that it {}", word(.said), word(.wanted)
    )]
    Differs {
        /// Of which input: the whole one, or the empty one.
        input: &'static str,
        /// What the script says.
        said: Outcome,
        /// What reduct says.
        wanted: Outcome,
        /// The failure.
        looked_for: String,
    },
}

impl OracleScriptError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            OracleScriptError::TwoSides => "give the run of a reduction, or FILE -- COMMAND",
            OracleScriptError::NoCommand => "give FILE -- COMMAND with one that is run for each candidate",
            OracleScriptError::NeedsProject => {
                "let the test name what it needs by full paths: reduct oracle FILE -- COMMAND"
            }
            OracleScriptError::Flaky => {
                "a loop in the test itself may help them: let it run until it fails, as often as is needed"
            }
            OracleScriptError::Unsayable(..) => "say what the failure is with --fails-if in words that grep knows",
            OracleScriptError::Differs { looked_for, .. } => {
                return format!("the failure looked for: {looked_for}\nsay it otherwise with --fails-if").into();
            }
        }
        .into()
    }
}

fn word(outcome: &Outcome) -> &'static str {
    if *outcome == Outcome::Fail { "fails" } else { "does not fail" }
}
