//! What a message names, and whether another one names the same, or what its candidate holds in its place.

use super::regex;
use super::words::{InputVocabulary, QUOTED, unplaced};
use regex::Regex;
use std::sync::LazyLock;

static SLOTS: LazyLock<Regex> = LazyLock::new(|| regex(&format!("{}|[A-Za-z_][A-Za-z0-9_]*", QUOTED.as_str())));
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| regex(r"[0-9]+"));

/// A text that may hold what a message names.
pub trait HoldsText {
    /// Returns whether a word stands in it, in whatever case.
    fn word(&self, word: &str) -> bool;
    /// Returns whether it holds a text as it is.
    fn text(&self, text: &str) -> bool;
}

/// Returns whether a message that reads like the first one once names are left out names the same, or where the input
/// held a name, one that its candidate holds: a program that lost its key `a` is not one that never was given its key
/// `b`. If it is `known` by the names of the input, these stay.
pub(super) fn keep(messages: [&str; 2], input: &InputVocabulary, candidate: &dyn HoldsText, known: bool) -> bool {
    let [wanted, found] = messages.map(|message| slots(message, input));
    let is_word_of_input = |word: &str| word.contains(|c: char| c.is_ascii_alphabetic()) && input.word(word);
    let may_be = |wanted: &str, found: &str| {
        named(wanted, |word| input.word(word)).unwrap_or(true)
            && named(found, |word| candidate.word(word)).unwrap_or_else(|| candidate.text(found))
    };
    wanted.len() == found.len()
        && wanted.iter().zip(&found).all(|(wanted, found)| {
            if known && named(wanted, is_word_of_input) == Some(true) {
                return wanted == found;
            }
            NUMBERS.replace_all(wanted, "N") == NUMBERS.replace_all(found, "N") || !known && may_be(wanted, found)
        })
}

/// Returns what it quotes, and which words of the input it says, in their order.
fn slots(message: &str, input: &InputVocabulary) -> Vec<String> {
    let message = unplaced(message);
    let all = SLOTS.find_iter(&message).map(|found| found.as_str());
    let is_slot =
        |slot: &&str| !slot.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || input.contains(slot);
    all.filter(is_slot).map(|slot| slot.trim_matches(['\'', '"', '`', '‘', '’', '“', '”']).to_owned()).collect()
}

/// Returns whether any of the words of a slot is known. `None` if there is no word in it.
fn named(slot: &str, is_known: impl Fn(&str) -> bool) -> Option<bool> {
    let is_between = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let mut words = slot.split(is_between).filter(|word| !word.is_empty()).peekable();
    words.peek()?;
    Some(words.any(is_known))
}

/// The contents of a candidate.
impl HoldsText for &[u8] {
    fn word(&self, word: &str) -> bool {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        self.split(|byte| !is_word(byte)).any(|one| one.eq_ignore_ascii_case(word.as_bytes()))
    }

    fn text(&self, text: &str) -> bool {
        text.is_empty() || self.windows(text.len()).any(|part| part == text.as_bytes())
    }
}

/// The whole input, of which only the words are known.
impl HoldsText for InputVocabulary {
    fn word(&self, word: &str) -> bool {
        self.contains_in_any_case(word)
    }

    fn text(&self, _: &str) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_become_another_one_that_the_candidate_holds() {
        let input = InputVocabulary::of(b"{\"amount\": 1, \"name\": 2, \"Total\": [3]} int foo; }");
        for (reference, seen, candidate, keeps) in [
            // A key of the input.
            ("reading 'amount'", "reading 'amount'", "{}", true),
            ("reading 'amount'", "reading 'name'", "{}", false),
            ("reading 'amount'", "reading 'name'", "{\"name\": 0}", true),
            // One that the input never had.
            ("'tax'", "'tax'", "{}", true),
            ("'tax'", "'amount'", "{\"amount\": 0}", false),
            // Names that the search has shortened.
            ("'foo' undeclared", "'a' undeclared", "int b = a;", true),
            ("no column TOTAL", "no column TOTAL", "x", true),
            ("no column 'TOTAL'", "no column 'A'", "a", true),
            // What is no word, and numbers.
            ("before '}' token", "before ')' token", "f(1)", true),
            ("before '}' token", "before ')' token", "f", false),
            ("in '/tmp/a/000'", "in '/tmp/a/001'", "", true),
            // Words of the program.
            ("'NoneType' and 'int'", "'NoneType' and 'int'", "x", true),
            ("'NoneType' and 'int'", "'float' and 'int'", "float", false),
        ] {
            assert_eq!(
                keep([reference, seen], &input, &candidate.as_bytes(), false),
                keeps,
                "{reference} | {seen} | {candidate}"
            );
        }
    }

    #[test]
    fn names_by_which_a_failure_is_known_stay() {
        let input = InputVocabulary::of(b"{\"code\": \"SPRING24\", \"id\": 3}");
        let keeps = |wanted, seen| keep([wanted, seen], &input, &&b"{\"id\": 4}"[..], true);
        assert!(keeps("p.py: error: 'SPRING24' 7", "p.py: error: 'SPRING24' 8"));
        assert!(!keeps("p.py: error: 'SPRING24'", "p.py: error: 'id'"));
        assert!(!keeps("p.py: error: 'SPRING24'", "p.py: error: 'SPRING25'"));
        assert!(keeps("p.py: error: '3'", "p.py: error: '4'"), "a number");
        assert!(keeps("p.py: error: '/tmp/a/000'", "p.py: error: '/tmp/a/001'"));
    }
}
