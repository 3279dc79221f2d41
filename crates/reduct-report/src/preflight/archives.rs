//! Archives in an input.

/// Returns what is said of archives that do not fail when they are packed again.
pub fn left_packed() -> String {
    "What is packed in the archive was not reduced: unpacked and packed again, it does not fail in the same way.".into()
}
