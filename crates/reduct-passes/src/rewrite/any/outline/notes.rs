//! Which lines of a text describe what stands below them: comments, texts in quotes, and marks as decorators are.

/// What a line is to the one below that it describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rewrite::any) enum Note {
    /// A comment of one line.
    Comment,
    /// A line of a text in quotes, or of a longer comment.
    Text,
    /// What is in force for it, and names what it needs.
    Mark,
}

impl Note {
    /// Returns whether it is for people only: what it names is not needed.
    pub(in crate::rewrite::any) fn is_prose(self) -> bool {
        self != Note::Mark
    }
}

/// With what longer comments begin and end.
const COMMENTS: &[(&[u8], &[u8])] = &[(b"/*", b"*/"), (b"(*", b"*)"), (b"<!--", b"-->"), (b"{-", b"-}")];

/// Texts in quotes that may have several lines.
const QUOTES: &[u8] = b"\"\"\"";

/// Returns for each line what it is to the next one that is no note. Lines are given without white space around them, and with their indents. What stands
/// above a blank line, or one that is indented otherwise or `ends` something, describes nothing.
pub(super) fn of(lines: &[&[u8]], indents: &[Option<usize>], ends: impl Fn(usize) -> bool) -> Vec<Option<Note>> {
    let found = found(lines);
    let mut notes = vec![None; lines.len()];
    // By line, the number of the one that it ends, if several make one note.
    let mut at = lines.len();
    while at > 0 {
        let last = at - 1;
        let Some((first, note)) = found[last] else {
            at = last;
            continue;
        };
        let is_of_next = indents.get(at).is_some_and(|next| *next == indents[first] && next.is_some())
            && (notes[at].is_some() || found[at].is_none() && !ends(at));
        if is_of_next {
            notes[first..at].fill(Some(note));
        }
        at = first;
    }
    notes
}

/// Returns for each line that may end a note with which line that begins, and what it is.
fn found(lines: &[&[u8]]) -> Vec<Option<(usize, Note)>> {
    let mut found = vec![None; lines.len()];
    // What ends the text that a line is in, and where that begins if a note may.
    let mut inside: Option<(&[u8], Option<usize>)> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some((end, first)) = inside {
            if let Some(before) = place(line, end) {
                inside = None;
                let is_whole = before + end.len() == line.len();
                found[at] = first.filter(|_| is_whole).map(|first| (first, Note::Text));
            }
            continue;
        }
        if let Some((begin, end)) = COMMENTS.iter().find(|(begin, _)| line.starts_with(begin)) {
            match place(&line[begin.len()..], end) {
                Some(before) if begin.len() + before + end.len() == line.len() => found[at] = Some((at, Note::Text)),
                Some(_) => {}
                None => inside = Some((end, Some(at))),
            }
            continue;
        }
        match quoted(line) {
            Some(true) => inside = Some((QUOTES, line.starts_with(QUOTES).then_some(at))),
            Some(false) if line.starts_with(QUOTES) && line.ends_with(QUOTES) => found[at] = Some((at, Note::Text)),
            Some(false) => {}
            None => found[at] = of_one_line(line).map(|note| (at, note)),
        }
    }
    found
}

/// Returns whether a line that has such quotes opens a text that it does not close; `None` if it has none.
fn quoted(line: &[u8]) -> Option<bool> {
    let (mut rest, mut count) = (line, 0);
    while let Some(before) = place(rest, QUOTES) {
        rest = &rest[before + QUOTES.len()..];
        count += 1;
    }
    (count > 0).then_some(count % 2 == 1)
}

/// Returns what a line is by itself.
fn of_one_line(line: &[u8]) -> Option<Note> {
    let is_comment = |sign: &[u8]| {
        let rest = line.strip_prefix(sign)?;
        matches!(rest, [] | [b' ' | b'\t', ..]).then_some(())
    };
    let is_repeated = |sign: u8| line.len() >= 2 && line[..2] == [sign; 2];
    if is_comment(b"#").or(is_comment(b";")).or(is_comment(b"%")).is_some()
        || b"#;%/-".iter().any(|sign| is_repeated(*sign))
    {
        return Some(Note::Comment);
    }
    let is_text =
        line.len() >= 2 && line[0] == b'"' && !line[1..line.len() - 1].contains(&b'"') && line.ends_with(b"\"");
    if is_text {
        return Some(Note::Text);
    }
    let is_decorator = line[..].starts_with(b"@") && line.get(1).is_some_and(u8::is_ascii_alphabetic);
    let is_mark = is_decorator && !line.contains(&b'{') || line.starts_with(b"#[") && line.ends_with(b"]");
    is_mark.then_some(Note::Mark)
}

fn place(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}
