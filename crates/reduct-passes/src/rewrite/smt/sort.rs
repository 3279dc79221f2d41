//! The sorts of terms in SMT-LIB, as far as a text tells without a solver.

use super::script::Script;
use std::collections::HashMap;

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TermSort {
    Bool,
    Int,
    Real,
    Text,
    /// A vector of so many bits.
    Bits(u32),
    /// What this node names.
    Other(usize),
}

impl TermSort {
    /// Returns the shortest constants of a sort, likeliest first.
    pub(super) fn constants(self) -> Vec<Vec<u8>> {
        match self {
            TermSort::Bool => vec![b"true".to_vec(), b"false".to_vec()],
            TermSort::Int => vec![b"0".to_vec()],
            TermSort::Real => vec![b"0.0".to_vec()],
            TermSort::Text => vec![b"\"\"".to_vec()],
            TermSort::Bits(width) => vec![bits(0, width)],
            TermSort::Other(_) => vec![],
        }
    }
}

/// Returns whether two sorts are the same, by their texts if they are composed or declared.
pub(super) fn is_same(script: &Script, one: TermSort, other: TermSort) -> bool {
    match (one, other) {
        (TermSort::Other(one), TermSort::Other(other)) => script.text(one) == script.text(other),
        _ => one == other,
    }
}

/// Returns whether a term of the second sort may stand for one of the first: if both are known, they are the same, or both numbers, as
/// solvers take a whole one for a real one.
pub(crate) fn may_be_same(script: &Script, one: Option<TermSort>, other: Option<TermSort>) -> bool {
    let is_number = |sort: TermSort| matches!(sort, TermSort::Int | TermSort::Real);
    let Some((one, other)) = one.zip(other) else { return true };
    is_same(script, one, other) || is_number(one) && is_number(other)
}

/// Returns the shortest literal of a vector of bits.
pub(super) fn bits(value: u128, width: u32) -> Vec<u8> {
    let whole = width as usize;
    let plain = format!("(_ bv{value} {width})");
    let short = if whole.is_multiple_of(4) { 2 + whole / 4 } else { 2 + whole };
    if plain.len() < short {
        return plain.into_bytes();
    }
    if whole.is_multiple_of(4) {
        return format!("#x{value:0digits$x}", digits = whole / 4).into_bytes();
    }
    format!("#b{value:0whole$b}").into_bytes()
}

/// Returns the value of a literal of bits, of its last 128 if there are more, and its width.
pub(super) fn bits_of(text: &[u8]) -> Option<(u128, u32)> {
    let (digits, each) = match text.strip_prefix(b"#")?.split_first()? {
        (b'x', digits) => (digits, 4),
        (b'b', digits) => (digits, 1),
        _ => return None,
    };
    let mut value = 0u128;
    for digit in digits {
        let digit = char::from(*digit).to_digit(1 << each)?;
        value = value << each | u128::from(digit);
    }
    Some((value, digits.len() as u32 * each)).filter(|_| !digits.is_empty())
}

/// Returns a number that stands in a text.
pub(super) fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Returns the sort that a node names.
pub(super) fn sort(script: &Script, at: usize) -> TermSort {
    let named = match script.text(at) {
        b"Bool" => Some(TermSort::Bool),
        b"Int" => Some(TermSort::Int),
        b"Real" => Some(TermSort::Real),
        b"String" => Some(TermSort::Text),
        _ => None,
    };
    named.or_else(|| width(script, at).map(|(_, width)| TermSort::Bits(width))).unwrap_or(TermSort::Other(at))
}

/// Returns the node with the width of a sort of vectors of bits, and that width.
pub(super) fn width(script: &Script, at: usize) -> Option<(usize, u32)> {
    let members = script.members(at);
    let [_, name, width] = members[..] else { return None };
    let is_bits = script.head(at) == Some(b"_") && script.text(name) == b"BitVec";
    is_bits.then(|| Some((width, number(script.text(width))?)))?
}

/// Returns, by node, the sort of a term, or the sort that it names.
pub(crate) fn sorts(script: &Script) -> Vec<Option<TermSort>> {
    let mut reading = Reading { script, found: vec![None; script.tree.len()], known: HashMap::new() };
    let mut open: Vec<usize> = vec![];
    for at in 1..=script.tree.len() {
        while let Some(last) = open.pop_if(|last| script.tree.node(*last).after as usize <= at) {
            reading.leave(last);
        }
        open.push(at);
    }
    reading.found
}

