//! Text of inputs as text on a page: what would not be seen, or changes how the rest looks, is shown by its sign or code.

use crate::excerpt::visible;

/// Returns bytes as text with its line ends and tabs, and without anything that a browser would obey or hide.
pub fn plain(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            push(&mut text, character);
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("⟨{byte:02X}⟩"));
        }
    }
    text
}

fn push(text: &mut String, character: char) {
    match character {
        '\n' | '\t' => text.push(character),
        other if visible(other) == '�' && other != '�' => text.push_str(&format!("⟨U+{:04X}⟩", u32::from(other))),
        other => text.push(visible(other)),
    }
}

/// Returns what went or came as text: of mere blanks, which would not be seen, the signs.
pub fn changed(bytes: &[u8]) -> String {
    let text = plain(bytes);
    if !text.chars().all(char::is_whitespace) {
        return text;
    }
    let sign = |character| match character {
        ' ' => "␣".to_owned(),
        '\t' => "⇥".to_owned(),
        '\n' => "⏎\n".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(sign).collect()
}

/// Returns the beginning of a text, cut between characters, and how many bytes are cut off.
pub fn beginning(bytes: &[u8], most: usize) -> (&[u8], usize) {
    if bytes.len() <= most {
        return (bytes, 0);
    }
    let mut end = most;
    while end > most.saturating_sub(4) && bytes[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    (&bytes[..end], bytes.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_bytes_are_text() {
        assert_eq!(plain(b"a\x1b[31m\xff\r\n\tb\0"), "a␛[31m⟨FF⟩␍\n\tb␀");
        assert_eq!(plain("x\u{202e}y\u{200b}".as_bytes()), "x⟨U+202E⟩y⟨U+200B⟩");
    }

    #[test]
    fn blanks_that_went_are_seen() {
        assert_eq!(changed(b" \n"), "␣⏎\n");
        assert_eq!(changed(b"a b\n"), "a b\n");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        let text = "aé日本".as_bytes();
        for most in 0..=text.len() {
            let (cut, rest) = beginning(text, most);
            assert!(std::str::from_utf8(cut).is_ok() && cut.len() <= most && cut.len() + rest == text.len());
        }
    }
}
