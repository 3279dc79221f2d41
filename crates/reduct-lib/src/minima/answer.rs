//! What is said of all minima: each with its size, what is in all of them, in some, in none (docs/MINIMA.md).

use reduct_core::{Config, Delta};
use reduct_input::Candidate;
use reduct_report::minima::PartPlace;
use reduct_report::schema::VERSION;
use reduct_report::{claims, minima};
use reduct_session::event::{Ended, Why};
use reduct_strategies::{AllMinima, Minimum};
use serde_json::{Value, json};

/// The files beside the minima.
pub(super) const FILES: [&str; 2] = ["minima.json", "minima.txt"];

/// What was found, and in what.
pub(super) struct MinimaAnswer<'a> {
    pub(super) search: &'a AllMinima,
    pub(super) ended: &'a Ended,
    pub(super) whole: &'a Candidate,
}

impl MinimaAnswer<'_> {
    /// Returns the answer for programs.
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
            "tests": self.ended.asked,
            "repeats": self.ended.repeated,
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
        let PartPlace { path, line, text } = minima::place(self.search, self.whole, part);
        json!({ "part": part.0, "path": path, "line": line, "text": text })
    }

    /// Returns the answer for people.
    pub(super) fn text(&self) -> String {
        minima::text(self.search, &self.ended.evidence, self.whole)
    }
}

fn ranges(parts: &Config) -> Vec<[u32; 2]> {
    parts.ranges().map(|range| [range.start, range.end]).collect()
}
