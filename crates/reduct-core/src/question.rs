//! What a search asks, and the digest under which its outcome is remembered.

/// A question of a search: something that can be tested.
///
/// Outcomes are remembered by [`Key`], not by question, so that memory stays at a few bytes a test
/// however large the questions are, and so that two ways to the same candidate are one question.
pub trait Question: Clone {
    /// Returns the digest of what the test would see. Equal keys mean the same test.
    fn key(&self) -> Key;
}

/// A 128-bit digest of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u128);

/// Makes a [`Key`] from numbers. Equal on every machine and in every version of Rust, which the
/// hashers of `std` do not promise. For questions whose content nobody forges.
///
/// ```
/// use reduct_core::Keyed;
///
/// let key = |numbers: &[u64]| {
///     let mut keyed = Keyed::default();
///     numbers.iter().for_each(|number| keyed.add(*number));
///     keyed.finish()
/// };
/// assert_eq!(key(&[1, 2]), key(&[1, 2]));
/// assert_ne!(key(&[1, 2]), key(&[2, 1]));
/// ```
pub struct Keyed {
    state: u128,
    count: u64,
}

impl Default for Keyed {
    fn default() -> Keyed {
        Keyed { state: 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, count: 0 }
    }
}

impl Keyed {
    /// An odd multiplier with well-spread bits (the one of PCG's 128-bit generator).
    const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

    /// Adds a number.
    pub fn add(&mut self, number: u64) {
        self.count += 1;
        self.state = Keyed::mix(self.state ^ u128::from(number));
    }

    /// Returns the digest of all numbers added, in their order.
    pub fn finish(&self) -> Key {
        Key(Keyed::mix(Keyed::mix(self.state ^ (u128::from(self.count) << 64))))
    }

    fn mix(state: u128) -> u128 {
        let state = state.wrapping_mul(Keyed::MULTIPLIER);
        (state ^ (state >> 67)).wrapping_add(Keyed::MULTIPLIER)
    }
}
