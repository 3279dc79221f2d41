//! The functions that read bytes from outside, for tests with arbitrary bytes: they are no interface.

/// Reads bytes as a file of patches, as far as that is done without git.
pub fn patches(bytes: &[u8]) {
    crate::patches::try_bytes(bytes);
}

/// Reads bytes as a tree that git lists.
pub fn git_tree(bytes: &[u8]) {
    crate::git::try_bytes(bytes);
}
