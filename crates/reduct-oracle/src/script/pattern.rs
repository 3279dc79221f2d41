//! Patterns for grep: of messages that were stripped, and of regular expressions that it would not read.

use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, HirKind, Look};

/// Why a failure cannot be told by a shell and grep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsayable {
    /// grep reads line by line.
    #[error("`{0}` goes across lines, and grep reads line by line")]
    AcrossLines(String),
    /// No tool that is everywhere tells it.
    #[error("how much memory a program held at its peak cannot be told by what is on every machine")]
    Memory,
    /// No tool that is everywhere tells it.
    #[error("the functions of a backtrace by a pattern cannot be told by what is on every machine")]
    Frames,
    /// It cannot be read again.
    #[error("`{0}` cannot be put into the words of grep: {1}")]
    Unreadable(String, String),
}

/// What scripts call: `said` looks for a stripped line in all that was printed, as `strip` has it; the others for a
/// pattern as it is.
pub(super) const FUNCTIONS: &str = concat!(
    "out_says() { LC_ALL=C grep -E -e \"$1\" \"$said_in/out\" >/dev/null; }\n",
    "err_says() { LC_ALL=C grep -E -e \"$1\" \"$said_in/err\" >/dev/null; }\n",
    "either_says() { out_says \"$1\" || err_says \"$1\"; }\n",
    "named() { LC_ALL=C grep -F -e \"$1\" \"$said_in/err\" \"$said_in/out\" >/dev/null; }\n",
    "slower_than() {\n",
    "    awk -v most=\"$1\" 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } }\n",
    "        END { exit !(sum > most) }' \"$said_in/times\"\n",
    "}\n",
    "said() {\n",
    "    LC_ALL=C sed -E -e '/panicked at.*:$/{' -e '$!N' -e 's/\\n/ /' -e '}' \\\n",
    "        -e 's#(/[^[:space:]/:'\\''\"()<>,]+)+/##g' \\\n",
    "        -e 's/'\\''[^'\\'']*'\\''|\"[^\"]*\"|`[^`'\\'']*[`'\\'']|\u{e2}\u{80}\u{98}[^\u{e2}\u{80}\u{99}]*\u{e2}\u{80}\u{99}|\u{e2}\u{80}\u{9c}[^\u{e2}\u{80}\u{9d}]*\u{e2}\u{80}\u{9d}/QUOTED/g' \\\n",
    "        -e 's/0x[0-9a-fA-F]+|[0-9]+/N/g' \"$said_in/err\" \"$said_in/out\" | LC_ALL=C grep -E -e \"$1\" >/dev/null\n",
    "}\n",
);

/// Of longer lines only the beginning counts.
const LONGEST_LINE: usize = 400;

/// Returns a pattern for a line that was stripped to this text.
pub(super) fn of_stripped(text: &str) -> String {
    let mut pattern = String::from("^[[:space:]]*");
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("'…'") {
            pattern += "QUOTED";
            rest = after;
            continue;
        }
        match first {
            '…' => pattern += "[A-Za-z_][A-Za-z0-9_]*",
            // Codes and statuses that the text has as they are; `said` leaves no digit.
            '0'..='9' => {
                pattern.push('N');
                rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                continue;
            }
            // What was no text.
            char::REPLACEMENT_CHARACTER => pattern += ".+",
            other => push_literal(&mut pattern, other),
        }
        rest = &rest[first.len_utf8()..];
    }
    if text.chars().count() < LONGEST_LINE { pattern + "[[:space:]]*$" } else { pattern }
}

fn push_literal(pattern: &mut String, c: char) {
    if r"\.[]{}()*+?^$|".contains(c) {
        pattern.push('\\');
    }
    pattern.push(c);
}

const LINES: &str = "`^` and `$` stand for the ends of lines, not of all that was printed";
const ASCII: &str = "classes of letters are those of ASCII";

/// Returns the same as an extended regular expression, and in what it differs.
pub(super) fn of_regex(regex: &str) -> Result<(String, Vec<&'static str>), Unsayable> {
    let mut parser = regex_syntax::ParserBuilder::new().utf8(false).build();
    let hir = parser.parse(regex).map_err(|error| Unsayable::Unreadable(regex.into(), error.to_string()))?;
    let mut writer = Writer { regex, pattern: String::new(), notes: vec![] };
    writer.write(&hir)?;
    writer.notes.sort_unstable();
    writer.notes.dedup();
    Ok((writer.pattern, writer.notes))
}

/// Writes a pattern. Its depth is bounded by what the parser allows.
struct Writer<'a> {
    regex: &'a str,
    pattern: String,
    notes: Vec<&'static str>,
}

