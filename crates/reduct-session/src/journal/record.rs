//! The records of a journal, a line each. The tables of `docs/JOURNAL.md` are made from the comments here.

use crate::event::Ended;
use crate::relied::{Around, Relied};
use reduct_core::{Key, Outcome};
use reduct_oracle::Criterion;
use reduct_oracle::sampling::{Policy, Tally};
use reduct_strategies::Claim;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of the format. A reader refuses a later one.
pub const VERSION: u32 = 5;

/// One line of a journal.
#[expect(clippy::large_enum_variant, reason = "most are short, but few enough that their room is no matter")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum JournalRecord {
    /// The first record: what the run was asked to do. Written once.
    Run {
        /// The version of the format.
        v: u32,
        /// The program and its version.
        tool: String,
        /// The digest of the whole input.
        #[serde(with = "hex")]
        input: Key,
        /// Whether outcomes are remembered, and so can be used by other runs; false with `--no-cache`.
        cache: bool,
        /// All that the command line said, in the words of `crates/reduct-lib/src/job.rs`.
        job: serde_json::Value,
    },
    /// The preflight is over, and the failure is known. Written once, and again after `forgotten`.
    Began {
        /// The identity of the test, without limits: runs with the same identity can share outcomes.
        #[serde(with = "hex")]
        oracle: Key,
        /// The condition that makes a candidate fail.
        reading: Criterion,
        /// The time limit of a test in milliseconds.
        time_limit: Option<u64>,
        /// When a candidate has been run often enough; only if one run does not decide.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policy: Option<Policy>,
        /// The files that the test is known to rely on, as they were then. Without this key, nothing was watched.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        files: Option<Vec<Relied>>,
        /// What else the test finds around the candidate, as it was then. Without this key, nothing was watched.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        around: Option<Around>,
    },
    /// A run of a candidate ended that settles nothing yet: the candidate takes more runs.
    Vote {
        /// The digest of what the test saw.
        #[serde(with = "hex")]
        k: Key,
        /// The number of the run, from 0.
        n: u32,
        /// Its outcome: `pass`, `fail` or `unresolved`.
        #[serde(with = "outcome")]
        o: Outcome,
        /// Whether another run may have another outcome (a limit decided, a program was not started, ...); only if true.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        l: bool,
        /// How long it took, in milliseconds.
        ms: u64,
    },
    /// A test ended, and the outcome of its candidate is known. Those of the preflight are written too, if outcomes are remembered.
    Outcome {
        /// The digest of what the test saw.
        #[serde(with = "hex")]
        k: Key,
        /// Its outcome: `pass`, `fail` or `unresolved`.
        #[serde(with = "outcome")]
        o: Outcome,
        /// Whether another run may have another outcome (a limit decided, a program was not started, ...); only if true.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        l: bool,
        /// How long it took, in milliseconds: the last run, if there were several.
        ms: u64,
        /// How many of its runs fired, were silent or unresolved, and how many of them a limit decided; only if there were several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        votes: Option<Tally>,
    },
    /// The search goes on from something smaller.
    Improved {
        /// The number of questions that the search had retired before.
        n: u64,
        /// The digest of what the search goes on from.
        #[serde(with = "hex")]
        k: Key,
        /// Its size in bytes.
        bytes: usize,
    },
    /// A phase was given up on request.
    Skipped {
        /// The number of questions that the search had retired before.
        n: u64,
        /// The name of the pass, if it is given up for the rest of the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pass: Option<String>,
    },
    /// A person took an outcome back. A reader leaves that outcome out; the `improved` and `skipped` records that rest on it no
    /// longer hold.
    Undone {
        /// The digest of the candidate.
        #[serde(with = "hex")]
        k: Key,
    },
    /// From now on, the run writes to the place of the result. Written right after `began`, and again when an answer is
    /// complete. What stands there later has this digest or that of an `improved` record.
    Published {
        /// The place of the result.
        #[serde(with = "reduct_system::os_path")]
        out: PathBuf,
        /// The digest of the input, or of the complete answer.
        #[serde(with = "hex")]
        k: Key,
    },
    /// A resumed session of the run began.
    Resumed,
    /// The search begins again from a step: a new branch, to which the records after it belong. A reader leaves out the `ended`
    /// records before it.
    Branch {
        /// The number of the step, over all branches from 1; 0 is the whole input.
        from: usize,
        /// The digest of what the branch begins with.
        #[serde(with = "hex")]
        k: Key,
        /// The numbers of the steps whose edits are not made in the branch; only if there are any.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        never: Vec<usize>,
        /// How many steps all branches before it have: its own steps are numbered from there.
        steps: usize,
        /// How many questions the branch before it has retired: it ends there.
        asked: u64,
        /// The number of the record of executions with which the branch begins, if the run of a program was recorded again, deeper; it
        /// is in the folder `record-N` of the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<u32>,
    },
    /// Earlier outcomes no longer hold, and the run begins again. A reader leaves them out.
    Forgotten {
        /// The reason, in words for people.
        why: String,
    },
    /// The session is over. A run that was killed has no such record.
    Ended {
        /// Whether nothing is left to do: the search is over, or the granularity reached.
        done: bool,
        /// The reason, in words for people.
        why: String,
        /// The digest of the result.
        #[serde(with = "hex")]
        best: Key,
        /// Whether the result is an earlier step, because the last one did not fail each time; only if true.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        back: bool,
        /// What was counted by then. Journals of the first versions do not have this key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<SeenAtEnd>,
    },
}

