//! How the input of a job is reduced.

use super::{Job, ReductionOptions};
use crate::errors::Refusal;
use reduct_input::Grammars;
use reduct_passes::{Needs, Pass, Stage};
use reduct_strategies::{Cut, Method, Plan};
use std::sync::Arc;

impl ReductionOptions {
    /// Returns the plan of a reduction of files.
    ///
    /// # Errors
    /// If it names a kind, search or cut that there is not.
    pub fn plan(&self) -> Result<Plan, Refusal> {
        let unknown = |what, name: &str| Refusal::UnknownName { what, name: name.into() };
        let ReductionOptions { by, method, cut, monotone, least, language, normalize, prove } = self;
        let method = Method::named(method).ok_or_else(|| unknown("search", method))?;
        let passes: Result<Vec<Pass>, Refusal> =
            by.iter().map(|name| Pass::named(name).ok_or_else(|| unknown("kind of parts", name))).collect();
        let passes = passes?;
        let published = || method.passes().map(|names| names.iter().filter_map(|name| Pass::named(name)).collect());
        let passes = if passes.is_empty() { published().unwrap_or(Plan::standard().passes) } else { passes };
        let cut = Cut::named(cut).ok_or_else(|| unknown("split", cut))?;
        let normal = if *normalize { Pass::of(Stage::Normalise).collect() } else { vec![] };
        // Published runs over lines or characters know no language.
        let languages = self.languages()?.map(|languages| Arc::new(languages) as Arc<dyn Grammars>);
        let grammars = languages.filter(|_| language.is_some() || passes.iter().any(uses_grammar));
        Ok(Plan {
            cut,
            monotone: *monotone,
            min_removal: *least,
            grammars,
            normal,
            prove: *prove,
            ..Plan::new(passes, method)
        })
    }
}

impl Job {
    /// Returns the plan of the reduction.
    ///
    /// # Errors
    /// If it names a kind, search or cut that there is not.
    pub fn plan(&self) -> Result<Plan, Refusal> {
        let mut plan = self.search.plan()?;
        if plan.grammars.is_some() {
            plan.grammars = self.search.grammars()?;
        }
        plan.said = self.said.as_slice().into();
        Ok(match self.goal.situation() {
            // Words are no texts of a language, and have nothing in them but tokens and characters.
            Some(situation) if !situation.files => {
                let passes = ["tokens", "chars"].into_iter().filter_map(Pass::named).collect();
                let Plan { method, cut, monotone, min_removal, normal, prove, .. } = plan;
                let plan = Plan { cut, monotone, min_removal, normal, prove, ..Plan::new(passes, method) };
                plan.of_situation(situation.contents)
            }
            Some(situation) => plan.of_situation(situation.contents),
            None => plan,
        })
    }
}

/// Returns whether a pass finds more, or anything at all, with a grammar.
fn uses_grammar(pass: &Pass) -> bool {
    pass.needs == Needs::Grammar || pass.stage == Stage::Rewrite
}
