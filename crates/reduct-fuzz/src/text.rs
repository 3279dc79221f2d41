//! Inputs that know nothing of a program: characters by chance.

use crate::chance::Randomness;

/// The parameters of the program `fuzz` (Miller, Fredriksen, So 1990): so many characters, of which kind, in lines
/// or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classic {
    /// How many characters; by default another number each time.
    pub length: Option<usize>,
    /// Printable characters only, instead of all.
    pub printable: bool,
    /// NUL characters too.
    pub nul: bool,
    /// Lines of random length up to this, instead of characters without line ends of their own.
    pub lines: Option<usize>,
    /// What the input ends in.
    pub epilog: Vec<u8>,
}

impl Classic {
    pub(crate) fn write(&self, chance: &mut Randomness, largest: usize) -> Vec<u8> {
        let length = self.length.unwrap_or_else(|| chance.size(largest));
        let mut text = Vec::with_capacity(length + self.epilog.len());
        match self.lines {
            None => text.extend((0..length).map(|_| self.character(chance, true))),
            // Line ends count as characters; the last line is cut off where the number is reached.
            Some(longest) => {
                while text.len() < length {
                    let line = chance.below(longest + 1).min(length - text.len());
                    text.extend((0..line).map(|_| self.character(chance, false)));
                    text.push(b'\n');
                }
                text.truncate(length);
            }
        }
        text.extend(&self.epilog);
        text
    }

    fn character(&self, chance: &mut Randomness, line_ends: bool) -> u8 {
        loop {
            let character = match (self.printable, self.nul) {
                // One of 96, as NUL or as line end is one of all.
                (true, true) if chance.once_in(96) => 0,
                (true, _) if line_ends && chance.once_in(96) => b'\n',
                (true, _) => chance.printable(),
                (false, _) => chance.byte(),
            };
            if (character != 0 || self.nul) && (character != b'\n' || line_ends) {
                return character;
            }
        }
    }
}

/// Returns any bytes.
pub(crate) fn random(chance: &mut Randomness, largest: usize) -> Vec<u8> {
    let length = chance.size(largest);
    (0..length).map(|_| chance.byte()).collect()
}

/// Returns printable characters in lines.
pub(crate) fn printable(chance: &mut Randomness, largest: usize) -> Vec<u8> {
    let length = chance.size(largest);
    let per_line = chance.size(200);
    let text = (0..length).map(|_| if chance.once_in(per_line + 1) { b'\n' } else { chance.printable() });
    ended(text.collect())
}

/// Words in lines, with bytes from 128 on in them: now and then, or nothing else.
pub(crate) fn eight_bit(chance: &mut Randomness, largest: usize) -> Vec<u8> {
    let length = chance.size(largest);
    let one_in = *chance.of(&[1, 2, 10, 100]);
    let character = |chance: &mut Randomness| match chance.below(20) {
        _ if chance.once_in(one_in) => 128 + chance.below(128) as u8,
        0..=2 => b' ',
        3 => b'\n',
        4 => chance.printable(),
        _ => b'a' + chance.below(26) as u8,
    };
    ended((0..length).map(|_| character(chance)).collect())
}

/// Lengths at which buffers end.
const BUFFERS: &[usize] =
    &[64, 80, 100, 128, 132, 200, 255, 256, 512, 1000, 1023, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

/// Lines longer than anybody's buffer: of one character, of words, of a word that is one.
pub(crate) fn long_lines(chance: &mut Randomness, largest: usize) -> Vec<u8> {
    let mut text = vec![];
    for _ in 0..=chance.below(3) {
        let length = match chance.below(3) {
            0 => chance.size(largest),
            // Just as long, and a little longer, as such a buffer is.
            _ => chance.of(BUFFERS) + chance.below(12),
        };
        let one = chance.printable();
        let kind = chance.below(5);
        let line = (0..length).map(|at| match kind {
            0 => one,
            1 => chance.printable(),
            2 => b'0' + chance.below(10) as u8,
            3 if at % 8 == 7 => b' ',
            4 => 1 + chance.below(255) as u8,
            _ => b'a' + chance.below(26) as u8,
        });
        text.extend(line.filter(|character| *character != b'\n').collect::<Vec<u8>>());
        text.push(b'\n');
    }
    text
}

/// Returns the text with an end to its last line.
fn ended(mut text: Vec<u8>) -> Vec<u8> {
    if text.last().is_some_and(|last| *last != b'\n') {
        text.push(b'\n');
    }
    text
}
