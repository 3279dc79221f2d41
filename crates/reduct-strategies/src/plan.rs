//! What a reduction does: which passes in which order, and which search over them.

use crate::method::Method;
use reduct_core::{Joints, Split};
use reduct_input::{Artifact, Grammars, Subject};
use reduct_passes::{Needs, Pass, Proposals, Stage, is_no_text};
use std::sync::Arc;

/// What to do with a subject.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The passes, in the order in which they are tried.
    pub passes: Vec<Pass>,
    /// How the parts of each are searched.
    pub method: Method,
    /// Where a search cuts its lists, if it does.
    pub cut: Cut,
    /// Whether what is contained in a passed configuration is taken to pass.
    pub monotone: bool,
    /// Removing less than this many units at once is not tried. 1 tries everything.
    pub min_removal: usize,
    /// What reads the texts, if their languages matter.
    pub grammars: Option<Arc<dyn Grammars>>,
    /// The texts that the failure has to say, as far as they are known.
    pub said: Arc<[String]>,
    /// Whether passes for texts alone are tried on files that are no text too.
    pub text_everywhere: bool,
    /// Passes whose edits make the input larger, tried one at a time when all else finds nothing more.
    pub growing: Vec<Pass>,
    /// Passes that bring the result into normal form in the end, which need not make it smaller.
    pub normal: Vec<Pass>,
    /// Whether removals that leave a text that does not parse are all tried, also where none of the first ones fails.
    pub prove: bool,
}

/// The passes that ask most in vain, tried when all others find nothing more: what is defined elsewhere seldom can have
/// another name, what must be computed seldom can be any value, zeros make nothing smaller, and of characters there are most.
const LAST: &[&str] = &["said", "values", "arrays", "file-names", "rename-others", "joined", "texts", "zeros", "chars"];

/// The pass that takes away blanks, by which sections of a text can be told.
const LAYOUT: &str = "blank";

/// The last pass that leaves out coarse parts.
const LAST_COARSE: &str = "lines";

/// Passes of larger parts of a text that no grammar reads, besides those that cut it into sections.
const LARGER: &[&str] = &["unreached", "blocks", LAST_COARSE];

/// The first pass that goes through what the tree has gone through.
const FINEST: &str = "nodes";

/// The passes that leave out what is smaller than what stands in a list of its own.
const FINE: &[&str] = &["words", "tokens", "chars", "bytes"];

/// One of them that has an early turn besides, and after which pass: where the failure comes before anybody looks for what is named, all names can be
/// short, which one question tells, and nothing is asked again with short names at the end.
const EARLY: (&str, &str) = ("rename-others", "rename");

