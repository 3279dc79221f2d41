//! The answer: what fails, with what, what is proved, and what to type.

use super::text::plain;
use super::{Extent, result};
use crate::excerpt::path;
use crate::facts::Facts;
use crate::human::{self, count};
use crate::story::{Story, StoryQuestion};
use crate::to_type::{self, ToType};
use maud::{Markup, html};

pub(super) fn section(story: &Story, facts: &Facts, extent: Extent) -> Markup {
    html! {
        section id="answer" aria-labelledby="answer-h" {
            h2 id="answer-h" { "Answer" }
            p class="failure" { span class="mark fail" aria-hidden="true" { "✗" } " " b { "Failure: " } (plain(facts.failure.as_bytes())) }
            (open_question(story))
            (result::result(story, extent))
            div class="cards" {
                div class="card" {
                    h3 { "Why this is the answer" }
                    @for line in &facts.evidence { p { (line) } }
                    p class="muted" { (facts.state) }
                    @if !facts.caveats.is_empty() {
                        h4 { "What limits it" }
                        ul { @for caveat in &facts.caveats { li { (plain(caveat.as_bytes())) } } }
                    }
                }
                div class="card" {
                    h3 { "What it took" }
                    dl id=(EFFORT) { (effort(facts)) }
                }
            }
            @if !facts.missing.is_empty() {
                div class="note" role="note" {
                    h3 { "What is missing here" }
                    @for line in &facts.missing { p { (plain(line.as_bytes())) } }
                }
            }
            (result::neighbour(story))
            (others(story))
        }
    }
}

/// Returns the question that is open, to be read only, and where it can be answered.
fn open_question(story: &Story) -> Markup {
    let Some(asked) = story.search.as_ref().and_then(|search| search.asked.as_ref()) else { return html! {} };
    let place = match story.asked_on_page {
        true => "on its own page, whose address the terminal of the run shows, or at that terminal",
        false => "at the terminal of the run",
    };
    html! {
        div class="note" role="note" {
            h3 { "Question " (count(asked.number)) " is open: does this candidate fail?" }
            p class="muted" { "It has " (human::bytes(asked.bytes)) "; what is struck out is in the best so far, and not in it." }
            (result::diff(&asked.diff))
            p { "This page cannot answer it. While the run goes on, a person answers it " (place) "; if nobody does, " code { "reduct resume" } " asks it again." }
        }
    }
}

/// What the list of what it took is known by in the page.
pub(super) const EFFORT: &str = "effort";

/// Returns what it took: names and values.
pub(super) fn effort(facts: &Facts) -> Markup {
    html! { @for (name, value) in &facts.effort { div { dt { (name) } dd { (value) } } } }
}

/// Returns the other failures that were met.
fn others(story: &Story) -> Markup {
    let what = if story.question == StoryQuestion::Executions { "plan" } else { "input" };
    html! {
        @if !story.others.is_empty() {
            h3 { "Other failures met on the way" }
            p class="muted" { "They are not the failure in question, and were never accepted. The smallest " (what) " of each is kept." }
            ul class="others" {
                @for other in &story.others {
                    li { code { (plain(other.signature.as_bytes())) } " — " (human::bytes(other.bytes)) ", in " code { (path(story.seen(&other.place))) } }
                }
            }
        }
    }
}

/// Returns what to type: first what needs the program only, then what needs the folder of the run.
pub(super) fn commands(story: &Story, facts: &Facts) -> Markup {
    let (of_run, anywhere): (Vec<_>, Vec<_>) =
        facts.commands.iter().enumerate().partition(|(_, command)| command.needs_run);
    html! {
        section id="commands" aria-labelledby="commands-h" {
            h2 id="commands-h" { "What to type" }
            @for (needs, commands) in to_type::needs(story).iter().zip([anywhere, of_run]) {
                @if !commands.is_empty() { p class="needs" { (plain(needs.as_bytes())) } }
                @for (at, command) in commands { (to_be_typed(at, command)) }
            }
        }
    }
}

fn to_be_typed(at: usize, ToType { what, line, .. }: &ToType) -> Markup {
    html! {
        div class="command" {
            p id={ "c" (at) "-h" } { (what) }
            div class="copyable" {
                pre id={ "c" (at) } tabindex="0" role="region" aria-labelledby={ "c" (at) "-h" } { (plain(line.as_bytes())) }
                button type="button" class="copy" data-copy={ "c" (at) } { "Copy" span class="vh" { ": " (what) } }
            }
        }
    }
}
