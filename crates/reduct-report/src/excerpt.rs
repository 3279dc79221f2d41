//! Text of inputs and of tests, made safe to be shown on a terminal.
//!
//! An input may contain escape sequences that move the cursor, rename the window or worse, and characters that reorder
//! the text around them. Whatever is shown goes through [`clean`], which replaces all of them by visible signs.

use reduct_core::Config;
use reduct_input::situation::SituationRole;
use reduct_input::{Artifact, Candidate};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// Returns the text on one line, without any character that a terminal would obey instead of show.
pub fn clean(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Returns the same for bytes; what is not UTF-8 becomes `�`.
pub fn clean_bytes(bytes: &[u8]) -> String {
    clean(&String::from_utf8_lossy(bytes))
}

/// Returns a path on one line.
pub fn path(path: &Path) -> String {
    clean(&path.display().to_string())
}

/// Returns the sign for a character that should not be sent to a terminal, or the character itself.
pub fn visible(character: char) -> char {
    match character {
        '\n' => '⏎',
        '\t' => '⇥',
        // The block "Control Pictures" is in the order of the control characters.
        '\0'..'\u{20}' => char::from_u32(0x2400 + character as u32).unwrap_or('�'),
        '\u{7f}' => '␡',
        '\u{80}'..'\u{a0}' => '�',
        _ if reorders_or_hides(character) => '�',
        _ => character,
    }
}

/// Characters that have no shape of their own but change the order or the look of others.
fn reorders_or_hides(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Returns how many columns of a terminal the text takes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Returns the beginning of the text that fits into so many columns, with `…` where it is cut.
pub fn shorten(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut free = columns.saturating_sub(1);
    for character in text.chars() {
        let taken = width(character.encode_utf8(&mut [0; 4]));
        if taken > free {
            break;
        }
        free -= taken;
        short.push(character);
    }
    if columns > 0 {
        short.push('…');
    }
    short
}

/// Returns the text as lines of at most so many columns, broken between words. A word that is longer stays whole.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let options =
        textwrap::Options::new(columns).break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// What is in one candidate and not in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// How many bytes of contents.
    pub bytes: usize,
    /// How many files, links and folders.
    pub entries: usize,
    /// The beginning of the text, cleaned; empty if it is not known.
    pub text: String,
}

/// More than this is never shown of a text, however wide the terminal.
const SHOWN: usize = 1000;

impl Removed {
    /// Returns what went from `before` to `after`. The text is known only if both are made from the same base.
    pub fn between(before: &Candidate, after: &Candidate) -> Removed {
        let entries = before.entry_count().saturating_sub(after.entry_count());
        if !Arc::ptr_eq(before.base(), after.base()) {
            return Removed { bytes: before.len().saturating_sub(after.len()), entries, text: String::new() };
        }
        let gone = before.kept().minus(after.kept());
        Removed { bytes: gone.len(), entries, text: text_at(before, &gone) }
    }
}

/// Returns the beginning of what a candidate consists of, cleaned.
pub fn beginning(candidate: &Candidate) -> String {
    text_at(candidate, candidate.kept())
}

/// Returns the beginning of the text at the given addresses of a candidate's base. Where removed pieces are not
/// neighbours, a `…` stands between them.
fn text_at(candidate: &Candidate, addresses: &Config) -> String {
    let whole = candidate.kept() == addresses;
    let mut text = String::new();
    for range in addresses.ranges() {
        if !text.is_empty() && !whole {
            text.push('…');
        }
        let end = range.end.min(range.start + SHOWN as u32);
        match gives_words(candidate.base()) {
            true => words_at(candidate.base(), range.start..end, &mut text),
            false => text.push_str(&clean_bytes(candidate.base().slice(range.start..end))),
        }
        if text.len() >= SHOWN {
            break;
        }
    }
    text
}

/// Returns whether it holds arguments or variables.
pub(crate) fn gives_words(base: &Artifact) -> bool {
    base.entries().iter().any(|entry| SituationRole::of(&entry.path) != SituationRole::File)
}

/// Writes what stands at these addresses: arguments with spaces between them, of variables their names alone, as their
/// values may be secrets.
fn words_at(base: &Artifact, range: Range<u32>, text: &mut String) {
    let there = base.files().filter(|(_, at, _)| at.start < range.end && range.start < at.end);
    for (path, at, _) in there {
        let here = || clean_bytes(base.slice(at.start.max(range.start)..at.end.min(range.end)));
        match SituationRole::of(path) {
            SituationRole::Argument(_) => text.push_str(&(here() + " ")),
            SituationRole::Variable(name) => text.push_str(&(clean(&name.to_string_lossy()) + "=… ")),
            SituationRole::File => text.push_str(&here()),
        }
        if text.len() >= SHOWN {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        let cleaned = clean(&all);
        assert!(!cleaned.chars().any(char::is_control));
        assert!(!cleaned.contains(['\u{202e}', '\u{2066}', '\u{200f}']));
        assert_eq!(clean("a\x1b[31mb\r\n\x7f\u{9b}c"), "a␛[31mb␍⏎␡�c");
        assert_eq!(clean_bytes(b"\xff\x00ok"), "�␀ok");
    }

    #[test]
    fn shortened_text_fits() {
        assert_eq!(shorten("short", 5), "short");
        assert_eq!(shorten("shorter", 5), "shor…");
        assert_eq!(shorten("日本語", 5), "日本…");
        assert_eq!(shorten("日本語", 4), "日…");
        assert_eq!(shorten("text", 0), "");
        for columns in 0..10 {
            assert!(width(&shorten("a日b本c語", columns)) <= columns);
        }
    }

    #[test]
    fn removed_text_is_named_if_the_base_is_the_same() {
        let base = Arc::new(Artifact::of_file("a", b"keep\x1bgone-keep-gone").unwrap());
        let whole = Candidate::whole(base.clone());
        let less = Candidate::new(base, Config::full(1), Config::from_ranges([0..4, 9..15]), 0);
        let removed = Removed::between(&whole, &less);
        assert_eq!(removed, Removed { bytes: 9, entries: 0, text: "␛gone…gone".to_owned() });
        let elsewhere = Candidate::whole(Arc::new(less.artifact()));
        assert_eq!(Removed::between(&whole, &elsewhere), Removed { bytes: 9, entries: 0, text: String::new() });
        assert_eq!(beginning(&less), "keep-keep-");
    }
}
