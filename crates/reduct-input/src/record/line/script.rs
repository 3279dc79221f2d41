//! Events in words: those of xdotool, and of a person at a terminal.

use super::EventLine;
use std::ops::Range;

/// Words that begin what others end.
const PAIRS: [(&[u8], &[u8]); 2] = [(b"keydown", b"keyup"), (b"mousedown", b"mouseup")];

/// Returns the words of a line, where they stand. Quotes are not looked at.
fn words(line: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = vec![];
    let mut inside = false;
    for (at, byte) in line.iter().enumerate() {
        let is_word = !byte.is_ascii_whitespace();
        match found.last_mut().filter(|_| inside && is_word) {
            Some(last) => last.end = at + 1,
            None if is_word => found.push(at..at + 1),
            None => {}
        }
        inside = is_word;
    }
    // A line of a shell script that calls xdotool.
    if found.first().is_some_and(|first| &line[first.clone()] == b"xdotool") {
        found.remove(0);
    }
    found
}

pub(super) fn said(line: &[u8]) -> EventLine {
    let words = words(line);
    let word = |at: usize| words.get(at).map_or(&b""[..], |range| &line[range.clone()]);
    let name = || {
        // Options stand before the name.
        let last = words[1..].iter().map(|range| &line[range.clone()]).rfind(|word| !word.starts_with(b"--"));
        [b"=", last.unwrap_or_default()].concat()
    };
    for (begins, ends) in PAIRS {
        let handle = || [begins, &name()].concat();
        if word(0) == begins {
            return EventLine { makes: vec![handle()], ..EventLine::default() };
        }
        if word(0) == ends {
            return EventLine { ends: vec![handle()], ..EventLine::default() };
        }
    }
    EventLine { answers: word(0) == b"expect", ..EventLine::default() }
}

/// Returns the number of a line that is nothing but a pause: `sleep 0.5`.
pub(super) fn pause(line: &[u8]) -> Option<Range<usize>> {
    // Most lines are none, which is seen at once.
    let start = line.trim_ascii_start();
    if !start.starts_with(b"sleep") && !start.starts_with(b"xdotool") {
        return None;
    }
    let words = words(line);
    let [verb, number] = &words[..] else { return None };
    let is_number = line[number.clone()].iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    (&line[verb.clone()] == b"sleep" && is_number).then(|| number.clone())
}
