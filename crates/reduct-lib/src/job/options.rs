//! How an input is reduced, and what a test may use.

use crate::errors::Refusal;
use crate::parser::CarefulGrammars;
use derive_setters::Setters;
use reduct_grammars::Languages;
use reduct_input::Grammars;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// How an input is reduced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ReductionOptions {
    /// The kinds of parts; none for the standard plan.
    pub by: Vec<String>,
    /// The search.
    pub method: String,
    /// Where lists are cut.
    pub cut: String,
    /// Whether what is contained in a passed configuration is taken to pass.
    pub monotone: bool,
    /// Removing fewer units than this at once is not tried.
    pub least: usize,
    /// The language of all inputs, if it is not to be guessed; `none` to read none.
    #[serde(default)]
    pub language: Option<String>,
    /// Whether the result is brought into normal form.
    #[serde(default)]
    pub normalize: bool,
    /// Whether removals that leave a text that does not parse are all tried. Runs of before there was a choice did so.
    #[serde(default = "yes")]
    pub prove: bool,
}

fn yes() -> bool {
    true
}

impl ReductionOptions {
    /// Returns the standard plan.
    pub fn standard() -> ReductionOptions {
        ReductionOptions {
            by: vec![],
            method: "relevance".into(),
            cut: "book".into(),
            monotone: false,
            least: 1,
            language: None,
            normalize: false,
            prove: false,
        }
    }

    /// Returns what reads the inputs.
    ///
    /// # Errors
    /// If it names a language that there is not.
    pub fn grammars(&self) -> Result<Option<Arc<dyn Grammars>>, Refusal> {
        Ok(self.languages()?.map(|languages| Arc::new(CarefulGrammars(languages)) as Arc<dyn Grammars>))
    }

    /// Returns the languages that the inputs may be in.
    ///
    /// # Errors
    /// If it names a language that there is not.
    pub(crate) fn languages(&self) -> Result<Option<Languages>, Refusal> {
        let unknown = |name: &str| Refusal::UnknownName { what: "language", name: name.into() };
        Ok(match self.language.as_deref() {
            Some("none") => None,
            Some(name) => Some(Languages::only(name).ok_or_else(|| unknown(name))?),
            None => Some(Languages::all()),
        })
    }
}

impl Default for ReductionOptions {
    fn default() -> ReductionOptions {
        ReductionOptions::standard()
    }
}

/// What a test may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ResourceLimits {
    /// How long it may run; by default derived from the first runs.
    pub time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Processes.
    pub processes: Option<u64>,
    /// Bytes of a file it writes.
    pub file_size: Option<u64>,
    /// Bytes of all files it writes.
    #[serde(default)]
    pub disk: Option<u64>,
    /// Whether the system may give its memory other addresses in each run.
    #[serde(default)]
    pub aslr: bool,
}
