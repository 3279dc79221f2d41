//! What values begin with that say themselves where they end.

use reduct_input::ByteOrder;
use std::ops::Range;

/// A field, and how its bytes make a number.
pub(super) type Field = (Range<usize>, ByteOrder);

/// What a value begins with: where that ends, and what follows.
pub(super) struct Head {
    pub end: usize,
    pub what: What,
}

/// What follows a head.
pub(super) enum What {
    /// Bytes, with the field that counts them, if they can be fewer.
    Bytes(usize, Option<Field>),
    /// Nothing: it is a number, which stands in a field.
    Number(usize, Field),
    /// So many entries of one value, or of a key and a value, and the field that counts them. `None` if an end follows the last one.
    Entries { values: usize, count: Option<(usize, Field)> },
    /// A value that this is said of.
    Value,
    /// Nothing: the entries that are not counted end here.
    End,
}
