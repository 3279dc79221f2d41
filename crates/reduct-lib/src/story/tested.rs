//! The tests of an inquiry, as data of bounded size: each is a text of its own, not a part of one input.

use super::rows::MOST_TEXT;
use crate::replay::Replay;
use crate::walk::Step;
use reduct_report::excerpt;
use reduct_report::inquiries::InquiryAnswer;
use reduct_report::story::{StoryPhase, StoryRow, StorySearch, StoryTest};
use reduct_session::event::Why;

/// So many tests at the beginning and at the end have their rows.
const ENDS: usize = 400;

/// Walks through one of its searches. The sizes are those of what was found. `shown` returns what is shown of the text of a test.
pub(super) fn walk(
    mut replay: Replay,
    found: Option<&InquiryAnswer>,
    shown: &mut dyn FnMut(&str) -> String,
) -> StorySearch {
    let whole = replay.whole().clone();
    let unit = replay.unit();
    let mut tests: Vec<StoryTest> = replay.by_ref().map(|step| test(step, shown)).collect();
    let middle = ENDS..tests.len().saturating_sub(ENDS).max(ENDS);
    for test in tests.get_mut(middle).into_iter().flatten() {
        test.row = None;
    }
    let (before, after) = found.map_or((0, 0), |found| (found.before(), found.size().0));
    let last = tests.len() as u64;
    let (best, _) = replay.best();
    let evidence = replay.evidence(&Why::Interrupted);
    StorySearch {
        asked: None,
        branch: None,
        whole,
        best,
        passing: None,
        before: (before, unit),
        after: (after, unit),
        is_done: replay.is_done(),
        claim: evidence.claim,
        caveats: evidence.caveats,
        phases: if tests.is_empty() { vec![] } else { vec![StoryPhase { phase: None, first: 1, last }] },
        tests,
        steps: vec![],
        columns: vec![],
        neighbour: None,
        sides_differ: vec![],
    }
}

fn test(step: Step, shown: &mut dyn FnMut(&str) -> String) -> StoryTest {
    let artifact = step.candidate.artifact();
    let text = shown(&String::from_utf8_lossy(artifact.bytes()));
    StoryTest {
        n: step.n,
        size: step.size,
        outcome: step.outcome,
        cached: step.cached,
        phase: 0,
        step: None,
        cells: vec![],
        row: Some(StoryRow::Tested(excerpt::shorten(&text, MOST_TEXT))),
    }
}
