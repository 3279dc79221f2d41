//! What a driver has recorded, as a plan.

use crate::plan::{Execution, ExecutionPlan, Place, iteration};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;

/// Where the driver keeps what it records apart from the events: behind the name of the record.
pub(crate) const STATEMENTS: &str = "statements";
const DEPTHS: &str = "depths";
const OFTEN: &str = "often";
const FAULT: &str = "fault";

/// In the place of how many events were recorded: all that are in the file. So it is if a driver writes each at once, and the program
/// ends before it says how many there were.
const NOT_COUNTED: u64 = u64::MAX;

/// So many levels are recorded at most: a line of a plan is indented by its level, and recursions may have no end.
const MOST_LEVELS: usize = 4_000;

/// Of a statement, so many characters are shown.
const SHOWN: usize = 160;

/// Added to the number of a statement if it was a condition, by where it went: see `driver/python.py`.
const HELD: u32 = 1 << 29;
const DID_NOT_HOLD: u32 = 1 << 28;

/// Why there is no recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// It cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// It is not what a driver writes.
    #[error("the record of the execution makes no sense")]
    Malformed,
    /// There are more events than can be recorded.
    #[error("{events} executions are more than can be recorded")]
    TooLong {
        /// How many.
        events: u64,
        /// The deepest level that can be recorded, if the program ended by itself.
        fits: Option<usize>,
    },
    /// Nothing was executed that can be left out.
    #[error("no statement of the program was executed, or none is looked into")]
    Empty,
}

/// A statement, as the driver describes it: its number, place, line of text, and function.
type Described = (u32, String, u32, u32, bool, String, String);

/// A statement in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it stands.
    pub place: Place,
    /// The line it begins on, without the white space around it.
    pub text: String,
    /// By how much the line is indented.
    pub indent: usize,
    /// The function that it stands in; a name in angle brackets if it stands in none.
    pub function: String,
}

/// Reads what a driver has recorded: at most `most` events.
///
/// # Errors
/// If there is none, or there were more events.
pub fn read_recording(record: &Path, most: usize) -> Result<ExecutionPlan, RecordingError> {
    let recorded = Recorded::read(record, most, 0)?;
    if recorded.children.is_empty() {
        return Err(RecordingError::Empty);
    }
    Ok(ExecutionPlan::new(recorded.in_order_of_text(0, 0)))
}

/// What a driver has written.
pub(crate) struct Recorded {
    /// By the number of an execution: the numbers of those that belong to it, and of their statements.
    pub(crate) children: BTreeMap<u32, Vec<(u32, u32)>>,
    statements: HashMap<u32, Statement>,
}

impl Recorded {
    /// Reads what a driver has written: at most `most` events, whose numbers come after those that are `taken`.
    ///
    /// # Errors
    /// If there is none, or there were more events.
    pub(crate) fn read(record: &Path, most: usize, taken: u32) -> Result<Recorded, RecordingError> {
        let bytes = read(record)?;
        let word = |at: usize| bytes.get(at..at + 8).and_then(|word| Some(u64::from_le_bytes(word.try_into().ok()?)));
        let (recorded, all) = (word(0).ok_or(RecordingError::Malformed)?, word(8).ok_or(RecordingError::Malformed)?);
        let written = bytes.len().saturating_sub(16) as u64 / 8;
        let (recorded, all) = if recorded == NOT_COUNTED { (written, written) } else { (recorded, all) };
        if all > recorded {
            let per_depth = read(&beside(record, DEPTHS)).ok().and_then(|bytes| counts(&bytes));
            let fits = per_depth.and_then(|counts| fitting(&counts, most)).map(|level| level.min(MOST_LEVELS));
            return Err(RecordingError::TooLong { events: all, fits });
        }
        let statements = read_statements(record)?;
        let mut children: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        let mut levels: HashMap<u32, usize> = HashMap::new();
        for nth in 0..recorded as usize {
            let (at, time) = (16 + 8 * nth, taken + nth as u32 + 1);
            let number =
                |at: usize| bytes.get(at..at + 4).and_then(|word| Some(u32::from_le_bytes(word.try_into().ok()?)));
            let (parent, directed) = number(at).zip(number(at + 4)).ok_or(RecordingError::Malformed)?;
            let statement = directed % DID_NOT_HOLD;
            if parent >= time || !statements.contains_key(&statement) {
                return Err(RecordingError::Malformed);
            }
            let level = levels.get(&parent).copied().unwrap_or(0) + 1;
            if level > MOST_LEVELS {
                return Err(RecordingError::TooLong { events: all, fits: Some(MOST_LEVELS) });
            }
            levels.insert(time, level);
            children.entry(parent).or_default().push((time, directed));
        }
        Ok(Recorded { children, statements })
    }

