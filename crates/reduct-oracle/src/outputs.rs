//! An output, taken apart into what the program says and what others say of it.

use crate::Death;

/// An output, taken apart.
#[derive(Default)]
pub(super) struct Output {
    /// What the program itself says, on standard error and on standard output.
    pub(super) own: [String; 2],
    /// What programs that ran it say of how it ended, the innermost first.
    pub(super) ends: Vec<String>,
    /// Whether it died, itself or below another one.
    pub(super) died: bool,
    /// The death of a program that the test ran, behind a status of its own.
    pub(super) hidden: Option<Death>,
    /// The exceptions that the program has printed and survived, by class and message.
    pub(super) survived: Vec<String>,
    /// A line that may be why it ended, as the report may.
    pub(super) or: Option<String>,
    /// The last line beside an exception that it survived, which may be why it ended and does not count.
    pub(super) beside: Option<String>,
}