impl Plan {
    /// Reduces anything: files, blocks and lines from coarse to fine, tokens, characters, round after
    /// round until nothing more goes.
    pub fn standard() -> Plan {
        let named = |names: &'static [&'static str]| names.iter().filter_map(|name| Pass::named(name));
        // What is too large to be read is made smaller first.
        // What nearly always goes, all at once, comes first then: it spares the others a list of it.
        // Bodies are most of a program, and what they use goes sooner without them; if that is not so, it is soon seen.
        let stretches =
            |of_large: bool| Pass::of(Stage::Stretches).filter(move |pass| (pass.name == "sections") == of_large);
        let first = named(&["files"]).chain(stretches(true));
        let first = first
            .chain(named(&[
                "chunks",
                "comments",
                "c-markers",
                "orphans",
                "c-bodies",
                "bodies",
                "branches",
                "llvm-names",
                "llvm-unused",
                "llvm-metadata",
                "llvm-bodies",
                "llvm-blocks",
                "unreferenced",
                "unreached",
                "references",
                "positions",
                "results",
                "outline",
                "counts",
            ]))
            .chain(stretches(false))
            .chain(named(&["literals", "long-lists", "dominators", "dependents"]));
        let groups = Pass::of(Stage::Group).filter(|pass| !pass.of_records);
        let trees = groups.chain(Pass::of(Stage::GroupParts)).chain(Pass::of(Stage::Tree));
        let coarse = trees.chain(named(&["brackets", "blocks", "blank", LAST_COARSE]));
        // What the tree has gone through once is gone through again when passes have changed what is left.
        let fine = named(&[FINEST, "words", "tokens"]).chain(named(LAST));
        let mut passes: Vec<Pass> = first.chain(coarse).collect();
        let is_later = |pass: &Pass| !passes.contains(pass) && !LAST.contains(&pass.name);
        let rewriting = Pass::of(Stage::Rewrite).filter(is_later).collect::<Vec<_>>();
        passes.extend(rewriting.into_iter().chain(fine));
        Plan {
            passes,
            method: Method::Relevance,
            cut: Cut::Book,
            monotone: false,
            min_removal: 1,
            grammars: None,
            said: Arc::new([]),
            growing: Pass::of(Stage::Grow).collect(),
            normal: vec![],
            prove: false,
            text_everywhere: false,
        }
    }

    /// Returns how many passes at its end are tried only where all others find nothing more.
    pub(crate) fn lasts(&self) -> usize {
        self.passes.iter().rev().take_while(|pass| LAST.contains(&pass.name)).count().max(1)
    }

    /// Returns whether a pass leaves out words, or less.
    pub(crate) fn is_fine(&self, pass: usize) -> bool {
        FINE.contains(&self.pass(pass).name)
    }

    /// Returns which of its last passes has an early turn, and after which one.
    pub(crate) fn early(&self) -> Option<(usize, usize)> {
        let place = |name: &str| self.passes.iter().position(|pass| pass.name == name);
        place(EARLY.0).zip(place(EARLY.1)).filter(|_| self.descends())
    }

    /// Returns the same plan for texts that are read with these grammars.
    pub fn with_grammars(self, grammars: Arc<dyn Grammars>) -> Plan {
        Plan { grammars: Some(grammars), ..self }
    }

    /// Returns an artifact as its passes see it.
    pub fn subject(&self, artifact: impl Into<Arc<Artifact>>) -> Subject {
        Subject::new(artifact.into(), self.grammars.clone()).with_said(self.said.clone()).with_binaries(is_no_text)
    }

    /// Returns the same plan for what a command is given: arguments, variables and files as a whole come first, and are
    /// all there is if their contents are to stay as they are.
    pub fn of_situation(self, contents: bool) -> Plan {
        let given: Vec<Pass> = Pass::of(Stage::Given).collect();
        // Where the files stand is what the command is given, too.
        let is_own = |pass: &Pass| contents && !given.contains(pass) && pass.name != "file-names";
        let own = self.passes.into_iter().filter(is_own).collect::<Vec<_>>();
        let passes = given.into_iter().chain(own).collect();
        let growing = if contents { self.growing } else { vec![] };
        Plan { passes, growing, ..self }
    }

    /// Returns whether one of its passes is tried before the tree although its edits are not likely to be made all at once, or not for good.
    pub(crate) fn starts_with(&self, pass: usize) -> bool {
        let is_tree = |pass: &Pass| pass.stage == Stage::Tree || Plan::has_groups_of_records(pass);
        let tree = self.passes.iter().position(is_tree);
        matches!(self.pass(pass).stage, Stage::Rewrite | Stage::Group)
            && (self.pass(pass).success_prior < 0.75 || self.pass(pass).follows_others)
            && tree.is_some_and(|tree| pass < tree)
    }

    /// Returns whether one of its passes cuts formats into chunks before the tree is searched.
    pub(crate) fn cuts_formats(&self, pass: usize) -> bool {
        let tree = self.passes.iter().position(|pass| pass.stage == Stage::Tree);
        self.pass(pass).name == "chunks" && tree.is_some_and(|tree| pass < tree)
    }

    /// Returns what one of its passes proposes for a subject: not those of text in what is none.
    pub fn propose(&self, pass: usize, subject: &Subject) -> Proposals {
        self.propose_by(self.pass(pass), subject)
    }

    /// Returns the pass by which it is proved that nothing more of a subject can go by one of its passes: one with larger parts if that has too many of
    /// them, unless it was asked for by itself or everything is to be proved.
    pub fn proving(&self, pass: usize, subject: &Subject) -> Pass {
        let may_be_coarse = self.descends() && !self.prove && !self.text_everywhere;
        let pass = self.pass(pass);
        let coarse = pass.coarse.filter(|_| may_be_coarse).and_then(|coarse| coarse(subject));
        coarse.map_or(*pass, |coarse| coarse.parsing_only(pass.must_parse))
    }

    /// Returns what this proposes for a subject.
    pub fn propose_for_proof(&self, pass: usize, subject: &Subject) -> Proposals {
        self.propose_by(&self.proving(pass, subject), subject)
    }

    fn propose_by(&self, pass: &Pass, subject: &Subject) -> Proposals {
        if subject.artifact().bytes().len() < pass.least_bytes {
            return vec![];
        }
        let anywhere = self.text_everywhere || pass.needs != Needs::Text;
        let binaries = if anywhere { &[] } else { subject.binaries() };
        if binaries.is_empty() {
            return (pass.propose)(subject);
        }
        let all_binary = subject.artifact().files().filter(|(.., text)| !text.is_empty()).count() == binaries.len();
        if all_binary {
            return vec![];
        }
        (pass.propose)(subject).into_iter().filter_map(|spans| spans.outside(binaries)).collect()
    }

    /// Returns which of its passes are tried if a search of the tree gets on slowly.
    pub(crate) fn groups(&self) -> impl Iterator<Item = usize> {
        (0..self.passes.len()).filter(|at| self.passes[*at].stage == Stage::Group)
    }

    /// Returns which of its passes have their turn only if a search of the tree gets on slowly.
    pub(crate) fn on_call(&self) -> impl Iterator<Item = usize> {
        let waits = |at: &usize| self.descends() && self.passes[*at].is_on_call && self.starts_with(*at);
        self.groups().chain(self.group_parts()).chain((0..self.passes.len()).filter(waits))
    }

    /// Returns whether the proof goes through the parts of one of its passes. What others find, passes of their own prove level by level, or nothing does.
    pub fn is_proved(&self, pass: usize) -> bool {
        let finds_only =
            matches!(self.pass(pass).stage, Stage::Tree | Stage::Stretches | Stage::Group | Stage::GroupParts);
        !finds_only && self.on_call().all(|waits| waits != pass)
    }

    /// Returns which of its passes can do more whenever others have removed much, and come before the tree.
    pub(crate) fn followers(&self) -> impl Iterator<Item = usize> {
        (0..self.passes.len()).filter(|at| self.passes[*at].follows_others && self.starts_with(*at))
    }

    /// Returns the first of its passes that searches a tree.
    pub(crate) fn first_tree(&self) -> Option<usize> {
        self.passes.iter().position(|pass| pass.stage == Stage::Tree)
    }

    /// Returns which of its passes have the larger parts of a text that no grammar reads: sections, blocks and lines.
    pub(crate) fn larger(&self) -> impl Iterator<Item = usize> {
        let is_larger = |pass: &Pass| pass.cuts_anew && pass.stage == Stage::Rewrite || LARGER.contains(&pass.name);
        (0..self.passes.len()).filter(move |at| is_larger(&self.passes[*at]))
    }

    /// Returns whether one of its passes takes away the layout of a text.
    pub(crate) fn takes_layout(&self, pass: usize) -> bool {
        self.pass(pass).name == LAYOUT
    }

    /// Returns the last of its passes before the one that takes blanks away.
    pub(crate) fn last_before_layout(&self) -> Option<usize> {
        self.passes.iter().position(|pass| pass.name == LAYOUT)?.checked_sub(1)
    }

    /// Returns the last of its passes that leave out coarse parts.
    pub(crate) fn coarse(&self) -> Option<usize> {
        self.passes.iter().position(|pass| pass.name == LAST_COARSE)
    }

    /// Returns the first of its passes that go through all that is left once more, part by part.
    pub(crate) fn finest(&self) -> usize {
        self.passes.iter().position(|pass| pass.name == FINEST).unwrap_or(self.passes.len())
    }

    /// Returns which of its passes leaves out parts of groups.
    pub(crate) fn group_parts(&self) -> Option<usize> {
        self.passes.iter().position(|pass| pass.stage == Stage::GroupParts)
    }

    /// Returns which of its passes leaves out stretches of what is read.
    pub(crate) fn stretches(&self) -> Option<usize> {
        self.passes.iter().rposition(|pass| pass.stage == Stage::Stretches)
    }

    /// Returns which of its passes has parts only as far as the tests of others have shown some.
    pub(crate) fn learning(&self) -> Option<usize> {
        self.passes.iter().position(|pass| pass.stage == Stage::PairedEvents)
    }

    /// Returns one of its passes; after them come those of the normal form.
    pub(crate) fn pass(&self, at: usize) -> &Pass {
        self.passes.get(at).unwrap_or_else(|| &self.normal[at - self.passes.len()])
    }

    /// Reduces by the given passes with the given search. Passes that were chosen are tried on
    /// anything, and nothing else is; executions are tried by their statements, too.
    pub fn new(passes: Vec<Pass>, method: Method) -> Plan {
        let standard = Plan::standard();
        let is_chosen = passes != standard.passes;
        let of_executions = passes.iter().any(Plan::has_groups_of_records);
        let groups = Pass::of(Stage::Group).filter(|pass| of_executions && pass.of_records);
        let passes = groups.chain(passes).collect();
        let growing = if is_chosen { vec![] } else { standard.growing };
        Plan { passes, method, growing, text_everywhere: is_chosen, ..standard }
    }

    /// Returns whether sizes are counted in parts: only if all of them stand in one list.
    pub fn counts_parts(&self) -> bool {
        matches!(self.passes[..], [pass] if pass.single_list) && self.normal.is_empty()
    }

    /// Returns in what sizes are counted.
    pub fn unit(&self) -> &'static str {
        let mut own = self.passes.iter().filter(|pass| pass.stage != Stage::Group);
        own.next().filter(|_| self.measure() != Measure::Bytes).map_or("bytes", |pass| pass.unit)
    }

    /// Returns whether a pass has parts of records in levels, of which many can go at once.
    fn has_groups_of_records(pass: &Pass) -> bool {
        pass.of_records && pass.stage == Stage::Delete && !pass.single_list
    }

    pub(crate) fn measure(&self) -> Measure {
        let mut passes = self.passes.iter().filter(|pass| pass.stage != Stage::Group).enumerate();
        let is_record = passes.all(|(at, pass)| pass.of_records && (at == 0) == (pass.stage == Stage::Delete));
        match () {
            () if self.counts_parts() => Measure::Parts,
            () if is_record && self.normal.is_empty() => Measure::Events,
            () => Measure::Bytes,
        }
    }

    /// Returns whether the search goes round until a whole round changes nothing: what went from one list may make room
    /// in another. A published search over one list runs once, as published.
    pub fn repeats(&self) -> bool {
        match self.method {
            Method::Relevance | Method::Waves => true,
            Method::Isolate | Method::IsolatePaper | Method::Halves => false,
            _ => !self.counts_parts(),
        }
    }

    /// Returns whether whole files may go before anything else is tried: a published search repeats what was published, and
    /// with --by only the named passes run.
    pub fn may_begin_with_files(&self) -> bool {
        self.descends() && self.measure() == Measure::Bytes && self.passes.iter().any(|pass| pass.name == "files")
    }

    /// Returns whether trees are searched as a whole. Published searches take them level by level, and so does a search
    /// that is to leave small parts alone.
    pub(crate) fn descends(&self) -> bool {
        matches!(self.method, Method::Relevance | Method::Waves) && self.min_removal <= 1
    }

    /// Returns what a finished run has proved of its result.
    pub fn proves(&self) -> Proof {
        match self.method {
            // Of several lists each begins with a passing side that is only taken to pass.
            Method::Isolate | Method::IsolatePaper if self.counts_parts() => Proof::MinimalDifference,
            Method::Isolate | Method::IsolatePaper => Proof::Nothing,
            // Weights let it take for needed what was never tried alone.
            Method::Merge | Method::WProbDd => Proof::Nothing,
            // What is found needed stays so as far as monotony is trusted.
            Method::Halves if !self.monotone || !self.counts_parts() => Proof::Nothing,
            Method::ProbDd | Method::Cdd | Method::DdPlus if self.counts_parts() => Proof::Nothing,
            _ => Proof::OneMinimal,
        }
    }
}

