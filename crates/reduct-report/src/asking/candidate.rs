//! A candidate as a person sees it in a terminal: what is left of the input, and how that begins and ends.

use crate::{excerpt, human};
use reduct_input::Candidate;

/// So many lines are shown of the beginning, and of the end.
const SHOWN: usize = 4;
const COLUMNS: usize = 100;

/// Returns what is left of the input, and the beginning and end of it.
pub fn describe(candidate: &Candidate) -> Vec<String> {
    let bytes = human::bytes(candidate.len());
    let base = candidate.base();
    let lines_before = |address: u32| base.slice(0..address).iter().filter(|byte| **byte == b'\n').count();
    let mut said = vec![];
    if candidate.is_subset() && candidate.entry_count() == 1 && candidate.len() < base.bytes().len() {
        let kept: Vec<String> = candidate
            .kept()
            .ranges()
            .take(SHOWN)
            .map(|range| match (lines_before(range.start) + 1, lines_before(range.end - 1) + 1) {
                (first, last) if first == last => first.to_string(),
                (first, last) => format!("{first}-{last}"),
            })
            .collect();
        let more = if candidate.kept().ranges().count() > SHOWN { ", …" } else { "" };
        let all = lines_before(base.bytes().len() as u32).max(1);
        said.push(format!("  left of {all} lines: {}{more} ({bytes})", kept.join(", ")));
    } else {
        said.push(format!("  {bytes} in {}", human::counted(candidate.entry_count() as u64, "files")));
    }
    let artifact = candidate.artifact();
    let text = excerpt_of(artifact.bytes());
    said.extend(text.into_iter().map(|line| format!("  | {line}")));
    said
}

/// Returns the first and the last lines of a text.
fn excerpt_of(text: &[u8]) -> Vec<String> {
    let line = |line: &[u8]| excerpt::shorten(&excerpt::clean_bytes(&line[..line.len().min(4 * COLUMNS)]), COLUMNS);
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    if text.is_empty() {
        return vec![];
    }
    let mut first: Vec<&[u8]> = text.splitn(SHOWN + 1, |byte| *byte == b'\n').collect();
    let Some(rest) = first.get(SHOWN).copied() else { return first.into_iter().map(line).collect() };
    first.truncate(SHOWN);
    let last: Vec<&[u8]> = rest.rsplitn(SHOWN + 1, |byte| *byte == b'\n').take(SHOWN).collect();
    let shown: usize = last.iter().map(|line| line.len() + 1).sum::<usize>();
    let gap = if shown > rest.len() { vec![] } else { vec!["…".to_owned()] };
    first.into_iter().map(line).chain(gap).chain(last.into_iter().rev().map(line)).collect()
}
