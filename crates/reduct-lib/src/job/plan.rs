//! How the input of a job is reduced.

use super::{Against, Job};
use crate::errors::Refusal;
use reduct_grammars::Languages;
use reduct_input::Grammars;
use reduct_passes::{Kind, NORMAL, Needs, PASSES};
use reduct_strategies::{Cut, Method, Plan};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How an input is reduced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searching {
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
}

impl Searching {
    /// The standard plan.
    pub fn standard() -> Searching {
        Searching {
            by: vec![],
            method: "relevance".into(),
            cut: "book".into(),
            monotone: false,
            least: 1,
            language: None,
            normalize: false,
        }
    }

    /// What reads the inputs.
    ///
    /// # Errors
    /// If it names a language that there is not.
    pub fn grammars(&self) -> Result<Option<Arc<dyn Grammars>>, Refusal> {
        let unknown = |name: &str| Refusal::UnknownName { what: "language", name: name.into() };
        Ok(match self.language.as_deref() {
            Some("none") => None,
            Some(name) => Some(Arc::new(Languages::only(name).ok_or_else(|| unknown(name))?)),
            None => Some(Arc::new(Languages::all())),
        })
    }
}

impl Job {
    /// The plan of the reduction.
    ///
    /// # Errors
    /// If it names a kind, search or cut that there is not.
    pub fn plan(&self) -> Result<Plan, Refusal> {
        let unknown = |what, name: &str| Refusal::UnknownName { what, name: name.into() };
        let Searching { by, method, cut, monotone, least, language, normalize } = &self.search;
        let method = Method::named(method).ok_or_else(|| unknown("search", method))?;
        let kinds: Result<Vec<Kind>, Refusal> =
            by.iter().map(|name| Kind::named(name).ok_or_else(|| unknown("kind of parts", name))).collect();
        let kinds = kinds?;
        let published = || method.kinds().map(|names| names.iter().filter_map(|name| Kind::named(name)).collect());
        let kinds = if kinds.is_empty() { published().unwrap_or(Plan::standard().kinds) } else { kinds };
        let cut = Cut::named(cut).ok_or_else(|| unknown("split", cut))?;
        let normal = if *normalize { NORMAL.to_vec() } else { vec![] };
        // Published runs over lines or characters know no language.
        let grammars = self.search.grammars()?.filter(|_| language.is_some() || kinds.iter().any(uses_grammar));
        let (plan, grammars) = match &self.against {
            // Words are no texts of a language, and have nothing in them but tokens and characters.
            Against::Situation(situation) if !situation.files => {
                let kinds = ["tokens", "chars"].into_iter().filter_map(Kind::named).collect();
                (Plan::new(kinds, method).of_situation(situation.contents), None)
            }
            Against::Situation(situation) => (Plan::new(kinds, method).of_situation(situation.contents), grammars),
            _ => (Plan::new(kinds, method), grammars),
        };
        Ok(Plan { cut, monotone: *monotone, least: *least, grammars, normal, ..plan })
    }
}

/// Whether a kind finds more, or anything at all, with a grammar.
fn uses_grammar(kind: &Kind) -> bool {
    kind.needs == Needs::Grammar || PASSES.contains(kind)
}
