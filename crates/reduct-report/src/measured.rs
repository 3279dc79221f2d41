//! What was measured of a condition, in words.

use reduct_oracle::condition::{Measured, show_size, show_time};

/// Returns the words of what was measured of a condition.
pub fn describe(measured: &Measured) -> String {
    match measured {
        Measured::Time { took, limit } => {
            let more = if took > limit { "more" } else { "not more" };
            format!("it took {:.2} s of processor time, {more} than {}", took.as_secs_f64(), show_time(*limit))
        }
        Measured::Memory { held, limit } => {
            let more = if held > limit { "more" } else { "not more" };
            let held = *held as f64 / f64::from(1 << 20);
            format!("it held {held:.1} MiB of memory, {more} than {}", show_size(*limit))
        }
        Measured::Backtrace(names) => format!("its backtrace is {}", names.join(" ← ")),
        Measured::NoPlace(why) => format!("where it died is not known: {why}"),
        Measured::NoDeath => "there is no backtrace: it did not die".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_as_much_as_the_limit_is_not_more() {
        let time =
            |took| describe(&Measured::Time { took: Duration::from_millis(took), limit: Duration::from_secs(2) });
        assert_eq!(time(2000), "it took 2.00 s of processor time, not more than 2s");
        assert_eq!(time(2010), "it took 2.01 s of processor time, more than 2s");
        let memory = |held| describe(&Measured::Memory { held, limit: 500 << 20 });
        assert_eq!(memory(500 << 20), "it held 500.0 MiB of memory, not more than 500M");
        assert_eq!(memory(513 << 20), "it held 513.0 MiB of memory, more than 500M");
    }
}
