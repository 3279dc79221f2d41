//! What the scheduler says of a deadlock, in words.

use super::found::name;
use reduct_oracle::Observed;

/// What the scheduler says of a deadlock begins with this.
const DEADLOCK: &str = "reduct step: deadlock";

/// Names of what lies at `FILE+0xOFFSET`.
pub trait PlaceNames {
    /// Returns the function and the line of code.
    fn of_code(&mut self, place: &str) -> Option<String>;

    /// Returns the variable, and which part of it.
    fn of_data(&mut self, place: &str) -> Option<String>;
}

/// Returns whether the scheduler ended a run, because no thread could go on.
pub fn is_deadlock(observed: &Observed) -> bool {
    observed.stderr.split(|byte| *byte == b'\n').any(|line| line.starts_with(DEADLOCK.as_bytes()))
}

/// Returns how a run ended, with what the scheduler says of a deadlock: what each thread waits for, and where.
pub fn failure(ending: &str, stderr: &[u8], names: &mut impl PlaceNames) -> String {
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines().skip_while(|line| !line.starts_with(DEADLOCK));
    let Some(_) = lines.next() else { return ending.to_owned() };
    let waits = lines.map_while(|line| line.strip_prefix("  thread ")?.split_once(' '));
    let wait = |(thread, waits): (&str, &str)| {
        format!("{} {}", name(thread.parse().unwrap_or_default()), waiting(waits, names))
    };
    let waits: Vec<String> = waits.map(wait).collect();
    format!("a deadlock ({ending}): {}", waits.join("; "))
}

/// Returns what a thread waits for, and where: `waits for a mutex (FILE+0xOFFSET) that thread 2 has, at FILE+0xOFFSET`, with names.
fn waiting(waits: &str, names: &mut impl PlaceNames) -> String {
    let (what, at) = waits.split_once(", at ").map_or((waits, None), |(what, at)| (what, Some(at)));
    let mutex = what.split_once(" (").and_then(|(what, rest)| Some((what, rest.rsplit_once(')')?)));
    let mut text = match mutex {
        Some((what, (place, has))) => {
            let name = names.of_data(place).unwrap_or_else(|| place.rsplit('/').next().unwrap_or(place).to_owned());
            format!("{what} ({name}){has}")
        }
        None => what.to_owned(),
    };
    // A place in a library without debug information says nothing.
    let at = at
        .filter(|at| *at != "?")
        .and_then(|at| if at.contains("+0x") { names.of_code(at) } else { Some(at.to_owned()) });
    text.extend(at.map(|at| format!(", in {at}")));
    text
}
