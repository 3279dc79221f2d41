//! Failures that are grouped, in words: why two are the same or not, how far it is, and the report.

mod files;

use crate::confinement;
pub use files::{GroupShown, MemberShown, TriageReport};
use reduct_session::confinement::{Confinement, Strength};

use crate::human;
use reduct_oracle::signature::Signature;

/// What was run in an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The larger one, less all but what the smaller one is made of.
    LeftOut,
    /// The same, of two that happen in two places: it is to fail as the smaller one does.
    Within,
    /// Each of them with one piece of the other one, for each piece in which they differ.
    Exchanged,
}

/// What an experiment says of two failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// They are the same.
    Same,
    /// They are not.
    Different,
    /// It does not tell.
    Nothing,
}

/// An experiment with what is left of two inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// The name of the one of which less is left.
    pub small: String,
    /// The name of the other one.
    pub large: String,
    /// What was done.
    pub how: How,
    /// What was run.
    pub text: Vec<u8>,
    /// What it says of them.
    pub says: Says,
    /// Whether two others are meant, of which these are surely the same as one each.
    pub of_others: bool,
}

impl Experiment {
    /// Returns what it said.
    pub fn describe(&self) -> String {
        let Experiment { small, large, how, says, .. } = self;
        let text = String::from_utf8_lossy(&self.text);
        let told = match (how, says) {
            (How::LeftOut, Says::Same) => {
                format!("{large} still fails alike if only what {small} is made of is left of it: {text:?}")
            }
            (How::LeftOut, _) => {
                format!("{large} does not fail alike if only what {small} is made of is left of it: {text:?}")
            }
            (How::Within, Says::Same) => {
                format!("{large} fails as {small} does if only what that is made of is left of it: {text:?}")
            }
            (How::Within, _) => {
                format!("{large} does not fail as {small} does if only what that is made of is left of it: {text:?}")
            }
            (How::Exchanged, Says::Same) => {
                format!("they fail alike with any one of their pieces exchanged, as in {text:?}")
            }
            (How::Exchanged, Says::Different) => {
                format!("the test passes with one of their pieces exchanged: {text:?}")
            }
            (How::Exchanged, Says::Nothing) => "exchanging their pieces does not tell".into(),
        };
        match self.of_others {
            true => format!("of {small} and {large}, which are the same as these: {told}"),
            false => told,
        }
    }
}

/// A line of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    /// The function that it is in.
    pub function: String,
    /// Its file.
    pub file: String,
    /// Its number.
    pub line: u32,
}

/// Where a failure happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailurePlace {
    /// The line, if it is known.
    pub at: Option<CodeLine>,
    /// Where what is used there was freed, if it was.
    pub freed: Option<CodeLine>,
}

impl FailurePlace {
    /// Returns the place in words.
    pub fn describe(&self) -> String {
        let told = |CodeLine { function, file, line }: &CodeLine| format!("{function} at {file}:{line}");
        let at = self.at.as_ref().map(told).unwrap_or_default();
        match &self.freed {
            Some(freed) => format!("{at}, of what {} has freed", told(freed)),
            None => at,
        }
    }
}

/// Why two failures are the same, or are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// They do not look the same.
    LookDifferent(Box<[Signature; 2]>),
    /// They look the same, and so does what is left.
    SameLeft,
    /// They happen in two places, and what is left differs in numbers alone.
    SameButForNumbers,
    /// They are of one kind, and happen here.
    OnePlace(FailurePlace),
    /// They are of one kind, and happen in two places.
    TwoPlaces(Box<[FailurePlace; 2]>, Option<Experiment>),
    /// They look the same, and one of them was not reduced.
    NotBothReduced,
    /// An experiment says so.
    Tried(Experiment),
    /// They look the same, and share so many tokens of what is left, of so many.
    ManyTokens {
        /// How many are in both.
        common: usize,
        /// How many there are.
        all: usize,
    },
    /// Likewise, but an experiment keeps them apart.
    Unmixed {
        /// How many are in both.
        common: usize,
        /// How many there are.
        all: usize,
        /// What the experiment said.
        tried: Option<Experiment>,
    },
    /// They look the same, and share too few tokens.
    FewTokens {
        /// How many are in both.
        common: usize,
        /// How many there are.
        all: usize,
        /// What an experiment said.
        tried: Option<Experiment>,
    },
    /// Each of a chain is the same as the next one.
    Through(Vec<(String, String, Reason)>),
    /// What is left of the one, less one byte, fails as the other one does: their names.
    LessOneByte(String, String),
}

