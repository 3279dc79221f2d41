//! All minima of an input: every 1-minimal choice of its parts, in parts of one sort.

use crate::phase::Phase;
use reduct_core::{Config, Key, Outcome, Question, Search};
use reduct_input::Candidate;
use reduct_input::Grammars;
use reduct_input::Subject;
use reduct_input::parts::Apart;
use reduct_input::{Artifact, ArtifactBuilder, Entry, What};
use reduct_input::{Circumstances, Parts};
use reduct_passes::Pass;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// An enumeration of minima, paused before one test.
#[derive(Clone, Debug)]
pub struct AllMinima {
    parts: Arc<Parts>,
    pass: Pass,
    /// What its parts are here.
    unit: &'static str,
    search: reduct_core::Minima,
    /// At most so many different ones are looked for.
    most: usize,
    /// One of each text, in the order in which they were found.
    found: Arc<Vec<Minimum>>,
    /// Of how many minima of the search the texts are known.
    told: usize,
}

/// A minimum: a choice of parts, or several that make the same text.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// The parts.
    pub parts: Config,
    /// What they make.
    pub candidate: Candidate,
    /// How many choices of parts make the same.
    pub choices: usize,
}

impl AllMinima {
    /// Looks for all minima of `artifact`, which fails, in the parts of a pass with a single list; for so many at most.
    pub fn new(artifact: Artifact, pass: Pass, grammars: Option<Arc<dyn Grammars>>, most: usize) -> AllMinima {
        let base = Arc::new(artifact);
        let subject = Subject::new(base.clone(), grammars);
        let spans = (pass.propose)(&subject).into_iter().next();
        let unit = pass.unit_in(&subject);
        // An input without parts has nothing that could go.
        let spans = spans.unwrap_or_else(|| Apart(Arc::new([])).into());
        let parts = Arc::new(Parts::new(base, spans));
        let search = reduct_core::Minima::new(Config::full(parts.len()));
        let mut minima = AllMinima { parts, pass, unit, search, most, found: Arc::default(), told: 0 };
        minima.answer_known();
        minima
    }

    /// Returns what is known: one minimum of each text.
    pub fn found(&self) -> &[Minimum] {
        &self.found
    }

    /// Returns how many parts there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns whether there is no part.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns in what sizes are counted.
    pub fn unit(&self) -> &'static str {
        self.unit
    }

    /// Returns where a part is: its addresses in the whole.
    pub fn addresses(&self, part: reduct_core::Delta) -> Range<u32> {
        self.parts.addresses(part)
    }

    /// Returns what a choice of parts makes.
    pub fn candidate(&self, parts: &Config) -> Option<Candidate> {
        self.parts.candidate(parts)
    }

    /// Returns whether all minima are known, as far as the test is monotone, and as far as it could tell
    /// ([`AllMinima::unclear`]).
    pub fn is_complete(&self) -> bool {
        self.search.ask().is_none()
    }

    /// Returns how often it could not be told whether there is a minimum in what was tried.
    pub fn unclear(&self) -> usize {
        self.search.unclear()
    }

    /// Returns whether as many are known as were asked for.
    pub fn is_enough(&self) -> bool {
        self.found.len() >= self.most
    }

    /// Returns whether something was seen to fail that is part of something that does not.
    pub fn is_monotone(&self) -> bool {
        self.search.witness().is_none()
    }

    /// Sizes of what shows that the test is not monotone: what fails, and what does not though it holds all of it.
    pub fn witness(&self) -> Option<(usize, usize)> {
        self.search.witness().map(|(fails, passes)| (fails.len(), passes.len()))
    }

    /// Returns the parts that are in all minima, and those that are in some of them but not in all.
    pub fn roles(&self) -> (Config, Config) {
        let all = |of: fn(&Config, &Config) -> Config| {
            let parts = self.search.found().iter().cloned();
            parts.reduce(|one, other| of(&one, &other)).unwrap_or_else(Config::empty)
        };
        let in_all = all(|one, other| one.minus(&one.minus(other)));
        let in_any = all(Config::union);
        (in_all.clone(), in_any.minus(&in_all))
    }

    /// Returns what is being done now; `None` once all is done.
    pub fn phase(&self) -> Option<Phase> {
        let round = self.found.len() + 1;
        self.ask().map(|_| Phase { round, ..Phase::new(self.pass.name, self.parts.len()) })
    }

    /// Takes in what the search has found, and answers what needs no test.
    fn answer_known(&mut self) {
        loop {
            let new: Vec<Config> = self.search.found()[self.told..].to_vec();
            self.told += new.len();
            for parts in new {
                self.add(parts);
            }
            match self.search.ask() {
                Some(parts) if self.parts.candidate(&parts).is_none() => self.search.tell(Outcome::Unresolved),
                _ => return,
            }
        }
    }

    fn add(&mut self, parts: Config) {
        let Some(candidate) = self.parts.candidate(&parts) else { return };
        let found = Arc::make_mut(&mut self.found);
        let Key(key) = candidate.key();
        match found.iter_mut().find(|minimum| minimum.candidate.key() == Key(key)) {
            Some(known) => known.choices += 1,
            None => found.push(Minimum { parts, candidate, choices: 1 }),
        }
    }
}

