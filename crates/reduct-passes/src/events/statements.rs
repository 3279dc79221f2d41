//! Removes all executions of a statement from a plan of `reduct trace`, with what belongs to them.
//!
//! ## What it tries
//! For each statement with four executions or more, all of them, wherever they stand; the iterations of a loop are those of
//! a statement of their own. In a recursion, most levels belong to the call in the level before, and go with it. First the
//! statements that were executed last for the first time, as they use what others give.
//!
//! ## When it helps
//! In loops whose iterations are needed, and in recursions whose levels are, but not all that is executed in each: a test for each
//! statement, and not for each execution. It is tried once, if more than five eighths of 16 KiB or more still stand after
//! `executions` has asked for a while; `--by executions` has it, too.
//!
//! ## Before
//! ```text
//! a.py:8_1 f(1)
//!  a.py:2_2 log(x)
//!   a.py:6_3 print(x)
//!  a.py:3_4 add(x)
//! a.py:9_5 f(2)
//!  a.py:2_6 log(x)
//!  a.py:3_7 add(x)
//! a.py:10_8 f(3)
//!  a.py:2_9 log(x)
//!  a.py:3_10 add(x)
//! a.py:11_11 f(4)
//!  a.py:2_12 log(x)
//!  a.py:3_13 add(x)
//! ```
//! ## After
//! ```text
//! a.py:8_1 f(1)
//!  a.py:3_4 add(x)
//! a.py:9_5 f(2)
//!  a.py:3_7 add(x)
//! a.py:10_8 f(3)
//!  a.py:3_10 add(x)
//! a.py:11_11 f(4)
//!  a.py:3_13 add(x)
//! ```

use super::executions::{Execution, each};
use crate::pass::{Needs, Pass, Proposals, Stage};
use reduct_input::parts::Edits;
use reduct_input::{Edit, Splice, Subject, united};
use std::collections::HashMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Group,
    of_records: true,
    needs: Needs::Text,
    success_prior: 0.5,
    ..Pass::deleting(
        "statements",
        "statements",
        "removes all executions of a statement, with those that belong to them",
        propose,
    )
};

/// Fewer executions are left to `executions`, which takes them one by one.
const FEWEST: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let mut groups: HashMap<Statement<'_>, Vec<Range<u32>>> = HashMap::new();
    for (_, addresses, text) in subject.artifact().files() {
        each(text, &addresses, |Execution { line, at, .. }| {
            if let Some(statement) = statement(line) {
                groups.entry(statement).or_default().push(at);
            }
        });
    }
    let removal =
        |gone: Vec<Range<u32>>| Edit::new(gone.into_iter().map(|at| Splice { at, with: [].into() }).collect());
    let mut groups: Vec<Vec<Range<u32>>> =
        groups.into_values().filter(|group| group.len() >= FEWEST).map(united).collect();
    groups.sort_unstable_by_key(|group| group[0].start);
    // What is removed of one may lie in what is removed of another: they can be made together.
    let edits: Vec<Edit> = groups.into_iter().filter_map(removal).collect();
    if edits.is_empty() { vec![] } else { vec![Edits(edits.into()).into()] }
}

/// A statement: its file and line, with its number if there are several on the line, and whether its executions are the iterations of a loop.
type Statement<'a> = (&'a [u8], bool);

/// Returns of what statement a line of a plan is an execution: `file:line_time text` or `file:line.2_time text`. The file ends
/// at the first colon behind which such a line follows.
fn statement(line: &[u8]) -> Option<Statement<'_>> {
    let line = line.trim_ascii();
    let colons = (1..line.len()).filter(|at| line[*at] == b':');
    colons.filter_map(|colon| behind(line, colon + 1)).next()
}

/// Returns the same if the number of the line begins at `at`.
fn behind(line: &[u8], at: usize) -> Option<Statement<'_>> {
    let mut end = after_digits(line, at)?;
    if line.get(end) == Some(&b'.') {
        end = after_digits(line, end + 1)?;
    }
    let time = end + line[end..].starts_with(b"_").then_some(1)?;
    let text = match &line[after_digits(line, time)?..] {
        [] => &[],
        [b' ', text @ ..] => text,
        _ => return None,
    };
    let number = text.strip_prefix(b"iteration ").and_then(|rest| rest.split(|byte| *byte == b' ').next());
    let is_iteration = number.is_some_and(|number| after_digits(number, 0) == Some(number.len()));
    Some((&line[..end], is_iteration))
}

/// Returns where the digits end that begin at `at`, if there are some.
fn after_digits(line: &[u8], at: usize) -> Option<usize> {
    let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then_some(at + digits)
}
