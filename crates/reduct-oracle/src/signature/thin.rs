//! How much of a message is left to know a failure by, once the words of the input are out of it.

use super::{Signature, Verbatim};
use crate::regex;
use crate::words::{has_a_place, unplaced};
use regex::Regex;
use std::sync::LazyLock;

static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| regex("…"));
static LITERAL: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z_]{2}\w*"));
/// The name of the program at the start of its message: `invoice.py: `.
static SPEAKER: LazyLock<Regex> = LazyLock::new(|| regex(r"^[\w./+-]+(?::[N0-9]+)*: "));
/// What says no more than that something is wrong.
static BARE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)\b(?:errors?|err|warnings?|fatal|fail(?:ed|ure)?|exceptions?|abort(?:ed)?)\b"));

impl Signature {
    /// Returns whether hardly anything of its message is left to know a failure by: less than a third of the words, or
    /// of a line nothing but the name of the program, and that something is wrong.
    pub fn is_thin(&self) -> bool {
        let (message, is_line) = match &self.report {
            Some(said) => (said.message.as_deref(), false),
            None => (self.text.as_deref(), true),
        };
        message.is_some_and(|message| {
            let said =
                if is_line { BARE.replace_all(&SPEAKER.replace(message, ""), "").into_owned() } else { message.into() };
            let (out, left) = (LEFT_OUT.find_iter(&said).count(), LITERAL.find_iter(&said).count());
            is_line && out > 0 && left == 0 || out + left >= 3 && 3 * left < out + left
        })
    }

    /// Returns the line, as it was printed, if hardly anything else of it is left than words of the input: then it is
    /// known by these. They do not count where they stand beside a place in a file, nor where two runs differ in them.
    pub fn known_by_words(&self) -> Option<String> {
        let Verbatim(said) = self.verbatim.as_deref().filter(|_| self.report.is_none() && self.is_thin())?;
        (!has_a_place(said)).then(|| unplaced(said).trim().to_owned())
    }

    /// Returns whether nothing is known of it but how it ended: it says nothing, or only numbers and that something is
    /// wrong.
    pub fn says_nothing(&self) -> bool {
        let is_bare = |line: &str| {
            let said = BARE.replace_all(&SPEAKER.replace(line, ""), "").into_owned();
            !said.contains(|c: char| c.is_alphabetic() && c != 'N')
        };
        let is_silent = self.text.as_deref().is_none_or(is_bare) && self.or.is_none();
        is_silent && self.report.is_none() && self.frames.is_empty() && self.hidden.is_none()
    }
}
