//! Of a search among changes: each cause, with its commits and its guilty lines.

use super::text::plain;
use crate::blame::NOT_ALWAYS_WRONG;
use crate::human::{self, counted};
use crate::story::Story;
use maud::{Markup, html};
use serde_json::Value;

/// So many bytes of a patch are shown.
const MOST: usize = 40_000;

/// Returns the causes, if they are known: they are the answer, which the terminal has as a text.
pub(super) fn causes(story: &Story) -> Option<Markup> {
    let causes = story.answer.as_ref().and_then(|answer| answer.get("causes")?.as_array())?;
    if causes.is_empty() {
        return None;
    }
    Some(html! {
        h3 { (counted(causes.len(), "causes")) }
        @for (at, cause) in causes.iter().enumerate() {
            article class="cause" {
                @if causes.len() > 1 { h4 { "Cause " (at + 1) } }
                @for part in list(cause, "parts") { (shown(part, at)) }
                (told(cause, at))
            }
        }
        @if causes.iter().any(|cause| text(cause, "undone") == "pass") { p class="muted" { (NOT_ALWAYS_WRONG) } }
    })
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns a part of a cause: who changed what, when, and the lines.
fn shown(part: &Value, at: usize) -> Markup {
    let lines = part.get("lines").and_then(Value::as_u64).unwrap_or(0);
    html! {
        @for change in list(part, "changes") {
            p class="commit" {
                code { (plain(text(change, "id").as_bytes())) } " "
                b { (plain(text(change, "subject").as_bytes())) }
                @if !text(change, "author").is_empty() { span class="muted" { " — " (plain(text(change, "author").as_bytes())) ", " (plain(text(change, "date").as_bytes())) } }
            }
        }
        p class="muted" { (counted(lines, "changed lines")) " in "
            @for file in list(part, "files").take(20) { code { (plain(file.as_str().unwrap_or_default().as_bytes())) } " " } }
        (patch(text(part, "patch"), &format!("The lines of cause {}", at + 1)))
    }
}

/// Returns a patch with its lines marked.
fn patch(patch: &str, label: &str) -> Markup {
    let shown = super::text::beginning(patch.as_bytes(), MOST);
    let lines = shown.0.split_inclusive(|byte| *byte == b'\n');
    html! {
        pre class="diff" tabindex="0" role="region" aria-label=(label) {
            @for line in lines {
                @match line.first() {
                    Some(b'+') if !line.starts_with(b"+++") => ins { (plain(line)) },
                    Some(b'-') if !line.starts_with(b"---") => del { (plain(line)) },
                    Some(b'@') => span class="cut" { (plain(line)) },
                    _ => (plain(line)),
                }
            }
        }
        @if shown.1 > 0 { p class="muted" { "… " (human::bytes(shown.1)) " more: see the patches in the answer of the run." } }
    }
}

/// Returns what was tried with a cause.
fn told(cause: &Value, at: usize) -> Markup {
    let alone = match text(cause, "alone") {
        "fail" => "With this alone, the version that passes fails.",
        "pass" => "With this alone, the version that passes still passes: it fails only with changes around it.",
        _ => "What the version that passes does with this alone could not be told.",
    };
    let undone = match text(cause, "undone") {
        "pass" if at == 0 => "Without this, the version that fails passes.",
        "pass" => "Without this and the causes before it, the version that fails passes.",
        "fail" => "Without this, the version that fails still fails: there is another cause.",
        _ => "",
    };
    html! { p { (alone) } @if !undone.is_empty() { p { (undone) } } }
}
