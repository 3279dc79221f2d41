//! Findings that turned out to be the same: the one that was found first counts both, and what was filed of the other one
//! stays, with a note. It is the evidence for people who doubt that they are the same.

use super::finding_store::{Filed, FindingStatus, FindingStore};
use crate::errors::Refusal;
use std::fs;
use std::io::ErrorKind;

/// In the folder of a finding that is the same as another one: which one, and why.
pub(super) const NOTE: &str = "same-as.txt";

impl FindingStore {
    /// Files a finding with another one, which it turned out to be. Its folder stays, and says so.
    pub(super) fn merge(&mut self, at: usize, with: usize, why: &str) -> Result<Filed, Refusal> {
        let why = format!("the same as {}: {why}", self.findings[with].folder);
        let note = self.fuzzing.job.out.join(&self.findings[at].folder).join(NOTE);
        match fs::write(&note, format!("{why}\n")) {
            // Somebody has taken the folder away: there is no evidence to put a note to.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            written => written.map_err(Refusal::io("write", &note))?,
        }
        let mut gone = self.findings.remove(at);
        gone.why = Some(why);
        let with = if at < with { with - 1 } else { with };
        let stays = &mut self.findings[with];
        stays.seen += gone.seen;
        for signature in [vec![gone.signature.clone()], gone.also.clone()].concat() {
            if stays.signature != signature && !stays.also.contains(&signature) {
                stays.also.push(signature);
            }
        }
        let before = std::mem::take(&mut gone.same);
        stays.same.push(gone.clone());
        stays.same.extend(before);
        Ok(gone)
    }

    /// Returns what is left of a finding; `None` if somebody has taken it away.
    pub(super) fn left(&self, filed: &Filed) -> Result<Option<Vec<u8>>, Refusal> {
        let file = self.fuzzing.job.out.join(&filed.folder).join(self.reduced_name()?);
        match fs::read(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            read => read.map(Some).map_err(Refusal::io("read", &file)),
        }
    }

    /// Marks what is said to be reduced but is not there as still to be reduced.
    pub(super) fn reduce_what_is_missing(&mut self) -> Result<(), Refusal> {
        let name = self.reduced_name()?;
        for filed in &mut self.findings {
            let is_there = self.fuzzing.job.out.join(&filed.folder).join(&name).exists();
            if filed.standing.is_reduced() && !is_there {
                (filed.standing, filed.reduced) = (FindingStatus::New, None);
            }
        }
        Ok(())
    }
}

impl FindingStatus {
    /// Returns whether what is left of it stands beside its input.
    pub(super) fn is_reduced(self) -> bool {
        matches!(self, FindingStatus::Reduced | FindingStatus::Bounded)
    }
}
