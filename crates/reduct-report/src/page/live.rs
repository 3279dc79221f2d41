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
        (frame::skip())
        (bar(goes_back))
        (contents(story, &facts, extent))
    };
    let mut data = steps::data(story, extent);
    let (tests, steps) = story.search.as_ref().map_or((0, 0), |search| (search.tests.len(), search.steps.len()));
    let answer = answer_key(story, &facts, extent);
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
    let answer_key = answer_key(story, &facts, Extent::Growing);
    let answer = || answer::section(story, &facts, Extent::Growing).into_string();
    let is_drawn = tests as f64 >= since.drawn as f64 * DRAWN_AT + 1.0;
    let drawn = if is_drawn { tests } else { since.drawn };
    json!({
        "known": { "beginnings": beginnings, "tests": tests, "steps": steps, "drawn": drawn, "answer": answer_key },
        "header": frame::header(&facts).into_string(),
        "answer": (answer_key != since.answer).then(answer),
        "steps": steps::after(story, search, since.steps),
        "rows": tests_table::rows_after(search, since.tests).into_string(),
        "said": {
            "steps-said": steps::said(search).into_string(),
            "tests-said": tests_table::said(search).into_string(),
            "tests-foot": tests_table::foot(search).into_string(),
            (answer::EFFORT): answer::effort(&facts).into_string(),
        },
        "pictures": is_drawn.then(|| pictures::again(search)),
    })
}

/// Returns what an answer is known by. What it took does not count: that is another after each test, and is sent by itself.
fn answer_key(story: &Story, facts: &Facts, extent: Extent) -> String {
    let lasting = Facts { effort: vec![], ..facts.clone() };
    let text = answer::section(story, &lasting, extent).into_string();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::{StoryQuestion, StorySearch, StoryTest};
    use reduct_core::Outcome;
    use reduct_input::{Artifact, Candidate};
    use reduct_strategies::{Claim, Unproved};
    use std::sync::Arc;

    /// Returns a search that goes on, and has accepted nothing yet.
    fn search(tests: u64) -> StorySearch {
        let whole = Candidate::whole(Arc::new(Artifact::of_file("input", b"abcdefgh").unwrap()));
        let tests = (1..=tests).map(|n| StoryTest {
            n,
            size: 1,
            outcome: Outcome::Pass,
            cached: false,
            phase: 0,
            step: None,
            cells: vec![],
            row: None,
        });
        StorySearch {
            asked: None,
            branch: None,
            best: whole.clone(),
            whole,
            passing: None,
            before: (8, "bytes"),
            after: (1, "bytes"),
            is_done: false,
            claim: Claim::Fails(Unproved::Unfinished),
            caveats: vec![],
            tests: tests.collect(),
            steps: vec![],
            phases: vec![],
            columns: vec![],
            neighbour: None,
            sides_differ: vec![],
        }
    }

    /// Returns a run that goes on.
    fn story(tests: u64, failure: &str) -> Story {
        Story {
            run: "run".into(),
            tool: "reduct".into(),
            question: StoryQuestion::Reduce,
            folder: "/folder".into(),
            inputs: vec!["input".into()],
            command: vec![],
            out: "out".into(),
            failure: Some(failure.into()),
            runs: tests,
            ms: 10 * tests,
            search: Some(search(tests)),
            improved: vec![],
            end: None,
            others: vec![],
            caveats: vec![],
            by_person: false,
            asked_on_page: false,
            is_repeated: false,
            test: String::new(),
            typed: String::new(),
            plain: None,
            repeat: None,
            run_quoted: String::new(),
            explanation: None,
            program: String::new(),
            listing: None,
            sought: None,
            inquiry: None,
            answer: None,
            answer_text: None,
            missing: vec![],
        }
    }

    #[test]
    fn an_answer_is_sent_again_if_more_than_what_it_took_has_changed() {
        let of = |given: &Value| {
            let number = |name: &str| given["known"][name].as_u64().unwrap();
            let answer = given["known"]["answer"].as_str().unwrap().to_owned();
            let (tests, steps) = (number("tests"), number("steps") as usize);
            Since { beginnings: number("beginnings"), tests, steps, drawn: 100, answer }
        };
        let first = grown(&story(10, "one"), 1, &Since { beginnings: 1, tests: 5, drawn: 100, ..Since::default() });
        assert!(first["answer"].as_str().unwrap().contains("id=\"effort\""));
        let next = grown(&story(11, "one"), 1, &of(&first));
        assert_eq!(next["answer"], Value::Null);
        // What it took is there all the same.
        assert_ne!(next["said"]["effort"], first["said"]["effort"]);
        assert!(next["said"]["effort"].as_str().unwrap().contains("11"));
        let other = grown(&story(12, "another one"), 1, &of(&next));
        assert!(other["answer"].as_str().unwrap().contains("another one"));
    }
}
