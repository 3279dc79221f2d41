//! The page: what is asked, the buttons, and the candidate.

use super::Questions;
use super::html::{FileSort, encoded, escaped, hex, marked, sort_of};
use crate::human;
use reduct_core::Config;
use reduct_input::{Candidate, What};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Returns the policy that allows nothing but what we wrote into the page ourselves, and what is served beside it.
pub fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src 'self'; frame-src 'self'; \
         connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
}

const STYLE: &str = "\
body{font:16px/1.4 system-ui,sans-serif;margin:0 auto;max-width:72em;padding:0 1em;color:#222;background:#fff}\
header{position:sticky;top:0;background:#fff;padding:.6em 0;border-bottom:1px solid #ccc}\
h1{font-size:1.25em;margin:.2em 0}p{margin:.3em 0}\
button{font:inherit;padding:.4em 1.1em;margin:.2em .4em .2em 0;border:1px solid #888;border-radius:.4em;background:#f4f4f4}\
button:hover{background:#e4e4e4}.fails{border-color:#b00020;color:#b00020}.passes{border-color:#0a6b2d;color:#0a6b2d}\
kbd{font:.8em monospace;color:#555;margin-left:.5em}pre{overflow:auto;background:#fafafa;border:1px solid #ddd;padding:.6em}\
del{color:#a33;background:#fee}.more{color:#777;font-style:italic}.note{color:#b00020}.code{font-size:.7em;color:#05a;border:1px solid #9bd;border-radius:.2em}\
progress{width:100%;accent-color:#0a6b2d}.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22em),1fr));gap:1em}figure{margin:0;min-width:0}\
iframe{width:100%;height:32em;border:1px solid #999}img{max-width:100%;border:1px solid #ddd}td{padding:.1em 1em .1em 0}";

/// The keys, and another page where the answer was given elsewhere.
const SCRIPT: &str = "\
const form=document.forms[0],now=form.question.value;\
addEventListener('keydown',e=>{if(e.ctrlKey||e.altKey||e.metaKey||e.repeat)return;\
const b=form.querySelector('[data-key=\"'+e.key.toLowerCase()+'\"]');if(b){e.preventDefault();b.click()}});\
setInterval(()=>fetch('now').then(r=>{if(!r.ok)throw 0;return r.text()}).then(t=>{if(t!==now)location.reload()})\
.catch(()=>{document.getElementById('note').textContent='This run has ended or was stopped: its terminal says more.'}),2000)";

/// The buttons: what they say, their key, what stands on them.
const BUTTONS: [(&str, &str, &str); 5] = [
    ("fails", "f", "It fails"),
    ("passes", "p", "It passes"),
    ("cannot", "c", "Cannot tell"),
    ("undo", "u", "Undo the last answer"),
    ("stop", "q", "Stop for now"),
];

fn page(title: &str, body: &str, nonce: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <title>{title}</title><style nonce={nonce}>{STYLE}</style><body>{body}</body></html>"
    )
}

/// Returns the page of an open question; `number` is what its answer has to name.
pub fn question(candidate: &Candidate, questions: &Questions, (number, note): (u64, &str), nonce: &str) -> String {
    let question = questions.question();
    let bound = questions.bound().map(|bound| format!(" <small>({})</small>", escaped(&bound)));
    let mut body = format!("<header><h1>Question {question}{}: does it fail?</h1>", bound.unwrap_or_default());
    let best = questions.size().map_or_else(String::new, |size| format!("The best so far: {}. ", escaped(&size)));
    let _ = write!(body, "<p>{best}This candidate: {}.</p>", questions.size_of(candidate));
    if let Some((answered, most)) = questions.answered_of() {
        let told = format!("{answered} of at most {most} questions are answered");
        let _ = write!(body, "<progress value={answered} max={most} aria-label=\"{told}\">{told}</progress>");
    }
    let _ = write!(body, "<form method=post action=answer><input type=hidden name=question value={number}>");
    for (say, key, label) in BUTTONS {
        let _ =
            write!(body, "<button name=say value={say} class={say} data-key={key}>{label}<kbd>{key}</kbd></button>");
    }
    let _ = write!(body, "</form><p id=note class=note>{}</p></header>", escaped(note));
    body += &contents(candidate, questions.best().unwrap_or(candidate), number);
    let _ = write!(body, "<script nonce={nonce}>{SCRIPT}</script>");
    page(&format!("Question {question} · reduct"), &body, nonce)
}

/// Returns the page when no question is open: the result, where it is, and what can be done next.
pub fn over(questions: &Questions, out: &Path, nonce: &str) -> String {
    let what = match (questions.is_over, questions.is_done) {
        (false, _) => "No question is open.",
        (true, true) => "The run has ended: nothing is left to ask.",
        (true, false) => "The run was stopped.",
    };
    let mut body = format!("<h1>{what}</h1>");
    if let Some(size) = questions.size() {
        let result = if questions.is_done { "The result" } else { "The best so far" };
        let place = escaped(&out.to_string_lossy());
        let _ = write!(body, "<p>{result}: {}. It is written to <code>{place}</code>.</p>", escaped(&size));
    }
    if let Some((_, _, bytes)) = questions.best().map(Candidate::artifact).as_ref().and_then(|all| all.files().next()) {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_SHOWN)]);
        let _ = write!(body, "<pre>{}</pre>", escaped(&text));
    }
    if !questions.is_done {
        body += "<p><code>reduct resume</code> goes on with the same question.</p>";
    }
    body += "<p><code>reduct resume --undo</code> takes the last answer back. <code>reduct report</code> writes a page about \
             the run. Its terminal says more.</p>";
    page("reduct", &body, nonce)
}

/// So many bytes of the result are shown at the end.
const MOST_SHOWN: usize = 20_000;

/// So many files of a folder are shown themselves.
const MOST_FILES: usize = 20;

/// Returns a page beside what of it failed last.
fn beside(address: &str, best: &str) -> String {
    format!(
        "<div class=sides><figure><figcaption>This candidate</figcaption><iframe sandbox src=\"{address}\"></iframe></figure>\
         <figure><figcaption>The best so far, which fails</figcaption><iframe sandbox src=\"{best}\"></iframe></figure></div>"
    )
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
        let _ = write!(html, "<h2><a href=\"{address}\" target=_blank rel=noreferrer>{title}</a></h2>");
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
            FileSort::Text | FileSort::Style => format!("<pre>{}</pre>", text()),
            FileSort::Html => format!("{}<pre>{}</pre>", beside(&address, &best_of(name)), text()),
            FileSort::Image(_) => format!("<img alt=\"{title}\" src=\"{address}\">"),
            FileSort::Binary => format!("<pre>{}</pre>", hex(bytes)),
        };
    }
    html
}

/// Returns the files of a candidate, and those that are gone.
fn listing(candidate: &Candidate, number: u64) -> String {
    let mut html = "<h2>Files</h2><table>".to_owned();
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
    html + "</table>"
}
