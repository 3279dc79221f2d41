//! What code and sections of WebAssembly name by its place.

/// What has places by which it is named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Types,
    Functions,
    Tables,
    Memories,
    Globals,
    /// Exceptions that can be thrown.
    Tags,
}

pub(super) const SPACES: usize = 6;

/// Spaces by the numbers that imports and exports have for them.
pub(super) const KINDS: [Space; 5] = [Space::Functions, Space::Tables, Space::Memories, Space::Globals, Space::Tags];