struct Reading<'s, 'a> {
    script: &'s Script<'a>,
    found: Vec<Option<TermSort>>,
    /// By name, what it is, innermost last.
    known: HashMap<&'a [u8], Vec<Option<TermSort>>>,
}

impl Reading<'_, '_> {
    /// Decides about a node when all that is in it is known.
    fn leave(&mut self, at: usize) {
        let (script, tree) = (self.script, self.script.tree);
        match tree.kind(at) {
            "number" => {
                let text = script.text(at);
                let plain = if text.contains(&b'.') { TermSort::Real } else { TermSort::Int };
                self.found[at] = Some(bits_of(text).map_or(plain, |(_, width)| TermSort::Bits(width)));
            }
            "string" => self.found[at] = Some(TermSort::Text),
            "symbol" if tree.field(at) != "name" => {
                self.found[at] = match script.text(at) {
                    b"true" | b"false" => Some(TermSort::Bool),
                    name => self.known.get(name).and_then(|sorts| *sorts.last()?),
                };
            }
            "sort" | "compound_sort" => {
                let alias = self.known.get(script.text(at)).and_then(|sorts| *sorts.last()?);
                self.found[at] = Some(alias.unwrap_or_else(|| sort(script, at)));
            }
            "bindings" => {
                for binding in script.members(at) {
                    let bound = script.members(binding).get(1).and_then(|at| self.found[*at]);
                    self.bind(binding, bound);
                }
            }
            "term" => {
                self.found[at] = self.of_list(at);
                self.unbind(at);
            }
            "declaration" => {
                self.unbind(at);
                let declared = tree.child(at, "type").and_then(|sort| self.found[sort]);
                self.bind(at, declared);
            }
            _ => {}
        }
    }

    /// Notes what the name is that a node defines.
    fn bind(&mut self, at: usize, sort: Option<TermSort>) {
        if let Some(name) = self.script.tree.child(at, "name") {
            self.known.entry(self.script.text(name)).or_default().push(sort);
        }
    }

    /// Forgets the names that a list binds, which ends here.
    fn unbind(&mut self, at: usize) {
        let script = self.script;
        for binding in script.listed(at, "bindings").unwrap_or_default() {
            let name = script.tree.child(binding, "name").map(|name| script.text(name));
            name.and_then(|name| self.known.get_mut(name)?.pop());
        }
    }

    fn of_list(&self, at: usize) -> Option<TermSort> {
        let script = self.script;
        let members = script.members(at);
        let (head, arguments) = members.split_first()?;
        let sort_of = |position: usize| arguments.get(position).and_then(|at| self.found[*at]);
        if script.tree.kind(*head) == "term" {
            return self.of_indexed(*head, arguments);
        }
        match script.text(*head) {
            b"let" | b"lambda" => sort_of(1),
            b"!" => sort_of(0),
            b"ite" => sort_of(1).or_else(|| sort_of(2)),
            b"as" => sort_of(1),
            b"_" => self.of_index(arguments),
            b"concat" => match (sort_of(0)?, sort_of(1)?) {
                (TermSort::Bits(first), TermSort::Bits(second)) if arguments.len() == 2 => {
                    first.checked_add(second).map(TermSort::Bits)
                }
                _ => None,
            },
            b"select" => self.of_element(sort_of(0)?),
            b"store" => sort_of(0),
            b"+" | b"-" | b"*" => {
                let known: Vec<TermSort> = arguments.iter().filter_map(|at| self.found[*at]).collect();
                let real = known.iter().find(|sort| **sort == TermSort::Real);
                real.or(known.first()).copied()
            }
            name => match of_name(name) {
                Some(Of::Sort(sort)) => Some(sort),
                Some(Of::First) => sort_of(0),
                None => self.known.get(name).and_then(|sorts| *sorts.last()?),
            },
        }
    }

    /// Returns the sort of `(_ bv5 8)`.
    fn of_index(&self, arguments: &[usize]) -> Option<TermSort> {
        let [name, width] = arguments[..] else { return None };
        self.script.text(name).strip_prefix(b"bv")?.first().filter(|byte| byte.is_ascii_digit())?;
        number(self.script.text(width)).map(TermSort::Bits)
    }

