//! Where inputs come from: they are made, or found by another fuzzer.

use super::finding_store::FindingStore;
use super::fuzzing::{self, Fuzzing};
use super::refused::FuzzingError;
use crate::errors::Refusal;
use reduct_fuzz::{Classic, Example, Generator, GeneratorNeeds, Settings, Source};
use reduct_report::fuzzing::InputSource;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// All inputs, by number.
pub(super) enum Inputs {
    Made(Box<Source>, usize),
    /// Files, and folders that could not be read.
    Found(Vec<PathBuf>, Vec<PathBuf>),
}

/// One of them.
pub(super) struct Input {
    pub(super) bytes: Vec<u8>,
    /// What made it.
    pub(super) from: &'static str,
    pub(super) file: Option<PathBuf>,
}

impl Fuzzing {
    /// Returns the input of a trial.
    ///
    /// # Errors
    /// If there is none of that number.
    pub fn input(&self, number: u64) -> Result<Vec<u8>, Refusal> {
        let inputs = Inputs::of(self)?;
        if inputs.count().is_some_and(|count| number >= count) {
            return Err(FuzzingError::NoInput(number).into());
        }
        Ok(inputs.trial(number)?.bytes)
    }
}

impl Inputs {
    pub(super) fn of(fuzzing: &Fuzzing) -> Result<Inputs, Refusal> {
        let folder = &fuzzing.job.folder;
        if !fuzzing.from.is_empty() {
            let (mut files, mut skipped) = (vec![], vec![]);
            for place in &fuzzing.from {
                files.extend(found(&folder.join(place), &mut skipped)?);
            }
            return if files.is_empty() {
                Err(FuzzingError::NoInputs(fuzzing.from[0].clone()).into())
            } else {
                Ok(Inputs::Found(files, skipped))
            };
        }
        let mut generators = vec![];
        for name in &fuzzing.generators {
            let unknown = || Refusal::UnknownName { what: "generator", name: name.clone() };
            generators.push(Generator::named(name).ok_or_else(unknown)?);
        }
        let fuzzing::ClassicOptions { length, printable, nul, lines, epilog } = fuzzing.classic.clone();
        let classic = Classic { length, printable, nul, lines, epilog: epilog.into_bytes() };
        let settings = Settings { seed: fuzzing.seed, generators, largest: fuzzing.largest, classic };
        let source = Source::new(settings, examples(fuzzing)?).map_err(|lacking| {
            let name = lacking.0.name();
            match lacking.0.needs() {
                GeneratorNeeds::Trees => FuzzingError::NoTrees(name),
                _ => FuzzingError::NoExamples(name),
            }
        })?;
        Ok(Inputs::Made(Box::new(source), fuzzing.largest))
    }

    /// Keeps to the numbers that files had in earlier sessions: those that are new come after. What is not there any
    /// more, and was not run, is left out.
    pub(super) fn follow(&mut self, state: &mut FindingStore) {
        let Inputs::Found(files, _) = self else { return };
        let next = usize::try_from(state.next).unwrap_or(usize::MAX);
        let mut numbered = std::mem::take(&mut state.files);
        let known: HashSet<PathBuf> = numbered.iter().cloned().collect();
        let mut at = 0;
        numbered.retain(|file| {
            at += 1;
            at <= next || file.is_file()
        });
        numbered.extend(files.iter().filter(|file| !known.contains(*file)).cloned());
        state.files.clone_from(&numbered);
        *files = numbered;
    }

    pub(super) fn trial(&self, number: u64) -> Result<Input, Refusal> {
        match self {
            Inputs::Made(source, _) => {
                let trial = source.trial(number);
                Ok(Input { bytes: trial.bytes, from: trial.generator.name(), file: None })
            }
            Inputs::Found(files, _) => {
                let file = &files[number as usize];
                let bytes = fs::read(file).map_err(Refusal::io("read", file))?;
                Ok(Input { bytes, from: "file", file: Some(file.clone()) })
            }
        }
    }

    /// Returns how many there are, if there is an end to them.
    pub(super) fn count(&self) -> Option<u64> {
        match self {
            Inputs::Made(..) => None,
            Inputs::Found(files, _) => Some(files.len() as u64),
        }
    }

    /// Returns how many bytes one has at most.
    pub(super) fn largest(&self) -> usize {
        match self {
            Inputs::Made(_, largest) => *largest,
            Inputs::Found(files, _) => {
                let sizes = files.iter().filter_map(|file| file.metadata().ok()).map(|meta| meta.len());
                usize::try_from(sizes.max().unwrap_or(0)).unwrap_or(usize::MAX)
            }
        }
    }

