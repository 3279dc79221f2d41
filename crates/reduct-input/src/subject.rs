//! An artifact with the trees of its texts, which are made when they are first asked for.

use crate::artifact::{Artifact, What};
use crate::candidate::Candidate;
use crate::names::Names;
use crate::parsed::Parsed;
use crate::record::UnmetNeeds;
use crate::tree::{Grammars, Role, Tree};
use std::ops::{Range, RangeBounds};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What kinds of parts and passes are given: an artifact, and what its texts mean.
#[derive(Clone, Debug)]
pub struct Subject {
    artifact: Arc<Artifact>,
    grammars: Option<Arc<dyn Grammars>>,
    read: Arc<Read>,
    unmet_needs: Option<UnmetNeeds>,
    said: Arc<[String]>,
    /// Which files are no text.
    is_no_text: fn(&[u8]) -> bool,
}

/// What was read of the texts so far.
#[derive(Debug, Default)]
struct Read {
    trees: OnceLock<Vec<Tree>>,
    names: OnceLock<Names>,
    binaries: OnceLock<Vec<Range<u32>>>,
    /// By entry, in how many places a text does not follow its language.
    errors: OnceLock<Vec<Option<usize>>>,
}

/// Longer texts are not read again for every candidate: that would take longer than many a test (some 10 ms for 100 kB, and three times as long in
/// SQL), and a large candidate that does not parse is rare. So a candidate with one is read once its test has failed.
const READ_FIRST: usize = 1 << 15;

/// Texts longer than this are not even read then.
const READ_AGAIN: usize = 1 << 18;

impl Subject {
    /// Returns an artifact whose texts are read with these grammars, if there are any.
    pub fn new(artifact: Arc<Artifact>, grammars: Option<Arc<dyn Grammars>>) -> Subject {
        Subject {
            artifact,
            grammars,
            read: Arc::default(),
            unmet_needs: None,
            said: Arc::new([]),
            is_no_text: is_binary,
        }
    }

    /// Returns the same, of which tests have shown which events the others miss.
    pub fn with_unmet_needs(self, unmet_needs: UnmetNeeds) -> Subject {
        Subject { unmet_needs: Some(unmet_needs), ..self }
    }

    /// Returns which events the others miss when they go alone; `None` if nothing was tried.
    pub fn unmet_needs(&self) -> Option<&UnmetNeeds> {
        self.unmet_needs.as_ref()
    }

    /// Returns the same, with the texts that its failure has to say.
    pub fn with_said(self, said: Arc<[String]>) -> Subject {
        Subject { said, ..self }
    }

    /// Returns the texts that its failure has to say, as far as they are known.
    pub fn said(&self) -> &[String] {
        &self.said
    }

    /// Returns the same, which is told otherwise which files are no text. That is to be said before it is asked.
    pub fn with_binaries(self, is_no_text: fn(&[u8]) -> bool) -> Subject {
        Subject { is_no_text, ..self }
    }

    /// Returns the artifact.
    pub fn artifact(&self) -> &Arc<Artifact> {
        &self.artifact
    }

    /// Returns the trees of the files whose language is known, in their order. Positions are addresses in the artifact,
    /// so that `artifact().slice(tree.range(node))` is a node's text.
    pub fn trees(&self) -> &[Tree] {
        self.read.trees.get_or_init(|| {
            let Some(grammars) = &self.grammars else { return vec![] };
            let texts = self.artifact.files().filter(|(.., text)| !text.is_empty());
            let tree =
                |(path, addresses, text): (_, Range<u32>, _)| Some(grammars.parse(path, text)?.moved(addresses.start));
            texts.filter_map(tree).collect()
        })
    }

    /// Returns the names in the trees, and where they stand.
    pub fn names(&self) -> &Names {
        self.read.names.get_or_init(|| Names::new(self))
    }

    /// Returns the addresses of files that are no text.
    pub fn binaries(&self) -> &[Range<u32>] {
        self.read.binaries.get_or_init(|| {
            let binary = self.artifact.files().filter(|(.., text)| (self.is_no_text)(text));
            binary.map(|(_, addresses, _)| addresses).collect()
        })
    }

    /// Returns the bytes at these addresses.
    pub fn text(&self, addresses: Range<u32>) -> &[u8] {
        self.artifact.slice(addresses)
    }

    /// Returns the addresses of what no grammar reads: files of unknown languages, and the regions of others that do
    /// not follow theirs.
    pub fn unparsed(&self) -> Vec<Range<u32>> {
        let mut trees = self.trees().iter().peekable();
        let mut found = vec![];
        for (_, addresses, _) in self.artifact.files() {
            let Some(tree) = trees.next_if(|tree| !addresses.is_empty() && addresses.contains(&tree.range(0).start))
            else {
                found.push(addresses);
                continue;
            };
            let mut at = 1;
            while at < tree.len() {
                let is_error = tree.node(at).role == Role::Error;
                if is_error {
                    found.push(tree.range(at));
                }
                at = if is_error { tree.node(at).after as usize } else { at + 1 };
            }
        }
        found
    }