    /// Returns the events that belong to one, such that what belongs to an event follows it. `depth` is theirs.
    pub(crate) fn in_order_of_text(&self, of: u32, depth: usize) -> Vec<Execution> {
        let mut events = vec![];
        let mut iterations: HashMap<(u32, u32), u32> = HashMap::new();
        let below = |parent: u32, depth: usize| {
            let children = self.children.get(&parent).into_iter().flatten().rev();
            children.map(move |(time, statement)| (parent, *time, *statement, depth))
        };
        let mut open: Vec<(u32, u32, u32, usize)> = below(of, depth).collect();
        while let Some((parent, time, directed, depth)) = open.pop() {
            let statement = directed % DID_NOT_HOLD;
            let goes = (directed >= DID_NOT_HOLD).then_some(directed >= HELD);
            let Some(Statement { place, text, .. }) = self.statements.get(&statement) else { continue };
            let text = if place.is_iteration {
                let number = iterations.entry((parent, statement)).or_default();
                *number += 1;
                iteration(*number)
            } else {
                text.clone()
            };
            let text = Execution::directed(&text, goes);
            let parent = (parent > 0).then_some(parent);
            events.push(Execution { time, parent, place: place.clone(), text, depth });
            open.extend(below(time, depth + 1));
        }
        events
    }
}

/// Reads the statements that a driver has described beside a file that it wrote, by their numbers in that file.
///
/// # Errors
/// If there are none.
pub fn read_statements(beside_of: &Path) -> Result<HashMap<u32, Statement>, RecordingError> {
    read_described(&beside(beside_of, STATEMENTS))
}

/// Reads the statements that a file describes.
pub(crate) fn read_described(file: &Path) -> Result<HashMap<u32, Statement>, RecordingError> {
    let bytes = read(file)?;
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let statement = |line: &[u8]| {
        let (number, file, line, nth, is_iteration, text, function): Described = serde_json::from_slice(line).ok()?;
        let shown = text.trim_start();
        let indent = text.chars().count() - shown.chars().count();
        let text = shown.chars().take(SHOWN).collect();
        Some((number, Statement { place: Place { file, line, nth, is_iteration }, text, indent, function }))
    };
    lines.map(statement).collect::<Option<_>>().ok_or(RecordingError::Malformed)
}

/// Reads the names of the functions of a native program whose later calls were not recorded.
pub fn read_often(record: &Path) -> Vec<String> {
    read(&beside(record, OFTEN)).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

/// Reads by which access to memory a program in C died when it was recorded, if it did.
pub fn read_fault(record: &Path) -> Option<String> {
    let text = fs::read_to_string(beside(record, FAULT)).ok()?;
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty() && !text.contains(char::is_control))
}

/// Returns how many executions there were at each depth: a list in JSON, or, of drivers in C, numbers of 8 bytes.
fn counts(bytes: &[u8]) -> Option<Vec<u64>> {
    if bytes.starts_with(b"[") {
        return serde_json::from_slice(bytes).ok();
    }
    let words = bytes.chunks_exact(8).map(|word| word.try_into().map(u64::from_le_bytes));
    let mut counts: Vec<u64> = words.collect::<Result<_, _>>().ok()?;
    counts.truncate(counts.iter().rposition(|count| *count > 0)? + 1);
    Some(counts)
}

/// Returns the deepest level such that no more than `most` events are no deeper, from the numbers of events by depth.
fn fitting(per_depth: &[u64], most: usize) -> Option<usize> {
    let sums = per_depth.iter().scan(0u64, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    sums.enumerate().skip(1).take_while(|(_, sum)| *sum <= most as u64).last().map(|(depth, _)| depth)
}

pub(crate) fn beside(record: &Path, what: &str) -> std::path::PathBuf {
    let mut path = record.as_os_str().to_owned();
    path.push(".");
    path.push(what);
    path.into()
}

fn read(path: &Path) -> Result<Vec<u8>, RecordingError> {
    fs::read(path).map_err(|why| RecordingError::Unreadable { path: path.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_recursion_without_an_end_so_many_levels_are_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("record");
        let read = |levels: u32| {
            let events = (0..levels).flat_map(|parent| [parent.to_le_bytes(), 1u32.to_le_bytes()]).flatten();
            let head = NOT_COUNTED.to_le_bytes().repeat(2);
            fs::write(&record, head.into_iter().chain(events).collect::<Vec<_>>()).unwrap();
            fs::write(beside(&record, STATEMENTS), "[1,\"a.x\",1,1,false,\"f()\",\"f\"]\n").unwrap();
            read_recording(&record, 200_000)
        };
        assert_eq!(read(4_000).unwrap().events().last().unwrap().depth, 3_999);
        let error = read(4_001).unwrap_err();
        assert!(matches!(error, RecordingError::TooLong { events: 4_001, fits: Some(4_000) }), "{error}");
    }

    #[test]
    fn the_deepest_level_that_fits_is_found() {
        assert_eq!(fitting(&[0, 2, 30, 300], 40), Some(2));
        assert_eq!(fitting(&[0, 2, 30, 300], 1000), Some(3));
        assert_eq!(fitting(&[0, 200], 100), None);
    }

    #[test]
    fn numbers_of_executions_are_read_in_both_forms() {
        let numbers: Vec<u8> = [0u64, 2, 300, 0, 0].iter().flat_map(|it| it.to_le_bytes()).collect();
        assert_eq!(counts(&numbers), Some(vec![0, 2, 300]));
        assert_eq!(counts(b"[0,2,300]\n"), Some(vec![0, 2, 300]));
        assert_eq!(counts(b""), None);
    }
}
