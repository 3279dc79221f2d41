//! Values of options, and the refusal of what cannot be one.

use reduct_lib::Refusal;
use std::time::Duration;

/// Returns a refusal of how a command was used.
pub(super) fn usage(what: impl Into<String>, help: impl Into<String>) -> Refusal {
    Refusal::Usage { what: what.into(), help: help.into() }
}

/// Returns a size in bytes: `512`, `64K`, `2M`, `1G`, `4GiB`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(format!("`{unit}` is no unit: it is K, M, G or T")),
    };
    let number: u64 = number.parse().map_err(|_| "a size is a number with a unit, e.g. 512M".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "that is too large".into())
}

/// Returns a time: `500ms`, `10s`, `5m`, `2h`, of a year at most. Without a unit, it is in seconds, as `timeout` has
/// it.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);
    let help = || "a time is a number of seconds, or one with a unit, e.g. 500ms, 10s, 5m, 2h".to_owned();
    let is_bare = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let time = match text.parse::<f64>() {
        Ok(seconds) if is_bare => Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        _ => humantime::parse_duration(text).map_err(|_| help())?,
    };
    if time > LONGEST { Err("that is longer than a year".into()) } else { Ok(time) }
}

/// Reads a time that is not none.
pub(super) fn some_time(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    if time.is_zero() { Err("nothing can run for no time at all".into()) } else { Ok(time) }
}

/// Reads `K,PERCENT`.
pub(super) fn stall(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once(',').ok_or("two numbers with a comma, e.g. 100,1")?;
    let number = |part: &str| part.trim().trim_end_matches('%').parse::<u64>().map_err(|e| format!("`{part}`: {e}"));
    match (number(parts.0)?, number(parts.1)?) {
        (0, _) => Err("the number of tests is at least 1".into()),
        (_, percent) if percent > 100 => Err("the share is at most 100 percent".into()),
        both => Ok(both),
    }
}
