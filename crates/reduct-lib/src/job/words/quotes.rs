//! How a shell reads the quotes and escapes in a path, and how a path is written for it.

use reduct_oracle::shell_line::TOP;

pub(super) fn is_between(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || b"'\"`;|&<>()$,:=*?[]{}".contains(byte)
}

/// Returns the quote that is open behind a text, if one is.
pub(super) fn open_behind(text: &[u8]) -> Option<u8> {
    let (mut open, mut at) = (None, 0);
    while let Some(byte) = text.get(at) {
        match (open, byte) {
            (None | Some(b'"'), b'\\') => at += 1,
            (None, b'\'' | b'"') => open = Some(*byte),
            (Some(quote), byte) if quote == *byte => open = None,
            _ => {}
        }
        at += 1;
    }
    open
}

/// What a shell reads of the beginning of a text.
pub(super) struct Plain {
    /// The text without its quotes and escapes.
    pub(super) text: Vec<u8>,
    /// How long it is with them.
    pub(super) length: usize,
    /// The quote that is open behind it.
    pub(super) open: Option<u8>,
}

/// Reads a text, before which this quote was opened, as a shell does, to what ends a path. `None` if nothing is quoted or
/// escaped in it.
pub(super) fn plain(text: &[u8], mut open: Option<u8>) -> Option<Plain> {
    let (mut plain, mut at) = (vec![], 0);
    while let Some(byte) = text.get(at) {
        let next = text.get(at + 1).filter(|_| *byte == b'\\');
        match (open, byte, next) {
            (None, _, Some(b'\n')) | (Some(b'"'), _, Some(b'\n')) => at += 1,
            (None, _, Some(next)) | (Some(b'"'), _, Some(next @ (b'$' | b'`' | b'"' | b'\\'))) => {
                plain.push(*next);
                at += 1;
            }
            (None, b'\'' | b'"', _) => open = Some(*byte),
            (Some(quote), byte, _) if quote == *byte => open = None,
            (None, byte, _) if is_between(byte) => break,
            (Some(b'"'), b'$' | b'`', _) => break,
            _ => plain.push(*byte),
        }
        at += 1;
    }
    let is_closed = open.is_none() || at < text.len();
    let length = at;
    let is_quoted = text[..length].iter().any(|byte| b"\\'\"".contains(byte));
    (is_closed && is_quoted).then_some(Plain { text: plain, length, open })
}

/// Returns what stands for the folder of a copy or of a candidate at the beginning of a path, and the rest.
pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let folder = [TOP.as_bytes(), b"{}"].into_iter().find(|folder| path.starts_with(folder));
    path.split_at(folder.map_or(0, <[u8]>::len))
}

fn is_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"/._-+,:@%=".contains(&byte)
}

/// Returns whether a shell reads a text as it stands.
pub(super) fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| is_safe(*byte))
}

/// Returns a path as a shell needs it where the first quote is open, and the second one is to be open behind it.
pub(super) fn escaped(path: &[u8], (before, behind): (Option<u8>, Option<u8>)) -> Vec<u8> {
    let (folder, rest) = split(path);
    let mut whole: Vec<u8> = before.into_iter().chain(folder.iter().copied()).collect();
    for byte in rest {
        match byte {
            b'\n' => whole.extend_from_slice(b"'\n'"),
            byte if is_safe(*byte) => whole.push(*byte),
            byte => whole.extend_from_slice(&[b'\\', *byte]),
        }
    }
    whole.extend(behind);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_escapes_are_read_as_a_shell_does() {
        let read = |text: &str, open| {
            plain(text.as_bytes(), open).map(|it| (String::from_utf8(it.text).unwrap(), it.length, it.open))
        };
        let is = |text: &str, length, open| Some((text.to_owned(), length, open));
        assert_eq!(read(r#"/a/"b c"/d e"#, None), is("/a/b c/d", 10, None));
        assert_eq!(read(r"/a\ b\;c; d", None), is("/a b;c", 8, None));
        assert_eq!(read(r#"/a/"b/c e"#, Some(b'"')), is("/a/b/c", 7, None));
        assert_eq!(read(r#"/a/"b/"$x""#, None), is("/a/b/", 7, None));
        assert_eq!(read(r#"/a/"b/$x""#, None), is("/a/b/", 6, Some(b'"')));
        assert_eq!(read(r"/a/'b", None), None);
        assert_eq!(read("/a/b c", None), None);
    }

    #[test]
    fn what_is_put_in_is_nothing_to_a_shell() {
        assert_eq!(escaped(b"{}/a b;$c", (None, None)), br"{}/a\ b\;\$c");
        assert_eq!(escaped(b"{}/a", (Some(b'"'), None)), b"\"{}/a");
        assert_eq!(open_behind(br#"a "b\" "#), Some(b'"'));
        assert_eq!(open_behind(br"a 'b\' "), None);
    }
}
