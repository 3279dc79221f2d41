//! What stands in the middle of the screen when a key has asked for it: help, the last diff, output, the steps.

use crate::excerpt::{Removed, clean};
use crate::human::{count, counted};
use crate::state::SessionState;
use crate::words;
use reduct_input::patch;

/// Of larger inputs than this no diff is made while a run goes on: only what went is shown.
const LARGE: usize = 256 * 1024;
/// So many lines of a diff are kept.
const LINES: usize = 200;

/// Returns what the keys do.
pub(super) fn help() -> Vec<String> {
    [
        "p       pause: no more tests are started; p goes on",
        "s       skip this phase: then nothing is claimed but that the result fails",
        "x x     switch this pass off for the rest of the run: nothing is claimed of it",
        "q       stop: the best so far is the result, and reduct resume goes on",
        "Ctrl-C  interrupt: the same, and the exit status is 130; twice: at once",
        "d       the last accepted step as a diff",
        "o       what the last test printed",
        "h       the accepted steps",
        "?       these lines, and back",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Returns what the last test printed, and how it ended.
pub(super) fn output(state: &SessionState, discreet: bool) -> Vec<String> {
    if discreet {
        return vec!["What tests print is not shown: it may hold values of variables.".to_owned()];
    }
    let (Some(printed), Some(ended)) = (&state.printed, &state.last_test) else {
        return vec!["No test has ended yet.".to_owned()];
    };
    let mut lines = vec![format!("The last test that ended: {ended}")];
    for (name, bytes) in
        ["standard output", "standard error"].iter().zip(printed).filter(|(_, bytes)| !bytes.is_empty())
    {
        lines.push(format!("── the end of its {name}"));
        lines.extend(shown_lines(bytes));
    }
    if lines.len() == 1 {
        lines.push("It printed nothing.".to_owned());
    }
    lines
}

/// Returns the last line that is not empty of what the last test printed.
pub(super) fn last_line(state: &SessionState) -> Option<String> {
    let printed = state.printed.as_ref()?;
    let mut lines = printed.iter().flat_map(|bytes| shown_lines(bytes));
    lines.rfind(|line| !line.trim().is_empty())
}

fn shown_lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().map(clean).collect()
}

/// Returns the last accepted steps, the newest first.
pub(super) fn history(state: &SessionState) -> Vec<String> {
    if state.history.is_empty() {
        return vec!["No step was accepted yet.".to_owned()];
    }
    let row = |step: &crate::state::AcceptedStep| {
        let pass = words::kind(step.pass.unwrap_or("-"));
        let (size, unit) = step.size;
        let went = counted(step.bytes, "bytes");
        format!("{:>6} {:>8} {:>14}  {pass:<12} −{went}", count(step.number), count(step.test), counted(size, unit))
    };
    let head = format!("{:>6} {:>8} {:>14}  {:<12} what went", "step", "test", "size", "pass");
    std::iter::once(head).chain(state.history.iter().rev().map(row)).collect()
}

/// Returns the last accepted step as a diff.
pub(super) fn diff(state: &SessionState) -> Vec<String> {
    let Some((best, before)) = &state.last else { return vec!["No step was accepted yet.".to_owned()] };
    if before.len() > LARGE {
        let went = Removed::between(before, best);
        let head = format!("The last step took {} away:", counted(went.bytes, "bytes"));
        return std::iter::once(head).chain(went.text.split('⏎').map(str::to_owned)).collect();
    }
    let patch = patch::unified(before, best, patch::Objects::default());
    let lines: Vec<String> = patch.split(|byte| *byte == b'\n').map(crate::excerpt::clean_bytes).collect();
    let hunks = lines.iter().position(|line| line.starts_with("@@")).unwrap_or(0);
    lines.into_iter().skip(hunks).take(LINES).filter(|line| !line.is_empty()).collect()
}
