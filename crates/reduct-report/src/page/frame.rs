//! What is around the contents of a page: its head with the rules of what it may do, its style, its script.

use super::text::plain;
use crate::excerpt::path;
use crate::story::Story;
use base64::Engine;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");
const LIVE_STYLE: &str = include_str!("live.css");
const SCRIPT: &str = include_str!("script.js");

/// What a page does besides.
#[derive(Clone, Copy)]
pub(super) enum Script {
    /// Nothing: it loads and sends nothing.
    Still,
    /// It asks the server that it comes from, by this script.
    Live(&'static str),
}

/// Returns a page with this title, subject and body; `data` is JSON for its script.
pub(super) fn page((title, subject): (&str, &str), body: &str, data: &str, script: Script) -> String {
    let (live, style, to_server) = match script {
        Script::Still => (None, STYLE.to_owned(), String::new()),
        Script::Live(live) => {
            let allowed = format!(" '{}'; connect-src 'self'", digest(live));
            (Some(live), format!("{STYLE}{LIVE_STYLE}"), allowed)
        }
    };
    // Nothing is loaded from anywhere else, and nothing runs but these texts.
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'{to_server}; base-uri 'none'; form-action 'none'",
        digest(&style),
        digest(SCRIPT)
    );
    // No text within it ends the element.
    let data = data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("reduct ", env!("CARGO_PKG_VERSION")));
                title { (plain(title.as_bytes())) " · " (plain(subject.as_bytes())) " · reduct" }
                style { (PreEscaped(style)) }
            }
            body {
                (PreEscaped(body))
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(SCRIPT)) }
                @if let Some(live) = live { script { (PreEscaped(live)) } }
            }
        }
    };
    markup.into_string() + "\n"
}

fn digest(text: &str) -> String {
    format!("sha256-{}", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text)))
}

/// Returns the head of the contents.
pub(super) fn head(title: &str, subject: &str, question: &str) -> Markup {
    html! {
        a class="skip" href="#answer" { "Skip to the answer" }
        header {
            p class="kind" { (question) }
            h1 { (plain(title.as_bytes())) }
            p class="subject" { code { (plain(subject.as_bytes())) } }
        }
    }
}

/// Returns the foot: from what the page was made.
pub(super) fn foot(story: &Story) -> Markup {
    html! {
        footer {
            p { "Made by " code { "reduct report" } " from the journal of " code { (path(&story.run)) }
                ". This page is one file: it loads nothing and sends nothing." }
        }
    }
}
