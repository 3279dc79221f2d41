//! Numbers as they are written in a text, with digits after a point or without: added up exactly.

use std::collections::BTreeMap;
use std::sync::Arc;

/// More digits before the point are no number that anybody adds up.
const DIGITS: usize = 18;

/// So many digits after the point are kept.
const PLACES: u32 = 9;

/// A number with how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// The number, in units of a thousand millionth.
    pub units: i128,
    /// How many digits stand after its point.
    pub places: u32,
}

impl Amount {
    /// How many units one has.
    pub const ONE: i128 = 10i128.pow(PLACES);

    /// Reads a number such as `-12.50`. `None` if it is none, or written otherwise.
    ///
    /// ```
    /// use reduct_input::Amount;
    ///
    /// let sum = Amount::read(b"0.10").unwrap().units + Amount::read(b"0.2").unwrap().units;
    /// assert_eq!(Amount { units: sum, places: 2 }.to_string(), "0.30");
    /// assert_eq!(Amount::read(b"1e5"), None);
    /// ```
    pub fn read(text: &[u8]) -> Option<Amount> {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let point = digits.iter().position(|byte| *byte == b'.');
        let (whole, after) = point.map_or((digits, &[][..]), |at| (&digits[..at], &digits[at + 1..]));
        let are_digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
        let is_whole = (1..=DIGITS).contains(&whole.len()) && (whole.len() == 1 || whole[0] != b'0');
        let is_after = after.len() <= PLACES as usize && (point.is_none() || !after.is_empty());
        if !is_whole || !is_after || !are_digits(whole) || !are_digits(after) {
            return None;
        }
        let join = |number: i128, digit: &u8| number * 10 + i128::from(digit - b'0');
        let places = after.len() as u32;
        let units = whole.iter().chain(after).fold(0, join) * 10i128.pow(PLACES - places);
        Some(Amount { units: if digits.len() < text.len() { -units } else { units }, places })
    }
}

impl std::fmt::Display for Amount {
    /// Writes as many digits after the point as there were, and more if the number takes more.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let one = 10u128.pow(PLACES);
        let (whole, after) = (self.units.unsigned_abs() / one, self.units.unsigned_abs() % one);
        let digits = format!("{after:0width$}", width = PLACES as usize);
        let places = digits.trim_end_matches('0').len().max(self.places.min(PLACES) as usize);
        let sign = if self.units < 0 { "-" } else { "" };
        match places {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{}", &digits[..places]),
        }
    }
}

/// A number that is added up with others, by the address where it stands, in units of [`Amount`].
pub type Addend = (u32, i128);

/// By list of addends, how much of it goes: several totals may share a list.
#[derive(Default)]
pub(super) struct Totals(BTreeMap<*const Addend, i128>);

impl Totals {
    /// Returns what a total is without what goes, as its address is in this, if that is another.
    pub(super) fn left(&mut self, goes: impl Fn(u32) -> bool, of: &Arc<[Addend]>, field: &[u8]) -> Option<Vec<u8>> {
        let amount = Amount::read(field)?;
        let gone = || of.iter().filter(|(at, _)| goes(*at)).fold(0i128, |sum, (_, units)| sum + units);
        let gone = *self.0.entry(of.as_ptr()).or_insert_with(gone);
        (gone != 0).then(|| Amount { units: amount.units - gone, ..amount }.to_string().into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_was_read() {
        for text in ["0", "7", "-7", "10", "0.5", "-0.50", "123456789012345678", "1.000000001", "12.00"] {
            assert_eq!(Amount::read(text.as_bytes()).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_plain_number_is_not_read() {
        for text in ["", "-", ".5", "5.", "05", "1e3", "1,000", "+1", "1.0000000001", "1234567890123456789", "0x1"] {
            assert_eq!(Amount::read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_sum_has_the_places_that_it_takes() {
        let sum = |texts: &[&str]| texts.iter().map(|text| Amount::read(text.as_bytes()).unwrap().units).sum::<i128>();
        let written = |units, places| Amount { units, places }.to_string();
        assert_eq!(written(sum(&["12.5", "0.5"]), 1), "13.0");
        assert_eq!(written(sum(&["12.55", "0.5"]), 0), "13.05");
        assert_eq!(written(sum(&["0.1", "-0.3"]), 1), "-0.2");
    }
}
