//! The table of tests: what each left out, its size and its outcome (book, Example 5.8).

use crate::human::{count, counted};
use crate::inquiries::InquiryAnswer;
use crate::picture::table::stretches;
use crate::schedules::Sought;
use crate::story::{Story, StoryQuestion, StorySearch, StoryTest};
use maud::{Markup, html};

/// What can be shown alone: the class of the rows, and its label.
const FILTERS: [(&str, &str); 5] = [
    ("accepted", "accepted only"),
    ("fail", "✗ fail"),
    ("pass", "✓ pass"),
    ("unresolved", "? unresolved"),
    ("again", "outcome known before"),
];

pub(super) fn section(story: &Story, search: &StorySearch) -> Markup {
    let is_inquiry = story.question.is_inquiry();
    let shown: Vec<&StoryTest> = search.tests.iter().filter(|test| test.row.is_some()).collect();
    html! {
        section id="tests" aria-labelledby="tests-h" {
            h2 id="tests-h" { "Tests" }
            p { span id="tests-said" { (said(search)) } " " (about(story.question, story.inquiry.as_ref(), story.sought)) }
            fieldset class="choice" id="filter" {
                legend { "Show" }
                @for (class, label) in FILTERS.iter().filter(|(class, _)| !is_inquiry || *class != "accepted") {
                    label { input type="checkbox" value=(class) checked[*class != "accepted"]; " " (label) }
                }
                span id="filtered" class="muted" aria-live="polite" {}
            }
            div class="scroll tall" tabindex="0" role="region" aria-label="Table of tests" {
                table {
                    thead { tr { th scope="col" { "Test" } th scope="col" { "What was tested" } th scope="col" class="number" { "Size" } th scope="col" { "Outcome" } } }
                    tbody {
                        @for (at, test) in shown.iter().enumerate() {
                            @if at > 0 && test.n > shown[at - 1].n + 1 {
                                tr class="gap" { td colspan="4" { "… " (counted(test.n - shown[at - 1].n - 1, "tests")) " …" } }
                            }
                            (row(test))
                        }
                    }
                    tfoot id="tests-foot" { (foot(search)) }
                }
            }
        }
    }
}

/// Returns how many tests there are, and whether all are shown.
pub(super) fn said(search: &StorySearch) -> Markup {
    let missing = search.tests.iter().filter(|test| test.row.is_none()).count();
    html! {
        (counted(search.tests.len(), "tests")) "."
        @if missing > 0 { " " (counted(missing, "tests")) " in the middle are not on this page: " code { "reduct log" } " has them all." }
    }
}

pub(super) fn foot(search: &StorySearch) -> Markup {
    html! { tr { td { "Result" } td { } td class="number" { "(" (count(search.after.0)) ")" } td { (search.after.1) } } }
}

/// So many rows are added to a table at once.
const MOST_ADDED: usize = 400;

/// Returns the rows of the tests after this one: the last of them, if they are many.
pub(super) fn rows_after(search: &StorySearch, n: u64) -> Markup {
    let new = search.tests.partition_point(|test| test.n <= n);
    let new: Vec<&StoryTest> = search.tests[new..].iter().filter(|test| test.row.is_some()).collect();
    html! { @for test in &new[new.len().saturating_sub(MOST_ADDED)..] { (row(test)) } }
}

/// Returns what the rows are.
fn about(question: StoryQuestion, found: Option<&InquiryAnswer>, sought: Option<Sought>) -> &'static str {
    match (question, found) {
        (StoryQuestion::Values, _) => {
            "Each ran the failing side with the values that are named, at the place that is named. ✓ pass is what is looked for."
        }
        (StoryQuestion::Switches, Some(InquiryAnswer::Switches(found))) => match found.sought() {
            Sought::Failure => {
                "Each ran the program with the switches that are named; they look for the fewest with which it fails."
            }
            Sought::Pass => {
                "Each ran the program with the switches that are named; they look for the fewest with which it passes."
            }
        },
        (StoryQuestion::Switches, None) => match sought {
            Some(Sought::Failure) => {
                "Each ran the program under a schedule: one that was drawn by chance, or the switches that are named. One with which it fails is looked for."
            }
            Some(Sought::Pass) => {
                "Each ran the program under a schedule: one that was drawn by chance, or the switches that are named. One with which it passes is looked for."
            }
            None => {
                "Each ran the program under a schedule: one that was drawn by chance, or the switches that are named."
            }
        },
        (StoryQuestion::Switches, _) => "Each ran the program under a schedule that was drawn by chance.",
        _ => "What is struck out in grey was left out.",
    }
}

fn row(test: &StoryTest) -> Markup {
    let outcome = test.outcome;
    let class = format!(
        "{}{}{}",
        outcome.name(),
        if test.step.is_some() { " accepted" } else { "" },
        if test.cached { " again" } else { "" }
    );
    html! {
        tr class=(class) {
            td class="number" { (count(test.n)) }
            td class="p" { @for (text, gone) in test.row.as_ref().map(stretches).unwrap_or_default() { @if gone { del { (text) } } @else { (text) } } }
            td class="number" { "(" (count(test.size)) ")" }
            td { span class={ "mark " (outcome.name()) } { (outcome.mark()) " " (outcome.name()) }
                @if let Some(step) = test.step { " " span class="muted" { "→ step " (count(step)) } }
                @if test.cached { " " span class="muted" { "known before" } } }
        }
    }
}
