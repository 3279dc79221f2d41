//! What happened, in words.

use crate::human::{counted, duration};
use reduct_oracle::{Exit, Limit};
use reduct_session::event::Why;
use reduct_strategies::Phase;

/// Returns how a run ended.
pub(crate) fn exit(exit: &Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit status {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
        Exit::Limit(limit) => format!("{} limit reached", self::limit(*limit)),
        Exit::NotStarted(why) => format!("not started: {why}"),
        Exit::NotBuilt(why) => format!("not built: {why}"),
    }
}

/// Returns the name of a limit, the same in events.
pub(crate) fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Processes => "processes",
        Limit::Disk => "disk",
    }
}

/// Returns which kind of parts, where in it, and whether nothing but the proof is left: `lines, round 1`, `blocks, level 2, round 3: proof that nothing more goes`.
pub(crate) fn phase(at: &Phase) -> String {
    let level = if at.level > 1 { format!(", level {}", at.level) } else { String::new() };
    let proof = if at.proves { ": proof that nothing more goes" } else { "" };
    format!("{}{level}, round {}{proof}", kind(at.kind), at.round)
}

/// Returns the name of a kind in a sentence.
pub(crate) fn kind(name: &str) -> &str {
    if name == "chars" { "characters" } else { name }
}

/// Returns why a session ended, as a sentence; nothing if the search was over.
pub(crate) fn why(why: &Why, unit: &str) -> Option<String> {
    Some(match why {
        Why::Done => return None,
        Why::Granularity(least) => {
            let least = counted(*least, unit);
            format!("Stopped by --until-granularity: nothing that removes {least} or more is left to try.")
        }
        Why::Stall { tests, percent } => {
            format!("Stopped: the last {} removed less than {percent} %.", counted(*tests, "tests"))
        }
        Why::Time(limit) => format!("Stopped by --time after {}: smaller may be possible.", duration(*limit)),
        Why::Tests(tests) => format!("Stopped by --tests {tests}: smaller may be possible."),
        Why::Stopped => "Stopped before the end: smaller may be possible.".to_owned(),
        Why::Interrupted => "Interrupted: smaller may be possible.".to_owned(),
        Why::Trouble(what) => format!("Stopped because of trouble that did not pass: {what}"),
        other => format!("Stopped ({}): smaller may be possible.", other.name()),
    })
}

/// Returns whether what is counted is a difference of two sides: then the size of either says nothing.
pub(crate) fn is_difference(unit: &str) -> bool {
    unit.starts_with("changed")
}
