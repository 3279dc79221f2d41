//! All minima in words: each with its size, what is in all of them, in some, in none (docs/MINIMA.md).

use crate::{claims, excerpt, human};
use reduct_core::{Config, Delta};
use reduct_input::Candidate;
use reduct_strategies::{AllMinima, Evidence};
use std::fmt::Write;

/// So many parts of each role are named in the text on the screen.
const MOST_SHOWN: usize = 6;

/// Where a part stands, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartPlace {
    /// Its file.
    pub path: String,
    /// Its line, from 1.
    pub line: usize,
    /// The text of it.
    pub text: String,
}

/// Returns where a part of an input stands.
pub fn place(search: &AllMinima, whole: &Candidate, part: Delta) -> PartPlace {
    let at = search.addresses(part);
    let base = whole.base();
    let file = base.files().find(|(_, file, _)| file.contains(&at.start));
    let (path, start) = file.map_or_else(Default::default, |(path, file, _)| (path.display().to_string(), file.start));
    let before = base.slice(start..at.start.max(start));
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    let text = String::from_utf8_lossy(base.slice(at)).trim_end_matches(['\n', '\r']).to_owned();
    PartPlace { path, line, text }
}

/// Returns what is to be said of all minima of an input.
pub fn text(search: &AllMinima, evidence: &Evidence, whole: &Candidate) -> String {
    let found = search.found();
    let unit = search.unit();
    let mut text = format!("{}\n\n", capital(&claims::describe(evidence)));
    if let Some((fails, passes)) = search.witness() {
        let (fails, passes) = (human::counted(fails as u64, unit), human::counted(passes as u64, unit));
        let _ = writeln!(text, "Not monotone: {fails} fail, and {passes} that hold all of them do not.\n");
    }
    for (at, minimum) in found.iter().enumerate() {
        let _ = write!(text, "{}  {}", search.name(at).display(), human::counted(minimum.parts.len() as u64, unit));
        if minimum.choices > 1 {
            let _ = write!(text, ", the text of {} choices", minimum.choices);
        }
        let lines = lines_of(search, whole, &minimum.parts);
        let _ = writeln!(text, " (of line {})", excerpt::shorten(&lines.join(", "), 60));
    }
    if found.is_empty() {
        return text;
    }
    let (all, some) = search.roles();
    for (role, parts) in [("In all of them", &all), ("In some, not in all", &some)] {
        let _ = writeln!(text, "\n{role}: {}", human::counted(parts.len() as u64, unit));
        for part in parts.iter() {
            let PartPlace { path, line, text: says } = place(search, whole, part);
            let place = if whole.entry_count() > 1 { format!("{path}:{line}") } else { line.to_string() };
            let _ = writeln!(text, "  {place:>5}  {}", excerpt::shorten(&says, 100));
        }
    }
    let none = search.len() - all.len() - some.len();
    let _ = writeln!(text, "\nIn none: {}", human::counted(none as u64, unit));
    text
}

/// Returns the same, shortened: the first lines of each paragraph.
pub fn shortened(text: &str) -> Vec<String> {
    let mut lines = vec![];
    for paragraph in text.split("\n\n").skip(1) {
        let all: Vec<&str> = paragraph.lines().collect();
        lines.extend(all.iter().take(MOST_SHOWN + 1).map(|line| (*line).to_owned()));
        if all.len() > MOST_SHOWN + 1 {
            lines.push(format!("  … and {} more", all.len() - MOST_SHOWN - 1));
        }
    }
    lines
}

fn lines_of(search: &AllMinima, whole: &Candidate, parts: &Config) -> Vec<String> {
    let mut lines: Vec<usize> = parts.iter().map(|part| place(search, whole, part).line).collect();
    lines.dedup();
    lines.into_iter().map(|line| line.to_string()).collect()
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect::<String>() + ".")
}
