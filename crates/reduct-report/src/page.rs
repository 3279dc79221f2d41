//! The page about a run: one file, without a request to anywhere. The answer stands first, then the pictures, the steps,
//! the input with what is left of it, and the tests.

mod answer;
pub mod asked;
mod changes;
mod executions;
mod findings;
mod frame;
mod inquiry;
pub mod live;
mod phases;
mod pictures;
mod result;
mod steps;
mod tests_table;
pub mod text;

pub use findings::{FindingFiles, FindingShown, FindingsPage, GroupPage, SmallestInput, inputs_of, of_fuzz, of_triage};

use crate::facts::Facts;
use crate::story::Story;
use maud::{Markup, html};

/// Returns the page of a run.
pub fn page(story: &Story) -> String {
    let facts = Facts::of(story);
    let body = html! { (frame::skip()) (contents(story, &facts, Extent::Whole)) };
    let data = steps::data(story, Extent::Whole).to_string();
    frame::page((&facts.title, &facts.subject), &body.into_string(), &data, None)
}

/// How much of a run stands on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All that there is room for.
    Whole,
    /// Of a run that goes on, only what can be added to.
    Growing,
}

/// Returns what stands on the page of a run.
fn contents(story: &Story, facts: &Facts, extent: Extent) -> Markup {
    let has_steps = story.search.is_some() && !story.question.is_inquiry();
    html! {
        (frame::header(facts))
        nav aria-label="Parts of this page" {
            a href="#answer" { "Answer" }
            @if has_steps {
                a href="#pictures" { "Pictures" }
                a href="#steps" { "Steps" }
            }
            @if story.search.is_some() { a href="#tests" { "Tests" } }
            a href="#commands" { "Commands" }
        }
        main {
            (answer::section(story, facts, extent))
            @if let Some(search) = &story.search {
                @if has_steps {
                    (pictures::section(search))
                    (steps::section(story, search, extent))
                }
                (tests_table::section(story, search))
            }
            (answer::commands(story, facts))
        }
        (frame::foot(story))
    }
}
