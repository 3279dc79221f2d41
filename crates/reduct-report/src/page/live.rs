//! The page of a run while it goes on: the same page, below a bar that says how far it is and takes requests.

use super::frame::{self, Script};
use super::{contents, steps};
use crate::facts::Facts;
use crate::live::NOT_YET;
use crate::story::Story;
use maud::{Markup, html};

const SCRIPT: &str = include_str!("live.js");

/// Returns the page of a run that is seen by a server; `goes_back` if it can go back to a step.
pub fn live(story: &Story, goes_back: bool) -> String {
    let facts = Facts::of(story);
    let body = html! {
        (bar(goes_back))
        (contents(story, &facts))
    };
    frame::page((&facts.title, &facts.subject), &body.into_string(), &steps::data(story), Script::Live(SCRIPT))
}

/// Returns the page of a run of which nothing is known yet.
pub fn waiting() -> String {
    let body = html! {
        (bar(false))
        header { h1 { (NOT_YET) } }
        main {}
    };
    frame::page((NOT_YET, ""), &body.into_string(), "{}", Script::Live(SCRIPT))
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
