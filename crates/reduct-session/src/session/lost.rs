//! Tests that are given up, as their workers died with them again and again.

use super::MOST_LOST;

/// What is said of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Lost {
    /// One test of a search, in place of how it ended.
    #[error("its worker died with it {MOST_LOST} times")]
    OneTest,
    /// Tests outside of a search, which ends then.
    #[error("the workers died with the test {MOST_LOST} times")]
    Session,
}
