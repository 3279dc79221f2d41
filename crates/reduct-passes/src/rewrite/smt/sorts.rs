//! SMT-LIB: makes sorts smaller, wherever they stand.
//!
//! ## What it tries
//! For each width of vectors of bits: vectors of one bit, or of half as many, with literals, parts and extensions that fit; all
//! widths at once first. For each sort of floating-point numbers, `Float16`, `Float32` or the smallest one there is, with literals, and
//! vectors of which numbers are made, that fit; all at once first. For each sort that is declared or composed, `Int` or `Bool`. `Int` for
//! `Real`, with whole numbers.
//!
//! ## When it helps
//! Few failures need 64 bits. A problem with vectors of one bit is small, can be solved quickly, and reads well.
//!
//! ## Before
//! ```smt
//! (declare-const x (_ BitVec 32))
//! (assert (= ((_ extract 7 0) x) #x0f))
//! (assert (bvult x (_ bv260 32)))
//! ```
//! ## After
//! ```smt
//! (declare-const x (_ BitVec 16))
//! (assert (= ((_ extract 7 0) x) #x0f))
//! (assert (bvult x #x0104))
//! ```

use super::floats::{Formats, Smaller, is_part, literal, mappings as float_mappings};
use super::script::{Script, definition, merged, scripts};
use super::sort::{TermSort, bits, bits_of, number, sorts, width};
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Edit, Sort, Splice, Subject};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass::rewriting("smt-sorts", "SMT-LIB: makes sorts smaller", 0.3, propose);

fn propose(subject: &Subject) -> Proposals {
    let narrower = scripts(subject).flat_map(|script| {
        let sorts = sorts(&script);
        let places = places(&script, &sorts);
        let narrowing = |widths| Narrowing { script, sorts: &sorts, places: &places, widths };
        let edits = mappings(&script).into_iter().filter_map(|widths| narrowing(widths).edit(vec![]));
        let floats = |formats: Formats| {
            let (splices, widths) = Smaller { script, sorts: &sorts, formats: &formats }.changes()?;
            narrowing(widths).edit(splices)
        };
        let floats = float_mappings(&script).into_iter().filter_map(floats);
        edits.chain(floats).chain(plainer(&script)).collect::<Vec<Edit>>()
    });
    propose_shrinking(subject, declared(subject).into_iter().chain(narrower))
}

/// Returns what widths may become: all of them one at first, then each by itself.
fn mappings(script: &Script) -> Vec<BTreeMap<u32, u32>> {
    let all: BTreeSet<u32> = (1..script.tree.len())
        .filter_map(|at| width(script, at))
        .map(|(_, width)| width)
        .filter(|it| *it > 1)
        .collect();
    let mut found = vec![];
    if all.len() > 1 {
        found.push(all.iter().map(|width| (*width, 1)).collect());
    }
    for width in all.iter().rev() {
        found.push(BTreeMap::from([(*width, 1)]));
        if *width > 3 {
            found.push(BTreeMap::from([(*width, width / 2)]));
        }
    }
    found
}

/// Returns the nodes whose texts depend on a width, by width.
fn places(script: &Script, sorts: &[Option<TermSort>]) -> BTreeMap<u32, Vec<usize>> {
    let bits = |at: usize| match sorts[at] {
        Some(TermSort::Bits(width)) => Some(width),
        _ => None,
    };
    let mut found: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for at in 1..script.tree.len() {
        let widths = match script.tree.kind(at) {
            "compound_sort" => [width(script, at).map(|(_, width)| width), None],
            "number" | "term" if is_part(script, at) && literal(script, at).is_some() => continue,
            "number" => [bits_of(script.text(at)).map(|(_, width)| width), None],
            "term" => match (script.head(at), &script.members(at)[..]) {
                (Some(b"_"), [_, _, width]) => [number(script.text(*width)), None],
                (_, [_, argument, ..]) => [bits(at), bits(*argument)],
                _ => continue,
            },
            _ => continue,
        };
        for width in widths.into_iter().flatten().collect::<BTreeSet<u32>>() {
            found.entry(width).or_default().push(at);
        }
    }
    found
}

/// Vectors of some widths that become narrower.
struct Narrowing<'a> {
    script: Script<'a>,
    sorts: &'a [Option<TermSort>],
    /// By width, the nodes whose texts depend on it.
    places: &'a BTreeMap<u32, Vec<usize>>,
    widths: BTreeMap<u32, u32>,
}

