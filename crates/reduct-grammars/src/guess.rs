//! Which language a text is in, by its name and its beginning.

use crate::language::{LANGUAGES, Language};
use std::path::Path;

/// How much of a text is looked at.
const BEGINNING: usize = 1 << 14;

/// Returns the language of a text: by the extension of its path, by its first line, by its first words.
pub fn language_of(path: &Path, text: &[u8]) -> Option<&'static Language> {
    let beginning = &text[..text.len().min(BEGINNING)];
    let name = by_extension(path, beginning).or_else(|| by_first_line(beginning)).or_else(|| by_first_words(beginning));
    name.and_then(named)
}

fn named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name).copied()
}

fn by_extension(path: &Path, text: &[u8]) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    if extension == "h" {
        return Some(if is_cpp(text) { "cpp" } else { "c" });
    }
    let has = |language: &&&Language| language.extensions.contains(&extension);
    // What is written large means the same, but for `.C`, which is C++ and listed there.
    let lower = extension.to_ascii_lowercase();
    let has_lower = |language: &&&Language| language.extensions.contains(&lower.as_str());
    let found = LANGUAGES.iter().find(has).or_else(|| LANGUAGES.iter().find(has_lower));
    found.map(|language| language.name)
}

/// Returns the interpreter that a first line such as `#!/usr/bin/env python3 -u` names.
fn by_first_line(text: &[u8]) -> Option<&'static str> {
    let line = text.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = line.split(|byte| byte.is_ascii_whitespace() || *byte == b'/').filter(|word| !word.is_empty());
    words.find_map(|word| {
        let end = word.iter().rposition(|byte| byte.is_ascii_alphabetic()).map_or(0, |last| last + 1);
        let runs = |language: &&&Language| language.interpreters.iter().any(|name| name.as_bytes() == &word[..end]);
        LANGUAGES.iter().find(runs).map(|language| language.name)
    })
}

fn by_first_words(text: &[u8]) -> Option<&'static str> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    let begins = |language: &&&Language| {
        language.beginnings.iter().any(|words| {
            text.get(..words.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(words.as_bytes()))
        })
    };
    LANGUAGES.iter().find(begins).map(|language| language.name)
}

/// Returns whether a header is C++: it says a word that C does not have, at the beginning of a line.
fn is_cpp(text: &[u8]) -> bool {
    const WORDS: &[&[u8]] =
        &[b"class ", b"namespace ", b"template", b"using ", b"public:", b"private:", b"protected:", b"virtual "];
    text.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        WORDS.iter().any(|word| line.starts_with(word))
    })
}
