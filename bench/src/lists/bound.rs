//! The lower bound of docs/ALGORITHMS.md, 3 (c), in exact arithmetic.

use std::cmp::Ordering;

/// Returns the fewest tests that can tell which `m` of `n` deltas stay and certify each of them: the least `q` with Σ
/// C(q, f) ≥ C(n, m), over f from `m` to `q`.
pub(super) fn tests(n: usize, m: usize) -> usize {
    let results = choose(n, m);
    let enough = |q: &usize| {
        let (mut sum, mut term) = (Natural::from(0), choose(*q, m));
        for f in m..=*q {
            sum = sum.plus(&term);
            term = term.times(q - f).over(f + 1);
        }
        sum.at_least(&results)
    };
    // All of the sums together are 2^q.
    (m.max(results.bits() - 1)..).find(enough).unwrap_or(n)
}

/// Returns log₂ C(n, m), rounded down.
pub(super) fn bits(n: usize, m: usize) -> usize {
    choose(n, m).bits() - 1
}

fn choose(n: usize, m: usize) -> Natural {
    (0..m.min(n - m)).fold(Natural::from(1), |product, i| product.times(n - i).over(i + 1))
}

/// A natural number, in digits of 32 bits, the lowest first, without leading zeros.
#[derive(Clone, Debug)]
struct Natural(Vec<u32>);

impl Natural {
    fn from(number: u32) -> Natural {
        Natural(if number == 0 { vec![] } else { vec![number] })
    }

    fn bits(&self) -> usize {
        self.0.last().map_or(0, |high| self.0.len() * 32 - high.leading_zeros() as usize)
    }

    fn times(mut self, factor: usize) -> Natural {
        let mut carry = 0;
        for digit in &mut self.0 {
            let product = u64::from(*digit) * factor as u64 + carry;
            (*digit, carry) = (product as u32, product >> 32);
        }
        self.0.extend((carry > 0).then_some(carry as u32));
        self
    }

    /// Divides; what is left over is dropped.
    fn over(mut self, divisor: usize) -> Natural {
        let mut rest = 0;
        for digit in self.0.iter_mut().rev() {
            let dividend = rest << 32 | u64::from(*digit);
            (*digit, rest) = ((dividend / divisor as u64) as u32, dividend % divisor as u64);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn plus(mut self, other: &Natural) -> Natural {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        let mut carry = 0;
        for (at, digit) in self.0.iter_mut().enumerate() {
            let sum = u64::from(*digit) + u64::from(other.0.get(at).copied().unwrap_or(0)) + carry;
            (*digit, carry) = (sum as u32, sum >> 32);
        }
        self.0.extend((carry > 0).then_some(carry as u32));
        self
    }

    fn at_least(&self, other: &Natural) -> bool {
        let length = self.0.len().cmp(&other.0.len());
        length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())) != Ordering::Less
    }
}

#[cfg(test)]
mod tests {
    use super::{bits, tests};

    /// By hand: each of 4 needs a test of its own; C(1,1) = 1 < C(2,1) = 2 ≤ C(2,1) + C(2,2).
    #[test]
    fn small_ones() {
        assert_eq!((tests(4, 4), tests(2, 1), tests(7, 0)), (4, 2, 0));
        // 2^37 = 137438953472 < C(40, 20) = 137846528820; C(4, 2) = 6.
        assert_eq!((bits(40, 20), bits(4, 2)), (37, 2));
    }

    /// Shannon's bound of below, and that all sums together are 2^q: between the two for any n and m.
    #[test]
    fn between_information_and_twice_that() {
        for (n, m) in [(200, 20), (2000, 4), (2000, 40), (2000, 200), (4000, 60)] {
            let q = tests(n, m);
            assert!(bits(n, m) <= q && q <= bits(n, m) + 2 * m, "{q} for {m} of {n}");
        }
    }
}
