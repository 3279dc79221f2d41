//! The levels of a module, in the order in which they are asked about.

/// Level 0 are sections; then code of functions that are not called, and of those that are, statements of functions, entries;
/// behind entries is what they are made of.
pub(super) const CODE: usize = 1;
pub(super) const RETURNS: usize = 2;
pub(super) const STATEMENTS: usize = 3;
pub(super) const ENTRIES: usize = 4;

/// For each depth of blocks their statements, then contents of blocks, then blocks without what is in them;
/// for each depth of values zeros, then first and second operands; then single instructions.
const BLOCKS: usize = ENTRIES + 2;
const DEEPEST_BLOCK: usize = 11;
const VALUES: usize = BLOCKS + 3 * (DEEPEST_BLOCK + 1);
const DEEPEST_VALUE: usize = 7;
pub(super) const INSTRUCTIONS: usize = VALUES + 3 * (DEEPEST_VALUE + 1);

/// Returns the level for blocks of a depth: statements, contents of blocks, or blocks without what is in them. Those of
/// functions come before entries.
pub(super) fn of_block(depth: usize, of: usize) -> usize {
    if depth == 0 && of == 0 { STATEMENTS } else { BLOCKS + 3 * depth.min(DEEPEST_BLOCK) + of }
}

/// Returns the first level for values of a depth: zeros; those of their first and second operands follow.
pub(super) fn of_value(depth: usize) -> usize {
    VALUES + 3 * depth.min(DEEPEST_VALUE)
}
