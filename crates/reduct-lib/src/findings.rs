//! Reads back what `fuzz` and `triage` have left, from their folders alone: for the report.

use crate::errors::Refusal;
use crate::runs::Run;
use crate::shell::quoted;
use reduct_report::human;
use reduct_report::page::{FindingFiles, FindingsPage, SmallestInput, inputs_of, of_fuzz, of_triage};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Several failures, read back.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Findings {
    /// The folder that has them.
    pub folder: PathBuf,
    /// What is shown of them.
    pub page: FindingsPage,
}

/// Reads what `fuzz` or `triage` has left in a folder. `None` if it is none of theirs, or a run there is newer.
///
/// ```
/// // Nothing was fuzzed or triaged there.
/// assert!(reduct_lib::findings(&std::env::temp_dir().join("no-such-folder"))?.is_none());
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If what is there cannot be read.
pub fn findings(place: &Path) -> Result<Option<Findings>, Refusal> {
    let fuzz = place.join("fuzz.json");
    if fuzz.is_file() {
        return Ok(Some(Findings { folder: place.into(), page: of_fuzz(place, &object(&fuzz)?, &OfFuzz(place)) }));
    }
    for folder in [place.to_owned(), place.join(".reduct/triage")] {
        let triage = folder.join("triage.json");
        if !triage.is_file() || is_older(&triage, Run::find(place).ok().map(|run| run.journal()).as_deref()) {
            continue;
        }
        return Ok(Some(Findings { page: of_triage(&folder, &object(&triage)?, &OfTriage(&folder)), folder }));
    }
    Ok(None)
}

fn is_older(file: &Path, than: Option<&Path>) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    than.is_some_and(|than| time(file) < time(than))
}

/// Files that are larger are not read.
const LARGEST: u64 = 256 << 20;
/// So much is read of an input.
const SHOWN: u64 = 64 << 10;

fn object(path: &Path) -> Result<Value, Refusal> {
    let size = fs::metadata(path).map_err(Refusal::io("read", path))?.len();
    let unknown = |why: String| Refusal::UnknownJob(path.to_owned(), why);
    if size > LARGEST {
        return Err(unknown(format!("it has {}", human::bytes(size))));
    }
    let text = fs::read(path).map_err(Refusal::io("read", path))?;
    serde_json::from_slice(&text).map_err(|error| unknown(error.to_string()))
}

/// Returns the beginning of a file of a folder, under the first of these names that there is.
fn input(folder: &Path, is_one: impl Fn(&str) -> bool) -> Option<SmallestInput> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    names.sort();
    let is_named = |path: &&PathBuf| path.is_file() && is_one(&path.file_name().unwrap_or_default().to_string_lossy());
    read(names.iter().find(is_named)?)
}

/// Returns the beginning of a file, and its size.
fn read(path: &Path) -> Option<SmallestInput> {
    let file = fs::File::open(path).ok()?;
    let bytes = file.metadata().ok()?.len() as usize;
    let mut beginning = vec![];
    file.take(SHOWN).read_to_end(&mut beginning).ok()?;
    Some(SmallestInput { bytes: bytes.max(beginning.len()), beginning })
}

/// The folder of `fuzz`.
struct OfFuzz<'a>(&'a Path);

impl FindingFiles for OfFuzz<'_> {
    fn smallest(&self, name: &str) -> Option<SmallestInput> {
        let place = below(self.0, name)?;
        let is_reduced = |name: &str| name.starts_with("reduced") || name.starts_with("result");
        let is_input = |name: &str| !["signature.txt", "repeat.sh", "same-as.txt"].contains(&name);
        input(&place, is_reduced).or_else(|| input(&place, is_input))
    }

    fn repeat(&self, name: &str) -> Option<String> {
        let script = below(self.0, name)?.join("repeat.sh");
        script.is_file().then(|| format!("sh {}", quoted(script.as_os_str())))
    }

    fn place(&self, _: &str) -> Option<String> {
        None
    }

    fn quoted(&self) -> String {
        full(self.0)
    }
}

/// The folder of `triage`.
struct OfTriage<'a>(&'a Path);

impl FindingFiles for OfTriage<'_> {
    fn smallest(&self, name: &str) -> Option<SmallestInput> {
        let place = below(&self.0.join("groups"), name)?;
        if !place.is_file() {
            return input(&place, |_| true);
        }
        read(&place)
    }

    fn repeat(&self, _: &str) -> Option<String> {
        None
    }

    fn place(&self, name: &str) -> Option<String> {
        let place = below(&self.0.join("groups"), name)?;
        let entries = fs::read_dir(&place).ok()?.flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
        match &files.pop() {
            Some(file) if files.is_empty() => Some(quoted(file.as_os_str())),
            _ => None,
        }
    }

    fn quoted(&self) -> String {
        quoted(inputs_of(self.0).as_os_str())
    }
}

/// Returns what stands in a folder under a name, which leads nowhere else.
fn below(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = !name.is_empty() && name != ".." && name != "." && !name.contains('/');
    is_plain.then(|| folder.join(name))
}

/// Returns a folder as a shell takes it from anywhere.
fn full(folder: &Path) -> String {
    quoted(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).as_os_str())
}
