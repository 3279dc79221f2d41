//! The page of a run in which a person is the test: the open question, or the end, above the page of the run.

use super::frame::{self, Served};
use super::{Extent, contents, steps};
use crate::facts::Facts;
use crate::story::Story;
use maud::{Markup, html};

/// It shows files of the candidate, sends answers, and asks whether another question is open.
const SERVED: Served = Served {
    script: include_str!("asked.js"),
    style: include_str!("asked.css"),
    may: "connect-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'",
};

/// Returns what the page may do, as a content security policy.
pub fn policy() -> String {
    format!("{}; frame-ancestors 'none'", frame::policy(Some(&SERVED)))
}

/// Returns the page with this title: what is asked or said, and below it the page of the run, if the run can be read.
pub fn page(story: Option<&Story>, (title, asked): (&str, &Markup)) -> String {
    let Some(story) = story else {
        let body = html! { (asked) main {} };
        return frame::page((title, ""), &body.into_string(), "{}", Some(&SERVED));
    };
    let facts = Facts::of(story);
    let body = html! { (frame::skip()) (asked) (contents(story, &facts, Extent::Whole)) };
    let data = steps::data(story, Extent::Whole).to_string();
    frame::page((title, &facts.subject), &body.into_string(), &data, Some(&SERVED))
}
