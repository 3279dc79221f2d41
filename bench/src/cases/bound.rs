//! The fewest tests that can do: what no algorithm beats that removes tokens and proves the result.
//!
//! If any `m` of `n` parts may be the needed ones, a decision tree over the answers needs `C(n, m)` leaves; and to
//! prove that none of the `m` can go takes `m` tests that pass. Both at once: the least `q` such that answers of
//! length `q` with at least `m` passes can tell `C(n, m)` cases apart. A tool that knows the structure of the
//! input, or that rewrites it, can do with fewer.

/// Returns the least `q` with `C(q,m) + C(q,m+1) + … + C(q,q) ≥ C(n,m)`, or `None` if more is left than there was. By
/// sums of logarithms in floating point: right to within one test or so.
pub(crate) fn fewest(n: usize, m: usize) -> Option<usize> {
    if m > n {
        return None;
    }
    // The logarithms of the factorials.
    let mut factorials = vec![0.0; n + 1];
    for i in 1..=n {
        factorials[i] = factorials[i - 1] + (i as f64).ln();
    }
    let choose = |q: usize, f: usize| factorials[q] - factorials[f] - factorials[q - f];
    let cases = choose(n, m);
    let enough = |q: usize| {
        let most = (m..=q).map(|f| choose(q, f)).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = (m..=q).map(|f| (choose(q, f) - most).exp()).sum();
        most + sum.ln() >= cases - 1e-9
    };
    // With `q = n` it is enough, and it stays enough.
    let (mut low, mut high) = (m, n);
    while low < high {
        let middle = usize::midpoint(low, high);
        if enough(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::fewest;

    fn choose(n: u128, k: u128) -> u128 {
        (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
    }

    #[test]
    fn it_is_the_definition_in_whole_numbers() {
        for n in 0..=40_usize {
            for m in 0..=n {
                let sum = |q: usize| (m..=q).map(|f| choose(q as u128, f as u128)).sum::<u128>();
                let exact = (m..=n).find(|q| sum(*q) >= choose(n as u128, m as u128));
                assert_eq!(fewest(n, m), exact, "n = {n}, m = {m}");
            }
        }
    }

    #[test]
    fn one_of_a_million_takes_twenty_questions_and_keeping_all_takes_all() {
        assert_eq!(fewest(1 << 20, 1), Some(21));
        assert_eq!(fewest(500, 500), Some(500));
        assert_eq!(fewest(5000, 0), Some(0));
    }

    #[test]
    fn there_is_none_for_a_result_that_is_larger() {
        assert_eq!(fewest(3, 4), None);
    }
}