    /// Returns where they come from.
    pub(super) fn source(&self) -> InputSource {
        match self {
            Inputs::Made(source, _) => {
                InputSource::Made(source.generators().iter().map(|generator| generator.name()).collect())
            }
            Inputs::Found(files, skipped) => InputSource::Found { files: files.len(), left_out: skipped.clone() },
        }
    }
}

/// Returns the examples with their syntax. Those that are larger than inputs may be are left out.
fn examples(fuzzing: &Fuzzing) -> Result<Vec<Example>, Refusal> {
    let language = fuzzing.job.search.grammars()?;
    let grammars = |path: &Path, bytes: &[u8]| language.as_ref().and_then(|grammars| grammars.parse(path, bytes));
    let mut examples = vec![];
    for place in &fuzzing.examples {
        let place = fuzzing.job.folder.join(place);
        for file in files(&place)? {
            let bytes = fs::read(&file).map_err(Refusal::io("read", &file))?;
            if bytes.len() <= fuzzing.largest {
                let tree = grammars(&file, &bytes).filter(|tree| tree.len() > 1);
                examples.push(Example { bytes, tree });
            }
        }
        if examples.is_empty() {
            return Err(FuzzingError::NoInputs(place).into());
        }
    }
    Ok(examples)
}

/// Returns a file, or the files of a folder in the order of their names.
fn files(place: &Path) -> Result<Vec<PathBuf>, Refusal> {
    if !place.metadata().map_err(Refusal::io("read", place))?.is_dir() {
        return Ok(vec![place.to_owned()]);
    }
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let mut files = entries(place)?;
    files.retain(|path| path.is_file() && !is_hidden(path));
    files.sort();
    Ok(files)
}

/// Returns what a fuzzer has found, as it leaves it: AFL++ in folders `crashes` and `hangs`, one pair an instance;
/// libFuzzer and honggfuzz under names of their own, perhaps among other files.
fn found(place: &Path, skipped: &mut Vec<PathBuf>) -> Result<Vec<PathBuf>, Refusal> {
    if place.is_file() {
        return Ok(vec![place.to_owned()]);
    }
    let mut all = vec![];
    for folder in folders_of_afl(place, skipped)? {
        all.extend(files(&folder)?.into_iter().filter(|file| is_named(file, "README.txt").is_none()));
    }
    if all.is_empty() {
        all = files(place)?;
        all.retain(|file| is_named(file, "README.txt").or_else(|| is_named(file, "HONGGFUZZ.REPORT.TXT")).is_none());
        let named = |file: &&PathBuf| is_a_finding(file.file_name().unwrap_or_default());
        if all.iter().any(|file| named(&file)) {
            all.retain(|file| named(&file));
        }
    }
    Ok(all)
}

fn is_named(file: &Path, name: &str) -> Option<()> {
    (file.file_name()? == name).then_some(())
}

fn is_a_finding(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let of_libfuzzer = ["crash-", "leak-", "timeout-", "oom-", "slow-unit-"].iter().any(|word| name.starts_with(word));
    let of_honggfuzz = name.starts_with("SIG") && name.ends_with(".fuzz");
    of_libfuzzer || of_honggfuzz
}

/// Returns the folders `crashes` and `hangs` in this one, or in those in it, and those that AFL++ has put aside when it
/// went on.
fn folders_of_afl(place: &Path, skipped: &mut Vec<PathBuf>) -> Result<Vec<PathBuf>, Refusal> {
    let mut instances = folders(place)?;
    instances.push(place.to_owned());
    instances.sort();
    let mut all = vec![];
    for instance in instances {
        let Ok(inside) = folders(&instance) else {
            // Such as `lost+found`; if it is the only one, there is nothing to run, which is said.
            skipped.push(instance);
            continue;
        };
        all.extend(inside.into_iter().filter(|folder| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            // Put aside, they are called `crashes.2026-01-31-12:00:00`.
            ["crashes", "hangs"].contains(&name.split('.').next().unwrap_or_default())
        }));
    }
    Ok(all)
}

/// Returns the folders in this one, in the order of their names.
fn folders(place: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let mut folders: Vec<PathBuf> = entries(place)?.into_iter().filter(|path| path.is_dir()).collect();
    folders.sort();
    Ok(folders)
}

fn entries(place: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let entries = fs::read_dir(place).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    Ok(entries.map_err(Refusal::io("read", place))?.iter().map(fs::DirEntry::path).collect())
}
