//! Inputs: samples, mutated some times at random places.

use super::readers::Reader;
use reduct_core::laws::Chance;

/// No input is longer.
const LONGEST: usize = 64 << 10;

/// What readers look for, and numbers at the ends of their ranges.
const TOKENS: [&[u8]; 42] = [
    b"\n",
    b"\r\n",
    b"\t",
    b"\0",
    b" ",
    b"\"",
    b"'",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b"<",
    b">",
    b":",
    b",",
    b";",
    b"=",
    b"/",
    b"#",
    b"@",
    b"-",
    b"--",
    b"...",
    b"0",
    b"-1",
    b"1e999",
    b"255",
    b"256",
    b"65536",
    b"4294967295",
    b"4294967296",
    b"18446744073709551615",
    b"99999999999999999999",
    b"\xff",
    b"\xc3\xa9",
    b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80",
    b"\x1b[31m",
    b"\xe2\x80\xae",
];

/// What is read by one reader.
pub(super) struct Inputs {
    samples: Vec<Vec<u8>>,
    seed: u64,
}

impl Inputs {
    pub(super) fn of(reader: &Reader) -> Inputs {
        let seed = reader
            .name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut samples = (reader.samples)();
        samples.push(vec![]);
        Inputs { samples, seed }
    }

    /// Returns the input of this number. The first ones are the samples as they are.
    pub(super) fn number(&self, n: u64) -> Vec<u8> {
        if let Some(sample) = self.samples.get(n as usize) {
            return sample.clone();
        }
        let mut chance = Chance(self.seed ^ n.wrapping_mul(0x9e37_79b9));
        let mut input = self.sample(&mut chance).to_vec();
        for _ in 0..1 + chance.below(8) {
            self.mutate(&mut input, &mut chance);
            input.truncate(LONGEST);
        }
        input
    }

    fn sample(&self, chance: &mut Chance) -> &[u8] {
        &self.samples[chance.below(self.samples.len())]
    }

    fn mutate(&self, input: &mut Vec<u8>, chance: &mut Chance) {
        let at = chance.below(input.len() + 1);
        let end = at + chance.below((input.len() - at).min(64) + 1);
        match chance.below(9) {
            0 => input.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << chance.below(8)),
            1 => input.iter_mut().skip(at).take(1).for_each(|byte| *byte = chance.below(256) as u8),
            2 => drop(input.drain(at..end)),
            3 => input.truncate(at),
            4 => {
                let token = TOKENS[chance.below(TOKENS.len())];
                input.splice(at..end.min(at + chance.below(4)), token.iter().copied());
            }
            5 => repeat(input, at..end, chance),
            6 => {
                let other = self.sample(chance);
                let from = chance.below(other.len() + 1);
                let to = from + chance.below((other.len() - from).min(512) + 1);
                input.splice(at..at, other[from..to].iter().copied());
            }
            7 => number(input, at, chance),
            _ => {
                let random = (0..chance.below(16)).map(|_| chance.below(256) as u8).collect::<Vec<_>>();
                input.splice(at..at, random);
            }
        }
    }
}

/// Repeats a part, now and then very often: what nests, nests deep.
fn repeat(input: &mut Vec<u8>, part: std::ops::Range<usize>, chance: &mut Chance) {
    let part: Vec<u8> = input[part.clone()].iter().copied().take(if chance.below(2) == 0 { 2 } else { 64 }).collect();
    let most = if chance.below(20) == 0 { LONGEST / part.len().max(1) } else { 8 };
    let at = chance.below(input.len() + 1);
    let many = part.repeat(chance.below(most + 1));
    input.splice(at..at, many);
}

/// Puts another number at the place of the next one.
fn number(input: &mut Vec<u8>, at: usize, chance: &mut Chance) {
    let Some(from) = input[at..].iter().position(u8::is_ascii_digit).map(|from| at + from) else { return };
    let to = input[from..].iter().position(|byte| !byte.is_ascii_digit()).map_or(input.len(), |length| from + length);
    let tokens: Vec<&[u8]> = TOKENS.iter().copied().filter(|token| token.iter().any(u8::is_ascii_digit)).collect();
    input.splice(from..to, tokens[chance.below(tokens.len())].iter().copied());
}
