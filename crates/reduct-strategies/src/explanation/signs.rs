//! Signs, and which of them stand for alike things.

/// Signs that stand for one another.
pub(super) const FAMILIES: &[&[&[u8]]] = &[
    &[b"==", b"!=", b"<", b">", b"<=", b">="],
    &[b"+", b"-", b"*", b"/", b"%"],
    &[b"&&", b"||"],
    &[b"<<", b">>", b"&", b"|", b"^"],
    &[b"+=", b"-=", b"*=", b"/="],
    &[b"++", b"--"],
    &[b".", b"->", b"::"],
    &[b",", b";"],
];

/// Returns how long the sign at the beginning of a text is: the longest that is known, or one byte.
pub(super) fn sign(text: &[u8]) -> usize {
    let known = FAMILIES.iter().flat_map(|family| family.iter()).filter(|sign| text.starts_with(sign));
    known.map(|sign| sign.len()).max().unwrap_or(1)
}