impl Narrowing<'_> {
    /// Returns these changes together with those that they are for.
    fn edit(&self, mut splices: Vec<Splice>) -> Option<Edit> {
        let tree = self.script.tree;
        let nodes: BTreeSet<usize> =
            self.widths.keys().filter_map(|width| self.places.get(width)).flatten().copied().collect();
        for at in nodes {
            match tree.kind(at) {
                "compound_sort" => {
                    if let Some((node, width)) = width(&self.script, at) {
                        splices.extend(self.put(node, self.narrowed(width).to_string(), width));
                    }
                }
                "number" => {
                    let literal = bits_of(self.script.text(at)).filter(|(_, width)| self.widths.contains_key(width));
                    splices.extend(literal.map(|(value, width)| self.literal(at, value, width)));
                }
                "term" => splices.extend(self.term(at)?),
                _ => {}
            }
        }
        merged(&self.script, splices)
    }

    fn narrowed(&self, width: u32) -> u32 {
        self.widths.get(&width).copied().unwrap_or(width)
    }

    /// Returns another text for a node, if it depends on a width that changes.
    fn put(&self, at: usize, text: String, width: u32) -> Option<Splice> {
        let is_new = self.widths.contains_key(&width) && text.as_bytes() != self.script.text(at);
        is_new.then(|| Splice { at: self.script.tree.range(at), with: text.into_bytes().into() })
    }

    /// Returns the literal of a narrower vector: its last bits.
    fn literal(&self, at: usize, value: u128, width: u32) -> Splice {
        let width = self.narrowed(width);
        let kept = if width < 128 { value & ((1 << width) - 1) } else { value };
        Splice { at: self.script.tree.range(at), with: bits(kept, width).into() }
    }

    /// Returns the changes of a term: `(_ bv5 8)`, and what takes a part of a vector or extends it. `None` if nothing
    /// would fit.
    fn term(&self, at: usize) -> Option<Vec<Splice>> {
        let script = self.script;
        let members = script.members(at);
        if let (Some(b"_"), [_, name, width]) = (script.head(at), &members[..]) {
            let value = script.text(*name).strip_prefix(b"bv").and_then(number::<u128>);
            let width = number::<u32>(script.text(*width)).filter(|width| self.widths.contains_key(width));
            return Some(value.zip(width).map(|(value, width)| self.literal(at, value, width)).into_iter().collect());
        }
        let (Some(head), Some(argument)) = (members.first(), members.get(1)) else { return Some(vec![]) };
        let (Some(TermSort::Bits(result)), Some(TermSort::Bits(given))) = (self.sorts[at], self.sorts[*argument])
        else {
            return Some(vec![]);
        };
        let indices = script.members(*head);
        let (result, given) = (self.narrowed(result), self.narrowed(given));
        let texts = match (indices.get(1).map(|at| script.text(*at)), indices.len()) {
            (Some(b"extract"), 4) => {
                let low = number::<u32>(script.text(indices[3]))?.min(given.checked_sub(result)?);
                vec![(indices[2], low + result - 1), (indices[3], low)]
            }
            (Some(b"zero_extend" | b"sign_extend"), 3) => vec![(indices[2], result.checked_sub(given)?)],
            _ => vec![],
        };
        let changed = texts.into_iter().map(|(at, number)| (at, number.to_string().into_bytes()));
        let changed = changed.filter(|(at, text)| script.text(*at) != &text[..]);
        Some(changed.map(|(at, text)| Splice { at: script.tree.range(at), with: text.into() }).collect())
    }
}

/// Returns sorts that are composed as `Int`, and real numbers as whole ones.
fn plainer(script: &Script) -> Vec<Edit> {
    let mut places: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for at in 1..script.tree.len() {
        let is_composed = script.tree.kind(at) == "compound_sort" && width(script, at).is_none();
        let is_real = script.tree.kind(at) == "sort" && script.text(at) == b"Real";
        if is_composed || is_real {
            places.entry(script.text(at)).or_default().push(at);
        }
    }
    let edit = |(text, places): (&[u8], Vec<usize>)| {
        let put = |at: usize, with: &[u8]| Splice { at: script.tree.range(at), with: with.into() };
        let mut splices: Vec<Splice> = places.into_iter().map(|at| put(at, b"Int")).collect();
        if text == b"Real" {
            let numbers = (1..script.tree.len()).filter(|at| script.tree.kind(*at) == "number");
            let whole = numbers.filter_map(|at| {
                let point = script.text(at).iter().position(|byte| *byte == b'.')?;
                Some(put(at, script.text(at).get(..point).filter(|whole| !whole.is_empty())?))
            });
            splices.extend(whole);
        }
        Edit::new(splices)
    };
    places.into_iter().filter_map(edit).collect()
}

/// Returns sorts that are declared as `Int`, then as `Bool`, without their declarations.
fn declared(subject: &Subject) -> Vec<Edit> {
    let names = subject.names();
    let sorts = || names.entities().iter().filter(|it| it.sort == Sort::Type && it.defines.len() == 1);
    let edit = |it: &reduct_input::Entity, text: &[u8]| {
        let place = &names.places()[it.defines[0]];
        let script = Script::of(subject, place)?;
        let is_declared = script.head(definition(place)?) == Some(b"declare-sort");
        let gone = script.with_space(definition(place).filter(|_| is_declared && !it.uses.is_empty())?);
        let uses = it.uses.iter().map(|at| Splice { at: names.places()[*at].at.clone(), with: text.into() });
        Edit::new(uses.chain([Splice { at: gone, with: [].into() }]).collect())
    };
    let each = |text: &'static [u8]| sorts().filter_map(move |it| edit(it, text));
    each(b"Int").chain(each(b"Bool")).collect()
}
