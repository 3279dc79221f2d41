//! Numbers of a message that do not tell, and those that do: codes and signals.

use super::regex;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// `E0428`, `C2065`, `TS2304`, `ORA-00942`, `CVE-2021-44228`: capitals and three digits or more, and nothing else. And
/// which signal it is.
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"\b(?:([A-Z]+)[-_]?[0-9]{3,}(?:-[0-9]+)*|([Ss]ignal:? )[0-9]{1,2})\b|0x[0-9a-fA-F]+|[0-9]+")
});

/// Names that counters and temporary files have as well.
const NO_CODES: [&str; 8] = ["ID", "L", "LINE", "N", "PID", "T", "TID", "TMP"];

/// Returns the text with `N` for all numbers that may differ from run to run and from candidate to candidate.
pub(super) fn without_numbers(text: &str) -> String {
    let masked = |found: &Captures<'_>| match found.get(1).or(found.get(2)) {
        Some(letters) if !NO_CODES.contains(&letters.as_str()) => found[0].to_owned(),
        Some(_) => found[0].trim_end_matches(|c: char| c.is_ascii_digit() || c == '-').to_owned() + "N",
        None => "N".to_owned(),
    };
    NUMBERS.replace_all(text, masked).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stand_and_numbers_do_not() {
        let rows = [
            ("error[E0428]: x is 12", "error[E0428]: x is N"),
            ("x.cpp(3): error C2065: no", "x.cpp(N): error C2065: no"),
            ("a.ts(1,2): error TS2304: no", "a.ts(N,N): error TS2304: no"),
            ("ORA-00942: no table, CVE-2021-44228", "ORA-00942: no table, CVE-2021-44228"),
            ("at 0x7ffDEAD12 in tmp8f3a line 7", "at N in tmpNfNa line N"),
            ("Caught signal 11, signal 1234", "Caught signal 11, signal N"),
            ("thread T12 PID12345 TMP4711", "thread TN PIDN TMPN"),
            ("0xE0428 E04 e0428 xE0428 E0428x", "N EN eN xEN ENx"),
        ];
        for (text, masked) in rows {
            assert_eq!(without_numbers(text), masked);
        }
    }
}