impl Writer<'_> {
    fn write(&mut self, hir: &Hir) -> Result<(), Unsayable> {
        match hir.kind() {
            HirKind::Empty => self.pattern += "()",
            HirKind::Literal(literal) => {
                let text = String::from_utf8_lossy(&literal.0);
                if text.contains('\n') {
                    return Err(Unsayable::AcrossLines(self.regex.into()));
                }
                text.chars().for_each(|c| match c {
                    char::REPLACEMENT_CHARACTER => self.pattern.push('.'),
                    other => push_literal(&mut self.pattern, other),
                });
            }
            HirKind::Class(class) => self.class(class),
            HirKind::Look(look) => self.look(*look),
            HirKind::Repetition(repetition) => {
                self.group(&repetition.sub)?;
                let (least, most) = (repetition.min, repetition.max);
                self.pattern += &match (least, most) {
                    (0, None) => "*".into(),
                    (1, None) => "+".into(),
                    (0, Some(1)) => "?".into(),
                    (least, None) => format!("{{{least},}}"),
                    (least, Some(most)) => format!("{{{least},{most}}}"),
                };
            }
            HirKind::Capture(capture) => self.group(&capture.sub)?,
            HirKind::Concat(parts) => {
                for part in parts {
                    if matches!(part.kind(), HirKind::Alternation(_)) { self.group(part)? } else { self.write(part)? }
                }
            }
            HirKind::Alternation(branches) => {
                for (at, branch) in branches.iter().enumerate() {
                    self.pattern += if at == 0 { "" } else { "|" };
                    self.write(branch)?;
                }
            }
        }
        Ok(())
    }

    fn group(&mut self, hir: &Hir) -> Result<(), Unsayable> {
        self.pattern.push('(');
        self.write(hir)?;
        self.pattern.push(')');
        Ok(())
    }

    fn look(&mut self, look: Look) {
        self.pattern += match look {
            Look::Start | Look::End | Look::StartLF | Look::EndLF | Look::StartCRLF | Look::EndCRLF => {
                let is_start = matches!(look, Look::Start | Look::StartLF | Look::StartCRLF);
                if matches!(look, Look::Start | Look::End) {
                    self.notes.push(LINES);
                }
                if is_start { "^" } else { "$" }
            }
            Look::WordAsciiNegate | Look::WordUnicodeNegate => r"\B",
            Look::WordStartAscii | Look::WordStartUnicode => r"\<",
            Look::WordEndAscii | Look::WordEndUnicode => r"\>",
            _ => r"\b",
        };
    }

    fn class(&mut self, class: &Class) {
        let bytes = match class {
            Class::Bytes(bytes) => bytes.clone(),
            Class::Unicode(unicode) => {
                let ascii = unicode.ranges().iter().filter(|range| range.start().is_ascii());
                let ascii =
                    ascii.map(|range| ClassBytesRange::new(range.start() as u8, (range.end() as u32).min(127) as u8));
                let mut bytes = ClassBytes::new(ascii);
                // All that is beyond ASCII: what is negated.
                if unicode.ranges().last().is_some_and(|last| last.end() == char::MAX && last.start() <= '\u{80}') {
                    bytes.push(ClassBytesRange::new(128, 255));
                } else if unicode.ranges().iter().any(|range| !range.end().is_ascii()) {
                    self.notes.push(ASCII);
                }
                bytes
            }
        };
        self.bytes(bytes);
    }

    /// Writes a class as the one of `[…]` and `[^…]` that names ASCII only.
    fn bytes(&mut self, mut class: ClassBytes) {
        let is_beyond = class.ranges().last().is_some_and(|last| last.end() == 255);
        if is_beyond {
            class.negate();
        }
        // No line holds its own end.
        class.difference(&ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]));
        let mut members: Vec<u8> = class.ranges().iter().flat_map(|range| range.start()..=range.end()).collect();
        members.retain(u8::is_ascii);
        if members.is_empty() {
            self.pattern += if is_beyond { "." } else { "[^ -~[:cntrl:]]" };
            return;
        }
        let has = |byte: u8| members.contains(&byte);
        let (close, caret, minus) = (has(b']'), has(b'^'), has(b'-'));
        if !is_beyond && members == [b'^'] {
            self.pattern += r"\^";
            return;
        }
        self.pattern += if is_beyond { "[^" } else { "[" };
        self.pattern += if close { "]" } else { "" };
        let plain: Vec<u8> = members.iter().copied().filter(|byte| !b"]^-".contains(byte)).collect();
        // Letters and digits as ranges, all else one by one: `[.` and the like cannot come about.
        for run in plain.chunk_by(|a, b| a + 1 == *b && a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric()) {
            let [first, .., last] = run else {
                self.pattern.extend(run.iter().map(|byte| char::from(*byte)));
                continue;
            };
            self.pattern.push(char::from(*first));
            self.pattern.push('-');
            self.pattern.push(char::from(*last));
        }
        self.pattern += if caret { "^" } else { "" };
        self.pattern += if minus { "-" } else { "" };
        self.pattern.push(']');
    }
}
