//! What the time limit decided, in words.

use crate::human::{count, counted, duration};
use reduct_session::event::Timeouts;
use std::time::Duration;

/// If so many tests ended at a limit that nobody asked for, the option that sets a shorter one is named.
const MANY: u64 = 4;
const ADVICE: &str = "If all runs that fail end sooner, a shorter limit saves time: --timeout TIME.";

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
    fn a_shorter_limit_is_named_where_four_tests_reached_one_that_nobody_asked_for() {
        let advises = |busy, alone, in_time, processor: Option<Duration>| {
            let mut timeouts = Timeouts::default();
            (timeouts.busy, timeouts.alone, timeouts.in_time) = (busy, alone, in_time);
            describe(timeouts, Duration::from_secs(4), processor).iter().any(|line| line.contains("--timeout"))
        };
        let derived = Some(Duration::from_secs(2));
        assert!(advises(4, 0, 0, derived));
        assert!(advises(1, 3, 0, derived), "both ways to reach it count");
        assert!(!advises(3, 0, 0, derived), "few cost little");
        assert!(!advises(0, 0, 4, derived), "tests that ended in time need the limit");
        assert!(!advises(4, 0, 0, None), "a limit that was given is known");
    }
}
