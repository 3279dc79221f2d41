//! Variables that are assigned a number and counted up or down in the next statement.

use crate::text::{is_word, moved};
use reduct_input::{Edit, Splice, Subject, is_binary};
use std::ops::Range;

/// Longer numbers are no numbers of 32 bits.
const DIGITS: usize = 10;

/// The longest name of a variable, and the most white space between the two statements.
const LONGEST: usize = 256;

/// Returns the edits that assign the number which such a variable has after both statements.
pub(super) fn edits(subject: &Subject) -> Vec<Edit> {
    let files = subject.artifact().files().map(|(_, at, _)| at).filter(|at| !is_binary(subject.text(at.clone())));
    let of_file = |at: Range<u32>| {
        let text = subject.text(at.clone());
        let signs = text.iter().enumerate().filter(|(_, byte)| **byte == b'=').map(|(sign, _)| sign);
        signs.filter_map(|sign| edit(text, at.start, sign)).collect::<Vec<Edit>>()
    };
    files.flat_map(of_file).collect()
}

fn edit(text: &[u8], start: u32, sign: usize) -> Option<Edit> {
    let left = &text[..sign];
    let blanks = left.iter().rev().take(LONGEST).take_while(|byte| **byte == b' ').count();
    let left = &left[..sign - blanks];
    let length = left.iter().rev().take(LONGEST).take_while(|byte| is_word(**byte)).count();
    let name = &left[left.len() - length..];
    let is_name = name.first().is_some_and(|byte| !byte.is_ascii_digit());
    let from = past(text, sign + 1, b" ");
    let (number, end) = number(text, from).filter(|_| is_name)?;
    let next = past(text, end, b"; \t\r\n");
    let is_apart = text[end..next].iter().any(|byte| matches!(byte, b';' | b'\n'));
    let rest = text[next..].strip_prefix(name).filter(|_| is_apart)?;
    let after = text.len() - rest.len();
    let after = past(text, after, b" ");
    let (sum, end_of_next) = counted(text, after, number)?;
    // What goes on is another expression.
    let follows = text.get(past(text, end_of_next, b" ")).copied();
    let is_whole = follows.is_none_or(|byte| b";\r\n})".contains(&byte));
    let splices = [(from..end, sum.to_string()), (end..end_of_next, String::new())];
    let splices = splices.map(|(at, with)| Splice { at: moved(at, start), with: with.into_bytes().into() });
    (is_whole && i32::try_from(sum).is_ok()).then(|| Edit::new(splices.into()))?
}

/// Returns what a variable is that was a number before it was counted, and where that statement ends.
fn counted(text: &[u8], at: usize, before: i64) -> Option<(i64, usize)> {
    match text[at..] {
        [b'+', b'+', ..] => Some((before + 1, at + 2)),
        [b'-', b'-', ..] => Some((before - 1, at + 2)),
        [b'+', b'=', ..] => number(text, past(text, at + 2, b" ")).map(|(number, end)| (before + number, end)),
        [b'-', b'=', ..] => number(text, past(text, at + 2, b" ")).map(|(number, end)| (before - number, end)),
        _ => None,
    }
}

/// Returns the whole number at an address, and where it ends.
fn number(text: &[u8], at: usize) -> Option<(i64, usize)> {
    let digits = text.get(at..)?.iter().take(DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let is_octal = digits > 1 && text[at] == b'0';
    let is_more = text.get(at + digits).is_some_and(|next| is_word(*next) || *next == b'.');
    let number = std::str::from_utf8(&text[at..at + digits]).ok()?.parse().ok();
    Some((number.filter(|_| digits <= DIGITS && !is_octal && !is_more)?, at + digits))
}

/// Returns the first address from one on at which none of these bytes stands.
fn past(text: &[u8], at: usize, bytes: &[u8]) -> usize {
    at + text[at..].iter().take(LONGEST).take_while(|byte| bytes.contains(byte)).count()
}
