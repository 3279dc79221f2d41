//! Numbers where types end, and what is written like numbers.

use crate::chance::Randomness;

/// As text.
pub(crate) const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "32767",
    "32768",
    "-32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e309",
    "-1e309",
    "1e-400",
    "1e999999999",
    "0.1",
    ".",
    "-",
    "00",
    "010",
    "0x",
    "0x7fffffff",
    "0xffffffff",
    "0xffffffffffffffff",
    "1/0",
    "0/0",
    "1e",
    "1e+",
    "NaN",
    "inf",
    "-inf",
    "1_000",
    "1,5",
    "+",
    "++1",
    "--1",
];

const BETWEEN: &[&str] = &["\n", " ", ",", ";", "+", "-", "*", "/", "%", "^", "<<", "(", ")", "=", ":", "[", "]", "."];

/// Returns a number of at most `most` characters.
pub(crate) fn number(chance: &mut Randomness, most: usize) -> Vec<u8> {
    match chance.below(8) {
        // A number of more digits than anything holds.
        0 => {
            let digits = chance.size(most.min(20_000));
            (0..digits).map(|_| b'0' + chance.below(10) as u8).collect()
        }
        1 => chance.number().to_string().into_bytes(),
        2 => format!("{}", (chance.number() as i64) >> chance.below(64)).into_bytes(),
        _ => chance.of(NUMBERS).as_bytes().to_vec(),
    }
}

/// Returns numbers, and signs between them.
pub(crate) fn numbers(chance: &mut Randomness, largest: usize) -> Vec<u8> {
    let count = chance.size(200);
    let (lines, mut text) = (chance.once_in(2), vec![]);
    for _ in 0..count {
        if text.len() >= largest {
            break;
        }
        text.extend(number(chance, largest));
        text.extend(if lines { b"\n" } else { chance.of(BETWEEN).as_bytes() });
    }
    text.push(b'\n');
    text
}

/// Bytes of an integer where types end, in either order.
pub(crate) fn binary(chance: &mut Randomness) -> Vec<u8> {
    let values = [
        0,
        1,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        u64::MAX >> 1,
        u64::MAX,
    ];
    let value = *chance.of::<u64>(&values);
    let width = *chance.of(&[1, 2, 4, 8]);
    let little = value.to_le_bytes()[..width].to_vec();
    if chance.once_in(2) { little } else { little.into_iter().rev().collect() }
}
