//! What fits where in a language, from the node types of its grammar.

#[cfg(feature = "tree-sitter")]
mod load;

use crate::language::{LANGUAGES, Language, Reader};
use crate::lists;
use reduct_input::{Grammar, KindId, Role};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

/// By kind of parent and field: what children of these kinds, or of any if none is named, are.
pub(crate) type Exceptions = BTreeMap<(KindId, u16), Vec<(Vec<KindId>, Role)>>;

/// A grammar, and how its kinds and fields are numbered by what reads the texts.
#[derive(Debug)]
#[cfg_attr(not(feature = "tree-sitter"), expect(dead_code, reason = "lists have one number for each kind"))]
pub(crate) struct Loaded {
    /// The grammar.
    pub grammar: Arc<Grammar>,
    /// By the number of a symbol, its kind.
    pub kinds: Vec<KindId>,
    /// The kind of what cannot be read.
    pub error: KindId,
    /// The field of the bodies of functions.
    pub body: Option<u16>,
    /// Where the node types say less than the grammar.
    pub roles: Exceptions,
}

/// Returns the kinds of a language and what fits where.
pub fn grammar_of(language: &'static Language) -> Arc<Grammar> {
    loaded(language).grammar.clone()
}

/// Reads bytes as the node types of a language, for tests with hostile bytes: it is no interface.
#[cfg(feature = "tree-sitter")]
#[doc(hidden)]
pub fn try_node_types(bytes: &[u8]) {
    let language = LANGUAGES.iter().find(|language| matches!(language.reader, Reader::TreeSitter { .. }));
    if let Some((language, Reader::TreeSitter { function, .. })) = language.map(|language| (language, &language.reader))
    {
        let _ = load::load(language, &(*function).into(), &String::from_utf8_lossy(bytes));
    }
}

/// Returns what is made once for each language.
pub(crate) fn loaded(language: &'static Language) -> &'static Loaded {
    static LOADED: LazyLock<Vec<OnceLock<Loaded>>> =
        LazyLock::new(|| LANGUAGES.iter().map(|_| OnceLock::new()).collect());
    let at = LANGUAGES.iter().position(|known| known.name == language.name).unwrap_or_default();
    LOADED[at].get_or_init(|| match language.reader {
        #[cfg(feature = "tree-sitter")]
        Reader::TreeSitter { function, node_types } => load::load(language, &function.into(), node_types),
        Reader::Lists => {
            let grammar = Arc::new(lists::grammar(language));
            Loaded { grammar, kinds: vec![], error: 0, body: None, roles: BTreeMap::new() }
        }
    })
}
