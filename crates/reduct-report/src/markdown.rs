//! A run for a bug tracker, in Markdown: what fails, with what, what is proved, and how to see it again.

use crate::excerpt::{gives_words, path};
use crate::facts::Facts;
use crate::inquiries::InquiryAnswer;
use crate::page::text::{beginning, plain};
use crate::story::{Story, StoryQuestion};
use crate::to_type::{self, ToType};
use reduct_input::Candidate;
use std::fmt::Write;

/// So many bytes of a file are shown, and so many files.
const MOST: usize = 8000;
const MOST_FILES: usize = 10;

/// Returns the text.
pub fn markdown(story: &Story) -> String {
    let facts = Facts::of(story);
    let mut text = format!("## {}\n\n", inline(&facts.title));
    let _ = writeln!(text, "{}: `{}`\n", facts.question, in_code(&facts.subject));
    if let Some((what, test)) = &facts.test {
        let test = if test.is_empty() { String::new() } else { format!(" `{}`", in_code(test)) };
        let _ = writeln!(text, "{what}{test}\n");
    }
    let _ = writeln!(text, "**Failure:** {}\n", inline(&facts.failure));
    if let Some(listing) = &story.listing {
        text += "### What is left\n\n";
        text += &fenced((listing.rows() + &listing.summary()).as_bytes(), "text");
    }
    let answer = story.inquiry.as_ref().map(InquiryAnswer::text).or_else(|| story.answer_text.clone());
    match (&story.search, &answer) {
        (_, None) if story.question.is_inquiry() => {}
        (_, Some(answer)) => text += &fenced(answer.as_bytes(), "text"),
        (Some(search), None) if story.question == StoryQuestion::Isolate => {
            for (name, side) in [("It passes", search.passing.as_ref()), ("It fails", Some(&search.best))] {
                if let Some(side) = side {
                    let _ = writeln!(text, "### {name}\n");
                    text += &files(side);
                }
            }
        }
        (Some(search), None) if story.question == StoryQuestion::Minima => {
            text += "### Minimal inputs\n\n";
            text += &files(search.passing.as_ref().unwrap_or(&search.best));
        }
        (Some(search), None) => {
            text += if story.listing.is_some() { "### The plan\n\n" } else { "### Result\n\n" };
            text += &files(&search.best);
        }
        (None, None) => {
            let _ = writeln!(text, "The result is `{}`.\n", in_code(&path(story.seen(&story.out))));
        }
    }
    text += "### Why this is the answer\n\n";
    for line in facts.evidence.iter().chain([&facts.state]).chain(&facts.caveats).chain(&facts.missing) {
        let _ = writeln!(text, "* {}", inline(line));
    }
    if !story.others.is_empty() {
        text += "\n### Other failures met on the way\n\n";
        for other in &story.others {
            let (what, bytes) = (inline(&other.signature), crate::human::bytes(other.bytes));
            let _ = writeln!(text, "* {what}: {bytes}, `{}`", in_code(&path(story.seen(&other.place))));
        }
    }
    text += "\n### What to type\n\n";
    for (needs, of_run) in to_type::needs(story).iter().zip([false, true]) {
        let commands: Vec<&ToType> = facts.commands.iter().filter(|command| command.needs_run == of_run).collect();
        if !commands.is_empty() {
            let _ = writeln!(text, "{}\n", inline(needs));
        }
        for command in commands {
            let _ = writeln!(text, "{}:\n", command.what);
            text += &fenced(command.line.as_bytes(), "sh");
        }
    }
    let effort: Vec<String> = facts.effort.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let _ = writeln!(text, "<sub>{}</sub>", inline(&effort.join(" · ")));
    text
}

/// Returns the files of a candidate; of arguments and variables nothing, as they may be secrets.
fn files(candidate: &Candidate) -> String {
    let artifact = candidate.artifact();
    if gives_words(&artifact) {
        return "The arguments and variables that matter are in the answer of the run.\n\n".into();
    }
    let files: Vec<_> = artifact.files().collect();
    let mut text = String::new();
    for (name, _, bytes) in files.iter().take(MOST_FILES) {
        if files.len() > 1 {
            let _ = writeln!(text, "`{}`\n", in_code(&path(name)));
        }
        let (shown, cut) = beginning(bytes, MOST);
        let language =
            name.extension().and_then(|end| end.to_str()).filter(|end| end.chars().all(char::is_alphanumeric));
        text += &fenced(shown, language.unwrap_or("text"));
        if cut > 0 {
            let _ = writeln!(text, "… {} more\n", crate::human::bytes(cut));
        }
    }
    if files.len() > MOST_FILES {
        let _ = writeln!(text, "… and {}\n", crate::human::counted(files.len() - MOST_FILES, "more files"));
    }
    text
}

/// Returns a block of code that no text in it ends.
pub(crate) fn fenced(bytes: &[u8], language: &str) -> String {
    let text = plain(bytes);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n\n")
}

/// Returns a text within a line, in which nothing is markup.
pub(crate) fn inline(text: &str) -> String {
    let mut safe = String::new();
    for character in plain(text.as_bytes()).chars() {
        match character {
            '\n' => safe.push(' '),
            '<' => safe += "&lt;",
            '&' => safe += "&amp;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '@' => {
                safe.push('\\');
                safe.push(character);
            }
            other => safe.push(other),
        }
    }
    safe
}

/// Returns a text within single backticks.
pub(crate) fn in_code(text: &str) -> String {
    plain(text.as_bytes()).replace(['`', '\n'], "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_block() {
        assert_eq!(fenced(b"a", "c"), "```c\na\n```\n\n");
        assert_eq!(fenced(b"```\n````\n", "text"), "`````text\n```\n````\n`````\n\n");
    }

    #[test]
    fn within_a_line_nothing_is_markup() {
        assert_eq!(inline("a <b> *c* [d](e)\n# @f"), "a &lt;b> \\*c\\* \\[d\\](e) \\# \\@f");
        assert_eq!(in_code("a`b"), "a'b");
    }
}
