//! The words of the input, and messages without them.

use super::codes::without_numbers;
use super::regex;
use regex::{Captures, Regex};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// The words of the input, by hash: what a message may name without being another message.
#[derive(Clone, Debug, Default)]
pub struct Words(HashSet<u64>);

/// Of larger inputs no words are known: eight bytes a word would be a burden.
const LARGEST_WITH_WORDS: usize = 64 << 20;

impl Words {
    /// The words of a text.
    pub fn of(text: &[u8]) -> Words {
        if text.len() > LARGEST_WITH_WORDS {
            return Words::default();
        }
        let words = text.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
        Words(words.filter(|word| !word.is_empty()).map(Words::hash).collect())
    }

    fn contains(&self, word: &str) -> bool {
        self.0.contains(&Words::hash(word.as_bytes()))
    }

    fn hash(word: &[u8]) -> u64 {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        hasher.finish()
    }
}

static QUOTED: LazyLock<Regex> = LazyLock::new(|| regex(r#"'[^']*'|"[^"]*"|`[^`']*['`]|‘[^’]*’|“[^”]*”"#));
static FOLDERS: LazyLock<Regex> = LazyLock::new(|| regex(r#"(?:/[^\s/:'"()<>,]+)+/"#));
static WORDS: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z_][A-Za-z0-9_]*"));

/// The line without what may differ from candidate to candidate.
pub(super) fn strip(line: &str, words: &Words) -> String {
    strip_text(&QUOTED.replace_all(&FOLDERS.replace_all(line, ""), "'…'"), words)
}

/// A text of the program without what may differ: what it quotes is its own.
pub(super) fn strip_text(text: &str, words: &Words) -> String {
    let line = WORDS.replace_all(
        text,
        |found: &Captures<'_>| {
            if words.contains(&found[0]) { "…".to_owned() } else { found[0].to_owned() }
        },
    );
    without_numbers(&line)
}

/// The name of a function without the words of the input. `None` if nothing else is left of it.
pub(super) fn strip_name(name: &str, words: &Words) -> Option<String> {
    let name = WORDS.replace_all(
        name,
        |found: &Captures<'_>| {
            if words.contains(&found[0]) { "…".to_owned() } else { found[0].to_owned() }
        },
    );
    name.contains(char::is_alphanumeric).then(|| name.into_owned())
}
