//! What the time limit decided, in words.

use crate::human::{count, counted, duration};
use reduct_session::event::Timeouts;
use std::time::Duration;

/// From so many tests on that ended at a limit which nobody asked for, a shorter one is worth a word.
const MANY: u64 = 4;
const ADVICE: &str =
    "Each of them cost that long: --timeout TIME sets a shorter limit, if a run that fails always ends before it.";

/// Returns what is to be said of decisions that a time limit took, line by line; and one on the processor time of a test,
/// if there was one.
pub fn describe(timeouts: Timeouts, limit: Duration, processor: Option<Duration>) -> Vec<String> {
    let Timeouts { busy, alone: twice, in_time, .. } = timeouts;
    let limit = duration(limit);
    let mut says = vec![];
    if busy + twice > 0 {
        let limits = match processor {
            Some(processor) => format!("{limit}, or {} of processor time", duration(processor)),
            None => limit.clone(),
        };
        let how = match (busy, twice) {
            (_, 0) => "having had the processor all the time".to_owned(),
            (0, _) => "also when run again alone".to_owned(),
            _ => format!(
                "{} having had the processor all the time, {} also when run again alone",
                count(busy),
                count(twice)
            ),
        };
        let (verb, it) = if busy + twice == 1 { ("counts", "it") } else { ("count", "they") };
        let tests = counted(busy + twice, "tests");
        says.push(format!("{tests} {verb} as unresolved: {it} ended at the time limit ({limits}), {how}."));
        if busy + twice >= MANY && processor.is_some() {
            says.push(ADVICE.to_owned());
        }
    }
    if in_time > 0 {
        let it = if in_time == 1 { "it" } else { "they" };
        let tests = counted(in_time, "tests");
        says.push(format!(
            "{tests} reached the time limit ({limit}); run again alone, {it} ended in time, which counts."
        ));
    }
    says
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_limit_is_named_where_many_tests_reached_one_that_nobody_asked_for() {
        let advises = |busy, processor: Option<Duration>| {
            let mut timeouts = Timeouts::default();
            timeouts.busy = busy;
            describe(timeouts, Duration::from_secs(4), processor).iter().any(|line| line.contains("--timeout"))
        };
        let derived = Some(Duration::from_secs(2));
        assert!(advises(MANY, derived));
        assert!(!advises(MANY - 1, derived), "few cost little");
        assert!(!advises(MANY, None), "a limit that was given is known");
    }
}
