//! What is said of all minima: each with its size, what is in all of them, in some, in none (docs/MINIMA.md).

use reduct_core::{Config, Delta};
use reduct_input::Candidate;
use reduct_report::schema::VERSION;
use reduct_report::{claims, excerpt, human};
use reduct_session::event::{Ended, Why};
use reduct_strategies::{Minima, Minimum};
use serde_json::{Value, json};
use std::fmt::Write;

/// The files beside the minima.
pub(super) const FILES: [&str; 2] = ["minima.json", "minima.txt"];

/// So many parts of each role are named in the text on the screen.
const MOST_SHOWN: usize = 6;

/// What was found, and in what.
pub(super) struct Answer<'a> {
    pub(super) search: &'a Minima,
    pub(super) ended: &'a Ended,
    pub(super) whole: &'a Candidate,
}

impl Answer<'_> {
    /// For programs.
    pub(super) fn json(&self) -> Vec<u8> {
        let (all, some) = self.search.roles();
        let minimum = |(at, minimum): (usize, &Minimum)| {
            json!({
                "path": self.search.name(at).display().to_string(),
                "size": minimum.parts.len(),
                "bytes": minimum.candidate.len(),
                "choices": minimum.choices,
                "parts": ranges(&minimum.parts),
            })
        };
        let minima: Vec<Value> = self.search.found().iter().enumerate().map(minimum).collect();
        let named = |parts: &Config| parts.iter().map(|part| self.part(part)).collect::<Vec<_>>();
        let value = json!({
            "version": VERSION,
            "unit": self.search.unit(),
            "parts": self.search.len(),
            "complete": self.is_complete(),
            "monotone": self.search.is_monotone(),
            "proved": claims::describe(&self.ended.evidence),
            "claim": claims::data(&self.ended.evidence),
            "tests": self.ended.asked - self.ended.repeated,
            "minima": minima,
            "in_all": named(&all),
            "in_some": named(&some),
            "in_none": self.search.len() - all.len() - some.len(),
        });
        let mut text = serde_json::to_vec_pretty(&value).unwrap_or_default();
        text.push(b'\n');
        text
    }

    fn is_complete(&self) -> bool {
        let is_sure = self.search.is_monotone() && self.search.unclear() == 0;
        self.ended.why == Why::Done && self.search.is_complete() && is_sure
    }

    fn part(&self, part: Delta) -> Value {
        let (path, line, text) = self.place(part);
        json!({ "part": part.0, "path": path, "line": line, "text": text })
    }

    /// Returns where a part is, and what it says.
    fn place(&self, part: Delta) -> (String, usize, String) {
        let at = self.search.addresses(part);
        let base = self.whole.base();
        let file = base.files().find(|(_, file, _)| file.contains(&at.start));
        let (path, start) =
            file.map_or_else(Default::default, |(path, file, _)| (path.display().to_string(), file.start));
        let before = base.slice(start..at.start.max(start));
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        (path, line, String::from_utf8_lossy(base.slice(at)).trim_end_matches(['\n', '\r']).to_owned())
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let found = self.search.found();
        let unit = self.search.unit();
        let mut text = format!("{}\n\n", capital(&claims::describe(&self.ended.evidence)));
        if let Some((fails, passes)) = self.search.witness() {
            let (fails, passes) = (human::counted(fails as u64, unit), human::counted(passes as u64, unit));
            let _ = writeln!(text, "Not monotone: {fails} fail, and {passes} that hold all of them do not.\n");
        }
        for (at, minimum) in found.iter().enumerate() {
            let _ = write!(
                text,
                "{}  {}",
                self.search.name(at).display(),
                human::counted(minimum.parts.len() as u64, unit)
            );
            if minimum.choices > 1 {
                let _ = write!(text, ", the text of {} choices", minimum.choices);
            }
            let lines: Vec<String> = lines_of(self, &minimum.parts).into_iter().map(|line| line.to_string()).collect();
            let _ = writeln!(text, " (of line {})", excerpt::shorten(&lines.join(", "), 60));
        }
        if found.is_empty() {
            return text;
        }
        let (all, some) = self.search.roles();
        for (role, parts) in [("In all of them", &all), ("In some, not in all", &some)] {
            let _ = writeln!(text, "\n{role}: {}", human::counted(parts.len() as u64, unit));
            for part in parts.iter() {
                let (path, line, says) = self.place(part);
                let place = if self.whole.entry_count() > 1 { format!("{path}:{line}") } else { line.to_string() };
                let _ = writeln!(text, "  {place:>5}  {}", excerpt::shorten(&says, 100));
            }
        }
        let none = self.search.len() - all.len() - some.len();
        let _ = writeln!(text, "\nIn none: {}", human::counted(none as u64, unit));
        text
    }

    /// Returns the same, shortened: the first lines of each paragraph.
    pub(super) fn excerpt(&self, text: &str) -> Vec<String> {
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
}

fn lines_of(answer: &Answer<'_>, parts: &Config) -> Vec<usize> {
    let mut lines: Vec<usize> = parts.iter().map(|part| answer.place(part).1).collect();
    lines.dedup();
    lines
}

fn ranges(parts: &Config) -> Vec<[u32; 2]> {
    parts.ranges().map(|range| [range.start, range.end]).collect()
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect::<String>() + ".")
}