/// What the published folder holds as long as no minimum is known.
const SO_FAR: &str = "so-far";

/// The folder of what was found: a minimum each, by number.
impl AllMinima {
    /// Returns under which name a minimum stands there, counted from 0.
    pub fn name(&self, at: usize) -> PathBuf {
        self.named(&format!("{:02}", at + 1))
    }

    /// Returns under which name the best so far stands there as long as no minimum is known.
    pub fn so_far(&self) -> PathBuf {
        self.named(SO_FAR)
    }

    /// Returns all minima that are known in one folder, or the best so far if none is; with these files beside them.
    pub fn in_one_folder(&self, files: &[(&str, Vec<u8>)]) -> Candidate {
        let mut entries: BTreeMap<PathBuf, What> = BTreeMap::new();
        let mut contents: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
        let minima = self.found.iter().enumerate().map(|(at, minimum)| (self.name(at), minimum.candidate.clone()));
        let so_far = self.found.is_empty().then(|| (self.so_far(), self.best()));
        for (name, candidate) in minima.chain(so_far) {
            let artifact = candidate.artifact();
            let is_file = self.is_file();
            if !is_file {
                entries.insert(name.clone(), What::Folder { mode: 0o755 });
            }
            for entry in artifact.entries() {
                let path = if is_file { name.clone() } else { name.join(&entry.path) };
                if let What::File { bytes, .. } = &entry.what {
                    contents.insert(path.clone(), artifact.slice(bytes.clone()).to_vec());
                }
                entries.insert(path, entry.what.clone());
            }
        }
        for (name, bytes) in files {
            entries.insert(name.into(), What::File { mode: 0o644, bytes: 0..0 });
            contents.insert(name.into(), bytes.clone());
        }
        let mut builder = ArtifactBuilder::default();
        for (path, what) in entries {
            match what {
                // What does not fit into 4 GiB is left out; each alone is on disk since it was found.
                What::File { mode, .. } => {
                    let bytes = contents.remove(&path).unwrap_or_default();
                    let _ = builder.file(path, mode, &bytes);
                }
                What::Link { target } => drop(builder.link(path, target)),
                What::Folder { mode } => drop(builder.folder(path, mode)),
                What::Archive { mode, packing } => drop(builder.archive(path, mode, packing)),
            }
        }
        Candidate::whole(builder.finish().into())
    }

    /// Returns whether the input is one file, so that a minimum is one too.
    fn is_file(&self) -> bool {
        matches!(self.parts.base().entries(), [Entry { what: What::File { .. }, .. }])
    }

    fn named(&self, stem: &str) -> PathBuf {
        let extension = self.parts.base().entries().first().and_then(|entry| entry.path.extension());
        let mut name = OsString::from(stem);
        if let (Some(extension), true) = (extension, self.is_file()) {
            name.push(".");
            name.push(extension);
        }
        name.into()
    }
}

impl Search for AllMinima {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        if self.is_enough() {
            return None;
        }
        self.search.ask().and_then(|parts| self.parts.candidate(&parts))
    }

    fn tell(&mut self, outcome: Outcome) {
        if self.ask().is_some() {
            self.search.tell(outcome);
            self.answer_known();
        }
    }

    fn best(&self) -> Candidate {
        let whole = || Candidate::whole(self.parts.base().clone());
        self.parts.candidate(&self.search.best()).unwrap_or_else(whole)
    }

    fn odds(&self) -> Option<f32> {
        self.search.odds()
    }
}
