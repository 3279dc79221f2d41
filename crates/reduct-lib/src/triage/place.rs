//! Where a failure happened, and where what it fell over was given back (pure).
//!
//! One line of one function is one place, whichever function called it. What is used after it was freed is told by two places:
//! a failure that shares only a helper that reads it is another bug, one that shares where it was freed, and which function asked for that, is
//! the same one, wherever it is read.

use super::evidence::Says;
use reduct_oracle::Observed;
use reduct_oracle::signature::{InputVocabulary, Signature};
use reduct_report::triage::{CodeLine, FailurePlace};

/// The name of a function of the program, its file, and the line.
type Line = (String, String, u32);

/// The places of a failure, as far as its report has lines of the program.
#[derive(Clone, Debug, Default)]
pub struct FailureSite {
    at: Option<Line>,
    freed: Vec<Line>,
}

/// So many functions tell where something was freed: what frees may be a helper.
const FREED_BY: usize = 2;

impl FailureSite {
    /// Reads the places of a failure; without words that know whose a file is there are none.
    pub fn of(observed: &Observed, words: &InputVocabulary) -> FailureSite {
        let at = lines(observed, words).into_iter().next().flatten();
        let freed = freed(&observed.stderr).map(|stderr| Observed { stderr, ..observed.clone() });
        let freed = freed.map(|freed| lines(&freed, words)).unwrap_or_default();
        FailureSite { at, freed: freed.into_iter().map_while(|line| line).take(FREED_BY).collect() }
    }

    /// Returns whether there is one.
    pub fn is_known(&self) -> bool {
        self.at.is_some()
    }

    /// Returns what the places of two failures of one kind say of them.
    pub fn says(&self, other: &FailureSite) -> Says {
        let (Some(one), Some(another)) = (&self.at, &other.at) else { return Says::Nothing };
        if self.freed.len() == FREED_BY && self.freed == other.freed {
            return Says::Same;
        }
        if one.0 != another.0 || one.1 != another.1 {
            return Says::Nothing;
        }
        if one == another && self.freed.first() == other.freed.first() { Says::Same } else { Says::Different }
    }

    /// Returns what there is to tell of it.
    pub(super) fn told(&self) -> FailurePlace {
        let line =
            |(function, file, line): &Line| CodeLine { function: function.clone(), file: file.clone(), line: *line };
        FailurePlace { at: self.at.as_ref().map(line), freed: self.freed.first().map(line) }
    }
}

/// Returns the innermost functions of the program in a report.
fn lines(observed: &Observed, words: &InputVocabulary) -> Vec<Option<Line>> {
    let spots = Signature::of(observed, words).frames.into_iter();
    spots.map(|spot| spot.at.map(|(file, line)| (spot.name, file, line))).collect()
}

/// How a report of use after free begins.
const HEAD: &str =
    "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x6\nREAD of size 1 at 0x6 thread T0\n";

/// Returns a sanitizer's report, if it says where something was freed, as if it had happened there.
fn freed(stderr: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(stderr);
    let (_, from) = text.split_once("ERROR: AddressSanitizer: ")?;
    let (_, freed) = from.split_once("\nfreed by thread")?;
    let frames = freed.lines().skip(1).take_while(|line| line.trim_start().starts_with('#'));
    Some([HEAD, &frames.collect::<Vec<_>>().join("\n"), "\n"].concat().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_oracle::{Also, Exit};
    use std::time::Duration;

    /// Returns a place that is known, with these functions and lines; and where it was freed.
    fn place(at: (&str, u32), freed: &[(&str, u32)]) -> FailureSite {
        let frames = |frames: &[(&str, u32)]| {
            let frame =
                |(at, (name, line)): (usize, &(&str, u32))| format!("    #{at} 0x4{at} in {name} prog.c:{line}\n");
            frames.iter().enumerate().map(frame).collect::<String>()
        };
        let mut says = format!(
            "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x6\nREAD of size 1 at 0x6 thread T0\n{}",
            frames(&[at])
        );
        if !freed.is_empty() {
            says += &format!(
                "\n0x6 is located 0 bytes inside of 8-byte region\nfreed by thread T0 here:\n{}",
                frames(freed)
            );
        }
        let (exit, also) = (Exit::Code(1), Also::default());
        let observed = Observed { exit, stdout: vec![], stderr: says.into(), elapsed: Duration::ZERO, also };
        FailureSite::of(&observed, &InputVocabulary::of_inputs(&[], ["prog.c".to_owned()]))
    }

    #[test]
    fn one_line_is_one_place_and_two_lines_are_two() {
        assert_eq!(place(("read", 3), &[]).says(&place(("read", 3), &[])), Says::Same);
        assert_eq!(place(("read", 3), &[]).says(&place(("read", 4), &[])), Says::Different);
        assert_eq!(place(("read", 3), &[]).says(&place(("write", 3), &[])), Says::Nothing);
        assert_eq!(place(("read", 3), &[]).told().describe(), "read at prog.c:3");
    }

    #[test]
    fn what_is_used_after_it_was_freed_is_told_by_who_freed_it() {
        let read = |freed: &[(&str, u32)]| place(("read", 3), freed);
        let (by_one, by_other) = ([("release", 7), ("one", 20)], [("drop_all", 9), ("other", 30)]);
        assert_eq!(read(&by_one).says(&read(&by_other)), Says::Different, "they share only the reader");
        assert_eq!(read(&by_one).says(&place(("write", 5), &by_one)), Says::Same);
        let helper = [("release", 7), ("third", 40)];
        assert_eq!(
            read(&by_one).says(&place(("write", 5), &helper)),
            Says::Nothing,
            "they share only the freeing place"
        );
        assert_eq!(read(&by_one).told().describe(), "read at prog.c:3, of what release at prog.c:7 has freed");
    }

    #[test]
    fn without_files_no_place_is_known() {
        let observed = Observed {
            exit: Exit::Code(1),
            stdout: vec![],
            stderr: b"==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n    #0 0x4 in f prog.c:3\n".to_vec(),
            elapsed: Duration::ZERO,
            also: Also::default(),
        };
        assert!(!FailureSite::of(&observed, &InputVocabulary::of(b"x")).is_known());
    }
}
