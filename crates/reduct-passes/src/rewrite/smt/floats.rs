//! Floating-point sorts of SMT-LIB, and the literals of them that a text spells bit by bit.

use super::script::Script;
use super::sort::{TermSort, bits, bits_of, number};
use reduct_input::Splice;
use std::collections::{BTreeMap, BTreeSet};

/// How many bits a sort of floating-point numbers has for the exponent and for the significand, its hidden bit included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Format {
    exponent: u32,
    significand: u32,
}

/// The formats that have names.
const NAMED: &[(&str, Format)] = &[
    ("Float16", Format { exponent: 5, significand: 11 }),
    ("Float32", Format { exponent: 8, significand: 24 }),
    ("Float64", Format { exponent: 11, significand: 53 }),
    ("Float128", Format { exponent: 15, significand: 113 }),
];

/// What formats may become, best first: the shortest to write, and the smallest there is.
const TARGETS: &[Format] = &[NAMED[0].1, NAMED[1].1, Format { exponent: 2, significand: 2 }];

/// Larger formats have literals with more bits than are read.
const MOST_BITS: u32 = 128;

/// What is followed by the two numbers of a format.
const INDEXED: &[&[u8]] =
    &[b"to_fp", b"to_fp_unsigned", b"to_fp_bv", b"+oo", b"-oo", b"+zero", b"-zero", b"NaN", b"FloatingPoint"];

/// What formats become.
pub(super) type Formats = BTreeMap<Format, Format>;

/// What widths of vectors become.
pub(super) type Widths = BTreeMap<u32, u32>;

impl Format {
    /// Returns the shortest text of the sort.
    fn text(self) -> Vec<u8> {
        let name = NAMED.iter().find(|(_, format)| *format == self);
        name.map_or_else(
            || format!("(_ FloatingPoint {} {})", self.exponent, self.significand).into_bytes(),
            |(name, _)| name.as_bytes().to_vec(),
        )
    }

    /// Returns whether another format has no more bits anywhere, and fewer somewhere.
    fn is_larger_than(self, other: Format) -> bool {
        self != other && self.exponent >= other.exponent && self.significand >= other.significand
    }
}

/// Returns what formats may become: all of them one, then each by itself, then the same with shorter names.
pub(super) fn mappings(script: &Script) -> Vec<Formats> {
    let all: BTreeSet<Format> = (1..script.tree.len()).filter_map(|at| format(script, at)).collect();
    let smaller = |target: Format, all: &[Format]| -> Formats {
        all.iter().filter(|format| format.is_larger_than(target)).map(|format| (*format, target)).collect()
    };
    let all: Vec<Format> = all.into_iter().rev().collect();
    let together = TARGETS.iter().filter(|_| all.len() > 1).map(|target| smaller(*target, &all));
    let each = all.iter().flat_map(|format| TARGETS.iter().map(|target| smaller(*target, &[*format])));
    let named = all.iter().map(|format| (*format, *format)).collect();
    together.chain(each).chain([named]).filter(|formats: &Formats| !formats.is_empty()).collect()
}

/// Returns the format that a node is the sort of, or has as its indices.
fn format(script: &Script, at: usize) -> Option<Format> {
    if script.tree.kind(at) == "sort" {
        return NAMED.iter().find(|(name, _)| name.as_bytes() == script.text(at)).map(|(_, format)| *format);
    }
    let [_, name, exponent, significand] = script.members(at)[..] else { return None };
    let is_indexed = script.head(at) == Some(b"_") && INDEXED.contains(&script.text(name));
    let format = Format { exponent: number(script.text(exponent))?, significand: number(script.text(significand))? };
    let is_read = format.exponent > 1 && format.significand > 1 && format.significand <= MOST_BITS;
    (is_indexed && is_read && format.exponent <= MOST_BITS - format.significand).then_some(format)
}

/// Returns whether a node is a literal that is a part of a floating-point number.
pub(super) fn is_part(script: &Script, at: usize) -> bool {
    script.tree.parent(at).is_some_and(|parent| matches!(script.head(parent), Some(b"fp")))
}

/// Formats that become smaller.
pub(super) struct Smaller<'a> {
    pub(super) script: Script<'a>,
    pub(super) sorts: &'a [Option<TermSort>],
    pub(super) formats: &'a Formats,
}

