//! What is around the contents of a page: its head with the rules of what it may do, its style, its script.

use super::text::plain;
use crate::excerpt::path;
use crate::story::Story;
use base64::Engine;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Returns a page with this body; `data` is JSON for its script.
pub(super) fn page(title: &str, subject: &str, body: &str, data: &str) -> String {
    // Nothing is loaded from anywhere, and nothing runs but these two texts.
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
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
                style { (PreEscaped(STYLE)) }
            }
            body {
                (PreEscaped(body))
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(SCRIPT)) }
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
