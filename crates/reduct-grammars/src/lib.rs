//! Grammars of programming and data languages, compiled in: what reads a text as a [`Tree`].
//!
//! ```
//! use reduct_input::Grammars;
//! use reduct_grammars::Languages;
//! use std::path::Path;
//!
//! let tree = Languages::all().parse(Path::new("a.c"), b"int main() { return 0; }").unwrap();
//! assert_eq!(tree.kind(1), "function_definition");
//! ```
//!
//! A language is a file in `language/` that says what is special about it, and a line in [`LANGUAGES`];
//! what fits where comes from the grammar itself. This crate reads no files: it is given texts.
//!
//! Each language is a feature, and there are groups of them: `c-family`, `web`, `scripting`, `data`, `systems`, `managed`;
//! `all`, the default, is all groups. Without any, SMT-LIB is read, and no C is compiled.

#[cfg(feature = "tree-sitter")]
mod convert;
mod describe;
mod grammar;
#[cfg(all(feature = "c", feature = "go", feature = "java", feature = "javascript"))]
mod guards;
mod guess;
mod language;
mod lists;

pub use grammar::grammar_of;
#[cfg(feature = "tree-sitter")]
#[doc(hidden)]
pub use grammar::try_node_types;
#[cfg(all(feature = "c", feature = "go", feature = "java", feature = "javascript"))]
pub use guards::{
    GuardedCode, GuardedStatement, GuardedText, StatementNames, Types, guarded, guarded_source, guarded_to_look,
    statement_names,
};
pub use guess::language_of;
pub use language::{LANGUAGES, Language, Reader};

use reduct_input::{Grammars, Tree};
use std::path::Path;

/// Which languages texts are read in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Languages {
    only: Option<&'static Language>,
}

/// Longer texts are not read: a tree takes some 100 bytes of memory for each byte of text.
const LONGEST: usize = 8 << 20;

impl Languages {
    /// Returns all that are known: that of a text is guessed from its name and its beginning.
    pub fn all() -> Languages {
        Languages::default()
    }

    /// Returns the language of this name, or of files of this extension, for all texts. `None` if it is not known.
    pub fn only(name: &str) -> Option<Languages> {
        let named = |language: &&&Language| language.aliases().any(|alias| alias.eq_ignore_ascii_case(name));
        LANGUAGES.iter().find(named).map(|language| Languages { only: Some(language) })
    }

    /// Returns this language, for all texts.
    pub fn one(language: &'static Language) -> Languages {
        Languages { only: Some(language) }
    }

    /// Returns the language a text is read in.
    pub fn of(&self, path: &Path, text: &[u8]) -> Option<&'static Language> {
        self.only
            .or_else(|| language_of(path, text))
            .filter(|language| text.len() <= LONGEST && !(language.is_beyond)(text))
    }
}

impl Grammars for Languages {
    fn parse(&self, path: &Path, text: &[u8]) -> Option<Tree> {
        let language = self.of(path, text)?;
        match language.reader {
            #[cfg(feature = "tree-sitter")]
            Reader::TreeSitter { function, .. } => convert::tree(language, function, text),
            Reader::Lists => Some(lists::tree(grammar_of(language), text)),
        }
    }

    fn errors(&self, path: &Path, text: &[u8]) -> Option<usize> {
        let language = self.of(path, text)?;
        match language.reader {
            #[cfg(feature = "tree-sitter")]
            Reader::TreeSitter { function, .. } => Some(convert::errors(language, function, text)),
            Reader::Lists => Some(lists::errors(text)),
        }
    }

    fn follows(&self, path: &Path, text: &[u8]) -> bool {
        self.of(path, text).is_some_and(|language| match language.reader {
            #[cfg(feature = "tree-sitter")]
            Reader::TreeSitter { function, .. } => convert::follows(language, function, text),
            Reader::Lists => lists::errors(text) == 0,
        })
    }
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
