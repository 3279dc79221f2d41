//! The list of phases below the curve: what each pass tried, in which tests, and to which size that led.

use super::text::plain;
use crate::human::{count, counted};
use crate::picture::curve::sizes;
use crate::picture::phases::{MergedPhase, merged};
use crate::story::StorySearch;
use maud::{Markup, html};

/// So many phases are listed.
const MOST: usize = 200;

/// Returns the list; nothing if the search does not say what its phases are.
pub(super) fn list(search: &StorySearch) -> Markup {
    html! {
        @if search.phases.iter().any(|phase| phase.phase.is_some()) {
            details id="phases" {
                summary { "The phases, with what each tried" }
                div class="scroll" tabindex="0" role="region" aria-label="Phases" {
                    table {
                        thead { tr { th scope="col" class="number" { "Phase" } th scope="col" { "Pass" } th scope="col" { "What it tries" }
                            th scope="col" { "Tests" } th scope="col" class="number" { "Accepted" } th scope="col" class="number" { "Size then" } } }
                        tbody id="phase-rows" { (rows(search)) }
                    }
                }
                p class="muted" { "A pass is one way to make the input smaller. It comes round again when other passes have removed something since." }
            }
        }
    }
}

/// Returns its rows.
pub(super) fn rows(search: &StorySearch) -> Markup {
    let (phases, sizes) = (merged(search), sizes(search));
    html! {
        @for (at, phase) in phases.iter().enumerate().take(MOST) { (row(at, phase, search, &sizes)) }
        @if phases.len() > MOST { tr class="gap" { td colspan="6" { "… " (counted(phases.len() - MOST, "more phases")) } } }
    }
}

fn row(at: usize, phase: &MergedPhase, search: &StorySearch, sizes: &[(u64, usize)]) -> Markup {
    let accepted = search.steps.partition_point(|step| step.n <= phase.last)
        - search.steps.partition_point(|step| step.n < phase.first);
    // After the size at the beginning stands one for each step, in the order of their tests.
    let then = sizes[search.steps.partition_point(|step| step.n <= phase.last)].1;
    html! {
        tr {
            td class="number" { (at + 1) }
            td { (plain(phase.name().as_bytes())) @if let Some(round) = phase.round().filter(|round| *round > 1) { span class="muted" { ", round " (round) } } }
            td class="tries" { (phase.tries().unwrap_or_default()) }
            td { (count(phase.first)) @if phase.last > phase.first { "–" (count(phase.last)) } }
            td class="number" { (count(accepted)) }
            td class="number" { (count(then)) }
        }
    }
}
