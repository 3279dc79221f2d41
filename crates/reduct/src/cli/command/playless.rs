//! What `play` and `record` say where the program was built without the feature `play`.

use crate::cli::usage;
use reduct_lib::Refusal;

/// Returns the refusal of a command of which the program has nothing but its help.
pub(super) fn refusal(command: &str) -> Refusal {
    usage(
        format!("this program was built without `reduct {command}`"),
        "build it with the feature `play`, which is on by default: cargo install --path crates/reduct --features play",
    )
}
