//! Where a failure happened, from any report that says so.

use crate::Observed;
use crate::frames::{Frame, Stack};
use crate::reports;
use crate::reports::FailureReport;

/// Returns all functions of the backtrace, as far as there is one.
pub(crate) fn frames(observed: &Observed, report: Option<&FailureReport>) -> Vec<Frame> {
    let told = report.map(|report| report.frames.clone()).filter(|frames| frames.iter().any(|frame| frame.own));
    told.unwrap_or_else(|| by_gdb(observed).map_or_else(|| printed(observed), reports::gdb::frames))
}

/// Returns what gdb says.
fn by_gdb(observed: &Observed) -> Option<&str> {
    observed.also.backtrace.as_ref()?.as_deref().ok()
}

/// Returns what gdb shows of the stack where no function tells by its name.
pub(super) fn stack(observed: &Observed) -> Option<Stack> {
    by_gdb(observed).and_then(reports::gdb::stack)
}

/// Returns the innermost functions that gdb shows, by the names that they have in this run.
pub(super) fn innermost(observed: &Observed) -> Option<String> {
    by_gdb(observed).and_then(reports::gdb::innermost)
}

/// Returns those that the program has printed itself.
fn printed(observed: &Observed) -> Vec<Frame> {
    let texts = [&observed.stderr, &observed.stdout].map(|text| String::from_utf8_lossy(text));
    let frames = texts.iter().map(|text| reports::printed_frames(text));
    frames.into_iter().find(|frames| !frames.is_empty()).unwrap_or_default()
}
