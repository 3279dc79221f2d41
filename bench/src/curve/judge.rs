//! Tests as functions: whether words occur in a text whose brackets match, whether a program only uses what it
//! declares, whether a binary can be read by its offsets.

use reduct_core::Outcome;
use std::collections::{HashMap, HashSet};

/// Returns whether these words occur, and brackets match.
pub(super) fn words(text: &[u8], words: &[&str]) -> Outcome {
    let has = |word: &&str| text.windows(word.len()).any(|window| window == word.as_bytes());
    match () {
        () if !brackets_match(text) => Outcome::Unresolved,
        () => Outcome::from(words.iter().all(has)),
    }
}

fn brackets_match(text: &[u8]) -> bool {
    let mut open = vec![];
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => open.push(*byte),
            b')' | b']' | b'}' => {
                let partner = if *byte == b')' { b'(' } else { byte - 2 };
                if open.pop() != Some(partner) {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}

/// Returns whether a text of tags is one in which each is closed, and holds a word.
pub(super) fn elements(text: &[u8], word: &str) -> Outcome {
    let Ok(text) = std::str::from_utf8(text) else { return Outcome::Unresolved };
    let mut open: Vec<&str> = vec![];
    for tag in text.split('<').skip(1) {
        let Some((tag, _)) = tag.split_once('>') else { return Outcome::Unresolved };
        let name = tag.trim_start_matches('/').split_whitespace().next().unwrap_or("");
        match tag.starts_with('/') {
            true => {
                if open.pop() != Some(name) {
                    return Outcome::Unresolved;
                }
            }
            false => open.push(name),
        }
    }
    if open.is_empty() { Outcome::from(text.contains(word)) } else { Outcome::Unresolved }
}

const KEYWORDS: &[&str] = &[
    "int",
    "void",
    "char",
    "struct",
    "return",
    "if",
    "for",
    "while",
    "else",
    "const",
    "static",
    "do",
    "public",
    "namespace",
];

/// Returns whether a program in a small part of C would compile, and all of these words stand in it: brackets match,
/// and each name is declared before it is used (by `int`, `void`, `char` or `struct NAME` before it).
pub(super) fn compiles(text: &[u8], needed: &[String]) -> Outcome {
    if !brackets_match(text) {
        return Outcome::Unresolved;
    }
    let (mut known, mut before): (HashSet<&[u8]>, [&[u8]; 2]) = (HashSet::new(), [b"", b""]);
    for token in tokens(text) {
        let is_name = token[0].is_ascii_alphabetic() || token[0] == b'_';
        let is_keyword = |token: &[u8]| KEYWORDS.iter().any(|word| word.as_bytes() == token);
        if is_name && !is_keyword(token) {
            let declares =
                matches!(before[1], b"int" | b"void" | b"char" | b"struct" | b"namespace") || before[0] == b"struct";
            if declares {
                known.insert(token);
            } else if !known.contains(token) {
                return Outcome::Unresolved;
            }
        }
        before = [before[1], token];
    }
    Outcome::from(needed.iter().all(|word| known.contains(word.as_bytes())))
}

fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let first = *text.get(at)?;
        let length = if is_word(first) { text[at..].iter().take_while(|byte| is_word(**byte)).count() } else { 1 };
        at += length;
        Some(&text[at - length..at])
    })
}

/// Returns whether a binary of ours can be read, and one of its blobs holds a word: `OFFS`, a number of blobs, by blob
/// its offset, and at each offset a length and so many bytes. All numbers have four bytes, the lowest first.
pub(super) fn offsets(data: &[u8], word: &[u8]) -> Outcome {
    let number = |at: usize| Some(u32::from_le_bytes(data.get(at..at.checked_add(4)?)?.try_into().ok()?) as usize);
    let read = || {
        let count = data.starts_with(b"OFFS").then(|| number(4))??;
        let mut found = false;
        for blob in 0..count.min(data.len()) {
            let at = number(8 + 4 * blob)?;
            let contents = data.get(at + 4..at.checked_add(4)?.checked_add(number(at)?)?)?;
            found |= contents.windows(word.len()).any(|window| window == word);
        }
        Some(found)
    };
    read().map_or(Outcome::Unresolved, Outcome::from)
}

/// Returns whether a program of Python modules would run from `first` on, each function that it calls by its name defined or
/// imported, until one that prints all of these words; blocks are only looked at as far as their indentation goes.
pub(super) fn chain(files: &[(&str, &[u8])], first: &str, words: &[&str]) -> Outcome {
    let mut modules = HashMap::new();
    for (path, text) in files {
        let Ok(text) = std::str::from_utf8(text) else { return Outcome::Unresolved };
        if !is_indented_well(text) {
            return Outcome::Unresolved;
        }
        modules.insert(*path, text);
    }
    let mut seen = HashSet::new();
    let mut path = first.to_owned();
    while seen.insert(path.clone()) {
        let Some(text) = modules.get(path.as_str()) else { return Outcome::Unresolved };
        if words.iter().all(|word| text.contains(word)) {
            return Outcome::Fail;
        }
        let import = text.lines().find_map(|line| line.strip_prefix("from ")?.split_once(" import "));
        let Some((module, name)) = import else { return Outcome::Pass };
        if !text.contains(&format!("{name}()\n")) {
            return Outcome::Pass;
        }
        path = format!("pkg/{module}.py");
        if modules.get(path.as_str()).is_none_or(|text| !text.contains(&format!("def {name}():"))) {
            return Outcome::Unresolved;
        }
    }
    Outcome::Pass
}

