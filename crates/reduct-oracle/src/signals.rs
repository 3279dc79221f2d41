//! Signals by name and by number.

const SIGNALS: &[(&str, i32)] = &[
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("TRAP", 5),
    ("ABRT", 6),
    ("BUS", 7),
    ("FPE", 8),
    ("KILL", 9),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
    ("STKFLT", 16),
    ("CHLD", 17),
    ("XCPU", 24),
    ("XFSZ", 25),
    ("SYS", 31),
];

/// Returns the name of a signal without `SIG`, or its number.
pub fn signal_name(number: i32) -> String {
    SIGNALS.iter().find(|(_, known)| *known == number).map_or_else(|| number.to_string(), |(name, _)| (*name).into())
}

/// Returns the number of a signal, by name with or without `SIG`, or by number.
pub fn signal_number(name: &str) -> Option<i32> {
    let upper = name.to_ascii_uppercase();
    let short = upper.strip_prefix("SIG").unwrap_or(&upper);
    let known = SIGNALS.iter().find(|(known, _)| *known == short).map(|(_, number)| *number);
    known.or_else(|| short.parse().ok().filter(|number| (1..=64).contains(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_by_name_and_number() {
        for (name, number) in [("SEGV", 11), ("SIGSEGV", 11), ("sigabrt", 6), ("9", 9), ("40", 40)] {
            assert_eq!(signal_number(name), Some(number));
        }
        assert_eq!(signal_number("SIGNOSE"), None);
        assert_eq!(signal_number("65"), None);
        assert_eq!(signal_name(11), "SEGV");
        assert_eq!(signal_name(40), "40");
    }
}
