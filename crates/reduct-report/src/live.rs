//! What is known of a run that goes on, as an object: what the page of `reduct view` shows, and what it can ask for.

use crate::excerpt::{clean, clean_bytes};
use crate::human::{counted, duration, percent, rate, sizes};
use crate::state::SessionState;
use crate::words;
use serde_json::{Value, json};
use std::time::Duration;

/// So many of the tests that are under way are named.
const MOST_RUNNING: usize = 16;

/// Returns what is known of a run at `now`. What tests print is left out if it is `discreet`.
pub fn snapshot(state: &SessionState, now: Duration, discreet: bool) -> Value {
    let printed = state.printed.as_ref().filter(|_| !discreet).map(|printed| {
        let text: Vec<String> = printed
            .iter()
            .flat_map(|bytes| bytes.split(|byte| *byte == b'\n'))
            .map(clean_bytes)
            .filter(|line| !line.trim().is_empty())
            .collect();
        text[text.len().saturating_sub(12)..].join("\n")
    });
    let running = state.running.iter().take(MOST_RUNNING).map(|(test, _)| counted(test.bytes, "bytes"));
    let same = state.unit == state.start_unit() && state.began.is_some();
    json!({
        "alive": true,
        "searching": state.began.is_some() && !state.is_finishing && state.ended.is_none(),
        "paused": state.is_paused,
        "ended": state.ended.as_ref().map(|ended| ended.why.name()),
        "failure": state.began.as_ref().map(|began| clean(&began.failure)),
        "sizes": state.began.as_ref().map(|_| sizes((state.size_at_start(), state.start_unit()), (state.size, state.unit))),
        "share": same.then(|| percent(state.size, state.size_at_start())),
        "tests": state.tests,
        "rate": state.rate(now).map(|speed| format!("{} tests/s", rate(speed))),
        "phase": phase(state),
        "skips": state.phase.is_some(),
        "decided": state.decided.map(|(decided, of)| [decided, of]),
        "steps": state.steps.len().saturating_sub(1),
        "running": running.collect::<Vec<String>>(),
        "last_test": state.last_test,
        "printed": printed,
        "passes": state.passes.rows(),
        "trouble": state.trouble,
        "elapsed": duration(now.saturating_sub(state.began_at)),
    })
}

fn phase(state: &SessionState) -> Option<String> {
    match (&state.began, &state.phase) {
        (None, _) => state.preflight.clone(),
        _ if state.is_finishing => Some("running the result again".to_owned()),
        (_, phase) => phase.as_ref().map(words::phase),
    }
}

/// Returns what is known of a run that is not under way.
pub fn at_rest() -> Value {
    json!({ "alive": false })
}

/// Returns what a terminal says of where a run is seen.
pub fn seen_at(address: &str) -> String {
    format!("The run is seen at {address}")
}

/// What is said when something is asked of a run that is not under way.
pub const NOT_UNDER_WAY: &str = "this run is not under way\n";

/// What is said when a step cannot be gone back to from here.
pub const NO_WAY_BACK: &str = "this page belongs to the run itself: type reduct resume --from once it has ended\n";

/// What is said while nothing is known of the run yet.
pub const NOT_YET: &str = "The run has not begun yet";
