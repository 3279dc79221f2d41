//! What of a candidate is shown how: its sort by its name and its first bytes, text with what is gone from it.

use crate::excerpt;
use reduct_core::Config;
use std::ops::Range;

/// How a file is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSort {
    /// As it is.
    Text,
    /// A style, of which a browser takes no other type.
    Style,
    /// In a frame, and as it is.
    Html,
    /// As a picture of this type.
    Image(&'static str),
    /// By its bytes.
    Binary,
}

impl FileSort {
    /// Returns its media type. Text of a candidate is not trusted to be what it is called. What names its own character
    /// set is not overruled.
    pub fn media(self) -> &'static str {
        match self {
            FileSort::Text => "text/plain; charset=utf-8",
            FileSort::Style => "text/css",
            FileSort::Html => "text/html",
            FileSort::Image(media) => media,
            FileSort::Binary => "application/octet-stream",
        }
    }
}

/// What images begin with.
const IMAGES: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\0\0\x01\0", "image/x-icon"),
];

/// Returns how a file of this path and contents is shown.
pub fn sort_of(path: &[u8], bytes: &[u8]) -> FileSort {
    let is_text = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    if !is_text && let Some((_, media)) = IMAGES.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return FileSort::Image(media);
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return FileSort::Image("image/webp");
    }
    let name = path.to_ascii_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end.as_bytes()));
    let beginning = bytes.trim_ascii_start().to_ascii_lowercase();
    match () {
        () if is_text && ends(&[".svg"]) => FileSort::Image("image/svg+xml"),
        () if ends(&[".html", ".htm", ".xhtml"]) => FileSort::Html,
        () if beginning.starts_with(b"<!doctype html") || beginning.starts_with(b"<html") => FileSort::Html,
        () if is_text && ends(&[".css"]) => FileSort::Style,
        () if is_text => FileSort::Text,
        () => FileSort::Binary,
    }
}

/// Returns a path as it stands in an address: each byte that is not plain as `%XX`.
pub fn encoded(path: &[u8]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    path.iter().map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Returns the bytes of a path in an address.
pub fn decoded(path: &str) -> Vec<u8> {
    let (bytes, mut decoded, mut at) = (path.as_bytes(), vec![], 0);
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let pair = pair.filter(|pair| pair.iter().all(u8::is_ascii_hexdigit));
        let byte = pair.and_then(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        decoded.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    decoded
}

/// Returns a text as HTML; what would not be seen, or changes how the rest looks, is shown as its code.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\n' | '\t' => safe.push(character),
            other if excerpt::visible(other) != other => {
                safe += &format!("<span class=code>U+{:04X}</span>", u32::from(other));
            }
            other => safe.push(other),
        }
    }
    safe
}

/// So many bytes of a text are shown, and so many lines at either end of what is gone.
const MOST: usize = 200_000;
const ENDS: usize = 3;

/// Returns a text as HTML, of which some addresses were the best so far and some of those are left: what is gone is
/// marked, and what went before is not shown. `start` is the address of the text's first byte.
pub fn marked(text: &[u8], start: u32, best: &Config, left: &Config) -> String {
    let end = start + text.len() as u32;
    let mut parts: Vec<(bool, Range<u32>)> = best.minus(left).within(start..end).map(|at| (true, at)).collect();
    parts.extend(left.within(start..end).map(|at| (false, at)));
    parts.sort_by_key(|(_, at)| at.start);
    let (mut html, mut shown) = (String::new(), 0);
    for (is_gone, at) in parts {
        if shown >= MOST {
            html += "\n<span class=more>… more: see the file itself</span>";
            break;
        }
        let part = &text[(at.start - start) as usize..(at.end - start) as usize];
        let part = &part[..part.len().min(MOST - shown)];
        shown += part.len();
        if is_gone {
            html += &format!("<del>{}</del>", gone(part));
        } else {
            html += &escaped(&String::from_utf8_lossy(part));
        }
    }
    html
}

