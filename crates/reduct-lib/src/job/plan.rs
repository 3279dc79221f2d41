//! How the input of a job is reduced.

use super::{Job, ReductionOptions};
use crate::errors::Refusal;
use reduct_passes::{Kind, NORMAL, Needs, PASSES};
use reduct_strategies::{Cut, Method, Plan};

impl ReductionOptions {
    /// Returns the plan of a reduction of files.
    ///
    /// # Errors
    /// If it names a kind, search or cut that there is not.
    pub fn plan(&self) -> Result<Plan, Refusal> {
        let unknown = |what, name: &str| Refusal::UnknownName { what, name: name.into() };
        let ReductionOptions { by, method, cut, monotone, least, language, normalize } = self;
        let method = Method::named(method).ok_or_else(|| unknown("search", method))?;
        let kinds: Result<Vec<Kind>, Refusal> =
            by.iter().map(|name| Kind::named(name).ok_or_else(|| unknown("kind of parts", name))).collect();
        let kinds = kinds?;
        let published = || method.kinds().map(|names| names.iter().filter_map(|name| Kind::named(name)).collect());
        let kinds = if kinds.is_empty() { published().unwrap_or(Plan::standard().kinds) } else { kinds };
        let cut = Cut::named(cut).ok_or_else(|| unknown("split", cut))?;
        let normal = if *normalize { NORMAL.to_vec() } else { vec![] };
        // Published runs over lines or characters know no language.
        let grammars = self.grammars()?.filter(|_| language.is_some() || kinds.iter().any(uses_grammar));
        Ok(Plan { cut, monotone: *monotone, least: *least, grammars, normal, ..Plan::new(kinds, method) })
    }
}

impl Job {
    /// The plan of the reduction.
    ///
    /// # Errors
    /// If it names a kind, search or cut that there is not.
    pub fn plan(&self) -> Result<Plan, Refusal> {
        let plan = self.search.plan()?;
        Ok(match self.goal.situation() {
            // Words are no texts of a language, and have nothing in them but tokens and characters.
            Some(situation) if !situation.files => {
                let kinds = ["tokens", "chars"].into_iter().filter_map(Kind::named).collect();
                let Plan { method, cut, monotone, least, normal, .. } = plan;
                let plan = Plan { cut, monotone, least, normal, ..Plan::new(kinds, method) };
                plan.of_situation(situation.contents)
            }
            Some(situation) => plan.of_situation(situation.contents),
            None => plan,
        })
    }
}

/// Whether a kind finds more, or anything at all, with a grammar.
fn uses_grammar(kind: &Kind) -> bool {
    kind.needs == Needs::Grammar || PASSES.contains(kind)
}
