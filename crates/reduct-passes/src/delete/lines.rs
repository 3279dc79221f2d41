//! Lines, each with its line end: LF, CRLF, or CR where there is no LF.

use super::flat;
use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Subject;

pub(crate) const PASS: Pass = Pass {
    single_list: true,
    must_parse: true,
    needs: Needs::Text,
    ..Pass::deleting("lines", "lines", "lines, with their line ends", propose)
};

fn propose(subject: &Subject) -> Proposals {
    let artifact = subject.artifact();
    flat(artifact, |text, at| at + end(text, at))
}

/// Returns how long the line at `at` is.
fn end(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    // A line ends in CR only where no LF follows: it is not searched for again, so that cutting stays
    // linear.
    let after_last = at > 0 && text[at - 1] == b'\r';
    match if after_last { None } else { rest.iter().position(|&b| b == b'\n') } {
        Some(line_feed) => line_feed + 1,
        None => rest.iter().position(|&b| b == b'\r').map_or(rest.len(), |carriage_return| carriage_return + 1),
    }
}
