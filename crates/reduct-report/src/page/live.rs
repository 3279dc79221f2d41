//! The page of a run while it goes on: the same page, below a bar that says how far it is and takes requests.

use super::frame::{self, Served};
use super::{Extent, answer, contents, pictures, steps, tests_table};
use crate::facts::Facts;
use crate::live::NOT_YET;
use crate::story::Story;
use maud::{Markup, html};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// It may ask its server.
const SERVED: Served = Served {
    script: include_str!("live.js"),
    style: include_str!("live.css"),
    may: "connect-src 'self'; form-action 'none'",
};

/// What a page knows of a run that grows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// The number that was shown with it: another one if more has changed than that it has grown.
    pub beginnings: u64,
    /// How many tests and steps there were.
    pub tests: u64,
    /// How many steps there were.
    pub steps: usize,
    /// How many tests there were when its pictures were drawn.
    pub drawn: u64,
    /// What its answer is known by.
    pub answer: String,
}

/// Returns the page of a run that is seen by a server; `goes_back` if it can go back to a step. It is known by the number
/// `beginnings`.
pub fn live(story: &Story, goes_back: bool, beginnings: u64) -> String {
    let facts = Facts::of(story);
    let extent = if story.end.is_some() { Extent::Whole } else { Extent::Growing };
    let body = html! {
        (bar(goes_back))
        (contents(story, &facts, extent))
    };
    let mut data = steps::data(story, extent);
    let (tests, steps) = story.search.as_ref().map_or((0, 0), |search| (search.tests.len(), search.steps.len()));
    let answer = key(&answer::section(story, &facts, extent).into_string());
    data["known"] =
        json!({ "beginnings": beginnings, "tests": tests, "steps": steps, "drawn": tests, "answer": answer });
    frame::page((&facts.title, &facts.subject), &body.into_string(), &data.to_string(), Some(&SERVED))
}

/// Returns what a page has to read anew for.
pub fn anew() -> Value {
    json!({ "anew": true })
}

/// The pictures are drawn again when there are so many times more tests, so that all drawings together cost little.
const DRAWN_AT: f64 = 1.1;

/// Returns what a page lacks that knows so much of a run, or that it has to be read anew.
pub fn grown(story: &Story, beginnings: u64, since: &Since) -> Value {
    let search = story.search.as_ref().filter(|_| !story.question.is_inquiry() && story.end.is_none());
    let Some(search) = search.filter(|_| beginnings == since.beginnings && since.tests > 0) else { return anew() };
    let (tests, steps) = (search.tests.len() as u64, search.steps.len());
    // What has no steps yet has no slider.
    if tests < since.tests || steps < since.steps || (since.steps == 0 && steps > 0) {
        return anew();
    }
    let facts = Facts::of(story);
    let answer = answer::section(story, &facts, Extent::Growing).into_string();
    let answer_key = key(&answer);
    let is_drawn = tests as f64 >= since.drawn as f64 * DRAWN_AT + 1.0;
    let drawn = if is_drawn { tests } else { since.drawn };
    json!({
        "known": { "beginnings": beginnings, "tests": tests, "steps": steps, "drawn": drawn, "answer": answer_key },
        "header": frame::header(&facts.title, &facts.subject, facts.question).into_string(),
        "answer": (answer_key != since.answer).then_some(answer),
        "steps": steps::after(story, search, since.steps),
        "rows": tests_table::rows_after(search, since.tests).into_string(),
        "said": {
            "steps-said": steps::said(search).into_string(),
            "tests-said": tests_table::said(search).into_string(),
            "tests-foot": tests_table::foot(search).into_string(),
        },
        "pictures": is_drawn.then(|| pictures::again(search)),
    })
}

/// Returns what a text is known by.
fn key(text: &str) -> String {
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the page of a run of which nothing is known yet.
pub fn waiting() -> String {
    let body = html! {
        (bar(false))
        header { h1 { (NOT_YET) } }
        main {}
    };
    frame::page((NOT_YET, ""), &body.into_string(), "{}", Some(&SERVED))
}

/// Returns what stands above the page: what goes on, and what can be asked for.
fn bar(goes_back: bool) -> Markup {
    html! {
        section id="live" aria-labelledby="live-h" data-back=(goes_back) {
            h2 id="live-h" { "Now" }
            p id="live-say" role="status" { "Connecting…" }
            progress id="live-bar" aria-label="Parts of this phase that are decided" hidden {}
            p class="say" id="live-more" {}
            div class="live-keys" {
                button type="button" id="live-pause" data-what="pause" hidden { "Pause" }
                button type="button" data-what="skip" hidden { "Skip this phase" }
                button type="button" data-what="disable" hidden { "Switch this pass off" }
                button type="button" data-what="stop" hidden { "Stop with the best" }
                button type="button" id="live-back" hidden { "Go back to the step of the slider" }
            }
            p class="say" id="live-note" role="status" {}
            details id="live-passes" hidden {
                summary { "What each pass has done" }
                div class="scroll" tabindex="0" role="region" aria-label="What each pass has done" {
                    table { thead { tr { th { "pass" } th { "tests" } th { "accepted" } th { "bytes" } } } tbody id="live-rows" {} }
                }
            }
            details id="live-output" hidden {
                summary { "What the last test printed" }
                pre id="live-printed" tabindex="0" role="region" aria-label="What the last test printed" {}
            }
        }
    }
}
