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
}

impl Sum {
    /// Returns the sum over these bytes.
    pub fn of(self, bytes: &[u8]) -> u64 {
        self.end(self.add(self.start(), bytes))
    }

    pub(super) fn start(self) -> State {
        match self {
            Sum::Crc32 => State { sum: !0, bytes: 0 },
            Sum::Tar => State { sum: BLANKS_OF_TAR, bytes: 0 },
            Sum::Ogg | Sum::Words => State { sum: 0, bytes: 0 },
        }
    }

    pub(super) fn add(self, State { sum, bytes: before }: State, bytes: &[u8]) -> State {
        let next = |sum: u32, (at, byte): (usize, &u8)| match self {
            Sum::Crc32 => sum >> 8 ^ REFLECTED[(sum as u8 ^ byte) as usize],
            Sum::Tar => sum.wrapping_add(u32::from(*byte)),
            Sum::Ogg => sum << 8 ^ PLAIN[((sum >> 24) as u8 ^ byte) as usize],
            Sum::Words => sum.wrapping_add(u32::from(*byte) << (24 - 8 * (at % 4))),
        };
        State { sum: (before..).zip(bytes).fold(sum, next), bytes: before + bytes.len() }
    }

    pub(super) fn end(self, state: State) -> u64 {
        match self {
            Sum::Crc32 => u64::from(!state.sum),
            Sum::Tar | Sum::Ogg | Sum::Words => u64::from(state.sum),
        }
    }
}

/// A sum over the first bytes, and how many these are.
#[derive(Clone, Copy)]
pub(super) struct State {
    sum: u32,
    bytes: usize,
}

/// What the field of the sum of tar adds, in which zeros stand when it is made: eight blanks.
const BLANKS_OF_TAR: u32 = 8 * b' ' as u32;

/// The polynomial of CRC-32, highest bit first.
const POLYNOMIAL: u32 = 0x04c1_1db7;

const REFLECTED: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut state = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            state = state >> 1 ^ if state & 1 == 1 { POLYNOMIAL.reverse_bits() } else { 0 };
            bit += 1;
        }
        table[byte] = state;
        byte += 1;
    }
    table
};

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
