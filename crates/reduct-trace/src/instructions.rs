//! What a driver is told, in the two forms in which drivers read it: JSON, and records for drivers in C.

use crate::error::{StepError, write};
use crate::forks::Forking;
use crate::plan::{ControlFlow, ExecutionPlan, Place};
use crate::schedule::Scheduling;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What a driver is told: see `driver/python.py` and `driver/executions.h`.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Instructions<'a> {
    pub(crate) into: Vec<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deepest: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<PathBuf>,
    pub(crate) most: usize,
    /// Where the code is written to that is made of the program, if the driver makes some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) making: Option<PathBuf>,
    /// If the kept run is recorded again, from where on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deeper: Option<Deeper>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<u64>,
    pub(crate) control: ControlFlow,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unset: Option<String>,
    /// By which access to memory the recorded run died, if the driver can tell: see `driver/faults.h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<String>,
    /// The files that are known to be executed.
    #[serde(skip)]
    pub(crate) files: Vec<PathBuf>,
    #[serde(skip)]
    pub(crate) known: Option<Known<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) values: Option<PathBuf>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) reads: Vec<ReadBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) look: Option<Look>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<Changed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) schedule: Option<Scheduled<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forks: Option<Forking>,
}

/// An execution by its number, and the names that its statement reads: fields stand behind a dot. A driver that has the syntax tree of the
/// program finds them itself.
pub type ReadBy = (u32, Vec<String>);

/// A kept run is recorded again, deeper: what belongs to an execution at this depth, or a greater one, is new.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Deeper {
    /// Down to this depth, the run is recorded already.
    pub(crate) below: usize,
    /// So many numbers of executions are taken.
    pub(crate) taken: u32,
}

/// A schedule in a file, and how it is run.
#[derive(Debug, Serialize)]
pub(crate) struct Scheduled<'a> {
    pub(crate) plan: PathBuf,
    #[serde(flatten)]
    pub(crate) scheduling: &'a Scheduling,
}

#[derive(Debug, Serialize)]
pub(crate) struct Look {
    pub(crate) to: PathBuf,
    pub(crate) at: Vec<u32>,
}

/// A variable is given by the depth of its function among the active ones, and its name.
#[derive(Debug, Serialize)]
pub(crate) struct Changed {
    pub(crate) at: u32,
    pub(crate) values: Vec<(u32, String, String)>,
}

/// What was recorded, and what is kept of it.
#[derive(Debug, Serialize)]
pub(crate) struct Known<'a> {
    places: Vec<(&'a str, u32, u32, bool)>,
    /// What an execution belongs to, or 0, the place, how often it came before within that, and its number.
    known: Vec<(u32, usize, u32, u32)>,
    kept: Vec<u32>,
    /// Where conditions went.
    directions: Vec<(u32, bool)>,
}

impl<'a> Known<'a> {
    pub(crate) fn of(record: &'a ExecutionPlan, plan: &ExecutionPlan) -> Known<'a> {
        let counts = record.counts();
        let kept: HashSet<u32> = plan.events().iter().map(|event| event.time).collect();
        let follows = record.about.control == ControlFlow::Recorded;
        let mut numbers: HashMap<&Place, usize> = HashMap::new();
        let mut places = vec![];
        let mut known = vec![];
        for (event, _) in record.known() {
            // What belongs to an execution that is left out is never come to, unless control goes as it was recorded.
            if !follows && event.parent.is_some_and(|parent| !kept.contains(&parent)) {
                continue;
            }
            let place = *numbers.entry(&event.place).or_insert_with(|| {
                let Place { file, line, nth, is_iteration } = &event.place;
                places.push((file.as_str(), *line, *nth, *is_iteration));
                places.len() - 1
            });
            let count = counts.get(&event.time).copied().unwrap_or_default();
            known.push((event.parent.unwrap_or(0), place, count, event.time));
        }
        let directions =
            record.known().map(|(event, _)| event).filter_map(|event| Some((event.time, event.goes()?))).collect();
        Known { places, known, directions, kept: plan.events().iter().map(|event| event.time).collect() }
    }
}

/// What puts guards into a text of a language with a grammar: this program.
const OWN: &str = "/proc/self/exe";

#[derive(Serialize)]
struct WithKnown<'a> {
    #[serde(flatten)]
    instructions: &'a Instructions<'a>,
    known: Option<PathBuf>,
    guards: Option<PathBuf>,
}

