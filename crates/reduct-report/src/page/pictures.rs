//! The curve and the grid.

use super::{phases, steps};
use crate::human::{count, counted};
use crate::picture::{Look, curve, grid, told};
use crate::story::StorySearch;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

pub(super) fn section(search: &StorySearch) -> Markup {
    if search.tests.is_empty() {
        return html! { section id="pictures" aria-labelledby="pictures-h" { h2 id="pictures-h" { "Pictures" } p { "No test of the search was run." } } };
    }
    html! {
        section id="pictures" aria-labelledby="pictures-h" {
            h2 id="pictures-h" { "How it went" }
            figure id="curve" {
                figcaption id="curve-c" { b { "Size over the tests" } ", on a logarithmic axis. Each band is a phase, the work of one pass: its name or its number in the list of phases stands above it." }
                div class="scroll" tabindex="0" role="region" aria-labelledby="curve-c" { (PreEscaped(curve::svg(search, Look::OnPage))) }
                (phases::list(search))
            }
            figure id="grid" {
                figcaption id="grid-c" {
                    b { "What each test had" } ": a row is a test, a column a part of the whole; filled is what the test had of it. "
                    "The colour, and the column in which the mark at the right stands, are the outcome: " (outcomes())
                }
                (choice(search))
                div class="scroll" id="gridview" tabindex="0" role="region" aria-labelledby="grid-c" aria-describedby="gridsay" {
                    @for set in 0..search.columns.len() { div class="gridset" data-set=(set) hidden[set + 1 != search.columns.len()] { (PreEscaped(grid::svg(search, set, Look::OnPage))) } }
                    @if search.columns.is_empty() { (PreEscaped(grid::svg(search, 0, Look::OnPage))) }
                }
                p id="gridsay" class="say" aria-live="polite" { (shown(search)) }
            }
        }
    }
}

/// Returns the pictures as they are drawn again, with what the script has to know of them.
pub(super) fn again(search: &StorySearch) -> Value {
    let sets: Vec<String> = (0..search.columns.len().max(1)).map(|set| grid::svg(search, set, Look::OnPage)).collect();
    let phases = phases::rows(search).into_string();
    json!({ "curve": curve::svg(search, Look::OnPage), "phases": phases, "sets": sets, "say": shown(search), "frame": steps::frame(search) })
}

pub(super) fn outcomes() -> Markup {
    html! {
        span class="mark fail" { "✗ fail" } " (the failure occurs), " span class="mark unresolved" { "? unresolved" } " (the test did not tell), "
        span class="mark pass" { "✓ pass" } "."
    }
}

/// Returns the choice of what a column is.
fn choice(search: &StorySearch) -> Markup {
    let sets = &search.columns;
    html! {
        @if sets.len() > 1 {
            fieldset class="choice" {
                legend { "A column is one of the" }
                @for (at, set) in sets.iter().enumerate() {
                    label { input type="radio" name="set" value=(at) checked[at + 1 == sets.len()]; " " (set.name) " (" (count(set.labels.len())) ")" }
                }
            }
        } @else if let Some(set) = sets.first() {
            p class="muted" { "Columns: " (counted(set.labels.len(), set.name)) "." }
        }
    }
}

/// Returns how many of the tests have a row.
fn shown(search: &StorySearch) -> String {
    let rows = grid::rows(search).len();
    let of = if rows < search.tests.len() {
        format!(
            "{} of {} are drawn, those that were accepted among them; reduct log has all. ",
            count(rows),
            counted(search.tests.len(), "tests")
        )
    } else {
        String::new()
    };
    format!("{}: {of}Point at a cell, or use the arrow keys, to read it.", told(search))
}
