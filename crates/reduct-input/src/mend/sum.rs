//! Sums over bytes, made piece by piece.

/// Sums over bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// CRC-32 as in PNG, zip, Ethernet.
    Crc32,
    /// The bytes of a header of tar added up, those of the field itself, which has eight, taken for blanks.
    Tar,
    /// CRC-32 as in Ogg: the same polynomial, highest bit first, from 0. The field itself counts as zeros.
    Ogg,
    /// Numbers of four bytes, the most significant byte first, added up, as in fonts. What is missing of the last one counts as zeros.
    Words,
    /// Such numbers, the least significant byte first.
    LittleWords,
    /// CRC-32C, as in iSCSI, ext4 and SCTP.
    Crc32c,
    /// Adler-32, as in zlib.
    Adler,
    /// Bytes added up.
    Bytes,
}

impl Sum {
    /// Returns the sum over these bytes.
    pub fn of(self, bytes: &[u8]) -> u64 {
        self.end(self.add(self.start(), bytes))
    }

    /// Returns the sum over two stretches, one behind the other, of which the second one is so long and the sums are known. `None` if that depends on
    /// more than this.
    pub fn joined(self, first: u64, second: u64, length: usize) -> Option<u64> {
        let (first, second) = (u32::try_from(first).ok()?, u32::try_from(second).ok()?);
        let joined = match self {
            Sum::Crc32 => shifted(first, length, POLYNOMIAL.reverse_bits()) ^ second,
            Sum::Crc32c => shifted(first, length, POLYNOMIAL_C.reverse_bits()) ^ second,
            Sum::Adler => {
                let modulus = u64::from(MODULUS_OF_ADLER);
                let halves = |sum: u32| (u64::from(sum & 0xffff), u64::from(sum >> 16));
                let ((low, high), (more, higher)) = (halves(first), halves(second));
                let before = low + modulus - 1;
                let low = (before + more) % modulus;
                let high = (high + higher + before % modulus * (length as u64 % modulus)) % modulus;
                (high << 16 | low) as u32
            }
            Sum::Bytes => first.wrapping_add(second),
            Sum::Tar | Sum::Ogg | Sum::Words | Sum::LittleWords => return None,
        };
        Some(joined.into())
    }

    pub(super) fn start(self) -> State {
        match self {
            Sum::Crc32 | Sum::Crc32c => State { sum: !0, bytes: 0 },
            Sum::Tar => State { sum: BLANKS_OF_TAR, bytes: 0 },
            Sum::Adler => State { sum: 1, bytes: 0 },
            Sum::Ogg | Sum::Words | Sum::LittleWords | Sum::Bytes => State { sum: 0, bytes: 0 },
        }
    }

    pub(super) fn add(self, State { sum, bytes: before }: State, bytes: &[u8]) -> State {
        let next = |sum: u32, (at, byte): (usize, &u8)| match self {
            Sum::Crc32 => sum >> 8 ^ REFLECTED[(sum as u8 ^ byte) as usize],
            Sum::Crc32c => sum >> 8 ^ CASTAGNOLI[(sum as u8 ^ byte) as usize],
            Sum::Tar | Sum::Bytes => sum.wrapping_add(u32::from(*byte)),
            Sum::Adler => {
                let low = ((sum & 0xffff) + u32::from(*byte)) % MODULUS_OF_ADLER;
                ((((sum >> 16) + low) % MODULUS_OF_ADLER) << 16) | low
            }
            Sum::Ogg => sum << 8 ^ PLAIN[((sum >> 24) as u8 ^ byte) as usize],
            Sum::Words => sum.wrapping_add(u32::from(*byte) << (24 - 8 * (at % 4))),
            Sum::LittleWords => sum.wrapping_add(u32::from(*byte) << (8 * (at % 4))),
        };
        State { sum: (before..).zip(bytes).fold(sum, next), bytes: before + bytes.len() }
    }

    pub(super) fn end(self, state: State) -> u64 {
        match self {
            Sum::Crc32 | Sum::Crc32c => u64::from(!state.sum),
            _ => u64::from(state.sum),
        }
    }
}

/// Returns what a state of a CRC, lowest bit first, is after so many zeros.
fn shifted(state: u32, zeros: usize, polynomial: u32) -> u32 {
    let times = |one: u32, other: u32| {
        let (mut product, mut power) = (0, one);
        for bit in (0..32).rev() {
            product ^= if other >> bit & 1 == 1 { power } else { 0 };
            power = power >> 1 ^ if power & 1 == 1 { polynomial } else { 0 };
        }
        product
    };
    // X to the eighth: one byte.
    let (mut left, mut square, mut product) = (zeros, 1 << 23, state);
    while left > 0 {
        product = if left & 1 == 1 { times(square, product) } else { product };
        square = times(square, square);
        left >>= 1;
    }
    product
}

/// A sum over the first bytes, and how many these are.
#[derive(Clone, Copy)]
pub(super) struct State {
    sum: u32,
    bytes: usize,
}

/// What the field of the sum of tar adds, in which zeros stand when it is made: eight blanks.
const BLANKS_OF_TAR: u32 = 8 * b' ' as u32;

/// What the two halves of a sum of Adler stay below.
const MODULUS_OF_ADLER: u32 = 65_521;

/// The polynomials of CRC-32 and CRC-32C, highest bit first.
const POLYNOMIAL: u32 = 0x04c1_1db7;
const POLYNOMIAL_C: u32 = 0x1edc_6f41;

const REFLECTED: [u32; 256] = reflected(POLYNOMIAL);
const CASTAGNOLI: [u32; 256] = reflected(POLYNOMIAL_C);

/// Makes the table of a polynomial that is applied lowest bit first.
const fn reflected(polynomial: u32) -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut state = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            state = state >> 1 ^ if state & 1 == 1 { polynomial.reverse_bits() } else { 0 };
            bit += 1;
        }
        table[byte] = state;
        byte += 1;
    }
    table
}

const PLAIN: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut state = (byte as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            state = state << 1 ^ if state >> 31 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        table[byte] = state;
        byte += 1;
    }
    table
};