    /// Returns whether the language of any file is known, even if the file does not follow it.
    pub fn knows_a_language(&self) -> bool {
        self.grammars.is_some() && self.errors().iter().any(Option::is_some)
    }

    /// Returns the addresses of the files whose language is not known.
    pub fn of_unknown_languages(&self) -> Vec<Range<u32>> {
        let unknown = self.artifact.entries().iter().zip(self.errors()).filter(|(_, errors)| errors.is_none());
        let addresses = unknown.filter_map(|(entry, _)| match &entry.what {
            What::File { bytes, .. } => Some(bytes.clone()),
            _ => None,
        });
        addresses.collect()
    }

    /// Returns whether every text whose language is known follows it.
    pub fn parses(&self) -> bool {
        self.grammars.is_none() || self.errors().iter().flatten().all(|errors| *errors == 0)
    }

    /// Returns whether no text of a candidate follows its language less than it does here.
    pub fn allows(&self, candidate: &Candidate) -> bool {
        self.allows_if(..=READ_AGAIN, candidate)
    }

    /// Returns the same before the candidate is tested: of its long texts, that is found out [later](Subject::allows_failing).
    pub fn allows_test(&self, candidate: &Candidate) -> bool {
        self.allows_if(..=READ_FIRST, candidate)
    }

    /// Returns the same of a candidate whose test may begin and that fails: its long texts are read now.
    pub fn allows_failing(&self, candidate: &Candidate) -> bool {
        self.allows_if(READ_FIRST + 1..=READ_AGAIN, candidate)
    }

    /// Returns the same of texts of so many bytes.
    fn allows_if(&self, read: impl RangeBounds<usize>, candidate: &Candidate) -> bool {
        let Some(grammars) = &self.grammars else { return true };
        let mut own = self.artifact.entries().iter().enumerate();
        candidate.base_entries().zip(candidate.pieces()).all(|(before, (entry, pieces))| {
            // A candidate's entries are some of its base's, in their order.
            let Some((at, _)) = own.find(|(_, here)| here.path == before.path) else { return true };
            let length: usize = pieces.iter().map(|piece| piece.len()).sum();
            let untouched = candidate.is_subset()
                && matches!(&entry.what, What::File { bytes, .. } if bytes.len() == length && pieces.len() == 1);
            if untouched || !read.contains(&length) {
                return true;
            }
            let Some(before) = self.errors()[at] else { return true };
            grammars.errors(&entry.path, &pieces.concat()).is_none_or(|errors| errors <= before)
        })
    }

    /// Returns the tree of another text in the place of a file's, with positions from 0; `None` if its language is not
    /// known, or the text is too long to be read again.
    pub fn read_again(&self, path: &Path, text: &[u8]) -> Option<Tree> {
        let grammars = self.grammars.as_ref().filter(|_| text.len() <= READ_AGAIN)?;
        grammars.parse(path, text)
    }

    /// Returns whether nothing is amiss in another text in the place of a file's, not even a token that has no node.
    pub fn would_follow(&self, path: &Path, text: &[u8]) -> bool {
        self.grammars.as_ref().is_some_and(|grammars| text.len() <= READ_AGAIN && grammars.follows(path, text))
    }

    fn errors(&self) -> &[Option<usize>] {
        self.read.errors.get_or_init(|| {
            let count = |entry: &crate::artifact::Entry| match &entry.what {
                What::File { bytes, .. } => self.grammars.as_ref()?.errors(&entry.path, self.text(bytes.clone())),
                _ => None,
            };
            self.artifact.entries().iter().map(count).collect()
        })
    }
}

impl Parsed for Subject {
    fn bytes(&self) -> &[u8] {
        self.artifact.bytes()
    }

    fn trees(&self) -> &[Tree] {
        Subject::trees(self)
    }
}

/// How much of a file is looked at to see whether it is text.
const SAMPLE: usize = 1 << 12;

/// Returns whether a file is no text: of its first bytes less than three in four can be printed, or more than one in 32
/// is NUL. Some NULs are in programs that a fuzzer made, and other bytes that are not UTF-8 in texts of older
/// encodings.
pub fn is_binary(text: &[u8]) -> bool {
    let sample = &text[..text.len().min(SAMPLE)];
    let nul = sample.iter().filter(|byte| **byte == 0).count();
    let is_printable = |c: &char| !c.is_control() || c.is_ascii_whitespace();
    let valid = sample.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    let printable: usize = valid.filter(is_printable).map(char::len_utf8).sum();
    nul * 32 > sample.len() || printable * 4 < sample.len() * 3
}
