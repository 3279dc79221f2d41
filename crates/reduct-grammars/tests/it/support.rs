//! The stock program of each language, and what is seen of trees.

use reduct_core::{Config, Delta};
use reduct_grammars::{LANGUAGES, Language, Languages};
use reduct_input::{Artifact, Circumstances, Grammars, Parts, Subject, Tree};
use reduct_passes::Pass;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A language and its stock program, which is about a `needle`.
pub struct Stock {
    pub language: &'static Language,
    pub path: PathBuf,
    pub text: Vec<u8>,
}

impl Stock {
    pub fn grammars(&self) -> Languages {
        Languages::only(self.language.name).unwrap()
    }

    pub fn errors(&self, text: &[u8]) -> usize {
        self.grammars().errors(&self.path, text).unwrap()
    }

    pub fn tree(&self) -> Tree {
        self.grammars().parse(&self.path, &self.text).unwrap()
    }
}

/// The stock programs of all languages.
pub fn stock() -> Vec<Stock> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/languages");
    let read = |language: &&'static Language| {
        let path = folder.join(format!("{}.{}", language.name, language.extensions[0]));
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Stock { language, path, text }
    };
    LANGUAGES.iter().map(read).collect()
}

/// A tree, a line for each node.
pub fn shown(tree: &Tree, text: &[u8]) -> String {
    let line = |at: usize| {
        let depth = std::iter::successors(Some(at), |at| tree.parent(*at)).count() - 1;
        let node = tree.node(at);
        let text = String::from_utf8_lossy(&text[node.start as usize..node.end as usize]);
        format!("{}{} {} {:?} {text:?}\n", "  ".repeat(depth), tree.field(at), tree.kind(at), node.role)
    };
    (0..tree.len()).map(line).collect()
}

pub fn has(text: &[u8], needle: &[u8]) -> bool {
    text.windows(needle.len()).any(|window| window == needle)
}

/// A text with some addresses replaced.
pub fn replaced(text: &[u8], at: Range<u32>, with: &[u8]) -> Vec<u8> {
    [&text[..at.start as usize], with, &text[at.end as usize..]].concat()
}

/// A part: its text, its addresses, and what is left without it.
pub type Part = (String, Range<u32>, Vec<u8>);

/// The parts of kind `nodes`, level by level.
pub fn parts(path: &Path, text: &[u8], grammars: Languages) -> Vec<Vec<Part>> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("input");
    let base = Arc::new(Artifact::of_file(name, text).unwrap());
    let subject = Subject::new(base.clone(), Some(Arc::new(grammars)));
    let nodes = Pass::named("nodes").unwrap();
    let level = |spans| {
        let parts = Parts::new(base.clone(), spans);
        let all = Config::full(parts.len());
        let part = |at: u32| {
            let gone = parts.addresses(Delta(at));
            let shown = String::from_utf8_lossy(base.slice(gone.clone())).into_owned();
            let without = parts.candidate(&all.without(at as usize..at as usize + 1)).unwrap().artifact();
            (shown, gone, without.bytes().to_vec())
        };
        (0..parts.len() as u32).map(part).collect()
    };
    (nodes.propose)(&subject).into_iter().map(level).collect()
}

/// All languages.
pub fn grammars() -> Arc<dyn Grammars> {
    Arc::new(Languages::all())
}

/// The folder of the whole project.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
