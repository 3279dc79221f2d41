//! Whether to use colours.

use std::ffi::OsStr;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// All choices with their names.
    pub const ALL: &[(&str, Color)] = &[("auto", Color::Auto), ("always", Color::Always), ("never", Color::Never)];

    /// Returns the choice with this name.
    pub fn named(name: &str) -> Option<Color> {
        Color::ALL.iter().find(|(known, _)| *known == name).map(|(_, color)| *color)
    }

    /// Returns whether to use colours on an output that is a terminal or not, given the value of the variable
    /// `NO_COLOR`.
    ///
    /// As <https://no-color.org> has it: any value that is not empty turns colours off, and a user who asks for them on the
    /// command line gets them nevertheless.
    pub fn decide(self, is_terminal: bool, no_color: Option<&OsStr>) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && no_color.is_none_or(OsStr::is_empty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_counts_more_than_what_is_found() {
        let one = Some(OsStr::new("1"));
        assert!(Color::Always.decide(false, one));
        assert!(!Color::Never.decide(true, None));
        assert!(Color::Auto.decide(true, None));
        assert!(!Color::Auto.decide(false, None));
        assert!(!Color::Auto.decide(true, one));
        assert!(Color::Auto.decide(true, Some(OsStr::new(""))));
        assert_eq!(Color::named("never"), Some(Color::Never));
        assert_eq!(Color::named("sometimes"), None);
    }
}
