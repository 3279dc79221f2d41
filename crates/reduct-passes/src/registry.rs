//! All passes there are.

use crate::pass::{Pass, Stage};
use crate::{delete, events, formats, rewrite};

/// All passes: of each stage in the order in which they are first tried. A new one is a file and a line here, those that
/// remove most first; small ones stand before `rename`.
pub const REGISTRY: &[Pass] = &[
    // What can go, coarsest first.
    delete::files::PASS,
    formats::PASS,
    delete::nodes::PASS,
    delete::lists::PASS,
    delete::brackets::PASS,
    delete::blocks::PASS,
    events::PASS,
    events::executions::PASS,
    delete::lines::PASS,
    delete::words::PASS,
    delete::tokens::PASS,
    delete::chars::PASS,
    delete::bytes::PASS,
    delete::nests::PASS,
    delete::tree::PASS,
    delete::sections::PASS,
    delete::stretches::PASS,
    delete::situation::VARIABLES,
    delete::situation::ARGUMENTS,
    delete::situation::FILES,
    delete::situation::NEIGHBOURS,
    // What can change, in the order in which it is first tried.
    rewrite::any::comments::PASS,
    rewrite::c::markers::PASS,
    rewrite::any::alike::PASS,
    rewrite::any::alike_lines::PASS,
    delete::alike_parts::PASS,
    rewrite::any::orphans::PASS,
    rewrite::llvm::nodes::PASS,
    rewrite::c::conditionals::PASS,
    rewrite::c::bodies::PASS,
    rewrite::any::bodies::PASS,
    rewrite::any::branches::PASS,
    rewrite::llvm::names::PASS,
    rewrite::llvm::unused::PASS,
    rewrite::llvm::metadata::PASS,
    rewrite::llvm::bodies::PASS,
    rewrite::llvm::blocks::PASS,
    rewrite::llvm::fields::PASS,
    rewrite::any::imports::PASS,
    rewrite::any::splice::PASS,
    rewrite::any::modules::PASS,
    rewrite::any::definitions::PASS,
    rewrite::any::views::PASS,
    rewrite::any::columns::PASS,
    rewrite::cpp::namespaces::PASS,
    rewrite::any::hoist::PASS,
    rewrite::any::unreferenced::PASS,
    rewrite::any::unreached::PASS,
    rewrite::any::results::PASS,
    rewrite::any::references::PASS,
    rewrite::any::positions::PASS,
    rewrite::any::outline::PASS,
    rewrite::any::counts::PASS,
    rewrite::any::literals::PASS,
    rewrite::any::long_lists::PASS,
    rewrite::any::dominators::PASS,
    rewrite::any::dependents::PASS,
    rewrite::any::empty_body::PASS,
    rewrite::any::control::PASS,
    rewrite::any::calls::PASS,
    rewrite::c::moves::PASS,
    rewrite::any::optional::PASS,
    rewrite::any::modifiers::PASS,
    rewrite::any::parameters::PASS,
    rewrite::any::generics::PASS,
    rewrite::any::bases::PASS,
    rewrite::any::methods::PASS,
    rewrite::c::words::PASS,
    rewrite::c::void::PASS,
    rewrite::c::macros::PASS,
    rewrite::cpp::templates::PASS,
    rewrite::cpp::autos::PASS,
    rewrite::cpp::parameters::PASS,
    rewrite::cpp::classes::PASS,
    rewrite::cpp::returns::PASS,
    rewrite::c::enums::PASS,
    rewrite::c::structs::PASS,
    rewrite::c::fields::PASS,
    rewrite::c::scalars::PASS,
    rewrite::c::pointers::PASS,
    rewrite::c::arrays::PASS,
    rewrite::c::globals::PASS,
    rewrite::smt::lets::PASS,
    rewrite::smt::functions::PASS,
    rewrite::smt::equalities::PASS,
    rewrite::smt::children::PASS,
    rewrite::smt::parameters::PASS,
    rewrite::smt::terms::PASS,
    rewrite::smt::sorts::PASS,
    rewrite::llvm::branches::PASS,
    rewrite::llvm::values::PASS,
    rewrite::any::shortest::PASS,
    rewrite::any::types::PASS,
    rewrite::any::aliases::PASS,
    rewrite::any::collected::PASS,
    rewrite::any::once::PASS,
    rewrite::any::inline::PASS,
    rewrite::any::inside::PASS,
    rewrite::any::unwrap::PASS,
    rewrite::any::bracketed::PASS,
    rewrite::any::unify::PASS,
    rewrite::c::merge::PASS,
    rewrite::any::arrows::PASS,
    rewrite::any::synonyms::PASS,
    rewrite::any::strings::PASS,
    rewrite::any::numbers::PASS,
    rewrite::any::folded::PASS,
    rewrite::any::runs::PASS,
    rewrite::any::rename::PASS,
    rewrite::any::rename_others::PASS,
    rewrite::any::file_names::PASS,
    rewrite::any::same_words::PASS,
    rewrite::any::one_line::PASS,
    rewrite::any::blank::PASS,
    rewrite::any::joined::PASS,
    rewrite::any::texts::PASS,
    rewrite::any::zeros::PASS,
    rewrite::any::said::PASS,
    rewrite::any::values::PASS,
    rewrite::any::arrays::PASS,
    events::statements::PASS,
    events::partners::PASS,
    events::delays::PASS,
    rewrite::any::said::GROWING,
    rewrite::any::values::GROWING,
    rewrite::any::aliases::GROWING,
    rewrite::any::inline::GROWING,
    rewrite::smt::lets::GROWING,
    rewrite::smt::functions::GROWING,
    rewrite::smt::equalities::GROWING,
    rewrite::any::normal_names::PASS,
    rewrite::any::normal_layout::PASS,
];

impl Pass {
    /// Returns the passes of a stage.
    pub fn of(stage: Stage) -> impl Iterator<Item = Pass> {
        REGISTRY.iter().copied().filter(move |pass| pass.stage == stage)
    }

    /// Returns the passes whose names `--by` takes.
    pub fn selectable() -> impl Iterator<Item = Pass> {
        REGISTRY.iter().copied().filter(|pass| pass.stage.is_selectable())
    }

    /// Returns the pass that `--by` calls by this name.
    pub fn named(name: &str) -> Option<Pass> {
        Pass::selectable().find(|pass| pass.name == name)
    }

    /// Returns the passes whose documents show what they do before and after: all that propose edits, but for those
    /// that only do the same as another one where it makes the input larger.
    pub fn documented() -> impl Iterator<Item = Pass> {
        let stages = [Stage::Group, Stage::Rewrite, Stage::PairedEvents, Stage::Timing, Stage::Normalise];
        stages.into_iter().flat_map(Pass::of)
    }
}
