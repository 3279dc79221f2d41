//! The page about a run: one file, without a request to anywhere. The answer stands first, then the pictures, the steps,
//! the input with what is left of it, and the tests.

mod answer;
mod changes;
mod executions;
mod findings;
mod frame;
mod inquiry;
pub mod live;
mod pictures;
mod result;
mod steps;
mod tests_table;
pub mod text;

pub use findings::{FindingFiles, FindingShown, FindingsPage, GroupPage, SmallestInput, of_fuzz, of_triage};

use crate::facts::Facts;
use crate::story::Story;
use frame::Script;
use maud::{Markup, html};

/// Returns the page of a run.
pub fn page(story: &Story) -> String {
    let facts = Facts::of(story);
    let body = contents(story, &facts);
    frame::page((&facts.title, &facts.subject), &body.into_string(), &steps::data(story), Script::Still)
}

/// Returns what stands on the page of a run.
fn contents(story: &Story, facts: &Facts) -> Markup {
    let has_steps = story.search.is_some() && !story.question.is_inquiry();
    html! {
        (frame::head(&facts.title, &facts.subject, facts.question))
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
            (answer::section(story, facts))
            (changes::section(story))
            @if let Some(search) = &story.search {
                @if has_steps {
                    (pictures::section(search))
                    (steps::section(story, search))
                }
                (tests_table::section(story, search))
            }
            (answer::commands(facts))
        }
        (frame::foot(story))
    }
}
