//! The accepted steps of a run, branch by branch: a row a step, or an object a step for scripts.

use crate::difference::removed;
use crate::excerpt::{clean, clean_bytes, path, shorten};
use crate::human::{count, counted, list};
use reduct_input::{Candidate, What, patch};
use serde_json::{Value, json};
use std::io::{self, Write};

/// One step: what a search went on from.
#[derive(Clone, Copy, Debug)]
pub struct HistoryStep<'a> {
    /// Its number, from 1 over all branches.
    pub number: usize,
    /// The number of the branch it is in.
    pub branch: usize,
    /// The number of the test that brought it, within the branch.
    pub test: u64,
    /// Its size and what that is counted in.
    pub size: (usize, &'static str),
    /// The pass whose test it was, if the search says so.
    pub pass: Option<&'static str>,
    /// What there was before.
    pub before: &'a Candidate,
    /// What there is now.
    pub now: &'a Candidate,
}

impl HistoryStep<'_> {
    /// Returns the row of the table, at most so many columns wide.
    pub fn row(&self, columns: usize) -> String {
        let (number, test, size) = (count(self.number), count(self.test), count(self.size.0));
        let row = format!("{number:>6} {test:>7} {size:>12}  {:<11} {}", self.pass.unwrap_or("-"), self.went());
        shorten(row.trim_end(), columns)
    }

    /// Returns the step as an object.
    pub fn json(&self) -> Value {
        let (size, unit) = self.size;
        let went = removed(self.before, self.now);
        json!({
            "type": "step", "step": self.number, "branch": self.branch, "test": self.test, "size": size, "unit": unit,
            "bytes": self.now.len(), "pass": self.pass, "removed_bytes": self.before.len() as i64 - self.now.len() as i64,
            "removed_entries": went.entries, "removed_text": went.text,
        })
    }

    /// Returns what went, in words.
    fn went(&self) -> String {
        let went = removed(self.before, self.now);
        let fewer = self.before.len().saturating_sub(self.now.len());
        let entries = Some(went.entries).filter(|entries| *entries > 0).map(|entries| counted(entries, "entries"));
        let bytes = Some(fewer).filter(|bytes| *bytes > 0).map(|bytes| counted(bytes, "bytes"));
        let all: Vec<String> = entries.into_iter().chain(bytes).collect();
        match (all.is_empty(), went.text.is_empty()) {
            (true, true) => "written otherwise".into(),
            (true, false) => format!("written otherwise: {}", went.text),
            (false, true) => list(&all),
            (false, false) => format!("{}: {}", list(&all), went.text),
        }
    }
}

/// Returns the head of the table.
pub fn head(unit: &str) -> String {
    format!("{:>6} {:>7} {:>12}  {:<11} what went", "step", "test", shorten(unit, 12), "pass")
}

/// Returns the line above a branch: where it begins. `record` is the number of the record of executions that it begins with, if that is
/// another one.
pub fn branch(
    number: usize,
    (from, never): (usize, &[usize]),
    (size, unit): (usize, &str),
    record: Option<u32>,
) -> String {
    let size = counted(size, unit);
    if record.is_some() {
        return format!("Branch {number}: what is left at step {from}, recorded deeper, {size}");
    }
    if number == 0 {
        return format!("The run: from the whole input, {size}");
    }
    let never: Vec<String> = never.iter().map(ToString::to_string).collect();
    let of = if never.len() == 1 { "step" } else { "steps" };
    let stays = if never.is_empty() { String::new() } else { format!("; what {of} {} removed is kept", list(&never)) };
    format!("Branch {number}: again from step {from}, {size}{stays}")
}

/// Returns the same as an object.
pub fn branch_json(
    number: usize,
    (from, never): (usize, &[usize]),
    (size, unit): (usize, &str),
    record: Option<u32>,
) -> Value {
    let mut branch =
        json!({ "type": "branch", "branch": number, "from": from, "never": never, "size": size, "unit": unit });
    if let Some(record) = record {
        branch["record"] = record.into();
    }
    branch
}

/// Writes what a step consists of, as bytes: a file as it is; of several, each under its name.
///
/// # Errors
/// If the output cannot be written.
pub fn contents(candidate: &Candidate, for_terminal: bool, output: &mut impl Write) -> io::Result<()> {
    let is_one = candidate.entry_count() == 1;
    for (entry, pieces) in candidate.pieces() {
        let name = path(&entry.path);
        match &entry.what {
            What::File { .. } if is_one => {}
            What::File { .. } => writeln!(output, "==> {name} <==")?,
            What::Link { target } => writeln!(output, "==> {name} <== (a link to {})", path(target))?,
            What::Folder { .. } => writeln!(output, "==> {name} <== (a folder)")?,
            What::Archive { .. } => writeln!(output, "==> {name} <== (an archive)")?,
        }
        let bytes = pieces.concat();
        if for_terminal {
            shown(&bytes, output)?
        } else {
            output.write_all(&bytes)?
        }
        let is_open = !bytes.is_empty() && !bytes.ends_with(b"\n");
        if is_open && (for_terminal || !is_one) {
            writeln!(output)?;
        }
    }
    Ok(())
}

