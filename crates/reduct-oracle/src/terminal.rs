//! Text without what only a terminal obeys: sequences that colour, move and clear.

use std::borrow::Cow;

/// Returns the text as a person reads it: no escape sequence, what was taken back by a backspace is gone, and what
/// follows a carriage return or a jump of the cursor begins a line.
pub(super) fn plain(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) { Cow::Owned(obeyed(&text)) } else { text }
}

fn obeyed(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' | '\t' => kept.push(c),
            '\r' if rest.peek() == Some(&'\n') => {}
            '\r' => end_line(&mut kept),
            '\u{8}' if !kept.ends_with('\n') => {
                kept.pop();
            }
            '\u{1b}' => match rest.next() {
                Some('[') => control(&mut rest, &mut kept),
                // Titles, links, and what devices are asked and answer.
                Some(']' | 'P' | 'X' | '^' | '_') => string(&mut rest),
                // Which characters are meant takes one more.
                Some('(' | ')' | '*' | '+' | '-' | '.' | '/' | '#' | '%' | ' ') => {
                    rest.next();
                }
                // Down a line, the next line, up a line, all anew.
                Some('D' | 'E' | 'M' | 'c') => end_line(&mut kept),
                _ => {}
            },
            '\u{9b}' => control(&mut rest, &mut kept),
            '\u{90}' | '\u{9d}' => string(&mut rest),
            _ if c.is_control() => {}
            _ => kept.push(c),
        }
    }
    kept
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Reads up to the letter that says what is to be done.
fn control(rest: &mut Rest<'_>, kept: &mut String) {
    while let Some(c) = rest.next_if(|c| !c.is_control()) {
        match c {
            '\u{20}'..='\u{3f}' => {}
            'A' | 'B' | 'E' | 'F' | 'H' | 'J' | 'd' | 'f' => return end_line(kept),
            'C' | 'G' => return kept.push(' '),
            _ => return,
        }
    }
}

/// Reads up to its end: a bell, or `ESC \`. No such string goes on over the end of a line.
fn string(rest: &mut Rest<'_>) {
    while let Some(c) = rest.next_if(|c| *c != '\n') {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                rest.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

fn end_line(kept: &mut String) {
    if !kept.is_empty() && !kept.ends_with('\n') {
        kept.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_person_reads_is_left() {
        let rows: [(&[u8], &str); 13] = [
            (b"plain\n\ttext", "plain\n\ttext"),
            (b"", ""),
            (b"\x1b[1;31merror:\x1b[0m no", "error: no"),
            (b"one\r\ntwo\r\n", "one\ntwo\n"),
            (b"10 %\r20 %\rerror: no", "10 %\n20 %\nerror: no"),
            (b"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b", "ab"),
            (b"\x1b(Ba\x1b)0b\x1b=c", "abc"),
            (b"_\x08err\x08\x08or", "eor"),
            (b"a\n\x08b", "a\nb"),
            (b"\x1b[2J\x1b[1;1Hone\x1b[5;1Htwo", "one\ntwo"),
            (b"\xc2\x9b31mred\0\x07", "red"),
            // Cut off in the middle, and no text at all.
            (b"end\x1b[", "end"),
            (b"\xff\x1b", "\u{fffd}"),
        ];
        for (bytes, text) in rows {
            assert_eq!(plain(bytes), text, "{bytes:?}");
        }
    }
}
