//! The languages: for each a file that says what is special about it, and a line here.

#[cfg(feature = "bash")]
mod bash;
#[cfg(feature = "c")]
mod c;
#[cfg(feature = "cpp")]
mod cpp;
#[cfg(feature = "csharp")]
mod csharp;
#[cfg(feature = "css")]
mod css;
#[cfg(feature = "glsl")]
mod glsl;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "html")]
mod html;
#[cfg(feature = "java")]
mod java;
#[cfg(feature = "javascript")]
mod javascript;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "llvm")]
mod llvm;
#[cfg(feature = "lua")]
mod lua;
#[cfg(feature = "php")]
mod php;
#[cfg(feature = "python")]
mod python;
#[cfg(feature = "ruby")]
mod ruby;
#[cfg(feature = "rust")]
mod rust;
mod smt;
#[cfg(feature = "solidity")]
mod solidity;
#[cfg(feature = "sql")]
mod sql;
#[cfg(any(feature = "html", feature = "xml"))]
mod tags;
#[cfg(feature = "toml")]
mod toml;
#[cfg(feature = "typescript")]
mod typescript;
#[cfg(feature = "xml")]
mod xml;
#[cfg(feature = "yaml")]
mod yaml;
#[cfg(feature = "zig")]
mod zig;

use reduct_input::{Class, Role};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
#[cfg(feature = "tree-sitter")]
use tree_sitter_language::LanguageFn;

/// All languages that are compiled in. Where two claim an extension, it is the first's.
pub static LANGUAGES: &[&Language] = &[
    #[cfg(feature = "c")]
    &c::LANGUAGE,
    #[cfg(feature = "cpp")]
    &cpp::LANGUAGE,
    #[cfg(feature = "rust")]
    &rust::LANGUAGE,
    #[cfg(feature = "python")]
    &python::LANGUAGE,
    #[cfg(feature = "javascript")]
    &javascript::LANGUAGE,
    #[cfg(feature = "typescript")]
    &typescript::TYPESCRIPT,
    #[cfg(feature = "typescript")]
    &typescript::TSX,
    #[cfg(feature = "java")]
    &java::LANGUAGE,
    #[cfg(feature = "go")]
    &go::LANGUAGE,
    #[cfg(feature = "csharp")]
    &csharp::LANGUAGE,
    #[cfg(feature = "ruby")]
    &ruby::LANGUAGE,
    #[cfg(feature = "php")]
    &php::LANGUAGE,
    #[cfg(feature = "lua")]
    &lua::LANGUAGE,
    #[cfg(feature = "zig")]
    &zig::LANGUAGE,
    #[cfg(feature = "solidity")]
    &solidity::LANGUAGE,
    #[cfg(feature = "glsl")]
    &glsl::LANGUAGE,
    #[cfg(feature = "llvm")]
    &llvm::LANGUAGE,
    #[cfg(feature = "bash")]
    &bash::LANGUAGE,
    #[cfg(feature = "sql")]
    &sql::LANGUAGE,
    #[cfg(feature = "html")]
    &html::LANGUAGE,
    #[cfg(feature = "css")]
    &css::LANGUAGE,
    #[cfg(feature = "xml")]
    &xml::LANGUAGE,
    #[cfg(feature = "json")]
    &json::LANGUAGE,
    #[cfg(feature = "yaml")]
    &yaml::LANGUAGE,
    #[cfg(feature = "toml")]
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
    /// Kinds of nodes that end with a sign which the grammar has beside them, where they stand under no field.
    pub signs: &'static [(&'static str, &'static str)],
    /// Says of which texts what reads it cannot be trusted to come to an end. They are not read.
    pub is_beyond: fn(&[u8]) -> bool,
    /// Returns what of a text its grammar does not know, in order and apart, and what means the same to it as white space there.
    /// Each is a node that can go.
    pub unknown: fn(&[u8]) -> Vec<Range<usize>>,
    /// Returns a text of the same length that the grammar reads in the place of one of a dialect, where that differs.
    pub read_as: fn(&[u8]) -> Cow<'_, [u8]>,
}

/// What reads a language.
#[derive(Clone, Copy)]
pub enum Reader {
    /// A grammar of tree-sitter's.
    #[cfg(feature = "tree-sitter")]
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
    /// Returns whether what reads it is not Rust, and may end the process that it is in.
    pub fn is_foreign(&self) -> bool {
        !matches!(self.reader, Reader::Lists)
    }

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

#[cfg(feature = "tree-sitter")]
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
            signs: &[],
            is_beyond: |_| false,
            unknown: |_| vec![],
            read_as: |text| text.into(),
        }
    }
}

#[cfg(any(feature = "cpp", feature = "typescript"))]
/// Returns two lists as one, for languages that begin as others.
const fn joined<T: Copy, const N: usize>(first: &[T], then: &[T]) -> [T; N] {
    let mut all = [first[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() { first[at] } else { then[at - first.len()] };
        at += 1;
    }
    all
}
