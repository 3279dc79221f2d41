//! Numbers as people read them.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// Returns a path as a word of a command that a person types: a shell takes it as one word. What is not UTF-8 is replaced.
pub(crate) fn typed(path: &Path) -> String {
    String::from_utf8_lossy(&reduct_oracle::shell_line::quoted(path.as_os_str().as_bytes())).into_owned()
}

/// Returns a number with separators between the thousands: `1,234`.
pub fn count(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number of bytes: `1 byte`, `41,958 bytes`.
pub fn bytes(number: impl TryInto<u64>) -> String {
    counted(number, "byte")
}

/// Returns a number with its unit, which may be given in the singular or in the plural: `1 test`, `1,234 tests`.
pub fn counted(number: impl TryInto<u64>, unit: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let one = singular(unit);
    // After a vowel, it is `ways`.
    match (number, one.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']))) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{} {stem}ies", count(number)),
        (_, None) if one.ends_with("ch") => format!("{} {one}es", count(number)),
        (_, None) => format!("{} {one}s", count(number)),
    }
}

/// Returns one of a unit that is given in the plural: `lines` is `line`, `pairs of arguments` is `pair of arguments`.
pub fn singular(unit: &str) -> String {
    if let Some((head, of)) = unit.split_once(" of ") {
        return format!("{} of {of}", singular(head));
    }
    match (unit.strip_suffix("ies"), unit.strip_suffix("ches")) {
        (Some(stem), _) => format!("{stem}y"),
        (_, Some(stem)) => format!("{stem}ch"),
        _ => unit.strip_suffix('s').unwrap_or(unit).to_owned(),
    }
}

/// Returns how often: `once`, `17 times`.
pub fn times(number: impl TryInto<u64>) -> String {
    match number.try_into().unwrap_or(u64::MAX) {
        1 => "once".to_owned(),
        more => counted(more, "time"),
    }
}

/// Returns a size before and now, each with its unit if they are counted otherwise:
/// `897 changed lines → 1 changed character`.
pub fn sizes((before, of): (usize, &str), (now, unit): (usize, &str)) -> String {
    let before = if of == unit { count(before as u64) } else { counted(before as u64, of) };
    format!("{before} → {}", counted(now as u64, unit))
}

/// Returns a duration, cut off rather than rounded: `850 ms`, `12.3 s`, `4 min 10 s`, `2 h 05 min`.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 => format!("{} ms", duration.as_millis()),
        1..60 => format!("{seconds}.{} s", duration.subsec_millis() / 100),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", count(seconds / 3600), seconds / 60 % 60),
    }
}

/// Returns a duration in whole seconds, short enough to stand in front of every line: `3s`, `4m10s`, `2h05m`.
pub fn stamp(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// Returns a part of a whole in percent: `12.4 %`, with two decimals below one percent: `0.02 %`.
pub fn percent(part: usize, whole: usize) -> String {
    if part == whole {
        return "100 %".to_owned();
    }
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    match share {
        0.0 => "0 %".to_owned(),
        ..1.0 => format!("{share:.2} %"),
        _ => format!("{share:.1} %"),
    }
}

/// Returns how many things happen in a second, with as many decimals as matter: `0.05`, `4.1`, `1,200`.
pub fn rate(per_second: f64) -> String {
    match per_second {
        ..1.0 => format!("{per_second:.2}"),
        1.0..100.0 => format!("{per_second:.1}"),
        _ => count(per_second as u64),
    }
}

/// Words as a list: `lines, tokens and characters`.
pub fn list(words: &[impl AsRef<str>]) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// So many things are named in a line.
const MOST_NAMED: usize = 3;

/// Returns the first of several things, and how many more there are: `a, b, c and 4 more`.
pub fn listed(all: Vec<String>) -> String {
    let more = all.len().saturating_sub(MOST_NAMED);
    let mut words: Vec<String> = all.into_iter().take(MOST_NAMED).collect();
    if more > 0 {
        words.push(format!("{more} more"));
    }
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let expected = [(0, "0"), (999, "999"), (1000, "1,000"), (41_958, "41,958"), (1_234_567, "1,234,567")];
        for (number, text) in expected {
            assert_eq!(count(number as u64), text);
        }
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(counted(1u64, "bytes"), "1 byte");
        assert_eq!(counted(0u64, "bytes"), "0 bytes");
        assert_eq!(counted(1u64, "entries"), "1 entry");
        assert_eq!(counted(2u64, "entries"), "2 entries");
        assert_eq!(counted(2u64, "entry"), "2 entries");
        assert_eq!(counted(2u64, "test"), "2 tests");
        assert_eq!(counted(1u64, "test"), "1 test");
        assert_eq!(counted(2u64, "ways"), "2 ways");
        assert_eq!(counted(1u64, "ways"), "1 way");
        assert_eq!(singular("pairs of neighbouring arguments"), "pair of neighbouring arguments");
        assert_eq!(times(1u64), "once");
        assert_eq!(times(2_000u64), "2,000 times");
        assert_eq!(bytes(5_210u64), "5,210 bytes");
        assert_eq!(counted(1234usize, "tests"), "1,234 tests");
    }

    #[test]
    fn durations_have_two_figures_that_matter() {
        let expected = [
            (0, "0 ms"),
            (850, "850 ms"),
            (999, "999 ms"),
            (1_000, "1.0 s"),
            (12_345, "12.3 s"),
            (59_999, "59.9 s"),
            (60_000, "1 min 00 s"),
            (250_000, "4 min 10 s"),
            (3_600_000, "1 h 00 min"),
            (7_500_000, "2 h 05 min"),
        ];
        for (milliseconds, text) in expected {
            assert_eq!(duration(Duration::from_millis(milliseconds)), text);
        }
        assert_eq!(stamp(Duration::from_secs(3)), "3s");
        assert_eq!(stamp(Duration::from_secs(250)), "4m10s");
        assert_eq!(stamp(Duration::from_secs(7500)), "2h05m");
    }

    #[test]
    fn shares_and_rates_keep_what_matters() {
        assert_eq!(percent(5_210, 41_958), "12.4 %");
        assert_eq!(percent(8, 41_958), "0.02 %");
        assert_eq!(percent(0, 10), "0 %");
        assert_eq!(percent(10, 10), "100 %");
        assert_eq!(percent(0, 0), "100 %");
        assert_eq!(rate(0.05), "0.05");
        assert_eq!(rate(4.12), "4.1");
        assert_eq!(rate(1234.5), "1,234");
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!(list(&["lines"]), "lines");
        assert_eq!(list(&["lines", "tokens", "characters"]), "lines, tokens and characters");
    }
}
