//! Bounds on a rate from counts: those of C. J. Clopper and E. S. Pearson, *The use of confidence or fiducial limits
//! illustrated in the case of the binomial*, 1934. They hold at least at the stated level, whatever the rate is.

/// How often the interval that holds the bound is halved: past the precision of the numbers.
const HALVINGS: u32 = 60;

/// Returns what the rate is at least, with a confidence of `level`, after `fired` of `runs` runs.
///
/// # Panics
/// If more fired than were run.
pub fn at_least(fired: u32, runs: u32, level: f64) -> f64 {
    assert!(fired <= runs, "{fired} of {runs} runs");
    if fired == 0 {
        return 0.0;
    }
    let ways = ln_ways(runs);
    // The largest rate at which so many firings are still too many to be chance.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if tail(fired, &ways, middle) <= 1.0 - level { low = middle } else { high = middle }
    }
    low
}

/// Returns what the rate is at most, with a confidence of `level`, after `fired` of `runs` runs.
///
/// # Panics
/// If more fired than were run.
pub fn at_most(fired: u32, runs: u32, level: f64) -> f64 {
    assert!(fired <= runs, "{fired} of {runs} runs");
    1.0 - at_least(runs - fired, runs, level)
}

/// Returns in how many ways each count of firings can come about, as logarithms: the numbers themselves grow out of bounds.
fn ln_ways(runs: u32) -> Vec<f64> {
    let steps = (1..=runs).map(|count| (f64::from(runs - count + 1) / f64::from(count)).ln());
    let sums = steps.scan(0.0, |sum, step| {
        *sum += step;
        Some(*sum)
    });
    std::iter::once(0.0).chain(sums).collect()
}

/// Returns how likely at least so many runs fire at this rate, which is above 0 and below 1.
fn tail(fired: u32, ways: &[f64], rate: f64) -> f64 {
    let (fires, silent, runs) = (rate.ln(), (-rate).ln_1p(), ways.len() - 1);
    let counts = ways.iter().enumerate().skip(fired as usize);
    counts.map(|(count, ways)| (ways + count as f64 * fires + (runs - count) as f64 * silent).exp()).sum()
}
