//! Executions of statements in a plan of `reduct trace`: a line with the more deeply indented lines after it, which
//! belong to it.

use crate::delete::Levels;
use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Subject;
use reduct_input::parts::Apart;
use reduct_input::record::line::{is_event, lines};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    of_records: true,
    needs: Needs::Text,
    ..Pass::deleting(
        "executions",
        "executions",
        "statement executions of a plan, one on a line, with the deeper indented ones that belong to them",
        propose,
    )
};

fn propose(subject: &Subject) -> Proposals {
    let mut levels = Levels::default();
    for (_, addresses, text) in subject.artifact().files() {
        each(text, &addresses, |execution| levels.add(execution.level, execution.at));
    }
    levels.finish(Apart)
}

/// An execution in a plan.
pub(super) struct Execution<'a> {
    /// How many executions it belongs to.
    pub(super) level: usize,
    /// Its line.
    pub(super) line: &'a [u8],
    /// The addresses of its line and of what belongs to it.
    pub(super) at: Range<u32>,
}

/// Hands over each execution of a file that stands at these addresses: an outer one after its inner ones.
pub(super) fn each<'a>(text: &'a [u8], addresses: &Range<u32>, mut found: impl FnMut(Execution<'a>)) {
    // Executions that have not ended: how deep they are, their lines, and where they begin.
    let mut open: Vec<(usize, &[u8], u32)> = vec![];
    let mut close = |open: &mut Vec<(usize, &'a [u8], u32)>, depth: usize, end: u32| {
        while let Some((_, line, start)) = open.pop_if(|(of, ..)| *of >= depth) {
            found(Execution { level: open.len(), line, at: start..end });
        }
    };
    for line in lines(text).filter(|line| is_event(&text[line.clone()])) {
        let depth = text[line.clone()].iter().take_while(|byte| **byte == b' ').count();
        let start = addresses.start + line.start as u32;
        close(&mut open, depth, start);
        open.push((depth, &text[line], start));
    }
    close(&mut open, 0, addresses.end);
}
