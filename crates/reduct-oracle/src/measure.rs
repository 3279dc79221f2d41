//! Times and sizes as conditions spell them.

use std::time::Duration;

const TIMES: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000)];
const SIZES: [(char, u32); 4] = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];

/// Returns a time: `2s`, `1.5s`, `500ms`, `3m`.
pub(super) fn read_time(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let (_, milliseconds) = TIMES.iter().find(|(name, _)| *name == unit.trim())?;
    let number: f64 = number.trim().parse().ok()?;
    let time = Duration::try_from_secs_f64(number * *milliseconds as f64 / 1000.0).ok()?;
    // As it is shown.
    Some(Duration::from_millis(u64::try_from(time.as_millis()).ok()?))
}

/// Returns a time as it can be read again.
pub fn show_time(time: Duration) -> String {
    match time.as_millis() {
        whole if whole % 1000 == 0 => format!("{}s", whole / 1000),
        milliseconds => format!("{milliseconds}ms"),
    }
}

/// Returns a size in bytes: `1G`, `500M`, `1.5GiB`, `4096`.
pub(super) fn read_size(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let unit = unit.trim().to_ascii_uppercase();
    let shift = match unit.strip_suffix("IB").or_else(|| unit.strip_suffix('B')).unwrap_or(&unit) {
        "" => 0,
        letter => SIZES.iter().find(|(name, _)| letter.chars().eq([*name]))?.1,
    };
    let number: f64 = number.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)?;
    // Far more than any machine has; beyond it, numbers are not exact.
    Some(number * (1u64 << shift) as f64).filter(|bytes| *bytes < 2f64.powi(53)).map(|bytes| bytes as u64)
}

/// Returns a size as it can be read again.
pub fn show_size(size: u64) -> String {
    let unit = SIZES.iter().rev().find(|(_, shift)| size > 0 && size.is_multiple_of(1 << shift));
    unit.map_or_else(|| size.to_string(), |(name, shift)| format!("{}{name}", size >> shift))
}
