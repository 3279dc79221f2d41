//! Numbers that look random, and are the same everywhere for the same seed.

/// SplitMix64 (Steele, Lea, Flood 2014): small, and good enough to hit what nobody thought of.
#[derive(Clone, Debug)]
pub struct Randomness(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Randomness {
    /// Returns the randomness of a seed.
    pub fn new(seed: u64) -> Randomness {
        Randomness(seed)
    }

    /// Returns the randomness of one trial: far from those of all others, whatever the seed.
    pub(crate) fn of_trial(seed: u64, trial: u64) -> Randomness {
        let mut of_seed = Randomness(seed);
        let mut both = Randomness(of_seed.number() ^ trial.wrapping_mul(STEP));
        Randomness(both.number())
    }

    /// Returns any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number less than `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of the product: without a division, and as even as 64 bits allow.
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }

    /// Returns whether something happens that happens once in `so_many` times.
    pub fn once_in(&mut self, so_many: usize) -> bool {
        self.below(so_many) == 0
    }

    /// Returns a size up to `most`: as often below 100 as between 100 and 10,000.
    pub fn size(&mut self, most: usize) -> usize {
        let bits = usize::BITS - most.max(1).leading_zeros();
        let upto = 1_usize << self.below(bits as usize + 1).min(usize::BITS as usize - 1);
        (upto / 2 + self.below(upto / 2 + 1)).clamp(1, most.max(1))
    }

    /// Returns one of several.
    ///
    /// # Panics
    /// If there is none.
    pub fn of<'a, T>(&mut self, several: &'a [T]) -> &'a T {
        &several[self.below(several.len())]
    }

    /// Returns a byte.
    pub fn byte(&mut self) -> u8 {
        self.number() as u8
    }

    /// Returns a printable character of ASCII.
    pub fn printable(&mut self) -> u8 {
        b' ' + self.below(95) as u8
    }
}