/// What was counted of a run when it ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeenAtEnd {
    /// Whether the result still failed when it was run again; `null` if it was not run.
    pub confirmed: Option<bool>,
    /// How often it was run again, and how often it failed then.
    pub again: Option<(u32, u32)>,
    /// How many questions the search had asked.
    pub asked: u64,
    /// How many of them were repeats.
    pub repeated: u64,
    /// How many of them were unresolved.
    pub unresolved: u64,
    /// How many tests of the search were run in the last session.
    pub runs: u64,
    /// How long the last session took, in milliseconds.
    pub ms: u64,
    /// The further lines that were printed at the end.
    pub notes: Vec<String>,
    /// The share of runs in which a result fails that fails now and then; only if its parts were tried again.
    pub share: Option<f64>,
    /// The units of which the claim says only that none can go that leaves a text that parses. Journals of the first versions do
    /// not have this key.
    pub only_where_it_parses: Vec<String>,
}

impl SeenAtEnd {
    pub(super) fn of(ended: &Ended) -> SeenAtEnd {
        let checked = match &ended.evidence.claim {
            Claim::OneMinimal(minimal) => &minimal.checked[..],
            _ => &[],
        };
        SeenAtEnd {
            confirmed: ended.confirmed,
            again: ended.again.map(|again| (again.runs, again.failed)),
            asked: ended.asked,
            repeated: ended.repeated,
            unresolved: ended.unresolved,
            runs: ended.runs,
            ms: ended.elapsed.as_millis() as u64,
            notes: ended.notes.clone(),
            share: ended.share,
            only_where_it_parses: checked.iter().map(|unit| (*unit).to_owned()).collect(),
        }
    }
}

mod hex {
    use reduct_core::Key;
    use serde::{Deserialize, Deserializer, Serializer, de::Error, ser};

    const DIGITS: &[u8; 16] = b"0123456789abcdef";

    pub(super) fn serialize<S: Serializer>(key: &Key, to: S) -> Result<S::Ok, S::Error> {
        let digits = key.0.to_be_bytes().map(|byte| [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]));
        to.serialize_str(str::from_utf8(digits.as_flattened()).map_err(ser::Error::custom)?)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Key, D::Error> {
        let text = String::deserialize(from)?;
        u128::from_str_radix(&text, 16).map(Key).map_err(D::Error::custom)
    }
}

mod outcome {
    use reduct_core::Outcome;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(outcome: &Outcome, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(outcome.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
        let name = String::deserialize(from)?;
        Outcome::named(&name).ok_or_else(|| D::Error::custom("no outcome"))
    }
}
