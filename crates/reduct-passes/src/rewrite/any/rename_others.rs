//! Gives what is defined elsewhere a short name, too.
//!
//! ## What it tries
//! For each name that the text imports, or that it names only once and defines nowhere, and that is longer than need be: a short
//! name, as `rename` gives. The same for each word of a text that does not follow its language, where no grammar tells names
//! from other words, and for each short key of YAML that is there once. It is tried when other passes find nothing more, as it often asks in vain.
//!
//! ## When it helps
//! Where the failure comes before anybody looks for what is named: in a parser, or with a name that may be unknown.
//!
//! ## Before
//! ```py
//! from module import name
//! name(other.thing)
//! ```
//! ## After
//! ```py
//! from a import b
//! b(c.d)
//! ```

mod keys;

use super::rename::{Shorter, is_of, shortened};
use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::outermost;
use reduct_input::names::words;
use reduct_input::{Edit, Names, Role, Splice, Subject, Tree};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("rename-others", "gives what is defined elsewhere a short name", 0.3, propose)
};

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    // In SMT-LIB they are words of the language, unless the text does not follow it: then what fails may be the reader.
    let is_word = |name: &usize| is_of(subject, names, *name, "smt") && subject.parses();
    let others = others(names).filter(|name| !is_word(name)).collect();
    let mut proposals = shortened(subject, names, [others]);
    proposals.extend(propose_shrinking(subject, unread(subject, names)));
    proposals.extend(propose_shrinking(subject, keys::short(subject)));
    proposals
}

/// Returns a short name for each word of texts whose language is known, but which no grammar reads, and of statements that the grammar does
/// not know.
fn unread(subject: &Subject, names: &Names) -> Vec<Edit> {
    let unknown = subject.of_unknown_languages();
    let regions = subject.unparsed().into_iter().filter(|region| !unknown.contains(region));
    let is_statement = |tree: &Tree, at: usize| tree.is_unread(at) && tree.node(at).role == Role::Item;
    let statements = subject.trees().iter().flat_map(|tree| outermost(tree, |at| is_statement(tree, at)));
    let regions = regions.chain(statements);
    let own: HashSet<Vec<u8>> = subject.trees().iter().flat_map(words_of_language).collect();
    let within = |region: Range<u32>| {
        words(subject.text(region.clone()))
            .map(move |at| at.start + region.start..at.end + region.start)
            .collect::<Vec<_>>()
    };
    let mut places: BTreeMap<&[u8], Vec<Range<u32>>> = BTreeMap::new();
    for at in regions.flat_map(within) {
        let word = subject.text(at.clone());
        if word.len() >= SHORTEST && !word[0].is_ascii_digit() && !own.contains(&word.to_ascii_lowercase()) {
            places.entry(word).or_default().push(at);
        }
    }
    // Those that the grammar sees are renamed as such.
    for name in 0..names.all().len() {
        places.remove(names.text(subject, name));
    }
    let mut shorter = Shorter::new(subject);
    let splices =
        |at: Vec<Range<u32>>, new: Vec<u8>| at.into_iter().map(|at| Splice { at, with: (&*new).into() }).collect();
    let edits = places.into_iter().filter_map(|(word, at)| Edit::new(splices(at, shorter.than(word)?)));
    edits.collect()
}

/// Returns the words that the grammar of a tree has names for, in small letters.
fn words_of_language(tree: &Tree) -> impl Iterator<Item = Vec<u8>> + '_ {
    let names = tree.grammar.kinds.iter().map(|kind| kind.name.strip_prefix("keyword_").unwrap_or(&kind.name));
    names.map(|name| name.to_ascii_lowercase().into_bytes())
}

/// Words that are shorter gain little.
const SHORTEST: usize = 4;

/// Returns the names that `rename` does not change.
fn others(names: &Names) -> impl Iterator<Item = usize> + '_ {
    let once = |name: &usize| names.places_of(*name).nth(1).is_none();
    let elsewhere = move |name: &usize| {
        let known = &names.all()[*name];
        known.definitions == 0 && (known.imports > 0 || once(name))
    };
    (0..names.all().len()).filter(elsewhere)
}