/// How sizes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// In the parts of the one list.
    Parts,
    /// In events, whatever else is made smaller.
    Events,
    Bytes,
}

/// What is proved of a result, by each pass that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No single part can go.
    OneMinimal,
    /// The difference to what passes is 1-minimal.
    MinimalDifference,
    /// Only that it fails.
    Nothing,
}

/// Where a search cuts its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cut {
    /// As in the book.
    Book,
    /// Sizes that differ by at most one.
    Balanced,
    /// Where paragraphs, lines and words end.
    Joints,
}

impl Cut {
    /// All ways to cut, with their names.
    pub const ALL: &[(&str, Cut)] = &[("book", Cut::Book), ("balanced", Cut::Balanced), ("joints", Cut::Joints)];

    /// Returns the way of this name.
    pub fn named(name: &str) -> Option<Cut> {
        Cut::ALL.iter().find(|(known, _)| *known == name).map(|(_, cut)| *cut)
    }

    /// Returns the name of this way.
    pub fn name(self) -> &'static str {
        Cut::ALL.iter().find(|(_, cut)| *cut == self).map_or("", |(name, _)| name)
    }

    pub(crate) fn split(self, joints: impl FnOnce() -> Joints) -> Split {
        match self {
            Cut::Book => Split::Book,
            Cut::Balanced => Split::Balanced,
            Cut::Joints => Split::Joints(joints()),
        }
    }
}
