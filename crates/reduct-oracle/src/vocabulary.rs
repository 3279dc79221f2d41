//! The words of texts, by hash. They are collected when the first word is looked up: most tests print nothing that could be
//! one, and a large text has millions of them.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock};

/// The words of texts.
#[derive(Default)]
pub(super) struct TextWords {
    words: Hashes,
    /// Those that a bracket follows.
    called: Hashes,
}

/// Hashes of words. They need not be hashed again.
type Hashes = HashSet<u64, BuildHasherDefault<ItsOwnHash>>;

/// Of larger texts no words are known: eight bytes a word would be a burden.
const LARGEST_WITH_WORDS: usize = 64 << 20;

impl TextWords {
    fn of(text: &[u8]) -> TextWords {
        let mut known = TextWords::default();
        let (mut at, is_word) = (0, |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_');
        for word in text.split(|byte| !is_word(byte)) {
            at += word.len();
            if !word.is_empty() {
                known.words.insert(hash(word));
                if word.iter().any(u8::is_ascii_uppercase) {
                    known.words.insert(in_any_case(&word.to_ascii_lowercase()));
                }
                if text[at..].iter().find(|byte| **byte != b' ') == Some(&b'(') {
                    known.called.insert(hash(word));
                }
            }
            at += 1;
        }
        known
    }

    pub(super) fn contain(&self, word: &str) -> bool {
        self.words.contains(&hash(word.as_bytes()))
    }

    pub(super) fn contain_in_any_case(&self, word: &str) -> bool {
        let lower = word.to_ascii_lowercase();
        self.contain(word) || self.contain(&lower) || self.words.contains(&in_any_case(lower.as_bytes()))
    }

    /// Returns whether a bracket follows a word somewhere.
    pub(super) fn are_called(&self, word: &str) -> bool {
        self.called.contains(&hash(word.as_bytes()))
    }
}

fn hash(word: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

/// Returns the digest of a word in any case. No word has a space in it, so it is that of none.
fn in_any_case(lower: &[u8]) -> u64 {
    hash(&[b" ", lower].concat())
}

/// The hash of a number that is a hash.
#[derive(Default)]
struct ItsOwnHash(u64);

impl Hasher for ItsOwnHash {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Collects words once, and lets go of the texts then.
type Collecting = Box<dyn FnOnce() -> TextWords + Send>;

/// The words of texts, which are collected when they are first asked for.
#[derive(Clone)]
pub(super) struct LazyWords(Arc<LazyLock<TextWords, Collecting>>);

impl LazyWords {
    pub(super) fn of(texts: &[&[u8]]) -> LazyWords {
        let length: usize = texts.iter().map(|text| text.len()).sum();
        let text = if length > LARGEST_WITH_WORDS { vec![] } else { texts.join(&b' ') };
        LazyWords(Arc::new(LazyLock::new(Box::new(move || TextWords::of(&text)))))
    }

    pub(super) fn get(&self) -> &TextWords {
        &self.0
    }
}

impl Default for LazyWords {
    fn default() -> LazyWords {
        LazyWords::of(&[])
    }
}

impl fmt::Debug for LazyWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LazyWords")
    }
}
