//! Texts of a program, as a terminal may show them.

use crate::excerpt::visible;

/// Of a value, so many characters are shown.
const VALUE: usize = 60;

/// Returns a text with nothing that a terminal obeys.
pub(super) fn shown(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Returns the beginning of a value.
pub(super) fn cut(value: &str) -> String {
    let clean = value.chars().map(|c| if c.is_control() { ' ' } else { visible(c) });
    let mut text: String = clean.take(VALUE).collect();
    if value.chars().count() > VALUE {
        text.push('…');
    }
    text
}