impl Reason {
    /// Returns it in words.
    pub fn describe(&self) -> String {
        match self {
            Reason::LookDifferent(both) => format!("the failures look different: {} against {}", both[0], both[1]),
            Reason::SameLeft => "they fail alike, and the same is left of both".into(),
            Reason::SameButForNumbers => "they are of one kind, and the same is left of both but for numbers".into(),
            Reason::OnePlace(place) => format!("they are of one kind and of one place: {}", place.describe()),
            Reason::TwoPlaces(places, tried) => {
                let [one, other] = [&places[0], &places[1]].map(FailurePlace::describe);
                format!("they are of one kind, but of two places: {one} against {other}{}", more(tried))
            }
            Reason::NotBothReduced => "they fail alike; not both were reduced, so more cannot be told".into(),
            Reason::Tried(experiment) => experiment.describe(),
            Reason::ManyTokens { common, all } => format!("they fail alike, and {}", shared(*common, *all)),
            Reason::Unmixed { common, all, tried } => {
                let (says, more) = (shared(*common, *all), more(tried));
                format!("they fail alike, and {says}; but what is left of them does not mix{more}")
            }
            Reason::FewTokens { common, all, tried } => {
                let (says, more) = (shared(*common, *all), more(tried));
                format!("they fail alike, but what is left of them is not alike: only {says}{more}")
            }
            Reason::Through(steps) => {
                let step =
                    |(one, other, why): &(String, String, Reason)| format!("{one} and {other}: {}", why.describe());
                format!("through others: {}", steps.iter().map(step).collect::<Vec<_>>().join("; "))
            }
            Reason::LessOneByte(one, other) => {
                format!("what is left of {one}, less one byte, fails as {other} does")
            }
        }
    }
}

fn shared(common: usize, all: usize) -> String {
    format!("{common} of the {all} tokens that are left are in both")
}

fn more(tried: &Option<Experiment>) -> String {
    tried.as_ref().map(|tried| format!("; {}", tried.describe())).unwrap_or_default()
}

/// What is to be known of what is left of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TriageNote {
    /// It was not reduced, for this reason.
    NotReduced(String),
    /// It is the whole input: what was left of it passed when it was run again.
    NotAlwaysFailing,
    /// A bound was reached.
    NotToTheEnd,
}

impl TriageNote {
    /// Returns it in words.
    pub fn describe(&self) -> &str {
        match self {
            TriageNote::NotReduced(why) => why,
            TriageNote::NotAlwaysFailing => "what it was reduced to does not always fail",
            TriageNote::NotToTheEnd => "not reduced to the end",
        }
    }
}

/// How far a triage is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TriageProgress<'a> {
    /// Tests are confined in this way, and so far.
    Confined(&'a Confinement, &'a Strength),
    /// An input passes.
    Passes {
        /// Which one of how many.
        number: (usize, usize),
        /// What it is called.
        name: &'a str,
        /// How its test ends.
        end: &'a str,
    },
    /// An input fails, and is reduced, or not, as was asked for.
    Fails {
        /// Which one of how many.
        number: (usize, usize),
        /// What it is called.
        name: &'a str,
        /// How many bytes it has, and how many are left.
        sizes: (usize, usize),
        /// What is to be known of it.
        note: Option<&'a TriageNote>,
    },
    /// What is left of so many inputs is compared.
    Compares(usize),
}

impl TriageProgress<'_> {
    /// Returns it in words.
    pub fn describe(&self) -> String {
        match self {
            TriageProgress::Confined(confinement, strength) => confinement::describe(confinement, strength),
            TriageProgress::Passes { number: (at, of), name, end } => {
                format!("{at}/{of} {name}: does not fail ({end})")
            }
            TriageProgress::Fails { number: (at, of), name, sizes: (before, after), note } => {
                let note = note.map(|note| format!("; {}", note.describe())).unwrap_or_default();
                let (before, after) = (human::count(*before as u64), human::bytes(*after as u64));
                format!("{at}/{of} {name}: fails, {before} → {after}{note}")
            }
            TriageProgress::Compares(inputs) => {
                format!("comparing what is left of {}", human::counted(*inputs as u64, "inputs"))
            }
        }
    }
}

/// Returns how many inputs fail, in how many ways, in words.
pub fn failing_in(inputs: usize, ways: usize) -> String {
    let fail = if inputs == 1 { "fails" } else { "fail" };
    format!("{} {fail} in {}", human::counted(inputs, "inputs"), human::counted(ways, "ways"))
}
