//! What is known when a search begins: from the runs before it, from the run's journal, from other runs.

use crate::preflight::Baseline;
use reduct_core::{Key, Outcome};
use reduct_oracle::sampling::Votes;
use reduct_session::Skip;
use reduct_session::journal;
use reduct_session::journal::JournalRecord;
use reduct_session::relied::{Around, Relied};
use std::collections::{HashMap, VecDeque};

/// What is known when a search begins.
pub(super) struct Resumed {
    pub(super) baseline: Baseline,
    pub(super) outcomes: Vec<(Key, Outcome)>,
    /// What other runs have learned.
    pub(super) borrowed: Vec<(Key, Outcome)>,
    /// Single runs of candidates that are not decided.
    pub(super) votes: HashMap<Key, Votes>,
    /// How many outcomes other sessions have learned.
    pub(super) from_others: usize,
    pub(super) skips: VecDeque<Skip>,
    /// What was answered to the search, in order.
    pub(super) answers: Vec<Key>,
    /// How far the search had come, and what was the best then.
    pub(super) reached: Option<(u64, Key)>,
    /// If the search is not the one that the run began with: the steps whose edits are never made in it.
    pub(super) branch: Option<Vec<usize>>,
    /// Why what was known before is not believed, if so.
    pub(super) says: Vec<String>,
    /// Why not all is known that the test relies on, if so.
    pub(super) unsure: Option<String>,
}

impl Resumed {
    /// Returns what is known after the first runs.
    pub(super) fn after(checked: Checked) -> Resumed {
        let unsure = checked.around.as_ref().and_then(|around| around.missed.clone());
        Resumed { unsure, ..Resumed::of(checked.baseline, checked.outcomes) }
    }

    /// Returns what is known where only this is.
    fn of(baseline: Baseline, outcomes: Vec<(Key, Outcome)>) -> Resumed {
        let (borrowed, votes, skips) = (vec![], HashMap::new(), VecDeque::new());
        let (answers, reached, branch, says, unsure) = (vec![], None, None, vec![], None);
        Resumed { baseline, outcomes, borrowed, votes, from_others: 0, skips, answers, reached, branch, says, unsure }
    }

    /// Returns what a run knows by its journal.
    pub(super) fn recorded(baseline: Baseline, records: &[JournalRecord], preflight: &[Key]) -> Resumed {
        let mut known = Resumed { votes: journal::votes(records), ..Resumed::of(baseline, vec![]) };
        for record in records {
            match record {
                JournalRecord::Outcome { k, o, .. } => {
                    known.outcomes.push((*k, *o));
                    known.answers.extend(Some(*k).filter(|k| !preflight.contains(k)));
                }
                // What came of an answer that was taken back, or of what was thrown away, is no longer so.
                JournalRecord::Undone { .. } | JournalRecord::Forgotten { .. } => {
                    known.reached = None;
                    known.skips.clear();
                }
                // How far a branch has come says nothing of the next one.
                JournalRecord::Branch { never, .. } => {
                    (known.reached, known.branch) = (None, Some(never.clone()));
                    known.skips.clear();
                    known.answers.clear();
                }
                JournalRecord::Skipped { n, pass } => known.skips.push_back(Skip { n: *n, whole_pass: pass.is_some() }),
                JournalRecord::Improved { n, k, .. } if known.reached.is_none_or(|(far, _)| *n > far) => {
                    known.reached = Some((*n, *k));
                }
                _ => {}
            }
        }
        known
    }
}

/// What the runs before a search have brought.
pub(super) struct Checked {
    pub(super) baseline: Baseline,
    pub(super) outcomes: Vec<(Key, Outcome)>,
    /// What the test relies on.
    pub(super) files: Option<Vec<Relied>>,
    pub(super) around: Option<Around>,
    pub(super) oracle: Key,
    /// What the project was that tests get copies of, if they do.
    pub(super) project: Option<Vec<u8>>,
}

impl Checked {
    /// Returns whether the test says otherwise now than it is said to have said.
    pub(super) fn contradicts(&self, said: &[(Key, Outcome)]) -> bool {
        let is_clear = |outcome: Outcome| outcome != Outcome::Unresolved;
        let differs = |(key, now): &(Key, Outcome), (of, then): &(Key, Outcome)| {
            key == of && now != then && is_clear(*now) && is_clear(*then)
        };
        self.outcomes.iter().any(|known| said.iter().any(|said| differs(known, said)))
    }
}