    /// Returns the sort of the elements of an array.
    fn of_element(&self, array: TermSort) -> Option<TermSort> {
        let TermSort::Other(at) = array else { return None };
        let members = self.script.members(at);
        let is_array = members.len() == 3 && self.script.head(at) == Some(b"Array");
        members.get(2).filter(|_| is_array).and_then(|element| self.found[*element])
    }

    /// Returns the sort of a list whose head is a list itself: `((_ extract 7 4) x)`, `((as const S) 0)`.
    fn of_indexed(&self, head: usize, arguments: &[usize]) -> Option<TermSort> {
        let script = self.script;
        if script.head(head) == Some(b"as") {
            return self.found[*script.members(head).get(2)?];
        }
        let members = script.members(head);
        let index = |position: usize| number::<u32>(script.text(*members.get(position)?));
        let given = match arguments.first().and_then(|at| self.found[*at]) {
            Some(TermSort::Bits(width)) => Some(width),
            _ => None,
        };
        let width = match script.text(*members.get(1)?) {
            b"extract" => index(2)?.checked_sub(index(3)?)?.checked_add(1)?,
            b"zero_extend" | b"sign_extend" => given?.checked_add(index(2)?)?,
            b"repeat" => given?.checked_mul(index(2)?)?,
            b"rotate_left" | b"rotate_right" => given?,
            b"int2bv" | b"int_to_bv" => index(2)?,
            b"is" => return Some(TermSort::Bool),
            _ => return None,
        };
        Some(TermSort::Bits(width))
    }
}

/// What a function of the language has as its sort.
enum Of {
    Sort(TermSort),
    /// That of its first argument.
    First,
}

/// What is true or false.
const BOOL: &[&[u8]] = &[
    b"not",
    b"and",
    b"or",
    b"xor",
    b"=>",
    b"=",
    b"distinct",
    b"<",
    b"<=",
    b">",
    b">=",
    b"bvult",
    b"bvule",
    b"bvugt",
    b"bvuge",
    b"bvslt",
    b"bvsle",
    b"bvsgt",
    b"bvsge",
    b"forall",
    b"exists",
    b"str.<",
    b"str.<=",
    b"str.prefixof",
    b"str.suffixof",
    b"str.contains",
    b"str.in_re",
    b"str.is_digit",
    b"is_int",
    b"fp.lt",
    b"fp.leq",
    b"fp.gt",
    b"fp.geq",
    b"fp.eq",
    b"fp.isNaN",
    b"fp.isInfinite",
    b"fp.isZero",
    b"fp.isNormal",
    b"fp.isSubnormal",
    b"fp.isNegative",
    b"fp.isPositive",
];

/// What gives whole numbers.
const INT: &[&[u8]] = &[
    b"div",
    b"mod",
    b"abs",
    b"to_int",
    b"str.len",
    b"str.to_int",
    b"str.indexof",
    b"str.to_code",
    b"bv2nat",
    b"ubv_to_int",
    b"sbv_to_int",
    b"seq.len",
];

/// What gives strings.
const TEXT: &[&[u8]] =
    &[b"str.++", b"str.at", b"str.substr", b"str.replace", b"str.replace_all", b"str.from_int", b"str.from_code"];

/// What gives the sort of its first argument.
const FIRST: &[&[u8]] = &[
    b"bvadd", b"bvsub", b"bvmul", b"bvand", b"bvor", b"bvxor", b"bvneg", b"bvnot", b"bvudiv", b"bvurem", b"bvsdiv",
    b"bvsrem", b"bvsmod", b"bvshl", b"bvlshr", b"bvashr", b"bvnand", b"bvnor", b"bvxnor", b"seq.++",
];

fn of_name(name: &[u8]) -> Option<Of> {
    Some(match name {
        b"bvcomp" => Of::Sort(TermSort::Bits(1)),
        b"/" | b"to_real" => Of::Sort(TermSort::Real),
        _ if BOOL.contains(&name) => Of::Sort(TermSort::Bool),
        _ if INT.contains(&name) => Of::Sort(TermSort::Int),
        _ if TEXT.contains(&name) => Of::Sort(TermSort::Text),
        _ if FIRST.contains(&name) => Of::First,
        _ => return None,
    })
}