impl Smaller<'_> {
    /// Returns the changes of sorts, indices and literals, and the widths that vectors must have then of which numbers are made. `None`
    /// if nothing would fit.
    pub(super) fn changes(&self) -> Option<(Vec<Splice>, Widths)> {
        let (mut splices, mut widths) = (vec![], Widths::new());
        for at in 1..self.script.tree.len() {
            if let Some(new) = format(&self.script, at).and_then(|format| self.formats.get(&format)) {
                splices.extend(self.named(at, *new));
            }
            if self.script.tree.kind(at) == "term" {
                match self.script.members(at)[..] {
                    [head, sign, exponent, significand] if self.script.text(head) == b"fp" => {
                        splices.extend(self.composed([sign, exponent, significand], &mut widths)?);
                    }
                    [head, argument] => splices.extend(self.read(head, argument, &mut widths)?),
                    _ => {}
                }
            }
        }
        Some((splices, widths))
    }

    /// Returns another text for a sort, or for the two numbers of a format.
    fn named(&self, at: usize, new: Format) -> Vec<Splice> {
        let is_sort = self.script.tree.kind(at) != "term";
        let numbers = || {
            let members = self.script.members(at);
            let new = [new.exponent, new.significand].map(|number| number.to_string().into_bytes());
            members[2..].iter().copied().zip(new).collect()
        };
        let texts: Vec<(usize, Vec<u8>)> = if is_sort { vec![(at, new.text())] } else { numbers() };
        let changed = texts.into_iter().filter(|(at, text)| self.script.text(*at) != &text[..]);
        changed.map(|(at, text)| self.put(at, text)).collect()
    }

    fn put(&self, at: usize, text: Vec<u8>) -> Splice {
        Splice { at: self.script.tree.range(at), with: text.into() }
    }

    /// Returns the width of a vector, if it is one.
    fn width(&self, at: usize) -> Option<u32> {
        match self.sorts[at] {
            Some(TermSort::Bits(width)) => Some(width),
            _ => None,
        }
    }

    /// Returns the changes of `(fp #b0 #b01111 #b0000000000)`.
    fn composed(&self, parts: [usize; 3], widths: &mut Widths) -> Option<Vec<Splice>> {
        let [_, exponent, significand] = parts;
        let (Some(first), Some(rest)) = (self.width(exponent), self.width(significand)) else {
            return Some(vec![]);
        };
        let old = Format { exponent: first, significand: rest.saturating_add(1) };
        let Some(new) = self.formats.get(&old).filter(|new| **new != old) else { return Some(vec![]) };
        let mut splices = vec![];
        let literal = |at: usize| literal(&self.script, at);
        let is_nan = literal(exponent) == Some(ones(first)) && literal(significand).is_some_and(|value| value > 0);
        match literal(exponent) {
            Some(value) => splices.push(self.put(exponent, bits(narrow_exponent(value, old, *new), new.exponent))),
            None => note(widths, first, new.exponent)?,
        }
        match literal(significand) {
            Some(value) => {
                let kept = narrow_significand(value, old, *new).max(u128::from(is_nan));
                splices.push(self.put(significand, bits(kept, new.significand - 1)));
            }
            None => note(widths, rest, new.significand - 1)?,
        }
        Some(splices)
    }

    /// Returns the changes of `((_ to_fp 5 11) #x3c00)`, which takes the bits as they are.
    fn read(&self, head: usize, argument: usize, widths: &mut Widths) -> Option<Vec<Splice>> {
        let format = format(&self.script, head).filter(|_| self.script.tree.kind(head) == "term");
        let is_whole = |(old, width): &(Format, u32)| old.exponent + old.significand == *width;
        let Some((old, width)) = format.zip(self.width(argument)).filter(is_whole) else { return Some(vec![]) };
        let Some(new) = self.formats.get(&old).filter(|new| **new != old) else { return Some(vec![]) };
        let Some(value) = literal(&self.script, argument) else {
            note(widths, width, new.exponent + new.significand)?;
            return Some(vec![]);
        };
        let rest = old.significand - 1;
        let (sign, exponent, significand) =
            (value >> (width - 1), value >> rest & ones(old.exponent), value & ones(rest));
        let is_nan = exponent == ones(old.exponent) && significand > 0;
        let significand = narrow_significand(significand, old, *new).max(u128::from(is_nan));
        let above = sign << new.exponent | narrow_exponent(exponent, old, *new);
        let value = above << (new.significand - 1) | significand;
        Some(vec![self.put(argument, bits(value, new.exponent + new.significand))])
    }
}

/// Returns the value of a literal of bits: `#x0f`, `(_ bv15 8)`.
pub(super) fn literal(script: &Script, at: usize) -> Option<u128> {
    let indexed = || match script.members(at)[..] {
        [_, value, _] if script.head(at) == Some(b"_") => number(script.text(value).strip_prefix(b"bv")?),
        _ => None,
    };
    bits_of(script.text(at)).map(|(value, _)| value).or_else(indexed)
}

/// Notes what a width must become; `None` if it must become something else already.
fn note(widths: &mut Widths, width: u32, new: u32) -> Option<()> {
    (*widths.entry(width).or_insert(new) == new).then_some(())
}

/// Returns so many ones.
fn ones(width: u32) -> u128 {
    1u128.checked_shl(width).map_or(u128::MAX, |above| above - 1)
}

/// Returns the exponent of the same number, or of the nearest one that has neither all bits nor none.
fn narrow_exponent(value: u128, old: Format, new: Format) -> u128 {
    let value = value & ones(old.exponent);
    if value == 0 || value == ones(old.exponent) {
        return if value == 0 { 0 } else { ones(new.exponent) };
    }
    let bias = |format: Format| ones(format.exponent - 1);
    (value + bias(new)).saturating_sub(bias(old)).clamp(1, ones(new.exponent) - 1)
}

/// Returns the first bits of a significand.
fn narrow_significand(value: u128, old: Format, new: Format) -> u128 {
    (value & ones(old.significand - 1)) >> (old.significand - new.significand)
}
