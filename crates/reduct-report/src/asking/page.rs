//! What a person who is the test sees above the page of the run: what is asked, the buttons and the candidate; or the end.

use super::Questions;
use super::html::{FileSort, encoded, escaped, hex, marked, sort_of};
use crate::excerpt::path;
use crate::human;
use maud::{Markup, PreEscaped, html};
use reduct_core::Config;
use reduct_input::{Candidate, What};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// The buttons: what they say, their key, what stands on them.
const BUTTONS: [(&str, &str, &str); 5] = [
    ("fails", "f", "It fails"),
    ("passes", "p", "It passes"),
    ("cannot", "c", "Cannot tell"),
    ("undo", "u", "Undo the last answer"),
    ("stop", "q", "Stop for now"),
];

/// Returns the open question, and the title of its page; `number` is what its answer has to name.
pub fn question(candidate: &Candidate, questions: &Questions, (number, note): (u64, &str)) -> (String, Markup) {
    let question = questions.question();
    let progress = questions.answered_of().map(|(answered, most)| {
        let told = format!("{answered} of at most {most} questions are answered");
        html! { progress value=(answered) max=(most) aria-label=(told) { (told) } }
    });
    let asked = html! {
        section id="asked" aria-labelledby="asked-h" {
            h2 id="asked-h" { "Question " (question) ": does it fail?" @if let Some(bound) = questions.bound() { " " small { (bound) } } }
            p { @if let Some(size) = questions.size() { "The best so far: " (size) ". " } "This candidate: " (questions.size_of(candidate)) "." }
            @if let Some(progress) = progress { (progress) }
            form method="post" action="answer" {
                input type="hidden" name="question" value=(number);
                @for (say, key, label) in BUTTONS {
                    button name="say" value=(say) class=(say) data-key=(key) { (label) kbd { (key) } }
                }
            }
            p id="asked-note" role="status" { (note) }
            (PreEscaped(contents(candidate, questions.best().unwrap_or(candidate), number)))
        }
    };
    (format!("Question {question}"), asked)
}

/// Returns what is said when no question is open, and the title of its page: the result, where it is, and what can be done next.
pub fn over(questions: &Questions, out: &Path) -> (String, Markup) {
    let what = match (questions.is_over, questions.is_done) {
        (false, _) => "No question is open.",
        (true, true) => "The run has ended: nothing is left to ask.",
        (true, false) => "The run was stopped.",
    };
    let asked = html! {
        section id="asked" aria-labelledby="asked-h" {
            h2 id="asked-h" { (what) }
            @if let Some(size) = questions.size() {
                p { @if questions.is_done { "The result" } @else { "The best so far" } ": " (size) ". It is written to " code { (path(out)) } "." }
            }
            @if !questions.is_done { p { code { "reduct resume" } " goes on with the same question." } }
            p { code { "reduct resume --undo" } " takes the last answer back. " code { "reduct report" } " writes this page to a file." }
        }
    };
    (what.trim_end_matches('.').to_owned(), asked)
}

/// So many files of a folder are shown themselves.
const MOST_FILES: usize = 20;

/// Returns the candidate beside the best so far, each shown by an element that is made of its address and its title.
fn beside(candidate: &str, best: &str, element: impl Fn(&str, &str) -> String) -> String {
    let side = |address: &str, title: &str| {
        format!("<figure><figcaption>{title}</figcaption>{}</figure>", element(address, title))
    };
    let (candidate, best) = (side(candidate, "This candidate"), side(best, "The best so far, which fails"));
    format!("<div class=sides>{candidate}{best}</div>")
}

/// Returns an HTML file in a frame in which it runs no scripts.
fn frame(address: &str, title: &str) -> String {
    format!("<iframe sandbox src=\"{address}\" title=\"{title}\"></iframe>")
}

fn image(address: &str, title: &str) -> String {
    format!("<img src=\"{address}\" alt=\"{title}\">")
}

/// Returns text, which is HTML already, that is read by keys, too.
fn text_of(html: &str) -> String {
    format!("<pre tabindex=0 role=region aria-label=\"The candidate as text\">{html}</pre>")
}

/// Below this path, in the place of a number, stand the files of the best so far.
pub const BEST: &str = "best";

/// Returns the candidate, beside the best so far.
fn contents(candidate: &Candidate, best: &Candidate, number: u64) -> String {
    // What was put in stands in no base.
    let comparable = Arc::ptr_eq(best.base(), candidate.base()) && best.is_subset() && candidate.is_subset();
    let (best, left) = match comparable {
        true => (best.kept().union(candidate.kept()), candidate.kept().clone()),
        false => (Config::empty(), Config::empty()),
    };
    let mut html = String::new();
    let is_folder = candidate.entry_count() != 1;
    if is_folder {
        html += &listing(candidate, number);
    }
    let whole = candidate.artifact();
    let base = candidate.base();
    for (path, _, bytes) in whole.files().take(MOST_FILES) {
        let name = path.as_os_str().as_encoded_bytes();
        let address = format!("raw/{number}/{}", encoded(name));
        let title = escaped(&path.to_string_lossy());
        // The best is another one with each question, so that no browser takes an old one for it.
        let best_of = |name: &[u8]| format!("raw/{BEST}/{}?{number}", encoded(name));
        let _ = write!(html, "<h3><a href=\"{address}\" target=_blank rel=noreferrer>{title}</a></h3>");
        let text = || {
            let there = base.files().find(|(there, ..)| comparable && *there == path);
            match there {
                Some((_, at, text)) => marked(text, at.start, &best, &left),
                None => {
                    let all = Config::full(bytes.len());
                    marked(bytes, 0, &all, &all)
                }
            }
        };
        html += &match sort_of(name, bytes) {
            FileSort::Text | FileSort::Style => text_of(&text()),
            FileSort::Html => beside(&address, &best_of(name), frame) + &text_of(&text()),
            FileSort::Image(_) => beside(&address, &best_of(name), image),
            FileSort::Binary => text_of(&hex(bytes)),
        };
    }
    html
}

/// Returns the files of a candidate, and those that are gone.
fn listing(candidate: &Candidate, number: u64) -> String {
    let mut html =
        "<h3>Files</h3><div class=\"scroll tall\" tabindex=0 role=region aria-label=Files><table>".to_owned();
    let mut row = |path: &Path, size: Option<usize>| {
        let (name, title) = (path.as_os_str().as_encoded_bytes(), escaped(&path.to_string_lossy()));
        let _ = match size {
            Some(size) => write!(
                html,
                "<tr><td><a href=\"raw/{number}/{}\" target=_blank rel=noreferrer>{title}</a><td>{}",
                encoded(name),
                human::bytes(size)
            ),
            None => write!(html, "<tr><td><del>{title}</del><td>not in this candidate"),
        };
    };
    let files: Vec<(&Path, usize)> = candidate
        .pieces()
        .filter(|(entry, _)| matches!(entry.what, What::File { .. }))
        .map(|(entry, pieces)| (entry.path.as_path(), pieces.iter().map(|piece| piece.len()).sum()))
        .collect();
    files.iter().take(1000).for_each(|(path, size)| row(path, Some(*size)));
    let there: HashSet<&Path> = files.iter().map(|(path, _)| *path).collect();
    let is_gone = |path: &Path| !there.contains(path);
    candidate.base().files().filter(|(path, ..)| is_gone(path)).take(200).for_each(|(path, ..)| row(path, None));
    html + "</table></div>"
}
