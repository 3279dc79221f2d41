//! Type parameters in texts that no grammar reads, as those of Kotlin and Swift.

use crate::plain::{LONGEST, Plain};
use crate::text::is_word;
use reduct_input::{Edit, Splice, Subject};
use std::collections::HashMap;
use std::ops::Range;

/// The words before the name of a type that is defined.
const TYPES: &[&str] = &["class", "struct", "interface", "enum", "trait", "protocol", "record", "actor"];

/// The words before the name of a function.
const FUNCTIONS: &[&str] = &["fun", "func", "def", "fn", "function"];

/// A type with more parameters is none, and one that is named more often is left to others.
const MOST: usize = 8;
const MOST_PLACES: usize = 64;

/// Returns the edits that remove one parameter of a type, or all, with the arguments for them; and those that remove all of a function.
pub(super) fn without(subject: &Subject) -> Vec<Edit> {
    let mut edits = vec![];
    for plain in Plain::files(subject).iter().filter(|plain| plain.text.contains('<')) {
        let by_text = plain.by_text();
        for number in 0..plain.words.len() {
            match plain.word(number) {
                Some(word) if TYPES.contains(&word) => edits.extend(of_type(plain, &by_text, number + 1)),
                Some(word) if FUNCTIONS.contains(&word) => edits.extend(of_function(plain, number)),
                _ => {}
            }
        }
    }
    edits
}

/// Returns the edits that remove parameters of a type of which this is the name.
fn of_type(plain: &Plain, by_text: &HashMap<&str, Vec<usize>>, name: usize) -> Vec<Edit> {
    let Some(own) = plain.words.get(name).and_then(|at| list(plain, at.end)) else { return vec![] };
    let places = plain.word(name).and_then(|name| by_text.get(name)).filter(|places| places.len() <= MOST_PLACES);
    let lists = places.into_iter().flatten().filter_map(|place| list(plain, plain.words[*place].end));
    let lists: Vec<(Range<usize>, Vec<Range<usize>>)> =
        lists.filter(|(_, arguments)| arguments.len() == own.1.len()).collect();
    let is_several = (2..=MOST).contains(&own.1.len());
    let positions = if is_several { 0..own.1.len() } else { 0..0 };
    let all = Edit::new(lists.iter().map(|(at, _)| gone(plain, at.clone())).collect());
    let one = |position: usize| Edit::new(lists.iter().map(|(_, parts)| part(plain, parts, position)).collect());
    all.into_iter().chain(positions.filter_map(one)).collect()
}

/// Returns the edit that removes the type parameters of a function, which stand before its name or after it.
fn of_function(plain: &Plain, word: usize) -> Option<Edit> {
    let before = list(plain, plain.words[word].end);
    let (at, _) = before.or_else(|| list(plain, plain.words.get(word + 1)?.end))?;
    Edit::new(vec![gone(plain, at)])
}

/// Returns the list in angle brackets at an address, and what stands in it.
fn list(plain: &Plain, from: usize) -> Option<(Range<usize>, Vec<Range<usize>>)> {
    let open = plain.past_blanks(from);
    if plain.byte(open) != Some(b'<') {
        return None;
    }
    let (mut depth, mut starts, mut found) = (0, open + 1, vec![]);
    for (at, byte) in plain.text.bytes().enumerate().skip(open).take(LONGEST) {
        match byte {
            b'<' => depth += 1,
            b'>' if plain.text[..at].ends_with('-') => {}
            b'>' => depth -= 1,
            b',' if depth == 1 => {
                found.push(starts..at);
                starts = at + 1;
            }
            _ if is_word(byte) || b" \t,.:?*&()[]-".contains(&byte) => {}
            _ => return None,
        }
        if depth == 0 {
            found.push(starts..at);
            return Some((open..at + 1, found));
        }
    }
    None
}

/// Returns the removal of a list, with a blank where two words would become one.
fn gone(plain: &Plain, at: Range<usize>) -> Splice {
    let is_word_at = |at: Option<usize>| at.and_then(|at| plain.byte(at)).is_some_and(is_word);
    let joins = is_word_at(at.start.checked_sub(1)) && is_word_at(Some(at.end));
    plain.put(at, if joins { " " } else { "" })
}

/// Returns the removal of one of several in a list, with a comma.
fn part(plain: &Plain, parts: &[Range<usize>], position: usize) -> Splice {
    let at = &parts[position];
    let is_first = position == 0;
    plain.put(if is_first { at.start..at.end + 1 } else { at.start - 1..at.end }, "")
}
