//! Isolation where little can be built.

use crate::support::{ask_all, fails_if};
use reduct_core::{Config, Delta, Isolate, Order, Outcome, Search};

/// Where most is unresolved, going on with parts that were not tried since takes fewer tests than beginning again.
#[test]
fn onward_spends_less_where_most_is_unresolved() {
    let (n, culprit) = (120u32, 57u32);
    // Two of three deltas only work together with one far away; the third ones are free.
    let oracle = |config: &Config| {
        let has = |delta: u32| config.contains(Delta(delta));
        let together = |delta: u32| delta.is_multiple_of(3) || has(delta) == has((delta + n / 2) % n);
        match (0..n).all(together) {
            true => fails_if(has(culprit)),
            false => Outcome::Unresolved,
        }
    };
    let asked = |order| {
        let (end, asked) = ask_all(Isolate::new(Config::empty(), Config::full(n as usize), order), oracle);
        assert!(end.best().minus(&end.passing()).contains(Delta(culprit)));
        asked.len()
    };
    let (direct, onward) = (asked(Order::Direct), asked(Order::Onward));
    assert!(3 * onward < 2 * direct, "{onward} against {direct}");
}
