//! Generators of inputs that programs do not expect: pure, seeded, repeatable.
//!
//! A [`Source`] is a seed, some generators and perhaps examples; its trial number k is the same bytes on every
//! machine, whatever was asked of it before:
//!
//! ```
//! use reduct_fuzz::{Settings, Source};
//!
//! let source = Source::new(Settings { seed: 7, ..Settings::default() }, vec![]).unwrap();
//! assert_eq!(source.trial(3), source.trial(3));
//! assert_ne!(source.trial(3).bytes, source.trial(4).bytes);
//! ```
//!
//! The generators go from what knows nothing of a program (Miller's random characters) to what knows its language:
//! parts of examples that are put where the grammar says that such parts may stand.

mod boundary;
mod chance;
mod mutate;
mod splice;
mod text;

pub use chance::Randomness;
pub use text::Classic;

use reduct_input::Tree;

/// What makes inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Generator {
    /// Any bytes.
    Random,
    /// Printable characters and line ends.
    Printable,
    /// Text with bytes from 128 on in it.
    EightBit,
    /// Lines that are longer than anybody's buffer.
    LongLines,
    /// The program of the first experiment, with its parameters.
    Classic,
    /// Numbers where types end.
    Boundary,
    /// Examples with bytes, words, numbers and lines changed.
    Mutate,
    /// Examples with parts of their syntax exchanged, doubled, left out, nested deeply.
    Grammar,
}

/// What a generator needs to be of any use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratorNeeds {
    /// Nothing.
    Nothing,
    /// Examples.
    Examples,
    /// Examples in a language that is known.
    Trees,
}

impl Generator {
    /// All of them, by name, in the order in which they take turns, and what they do.
    pub const ALL: &[(&str, Generator, GeneratorNeeds)] = &[
        ("random", Generator::Random, GeneratorNeeds::Nothing),
        ("long-lines", Generator::LongLines, GeneratorNeeds::Nothing),
        ("printable", Generator::Printable, GeneratorNeeds::Nothing),
        ("8bit", Generator::EightBit, GeneratorNeeds::Nothing),
        ("numbers", Generator::Boundary, GeneratorNeeds::Nothing),
        ("classic", Generator::Classic, GeneratorNeeds::Nothing),
        ("mutate", Generator::Mutate, GeneratorNeeds::Examples),
        ("grammar", Generator::Grammar, GeneratorNeeds::Trees),
    ];

    /// Returns the generator of this name.
    pub fn named(name: &str) -> Option<Generator> {
        Generator::ALL.iter().find(|(known, ..)| *known == name).map(|(_, generator, _)| *generator)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        Generator::ALL.iter().find(|(_, known, _)| *known == self).map_or("", |(name, ..)| name)
    }

    /// Returns what it needs.
    pub fn needs(self) -> GeneratorNeeds {
        Generator::ALL.iter().find(|(_, known, _)| *known == self).map_or(GeneratorNeeds::Nothing, |(.., needs)| *needs)
    }
}

/// What decides each trial, beside the examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The seed.
    pub seed: u64,
    /// Which generators take turns; none for all that apply.
    pub generators: Vec<Generator>,
    /// How many bytes an input has at most.
    pub largest: usize,
    /// The parameters of the classic program.
    pub classic: Classic,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { seed: 0, generators: vec![], largest: 100_000, classic: Classic::default() }
    }
}

/// An input that is known to be of interest.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Its syntax, if its language is known.
    pub tree: Option<Tree>,
}

/// An input, and what made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What made it.
    pub generator: Generator,
    /// The input.
    pub bytes: Vec<u8>,
}

/// A generator was asked for that has nothing to work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lacking(pub Generator);

/// Makes inputs: trial by trial, each on its own.
#[derive(Clone, Debug)]
pub struct Source {
    settings: Settings,
    generators: Vec<Generator>,
    examples: Vec<Example>,
}

impl Source {
    /// Returns a source of inputs.
    ///
    /// # Errors
    /// If a generator needs examples, or examples in a known language, and there are none.
    pub fn new(settings: Settings, examples: Vec<Example>) -> Result<Source, Lacking> {
        let has = |needs| match needs {
            GeneratorNeeds::Nothing => true,
            GeneratorNeeds::Examples => !examples.is_empty(),
            GeneratorNeeds::Trees => examples.iter().any(|example| example.tree.is_some()),
        };
        if let Some(lacking) = settings.generators.iter().find(|generator| !has(generator.needs())) {
            return Err(Lacking(*lacking));
        }
        let all = Generator::ALL.iter().filter(|(.., needs)| has(*needs)).map(|(_, generator, _)| *generator);
        let generators = if settings.generators.is_empty() { all.collect() } else { settings.generators.clone() };
        Ok(Source { settings, generators, examples })
    }

    /// Returns the generators that take turns.
    pub fn generators(&self) -> &[Generator] {
        &self.generators
    }

    /// Returns the trial of a number: the same whenever it is asked for.
    pub fn trial(&self, number: u64) -> Trial {
        let generator = self.generators[(number % self.generators.len() as u64) as usize];
        let mut chance = Randomness::of_trial(self.settings.seed, number);
        let largest = self.settings.largest.max(1);
        let mut bytes = match generator {
            Generator::Random => text::random(&mut chance, largest),
            Generator::Printable => text::printable(&mut chance, largest),
            Generator::EightBit => text::eight_bit(&mut chance, largest),
            Generator::LongLines => text::long_lines(&mut chance, largest),
            Generator::Classic => self.settings.classic.write(&mut chance, largest),
            Generator::Boundary => boundary::numbers(&mut chance, largest),
            Generator::Mutate => mutate::mutate(&mut chance, &self.examples, largest),
            Generator::Grammar => splice::splice(&mut chance, &self.examples, largest),
        };
        // What was asked for by number of characters is as long as was asked for.
        if generator != Generator::Classic {
            bytes.truncate(largest);
        }
        Trial { generator, bytes }
    }
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