impl Instructions<'_> {
    /// Writes them as JSON, what is known in a file of its own. Returns the path.
    pub(crate) fn to_json(&self, own: &Path) -> Result<PathBuf, StepError> {
        let known = self.known.as_ref().map(|known| write(own, "known.json", &json(known))).transpose()?;
        write(
            own,
            "instructions.json",
            &json(&WithKnown { instructions: self, known, guards: std::fs::read_link(OWN).ok() }),
        )
    }

    /// Writes them as records that end with a NUL: a word, and what belongs to it. Returns the path.
    /// `numbers` are those of statements, if they have some already.
    pub(crate) fn to_records(&self, own: &Path, numbers: Option<&HashMap<Place, u32>>) -> Result<PathBuf, StepError> {
        let mut text: Vec<u8> = vec![];
        let mut say = |word: &str, rest: &[u8]| {
            text.extend([word.as_bytes(), b" ", rest, b"\0"].concat());
        };
        let path = |it: &Option<PathBuf>| it.as_ref().map(|it| it.as_os_str().as_bytes().to_vec());
        let number = |it: Option<u64>| it.map(|it| it.to_string().into_bytes());
        let options = [
            ("most", number(Some(self.most as u64))),
            ("deepest", number(self.deepest.map(|it| it as u64))),
            ("below", number(self.deeper.map(|it| it.below as u64))),
            ("taken", number(self.deeper.map(|it| it.taken.into()))),
            ("limit", number(self.limit)),
            ("follows", (self.control == ControlFlow::Recorded).then(|| b"1".to_vec())),
            ("unset", self.unset.clone().map(String::into_bytes)),
            ("fault", self.fault.clone().map(String::into_bytes)),
            ("record", path(&self.record)),
            ("values", path(&self.values)),
        ];
        for (word, rest) in options.iter().filter_map(|(word, rest)| Some((word, rest.as_ref()?))) {
            say(word, rest);
        }
        self.into.iter().for_each(|it| say("into", it.as_os_str().as_bytes()));
        for (time, names) in &self.reads {
            say("read", format!("{time} {}", names.join(" ")).as_bytes());
        }
        if let Some(Known { places, known, kept, .. }) = &self.known {
            for (file, line, nth, is_iteration) in places.iter().filter(|_| numbers.is_none()) {
                // An iteration stands where its loop stands.
                let nth = nth * 2 + u32::from(*is_iteration);
                say("place", format!("{line} {nth} {file}").as_bytes());
            }
            let number_of = |at: usize| match numbers {
                Some(numbers) => {
                    let (file, line, nth, is_iteration) = places[at];
                    let place = Place { file: file.to_owned(), line, nth, is_iteration };
                    // What is not there any more is never executed.
                    numbers.get(&place).copied().unwrap_or(u32::MAX)
                }
                None => at as u32 + 1,
            };
            let kept: HashSet<u32> = kept.iter().copied().collect();
            for (parent, place, count, time) in known {
                let is_kept = u32::from(kept.contains(time));
                say("known", format!("{parent} {} {count} {time} {is_kept}", number_of(*place)).as_bytes());
            }
        }
        write(own, "instructions", &text)
    }
}

fn json(it: &impl Serialize) -> Vec<u8> {
    // Numbers, strings and lists can be written, but for paths that are no text: nothing is known of them then.
    serde_json::to_vec(it).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_say_what_was_recorded_and_what_is_kept() {
        let own = tempfile::tempdir().unwrap();
        let whole = ExecutionPlan::parse("a.c:3_1 for\n a.c:3_2 iteration 1\n  a.c:4.2_3 f();\n").unwrap();
        let left = ExecutionPlan::parse("a.c:3_1 for\n").unwrap();
        let known = Some(Known::of(&whole, &left));
        let instructions = Instructions { into: vec!["x y".into()], most: 7, known, ..Instructions::default() };
        let text = std::fs::read_to_string(instructions.to_records(own.path(), None).unwrap()).unwrap();
        let records: Vec<&str> = text.split_terminator('\0').collect();
        let expected = ["place 3 2 a.c", "place 3 3 a.c", "known 0 1 0 1 1", "known 1 2 0 2 0"];
        assert_eq!(records, [&["most 7", "into x y"], &expected[..]].concat());
    }
}
