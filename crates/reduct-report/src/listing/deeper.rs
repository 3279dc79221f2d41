//! What is said of records of a program that do not reach to its deepest executions, and of those that reach deeper.

use crate::excerpt::clean;
use crate::human::counted;
use crate::turns::ComparedAt;
use reduct_trace::{Execution, Place};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Returns what is said of what is deeper than a record reaches.
pub(super) fn part_of_what(depth: usize) -> String {
    format!(" What is more than {depth} levels deep is taken as a part of what it belongs to.")
}

/// Returns what is said of a recording.
pub fn recorded(events: &[Execution], at: ComparedAt, deepest: Option<usize>) -> String {
    let files: BTreeSet<&str> = events.iter().map(|event| event.place.file.as_str()).collect();
    let deep = deepest.map_or(String::new(), part_of_what);
    let events = counted(events.len() as u64, at.unit());
    let (files, explained) = (counted(files.len() as u64, "files"), at.explained());
    format!("Recorded: {events} in {files}{explained}, the same twice.{deep}")
}

/// Why what is left is not recorded deeper.
#[derive(Clone, Debug)]
pub enum NotDeeper {
    /// Nothing is deeper.
    NothingDeeper,
    /// So much is deeper, and its first level alone is more than can be recorded.
    TooMany(u64),
    /// It is something else each time: the first place.
    NotTheSame(Place),
    /// It does not fail under the deeper record.
    DoesNotFail,
    /// Something else stands where the record would.
    InTheWay(PathBuf),
    /// It cannot be recorded, or the record cannot be written.
    Unreadable(String),
}

/// Returns what is said when what is left is recorded again.
pub fn recording_again(depth: usize) -> String {
    format!("Recording what is left twice more, deeper than level {depth}.")
}

/// Returns what is said of such a recording, by how many executions it has that are deeper.
pub fn recorded_again(deeper: usize, deepest: Option<usize>) -> String {
    let deeper = counted(deeper as u64, "executions");
    format!("Recorded: {deeper} more, the same twice.{}", deepest.map_or(String::new(), part_of_what))
}

/// Returns why what is left is not recorded deeper.
pub fn not_deeper(why: &NotDeeper, depth: usize) -> String {
    let why = match why {
        NotDeeper::NothingDeeper => {
            return format!("Nothing of it is more than {depth} levels deep: all that is left is recorded.");
        }
        NotDeeper::TooMany(events) => {
            let events = counted(*events, "executions");
            format!("{events} are deeper, and their next level alone is more than can be recorded")
        }
        NotDeeper::NotTheSame(place) => {
            let place = clean(&format!("{}:{}", place.file, place.line));
            format!("what is deeper is not the same twice, first at {place}")
        }
        NotDeeper::DoesNotFail => "the failure does not occur where only what was recorded is executed".to_owned(),
        NotDeeper::InTheWay(path) => format!("{} is there, and is no recorded plan", clean(&path.to_string_lossy())),
        NotDeeper::Unreadable(why) => clean(why),
    };
    format!("Not recorded deeper: {why}.{}", part_of_what(depth))
}
