//! The headings below which the help arranges options.

/// The headings of the options that commands share, in their order.
pub(super) const TEST: &str = "Test";
pub(super) const FAILURE: &str = "Failure";
pub(super) const RESULT: &str = "Result";
pub(super) const SEARCH: &str = "Search";
pub(super) const LIMITS: &str = "Limits";
pub(super) const CONFINEMENT: &str = "Confinement";
pub(super) const OUTPUT: &str = "Output";
/// The heading of those that say which versions are compared.
pub(super) const VERSIONS: &str = "Versions";
