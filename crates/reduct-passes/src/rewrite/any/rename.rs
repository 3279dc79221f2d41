//! Gives all that is defined short names.
//!
//! ## What it tries
//! For each name that the text defines and that is longer than need be: `a`, `b`, `c` and so on everywhere, in
//! the order of first appearance and without names that the text has already. All at once. Then the same for
//! names that are also imported, as those of one file are in another; then for names that seem to be defined nowhere but
//! are there more than once, as attributes of HTML; then for functions of the shell.
//!
//! ## When it helps
//! Nearly always, and it makes many other changes shorter.
//!
//! ## Before
//! ```c
//! int counter;
//! int main() { return counter; }
//! ```
//! ## After
//! ```c
//! int a;
//! int main() { return a; }
//! ```

mod shell;

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Names;
use reduct_input::Subject;
use reduct_input::names::{is_word, words};
use reduct_input::{Edit, Splice};
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass::rewriting("rename", "gives all that is defined short names", 0.9, propose);

/// Words of two or three letters that some language has for itself.
const RESERVED: &[&[u8]] = &[
    b"abs", b"all", b"and", b"any", b"as", b"asm", b"at", b"bit", b"by", b"chr", b"cls", b"def", b"del", b"die",
    b"dim", b"div", b"do", b"dyn", b"elf", b"end", b"eq", b"esc", b"fi", b"fn", b"for", b"fun", b"ge", b"get", b"go",
    b"gt", b"hex", b"if", b"in", b"int", b"is", b"key", b"le", b"len", b"let", b"lt", b"map", b"max", b"min", b"mod",
    b"mut", b"ne", b"new", b"nil", b"no", b"nor", b"not", b"oct", b"of", b"on", b"or", b"ord", b"out", b"pow", b"pub",
    b"ref", b"rem", b"set", b"shl", b"shr", b"str", b"sub", b"sum", b"to", b"try", b"up", b"use", b"val", b"var",
    b"xor", b"zip",
];

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let turns = [renamable(names).collect(), shared(names).collect(), unknown(subject, names).collect()];
    let mut proposals = shortened(subject, names, turns);
    proposals.extend(propose_shrinking(subject, shell::functions(subject)));
    proposals
}

/// Returns short names for these, each list in levels of its own.
pub(super) fn shortened<const N: usize>(subject: &Subject, names: &Names, turns: [Vec<usize>; N]) -> Proposals {
    let mut shorter = Shorter::new(subject);
    let mut edit = |name: usize| {
        let old = names.text(subject, name);
        // SMT-LIB has no sigils, but names in bars.
        let is_plain = is_of(subject, names, name, "smt");
        let sigil = if is_plain { 0 } else { old.iter().take_while(|byte| !is_word(**byte)).count() };
        let new = shorter.than(&old[sigil..])?;
        renamed(names, name, &[&old[..sigil], &new].concat())
    };
    let edits = turns.map(|turn| turn.into_iter().filter_map(&mut edit).collect::<Vec<Edit>>());
    edits.into_iter().flat_map(|edits| propose_shrinking(subject, edits)).collect()
}

/// Short names that the text does not have yet.
pub(super) struct Shorter {
    taken: BTreeSet<Vec<u8>>,
    small: Fresh,
    capital: Fresh,
}

impl Shorter {
    pub(super) fn new(subject: &Subject) -> Shorter {
        let mut taken: BTreeSet<Vec<u8>> = RESERVED.iter().map(|word| word.to_vec()).collect();
        let text = subject.artifact().bytes();
        let short = words(text).filter(|word| word.len() <= 3);
        taken.extend(short.map(|word| text[word.start as usize..word.end as usize].to_vec()));
        Shorter { taken, small: Fresh::new(b'a'), capital: Fresh::new(b'A') }
    }

    /// Returns the next one that is shorter than a word. `None` if there is none.
    pub(super) fn than(&mut self, word: &[u8]) -> Option<Vec<u8>> {
        // Whether it begins with a capital has a meaning in Go, Haskell, Ruby.
        let fresh = if word.first()?.is_ascii_uppercase() { &mut self.capital } else { &mut self.small };
        if word.len() < 2 {
            return None;
        }
        fresh.next(&self.taken, word.len())
    }
}

/// Returns the names that seem to be defined nowhere but are there more than once: in a text that has been reduced the
/// grammar may no longer see that `f(int a){}` defines something.
fn unknown<'a>(subject: &'a Subject, names: &'a Names) -> impl Iterator<Item = usize> + 'a {
    let several = |name: &usize| names.places_of(*name).nth(1).is_some();
    let nowhere = |name: &usize| names.all()[*name].definitions == 0 && names.all()[*name].imports == 0;
    (0..names.all().len()).filter(nowhere).filter(several).filter(|name| !is_of(subject, names, *name, "smt"))
}

/// Returns whether a name first stands in a text of this language.
pub(super) fn is_of(subject: &Subject, names: &Names, name: usize, language: &str) -> bool {
    let first = names.places_of(name).next();
    first.is_some_and(|place| subject.trees()[place.tree].grammar.language == language)
}

/// Returns the names that the text defines itself. What it imports is defined elsewhere.
pub(super) fn renamable(names: &Names) -> impl Iterator<Item = usize> + '_ {
    let own = |name: &usize| names.all()[*name].definitions > 0 && names.all()[*name].imports == 0;
    (0..names.all().len()).filter(own)
}

/// Returns the names that the text both defines and imports.
fn shared(names: &Names) -> impl Iterator<Item = usize> + '_ {
    let shared = |name: &usize| names.all()[*name].definitions > 0 && names.all()[*name].imports > 0;
    (0..names.all().len()).filter(shared)
}

/// Returns the edit that puts another text in all places of a name.
pub(super) fn renamed(names: &Names, name: usize, new: &[u8]) -> Option<Edit> {
    Edit::new(names.places_of(name).map(|place| Splice { at: place.at.clone(), with: new.into() }).collect())
}

/// Names that are not taken: one letter, then two, then three.
struct Fresh {
    first: u8,
    next: usize,
}

impl Fresh {
    fn new(first: u8) -> Fresh {
        Fresh { first, next: 0 }
    }

    /// Returns the next one that is shorter than `longest`. `None` if there is none.
    fn next(&mut self, taken: &BTreeSet<Vec<u8>>, longest: usize) -> Option<Vec<u8>> {
        loop {
            let name = self.name(self.next);
            if name.len() >= longest.min(4) {
                return None;
            }
            self.next += 1;
            if !taken.contains(&name) {
                return Some(name);
            }
        }
    }

    /// Returns the name of a number: letters are its digits, and the first letter may be a capital.
    fn name(&self, number: usize) -> Vec<u8> {
        let (mut rest, mut length) = (number, 1u32);
        while rest >= 26usize.pow(length) {
            rest -= 26usize.pow(length);
            length += 1;
        }
        let digit = |place: u32| (rest / 26usize.pow(place) % 26) as u8;
        (0..length).rev().map(|place| if place + 1 == length { self.first } else { b'a' } + digit(place)).collect()
    }
}
