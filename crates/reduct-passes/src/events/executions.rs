//! Executions of statements in a plan of `reduct trace`: a line with the more deeply indented lines after it, which
//! belong to it.

use crate::delete::Levels;
use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Subject;
use reduct_input::parts::Apart;
use reduct_input::record::line::{is_event, lines};

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
        // Where executions begin that have not ended, and how deep they are. An outer one ends after its inner ones.
        let mut open: Vec<(usize, u32)> = vec![];
        let mut close = |open: &mut Vec<(usize, u32)>, depth: usize, end: u32| {
            while let Some((_, start)) = open.pop_if(|(of, _)| *of >= depth) {
                levels.add(open.len(), start..end);
            }
        };
        for line in lines(text).filter(|line| is_event(&text[line.clone()])) {
            let depth = text[line.clone()].iter().take_while(|byte| **byte == b' ').count();
            let start = addresses.start + line.start as u32;
            close(&mut open, depth, start);
            open.push((depth, start));
        }
        close(&mut open, 0, addresses.end);
    }
    levels.finish(Apart)
}
