//! What a script of events says: an event a line, in the words of xdotool, and `expect`.

use regex::bytes::Regex;
use std::str::FromStr;
use std::time::Duration;

/// So often a button is clicked by one line.
const MOST_CLICKS: u32 = 1000;

/// One event.
#[derive(Clone, Debug)]
pub enum Action {
    /// Keys, pressed and released; the last of each after its modifiers.
    Key(Vec<Vec<String>>),
    /// A key is pressed.
    KeyDown(Vec<String>),
    /// A key is released.
    KeyUp(Vec<String>),
    /// A text, as if typed.
    Type(Vec<u8>),
    /// The pointer goes there, or by so much.
    Move {
        /// To the right.
        x: i16,
        /// Down.
        y: i16,
        /// Whether from where it is.
        relative: bool,
    },
    /// A button is pressed.
    ButtonDown(u8),
    /// A button is released.
    ButtonUp(u8),
    /// A button is pressed and released, so many times.
    Click(u8, u32),
    /// Nothing happens for a while.
    Sleep(Duration),
    /// The program writes this, with its own patience if there is one.
    Expect(Regex, Option<Duration>),
    /// The size of the terminal from now on, in columns and rows.
    Size(u16, u16),
}

/// Events in their order, with the numbers of their lines.
#[derive(Clone, Debug)]
pub struct Script(pub Vec<(usize, Action)>);

/// A line that says nothing.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ScriptError {
    /// Which.
    pub line: usize,
    /// What is wrong.
    pub what: Fault,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// No verb that is known.
    #[error("`{0}` is no event: it is key, type, expect, mousemove, … (docs/RECORDS.md)")]
    Verb(String),
    /// Not the one word that a verb needs.
    #[error("`{verb}` takes {what}")]
    OneWord {
        /// The verb.
        verb: String,
        /// What the word stands for.
        what: &'static str,
    },
    /// A click of nothing.
    #[error("`click` takes a button: click 1")]
    NoButton,
    /// A click that is repeated without end.
    #[error("`click` is repeated {MOST_CLICKS} times at most")]
    TooManyClicks,
    /// A size without a cross.
    #[error("`size` takes columns and rows: size 80x24")]
    NoSize,
    /// A movement to nowhere.
    #[error("`mousemove` takes two numbers: mousemove 10 20")]
    NoPlace,
    /// A word that is to be a number.
    #[error("`{0}` is no number that can be used here")]
    NotANumber(String),
    /// A number that is to be a time.
    #[error("`{0}` is no number of seconds")]
    NotATime(String),
    /// Digits after `\x`.
    #[error("`\\x{0}` is no byte")]
    NotAByte(String),
    /// An expectation that is no regular expression.
    #[error(transparent)]
    Pattern(#[from] regex::Error),
    /// A text without an end.
    #[error("a quote is not closed")]
    OpenQuote,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// If a line is no event.
    pub fn read(text: &[u8]) -> Result<Script, ScriptError> {
        let mut actions = vec![];
        for (at, line) in text.split(|byte| *byte == b'\n').enumerate() {
            let line = String::from_utf8_lossy(line);
            let line = line.trim();
            let line = line.strip_prefix("xdotool ").unwrap_or(line).trim_start();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let action = action(line).map_err(|what| ScriptError { line: at + 1, what })?;
            actions.push((at + 1, action));
        }
        Ok(Script(actions))
    }
}

fn action(line: &str) -> Result<Action, Fault> {
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    // Options of xdotool are about its own pace and windows.
    let rest = rest.trim();
    let words: Vec<&str> = rest.split_whitespace().collect();
    let chords = || words.iter().map(|word| chord(word)).collect::<Vec<_>>();
    let one = |what| match &words[..] {
        [one] => Ok((*one).to_owned()),
        _ => Err(Fault::OneWord { verb: verb.to_owned(), what }),
    };
    Ok(match verb {
        "key" if !words.is_empty() => Action::Key(chords()),
        "keydown" => Action::KeyDown(chord(&one("one key")?)),
        "keyup" => Action::KeyUp(chord(&one("one key")?)),
        "type" => Action::Type(text(rest)?.0),
        "mousemove" => place(&words, false)?,
        "mousemove_relative" => place(&words, true)?,
        "mousedown" => Action::ButtonDown(number(&one("one button")?)?),
        "mouseup" => Action::ButtonUp(number(&one("one button")?)?),
        "click" => match &words[..] {
            [button] => Action::Click(number(button)?, 1),
            ["--repeat", times, button] => match number(times)? {
                times if times > MOST_CLICKS => return Err(Fault::TooManyClicks),
                times => Action::Click(number(button)?, times),
            },
            _ => return Err(Fault::NoButton),
        },
        "sleep" => Action::Sleep(seconds(&one("a number of seconds")?)?),
        "expect" => {
            let (pattern, rest) = text(rest)?;
            let regex = Regex::new(&String::from_utf8_lossy(&pattern))?;
            let patience = (!rest.is_empty()).then(|| seconds(rest)).transpose()?;
            Action::Expect(regex, patience)
        }
        "size" => {
            let (columns, rows) = rest.split_once('x').ok_or(Fault::NoSize)?;
            Action::Size(number(columns)?, number(rows)?)
        }
        _ => return Err(Fault::Verb(verb.to_owned())),
    })
}