/// Writes what `new` has otherwise than `old`, as a patch.
///
/// # Errors
/// If the output cannot be written.
pub fn changed(old: &Candidate, new: &Candidate, for_terminal: bool, output: &mut impl Write) -> io::Result<()> {
    let patch = patch::unified(old, new, patch::Objects::default());
    if for_terminal {
        shown(&patch, output)?
    } else {
        output.write_all(&patch)?
    }
    for left in patch::left_out(old, new) {
        writeln!(output, "# {}: differs in what a patch does not tell", path(&left))?;
    }
    Ok(())
}

/// Returns what a step consists of as an object, with at most so many bytes of contents.
pub fn contents_json(step: usize, candidate: &Candidate, most: u64) -> Value {
    let mut free = usize::try_from(most).unwrap_or(usize::MAX);
    let entries: Vec<Value> = candidate
        .pieces()
        .map(|(entry, pieces)| {
            let bytes = pieces.concat();
            let shown = &bytes[..bytes.len().min(free)];
            free -= shown.len();
            let (path, text) = (entry.path.to_string_lossy(), String::from_utf8_lossy(shown));
            match &entry.what {
                What::File { mode, .. } => json!({
                    "path": path, "kind": "file", "mode": mode, "bytes": bytes.len(), "text": text,
                    "is_text": std::str::from_utf8(&bytes).is_ok(), "is_cut": shown.len() < bytes.len(),
                }),
                What::Link { target } => json!({ "path": path, "kind": "link", "target": target.to_string_lossy() }),
                What::Folder { mode } => json!({ "path": path, "kind": "folder", "mode": mode }),
                What::Archive { mode, .. } => json!({ "path": path, "kind": "archive", "mode": mode }),
            }
        })
        .collect();
    json!({ "type": "contents", "step": step, "bytes": candidate.len(), "entries": entries })
}

/// Writes a text line by line, without anything that a terminal would obey.
fn shown(text: &[u8], output: &mut impl Write) -> io::Result<()> {
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => writeln!(output, "{}", with_tabs(line))?,
            None => write!(output, "{}", with_tabs(line))?,
        }
    }
    Ok(())
}

fn with_tabs(line: &[u8]) -> String {
    let words: Vec<String> = line.split(|byte| *byte == b'\t').map(clean_bytes).collect();
    words.join("\t")
}

/// An output of which no more than so many bytes are written.
pub struct Bounded<W> {
    output: W,
    most: u64,
    free: Option<u64>,
    /// How many bytes were not written.
    pub cut: u64,
}

impl<W: Write> Bounded<W> {
    /// Returns an output that takes so many bytes; 0: all of them.
    pub fn new(output: W, most: u64) -> Bounded<W> {
        Bounded { output, most, free: Some(most).filter(|most| *most > 0), cut: 0 }
    }

    /// Returns how many bytes it takes; 0: all of them.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Returns whether nothing more is written.
    pub fn is_full(&self) -> bool {
        self.cut > 0
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(free) = self.free else { return self.output.write(bytes) };
        let most = usize::try_from(free).unwrap_or(usize::MAX).min(bytes.len());
        if most == 0 {
            self.cut += bytes.len() as u64;
            return Ok(bytes.len());
        }
        let written = self.output.write(&bytes[..most])?;
        self.free = Some(free - written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Returns the line that says that not all was written.
pub fn cut(written: u64, of: Option<u64>) -> String {
    let of = of.map(|of| format!(" of {}", counted(of, "bytes"))).unwrap_or_default();
    clean(&format!("cut after {}{of}: --max 0 prints all, --max SIZE prints more", counted(written, "bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_input::Artifact;
    use std::sync::Arc;

    fn file(text: &[u8]) -> Candidate {
        Candidate::whole(Arc::new(Artifact::of_file("a.txt", text).expect("it is small")))
    }

    fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut output = vec![];
        write(&mut output).expect("a vector takes all");
        String::from_utf8(output).expect("it is text")
    }

    #[test]
    fn a_row_says_what_went() {
        let (before, now) = (file(b"one\ntwo\n"), file(b"two\n"));
        let size = (4, "bytes");
        let step = HistoryStep { number: 1, branch: 0, test: 3, size, pass: Some("lines"), before: &before, now: &now };
        assert_eq!(step.row(80), "     1       3            4  lines       4 bytes: one⏎");
        assert_eq!(crate::excerpt::width(&step.row(30)), 30);
        assert_eq!((&step.json()["removed_bytes"], &step.json()["removed_text"]), (&4.into(), &"one⏎".into()));
    }

    #[test]
    fn nothing_of_a_step_reaches_a_terminal_as_it_is() {
        let hostile = file(b"\x1b[2Jx\ty\xff\n\xe2\x80\xae");
        let text = written(|output| contents(&hostile, true, output));
        assert_eq!(text, "␛[2Jx\ty�\n�\n");
        assert!(!written(|output| changed(&file(b""), &hostile, true, output)).contains('\x1b'));
    }

    #[test]
    fn an_output_is_cut_at_its_bound_and_says_so() {
        let mut kept = vec![];
        let mut bounded = Bounded::new(&mut kept, 5);
        bounded.write_all(b"abc").expect("it is taken");
        assert!(!bounded.is_full());
        bounded.write_all(b"defgh").expect("it is taken");
        assert_eq!((bounded.is_full(), bounded.cut), (true, 3));
        assert_eq!(kept, b"abcde");
        let mut kept = vec![];
        Bounded::new(&mut kept, 0).write_all(b"abcdef").expect("it is taken");
        assert_eq!(kept, b"abcdef");
    }
}
