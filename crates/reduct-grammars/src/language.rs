//! The languages: for each a file that says what is special about it, and a line here.

mod bash;
mod c;
mod cpp;
mod csharp;
mod css;
mod glsl;
mod go;
mod html;
mod java;
mod javascript;
mod json;
mod llvm;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod smt;
mod solidity;
mod sql;
mod toml;
mod typescript;
mod xml;
mod yaml;
mod zig;

use reduct_input::{Class, Role};
use std::fmt;
use tree_sitter_language::LanguageFn;

/// All languages. Where two claim an extension, it is the first's.
pub static LANGUAGES: &[&Language] = &[
    &c::LANGUAGE,
    &cpp::LANGUAGE,
    &rust::LANGUAGE,
    &python::LANGUAGE,
    &javascript::LANGUAGE,
    &typescript::TYPESCRIPT,
    &typescript::TSX,
    &java::LANGUAGE,
    &go::LANGUAGE,
    &csharp::LANGUAGE,
    &ruby::LANGUAGE,
    &php::LANGUAGE,
    &lua::LANGUAGE,
    &zig::LANGUAGE,
    &solidity::LANGUAGE,
    &glsl::LANGUAGE,
    &llvm::LANGUAGE,
    &bash::LANGUAGE,
    &sql::LANGUAGE,
    &html::LANGUAGE,
    &css::LANGUAGE,
    &xml::LANGUAGE,
    &json::LANGUAGE,
    &yaml::LANGUAGE,
    &toml::LANGUAGE,
    &smt::LANGUAGE,
];

/// A language, and what its grammar does not say.
pub struct Language {
    /// Its name in `--language`.
    pub name: &'static str,
    /// What else it is called.
    pub nicknames: &'static [&'static str],
    /// What the names of its files end in, without the dot.
    pub extensions: &'static [&'static str],
    /// What runs its scripts, without versions.
    pub interpreters: &'static [&'static str],
    /// What its texts begin with if nothing else says what they are.
    pub beginnings: &'static [&'static str],
    /// What reads it.
    pub reader: Reader,
    /// The properties of kinds, by their names or those of their supertypes.
    pub classes: &'static [(&'static str, Class)],
    /// The shortest texts that may stand for kinds or supertypes, likeliest first.
    pub shortest: &'static [(&'static str, &'static [&'static str])],
    /// What the names of rules begin with that are only words of the language.
    pub words: &'static [&'static str],
    /// Whether what is not closed is no error, as long as all of it can be read.
    pub lenient: bool,
    /// Rules for what is wrong.
    pub wrong: &'static [&'static str],
    /// Where the node types say less than the grammar: what the children of a kind of node under a field
    /// (or under none), of one kind (or of any), are to it.
    /// The first that fits counts; `*` stands for the end of a name of a kind.
    pub roles: &'static [(&'static str, &'static str, &'static str, Role)],
}

/// What reads a language.
#[derive(Clone, Copy)]
pub enum Reader {
    /// A grammar of tree-sitter's.
    TreeSitter {
        /// Its tables.
        function: LanguageFn,
        /// What fits where, in JSON.
        node_types: &'static str,
    },
    /// A reader of our own, for lists in parentheses.
    Lists,
}

impl Language {
    /// Returns what it may be called: its name, what else it is called, and what its files end in.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> + '_ {
        std::iter::once(self.name).chain(self.nicknames.iter().copied()).chain(self.extensions.iter().copied())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Language {
    /// Returns a language about which nothing is special.
    const fn new(name: &'static str, function: LanguageFn, node_types: &'static str) -> Language {
        Language {
            name,
            nicknames: &[],
            extensions: &[],
            interpreters: &[],
            beginnings: &[],
            reader: Reader::TreeSitter { function, node_types },
            classes: &[],
            shortest: &[],
            words: &[],
            lenient: false,
            wrong: &[],
            roles: &[],
        }
    }
}

/// Two lists as one, for languages that begin as others.
const fn joined<T: Copy, const N: usize>(first: &[T], then: &[T]) -> [T; N] {
    let mut all = [first[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() { first[at] } else { then[at - first.len()] };
        at += 1;
    }
    all
}