/// Returns what is gone, of which the ends are enough.
fn gone(part: &[u8]) -> String {
    let text = String::from_utf8_lossy(part);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() <= 2 * ENDS + 1 {
        return escaped(&text);
    }
    let (first, last) = (&lines[..ENDS], &lines[lines.len() - ENDS..]);
    let more = lines.len() - 2 * ENDS;
    format!("{}<span class=more>… {more} more lines …</span>\n{}", escaped(&first.concat()), escaped(&last.concat()))
}

/// Returns the first bytes in hexadecimal, sixteen a line.
pub fn hex(bytes: &[u8]) -> String {
    let lines = bytes.chunks(16).take(256).enumerate().map(|(at, line)| {
        let numbers: String = line.iter().map(|byte| format!("{byte:02x} ")).collect();
        let letters: String = line
            .iter()
            .map(|byte| if byte.is_ascii_graphic() || *byte == b' ' { char::from(*byte) } else { '.' })
            .collect();
        format!("{:08x}  {numbers:<48} {}\n", 16 * at, escaped(&letters))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_is_marked_and_everything_is_escaped() {
        let text = b"<a>\nold\nb&c\n'd'\n";
        let best = Config::from_ranges([0..4, 8..17]);
        let left = Config::from_ranges([0..4, 12..17]);
        assert_eq!(marked(text, 0, &best, &left), "&lt;a&gt;\n<del>b&amp;c\n</del>&#39;d&#39;\n");
        // The same, where the file is not the first one.
        let later = |config: &Config| Config::from_ranges(config.ranges().map(|at| at.start + 100..at.end + 100));
        assert_eq!(marked(text, 100, &later(&best), &later(&left)), marked(text, 0, &best, &left));
    }

    #[test]
    fn what_would_not_be_seen_is_shown_as_its_code() {
        let code = |code: &str| format!("<span class=code>U+{code}</span>");
        let expected = ["a", &code("202E"), "b", &code("000D"), "\n\tc", &code("001B"), &code("200B"), "\u{e9}"];
        assert_eq!(escaped("a\u{202e}b\r\n\tc\u{1b}\u{200b}\u{e9}"), expected.concat());
    }

    #[test]
    fn of_many_lines_that_are_gone_the_ends_are_shown() {
        let text: String = (0..20).map(|n| format!("{n}\n")).collect();
        let all = Config::full(text.len());
        let html = marked(text.as_bytes(), 0, &all, &Config::empty());
        assert_eq!(html, "<del>0\n1\n2\n<span class=more>… 14 more lines …</span>\n17\n18\n19\n</del>");
    }

    #[test]
    fn a_path_comes_back_from_an_address() {
        for path in [&b"a b/c.html"[..], b"caf\xe9?#%", "n\u{e4}m\"e<>".as_bytes(), b"%41", b""] {
            let address = encoded(path);
            assert!(address.is_ascii() && !address.contains(['"', '<', '?', '#', ' ']), "{address}");
            assert_eq!(decoded(&address), path);
        }
        assert_eq!(decoded("%zz%4"), b"%zz%4");
    }

    #[test]
    fn sorts_are_told_by_contents_and_names() {
        assert_eq!(sort_of(b"x", b"\x89PNG\r\n\x1a\n\0\0"), FileSort::Image("image/png"));
        assert_eq!(sort_of(b"x.HTML", b"plain"), FileSort::Html);
        assert_eq!(sort_of(b"x", b"  <!DOCTYPE html><p>"), FileSort::Html);
        assert_eq!(sort_of(b"x.c", b"BM is a comment"), FileSort::Text);
        assert_eq!(sort_of(b"x", b"a\0b"), FileSort::Binary);
        assert_eq!(sort_of(b"", b""), FileSort::Text);
        assert_eq!((sort_of(b"a.CSS", b"p{}"), sort_of(b"a.css", b"\xff")), (FileSort::Style, FileSort::Binary));
    }
}
