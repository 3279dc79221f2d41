//! The levels of a module, in the order in which they are asked about.

/// Level 0 are sections; then code of functions that are not called, of large ones first, and of those that are called, data, statements
/// of functions, entries; behind entries is what they are made of.
pub(super) const LARGE_CODE: usize = 1;
pub(super) const CODE: usize = 2;
pub(super) const RETURNS: usize = 3;
pub(super) const SEGMENTS: usize = 4;
pub(super) const STATEMENTS: usize = 5;
pub(super) const ENTRIES: usize = 6;

/// For each depth of blocks their statements, then contents of blocks, then blocks without what is in them; then all statements
/// without blocks that stand deeper; for each depth of values zeros, then first and second operands; then single instructions.
/// What stands in another one of a last depth has its turn when that has gone.
const BLOCKS: usize = ENTRIES + 2;
const DEEPEST_BLOCK: usize = 23;
const DEEPER: usize = BLOCKS + 3 * (DEEPEST_BLOCK + 1);
const VALUES: usize = DEEPER + 1;
const DEEPEST_VALUE: usize = 15;
pub(super) const INSTRUCTIONS: usize = VALUES + 3 * (DEEPEST_VALUE + 1);

/// Returns the level for statements in blocks of a depth, which may have blocks in them. Those of functions come before
/// entries.
pub(super) fn of_statement(depth: usize, has_blocks: bool) -> usize {
    match depth {
        0 => STATEMENTS,
        _ if depth > DEEPEST_BLOCK && !has_blocks => DEEPER,
        _ => BLOCKS + 3 * depth.min(DEEPEST_BLOCK),
    }
}

/// Returns the level for contents of the blocks in those of a depth; that of these blocks without what is in them follows.
pub(super) fn of_block(depth: usize) -> usize {
    BLOCKS + 3 * depth.min(DEEPEST_BLOCK) + 1
}

/// Returns the first level for values of a depth: zeros; those of their first and second operands follow.
pub(super) fn of_value(depth: usize) -> usize {
    VALUES + 3 * depth.min(DEEPEST_VALUE)
}
