//! What is said to the user, beside what is shown of a run.

use reduct_report::excerpt;
use std::io::{self, Write};

/// Says something to the user, beside what is shown.
pub(in crate::cli) fn say(text: &str) {
    // What a test printed or a file is called must not reach the terminal as it is. Nobody listens:
    // then nobody misses it.
    text.lines().for_each(|line| drop(writeln!(io::stderr(), "{}", excerpt::clean(line))));
}