/// Returns whether what ends in a colon is followed by what stands deeper, and nothing else is.
fn is_indented_well(text: &str) -> bool {
    let (mut open, mut wants_block) = (vec![0], false);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let innermost = open.last().copied().unwrap_or(0);
        if wants_block != (depth > innermost) {
            return false;
        }
        if wants_block {
            open.push(depth);
        }
        while open.last().is_some_and(|outer| *outer > depth) {
            open.pop();
        }
        if open.last() != Some(&depth) {
            return false;
        }
        wants_block = line.trim_end().ends_with(':');
    }
    !wants_block
}

/// Returns the blobs of a binary of ours: a magic word, a number of sections, by section its offset; in each a number of blobs,
/// by blob its offset from there, and at each offset a length and so many bytes. All numbers have four bytes, the highest first.
pub(super) fn tables<'a>(data: &'a [u8], magic: &[u8]) -> Option<Vec<&'a [u8]>> {
    let number = |at: usize| Some(u32::from_be_bytes(data.get(at..at.checked_add(4)?)?.try_into().ok()?) as usize);
    if !data.starts_with(magic) {
        return None;
    }
    let mut blobs = vec![];
    for section in 0..number(4)?.min(data.len()) {
        let section = number(8 + 4 * section)?;
        for blob in 0..number(section)?.min(data.len()) {
            let at = section.checked_add(number(section + 4 + 4 * blob)?)?;
            blobs.push(data.get(at.checked_add(4)?..at.checked_add(4)?.checked_add(number(at)?)?)?);
        }
    }
    Some(blobs)
}

/// Returns whether a text of records in XML is valid by a DTD: each element is closed, a record is right in the records and has an `id`, which no other has,
/// and a link is in the links of a record and refers to one; and whether all of these words stand in it.
pub(super) fn linked_elements(text: &[u8], words: &[String]) -> Outcome {
    const WITHIN: &[(&str, &str, &str)] = &[
        ("records", "", ""),
        ("record", "records", "id"),
        ("name", "record", ""),
        ("links", "record", ""),
        ("note", "record", ""),
        ("link", "links", "ref"),
    ];
    let Ok(text) = std::str::from_utf8(text) else { return Outcome::Unresolved };
    let (mut open, mut ids, mut links) = (vec![""], HashSet::new(), vec![]);
    for tag in text.split('<').skip(1) {
        let Some((tag, _)) = tag.split_once('>') else { return Outcome::Unresolved };
        if tag.starts_with('?') {
            continue;
        }
        let name = tag.trim_matches('/').split_whitespace().next().unwrap_or("");
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return Outcome::Unresolved;
            }
            continue;
        }
        let Some((.., attribute)) = WITHIN.iter().find(|(own, within, _)| *own == name && open.last() == Some(within))
        else {
            return Outcome::Unresolved;
        };
        let value =
            |name: &str| tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| Some(rest.split_once('"')?.0));
        match (*attribute, value(attribute)) {
            ("id", Some(id)) if ids.insert(id) => {}
            ("ref", Some(to)) => links.push(to),
            ("", _) => {}
            _ => return Outcome::Unresolved,
        }
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    if open.len() != 1 || links.iter().any(|to| !ids.contains(to)) {
        return Outcome::Unresolved;
    }
    Outcome::from(words.iter().all(|word| text.contains(word.as_str())))
}

/// Returns whether a text is JSON in which each value of `ref` is a value of `id`, and all of these words stand in it.
pub(super) fn linked_objects(text: &[u8], words: &[String]) -> Outcome {
    let Ok(whole) = serde_json::from_slice::<serde_json::Value>(text) else { return Outcome::Unresolved };
    let (mut open, mut ids, mut links) = (vec![&whole], HashSet::new(), vec![]);
    while let Some(value) = open.pop() {
        match value {
            serde_json::Value::Array(values) => open.extend(values),
            serde_json::Value::Object(members) => {
                ids.extend(members.get("id"));
                links.extend(members.get("ref"));
                open.extend(members.values());
            }
            _ => {}
        }
    }
    if links.iter().any(|to| !ids.contains(to)) {
        return Outcome::Unresolved;
    }
    let text = String::from_utf8_lossy(text);
    Outcome::from(words.iter().all(|word| text.contains(word.as_str())))
}

/// Returns whether each function `f` with a number that a program in Go calls is defined once.
pub(super) fn calls_are_defined(text: &[u8]) -> Outcome {
    let is_function = |name: &[u8]| name[0] == b'f' && name.len() > 1 && name[1..].iter().all(u8::is_ascii_digit);
    let (mut defined, mut called, mut before): (HashSet<&[u8]>, Vec<&[u8]>, &[u8]) = (HashSet::new(), vec![], b"");
    for token in tokens(text) {
        match is_function(token) {
            true if before == b"func" => {
                if !defined.insert(token) {
                    return Outcome::Unresolved;
                }
            }
            true => called.push(token),
            false => {}
        }
        before = token;
    }
    if called.iter().all(|name| defined.contains(name)) { Outcome::Fail } else { Outcome::Unresolved }
}
