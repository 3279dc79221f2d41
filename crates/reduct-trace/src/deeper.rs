//! Deeper records: a kept run is recorded again, deeper than before.
//!
//! Of a run with more events than can be recorded, the record reaches down to some level of calls. When little of it is kept, what
//! is deeper in that is less, and can be recorded. Events keep their names; new ones have numbers after all that were given before.

use crate::plan::{DeeperRecord, Execution, ExecutionPlan};
use crate::recording::{Recorded, RecordingError};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Reads what a driver has recorded of a kept run, deeper than `record`: at most `most` events. Returns the deeper record: what is kept,
/// what is deeper, and, as left out for good, what was left out next to that. `None` if nothing is deeper.
///
/// # Errors
/// If there is none, or there were more events.
pub fn read_deeper(
    to: &Path,
    (record, plan): (&ExecutionPlan, &ExecutionPlan),
    most: usize,
) -> Result<Option<ExecutionPlan>, RecordingError> {
    let recorded = Recorded::read(to, most, record.last_time())?;
    if recorded.children.is_empty() {
        return Ok(None);
    }
    let kept: HashSet<u32> = plan.events().iter().map(|event| event.time).collect();
    let mut all: Vec<(Execution, bool)> = vec![];
    for (event, _) in record.known() {
        let is_kept = kept.contains(&event.time);
        // What belongs to an event that is left out is never come to.
        if is_kept || event.parent.is_none_or(|parent| kept.contains(&parent)) {
            all.push((event.clone(), !is_kept));
        }
        if is_kept {
            all.extend(recorded.in_order_of_text(event.time, event.depth + 1).into_iter().map(|event| (event, false)));
        }
    }
    let mut deeper = ExecutionPlan::of_marked(all);
    deeper.about = record.about.clone();
    Ok(Some(deeper))
}

impl ExecutionPlan {
    /// Gives a record its number, and notes what it has, and after which one it comes: the one whose number it had.
    pub fn number(&mut self, number: u32) {
        let mut digest = blake3::Hasher::new();
        for (event, is_left_out) in self.known() {
            digest.update(ExecutionPlan::line(event).as_bytes()).update(&[b'\n', is_left_out.into()]);
        }
        let digest = digest.finalize().to_hex().chars().take(16).collect();
        self.about.record = Some(DeeperRecord { number, digest, after: self.record_number() });
    }

    /// Returns the number of a record, from 1.
    pub fn record_number(&self) -> u32 {
        self.about.record.as_ref().map_or(1, |record| record.number)
    }
}

/// Returns all that was recorded of a run: the first record, and after that what deeper ones have that is deeper. `None` if there are none.
pub fn united(records: impl IntoIterator<Item = ExecutionPlan>) -> Option<ExecutionPlan> {
    let mut records = records.into_iter();
    let mut whole = records.next()?;
    for record in records {
        let last = whole.last_time();
        let about = std::mem::take(&mut whole.about);
        let deeper = record.events().iter().filter(|event| event.time > last).map(|event| (event.clone(), false));
        let all = whole.known().map(|(event, is_left_out)| (event.clone(), is_left_out)).chain(deeper);
        whole = ExecutionPlan::of_marked(all);
        whole.about = about;
    }
    Some(whole)
}

/// Returns the file of a record, beside the first one: `prog.py.trace.2.txt` for `prog.py.trace.txt`.
pub fn record_file(first: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return first.to_owned();
    }
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".txt").unwrap_or(&name);
    first.with_file_name(format!("{stem}.{number}.txt"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Two calls, of which the record has only that they were made.
    const RECORD: &str = "# reduct trace 1: python; {\"folder\":null,\"deepest\":2,\"files\":{}}\n\
                          a.py:5_1 for i in x:\n a.py:5_2 iteration 1\n a.py:5_3 iteration 2\na.py:7_4 end()\n";

    /// Writes what a driver writes: of each execution what it belongs to, and its statement.
    fn written(executions: &[(u32, u32)]) -> (tempfile::TempDir, PathBuf) {
        let own = tempfile::tempdir().unwrap();
        let to = own.path().join("record");
        let count = executions.len() as u64;
        let mut bytes = [count.to_le_bytes(), count.to_le_bytes()].concat();
        for (parent, statement) in executions {
            bytes.extend([parent.to_le_bytes(), statement.to_le_bytes()].concat());
        }
        fs::write(&to, bytes).unwrap();
        let statements =
            "[1,\"a.py\",6,1,false,\"    f(i)\",\"<module>\"]\n[2,\"b.py\",2,1,false,\"    y = i\",\"f\"]\n";
        fs::write(own.path().join("record.statements"), statements).unwrap();
        (own, to)
    }

    #[test]
    fn what_is_deeper_belongs_to_what_is_kept_and_what_was_left_out_beside_it_stays_known() {
        let record = ExecutionPlan::parse(RECORD).unwrap();
        let plan = ExecutionPlan::parse(&RECORD.replace(" a.py:5_2 iteration 1\n", "")).unwrap();
        let (_own, to) = written(&[(3, 1), (5, 2)]);
        let mut deeper = read_deeper(&to, (&record, &plan), 10).unwrap().unwrap();
        deeper.number(2);
        let text = deeper.to_text("python");
        let (head, rest) = text.split_once('\n').unwrap();
        let expected = "a.py:5_1 for i in x:\n # a.py:5_2 iteration 1\n a.py:5_3 iteration 2\n  a.py:6_5 f(i)\n   b.py:2_6 y = i\n\
                        a.py:7_4 end()\n";
        assert_eq!(rest, expected);
        assert!(head.contains("\"record\":{\"number\":2,\"digest\":") && head.contains("\"after\":1}"), "{head}");
        let read = ExecutionPlan::parse(&text).unwrap();
        assert_eq!((&read, read.to_text("python")), (&deeper, text.clone()));
        // A line that is none of an execution is a note there, too.
        assert_eq!(ExecutionPlan::parse(&text.replace("\na.py:7", "\n# the end: 1\na.py:7")).unwrap(), read);
        // The second iteration is the second one, whether the first one is executed or not.
        assert_eq!(read.counts()[&3], 1);
        assert_eq!(read.kept().to_text("python").lines().count(), 6);
        assert_eq!(united([record, read]).unwrap().known().count(), 6);
    }

    #[test]
    fn where_nothing_is_deeper_there_is_no_deeper_record() {
        let record = ExecutionPlan::parse(RECORD).unwrap();
        let (_own, to) = written(&[]);
        assert_eq!(read_deeper(&to, (&record, &record), 10).unwrap(), None);
    }

    #[test]
    fn deeper_records_stand_beside_the_first_one() {
        assert_eq!(record_file(Path::new("a/prog.py.trace.txt"), 1), Path::new("a/prog.py.trace.txt"));
        assert_eq!(record_file(Path::new("a/prog.py.trace.txt"), 3), Path::new("a/prog.py.trace.3.txt"));
    }
}