/// Returns the keys of `ctrl+alt+x` or `ctrl-alt-x`. A plus or a minus at the end is a key.
fn chord(word: &str) -> Vec<String> {
    let mut parts = vec![];
    let mut rest = word;
    while let Some(at) = rest.find(['+', '-']).filter(|at| *at > 0 && at + 1 < rest.len()) {
        parts.push(rest[..at].to_owned());
        rest = &rest[at + 1..];
    }
    parts.push(rest.to_owned());
    parts
}

fn number<T: FromStr>(word: &str) -> Result<T, Fault> {
    word.parse().map_err(|_| Fault::NotANumber(word.to_owned()))
}

fn seconds(word: &str) -> Result<Duration, Fault> {
    let seconds: f64 = number(word)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| Fault::NotATime(word.to_owned()))
}

fn place(words: &[&str], relative: bool) -> Result<Action, Fault> {
    // `--` stands before numbers that are negative, `--sync` waits for what is waited for anyway.
    let words: Vec<&&str> = words.iter().filter(|word| !word.starts_with("--")).collect();
    match &words[..] {
        [x, y] => Ok(Action::Move { x: number(x)?, y: number(y)?, relative }),
        _ => Err(Fault::NoPlace),
    }
}

/// Returns a text in quotes, with escapes, and what stands behind it; without quotes, all of it as it is.
fn text(rest: &str) -> Result<(Vec<u8>, &str), Fault> {
    let Some(quoted) = rest.strip_prefix('"') else { return Ok((rest.as_bytes().to_vec(), "")) };
    let mut found = vec![];
    let mut all = quoted.char_indices();
    while let Some((at, character)) = all.next() {
        match character {
            '"' => return Ok((found, quoted[at + 1..].trim())),
            '\\' => match all.next().map(|(_, escaped)| escaped) {
                Some('n') => found.push(b'\n'),
                Some('r') => found.push(b'\r'),
                Some('t') => found.push(b'\t'),
                Some('e') => found.push(0x1b),
                Some('x') => {
                    let digits: String = all.by_ref().take(2).map(|(_, digit)| digit).collect();
                    found.push(u8::from_str_radix(&digits, 16).map_err(|_| Fault::NotAByte(digits))?);
                }
                Some(other @ ('"' | '\\')) => found.extend(other.to_string().bytes()),
                // Of a regular expression.
                Some(other) => found.extend(format!("\\{other}").bytes()),
                None => break,
            },
            other => found.extend(other.to_string().bytes()),
        }
    }
    Err(Fault::OpenQuote)
}

/// Bytes as they stand in a script, in quotes. What is a sequence of UTF-8 stays as it is.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' | '\\' => text.extend(['\\', character]),
                '\n' => text += "\\n",
                '\r' => text += "\\r",
                '\t' => text += "\\t",
                '\x1b' => text += "\\e",
                c if (c as u32) < 0x20 || c as u32 == 0x7f => text += &format!("\\x{:02x}", c as u32),
                c => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02x}"));
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for bytes in [&b"print 1\r"[..], b"\x1b[A\t\"quoted\" \\ \x03\x7f", "ä€\n".as_bytes(), b"\xff\x00", b""] {
            let line = quoted(bytes);
            assert_eq!(text(&line).unwrap(), (bytes.to_vec(), ""), "{line}");
        }
    }

    #[test]
    fn chords_are_taken_apart() {
        for (word, parts) in [
            ("ctrl-x", &["ctrl", "x"][..]),
            ("alt+shift+p", &["alt", "shift", "p"]),
            ("+", &["+"]),
            ("ctrl+-", &["ctrl", "-"]),
        ] {
            assert_eq!(chord(word), parts);
        }
    }

    #[test]
    fn what_is_no_event_is_said() {
        for (text, line) in [
            ("frobnicate", 1),
            ("key a\n\nmousemove 1", 3),
            ("type \"a", 1),
            ("click one", 1),
            ("click --repeat 1001 1", 1),
        ] {
            assert_eq!(Script::read(text.as_bytes()).unwrap_err().line, line, "{text}");
        }
        let script =
            Script::read(b"# note\nkey alt+p Return\nxdotool click --repeat 2 1\nexpect \"\\d+\" 2.5\nsleep .5\n");
        assert_eq!(script.unwrap().0.len(), 4);
    }
}
