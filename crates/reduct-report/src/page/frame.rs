//! What is around the contents of a page: its head with the rules of what it may do, its style, its script.

use super::text::plain;
use crate::excerpt::path;
use crate::facts::Facts;
use crate::story::Story;
use base64::Engine;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What a page has besides if it is served, rather than a file.
pub(super) struct Served {
    /// A script that asks the server.
    pub(super) script: &'static str,
    /// A style that follows that of every page.
    pub(super) style: &'static str,
    /// What it may do besides running its scripts, as directives of a content security policy.
    pub(super) may: &'static str,
}

/// Returns what a page may do, as a content security policy: nothing is loaded from anywhere else, and nothing runs but the
/// texts that stand in it.
pub(super) fn policy(served: Option<&Served>) -> String {
    let (script, may) = match served {
        Some(served) => (format!(" '{}'", digest(served.script)), served.may),
        None => (String::new(), "form-action 'none'"),
    };
    let (style, own) = (digest(&style(served)), digest(SCRIPT));
    format!("default-src 'none'; style-src '{style}'; script-src '{own}'{script}; base-uri 'none'; {may}")
}

fn style(served: Option<&Served>) -> String {
    format!("{STYLE}{}", served.map_or("", |served| served.style))
}

/// Returns a page with this title, subject and body; `data` is JSON for its script.
pub(super) fn page((title, subject): (&str, &str), body: &str, data: &str, served: Option<&Served>) -> String {
    // No text within it ends the element.
    let data = data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(served));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("reduct ", env!("CARGO_PKG_VERSION")));
                title { (plain(title.as_bytes())) " · " (plain(subject.as_bytes())) " · reduct" }
                style { (PreEscaped(style(served))) }
            }
            body {
                (PreEscaped(body))
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(SCRIPT)) }
                @if let Some(served) = served { script { (PreEscaped(served.script)) } }
            }
        }
    };
    markup.into_string() + "\n"
}

fn digest(text: &str) -> String {
    format!("sha256-{}", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text)))
}

/// Returns the first link of a page, which leads past what stands above the answer.
pub(super) fn skip() -> Markup {
    html! { a class="skip" href="#answer" { "Skip to the answer" } }
}

/// Returns what the run is about, what it came to, and which program fails.
pub(super) fn header(facts: &Facts) -> Markup {
    head(
        facts.question,
        &facts.title,
        html! {
            p class="subject" { code { (plain(facts.subject.as_bytes())) } }
            @if let Some((what, test)) = &facts.test { p class="ran" { (what) @if !test.is_empty() { " " code { (plain(test.as_bytes())) } } } }
        },
    )
}

/// Returns the head of a page: a question, what came of it, and more.
pub(super) fn head(question: &str, title: &str, more: Markup) -> Markup {
    html! { header { p class="kind" { (question) } h1 { (plain(title.as_bytes())) } (more) } }
}

/// Returns the foot: from what the page was made.
pub(super) fn foot(story: &Story) -> Markup {
    html! {
        footer {
            p { "Made by " code { "reduct report" } " from the journal of " code { (path(story.seen(&story.run))) }
                ". This page is one file: it loads nothing and sends nothing." }
        }
    }
}
