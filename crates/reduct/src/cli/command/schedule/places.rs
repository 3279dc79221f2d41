//! Names of places in programs: the function and the line of an offset in a file, and what stands on that line; or the variable there.

use super::variables::variable_at;
use addr2line::Loader;
use reduct_report::schedules::{NamedChange, NamedSwitch, PlaceNames, SwitchDifference};
use reduct_trace::{IsolatedSwitches, Switch};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A larger source is not read.
const LARGEST: u64 = 16 << 20;
/// In a larger program, no variables are looked up.
const LARGEST_PROGRAM: u64 = 256 << 20;

/// So many programs are opened. What a program prints names them, and it may print anything.
const MOST_FILES: usize = 100;
/// So many bytes of programs are read in all to look up variables.
const MOST_READ: u64 = 1 << 30;

/// What was asked about.
#[derive(Default)]
pub(super) struct Places {
    files: HashMap<String, Option<Loader>>,
    /// What lies at each place of data.
    data: HashMap<String, Option<String>>,
    /// What is at each place of code, for rows of tables.
    code: HashMap<String, Option<String>>,
    /// How many bytes were read to look up variables.
    read: u64,
    /// Files that are younger are others than those that ran.
    before: Option<SystemTime>,
}

/// A place in code.
struct Located {
    name: String,
    source: PathBuf,
    line: Option<u32>,
}

impl Places {
    /// Looks at what ran before this time only.
    pub(super) fn before(time: SystemTime) -> Places {
        Places { before: Some(time), ..Places::default() }
    }

    /// Takes names that were looked up earlier.
    pub(super) fn of(code: HashMap<String, Option<String>>) -> Places {
        Places { code, ..Places::default() }
    }

    /// Returns the names of the places of these switches, as far as they are known.
    pub(super) fn names<'a>(&mut self, switches: impl Iterator<Item = &'a Switch>) -> HashMap<String, Option<String>> {
        switches.map(|switch| (switch.place.clone(), self.name_of(&switch.place))).collect()
    }

    /// Returns switches with the names of their places, and without the lines of the source.
    pub(super) fn brief(&mut self, switches: &[Switch]) -> Vec<NamedSwitch> {
        let named = |switch: &Switch| {
            let place = self.name_of(&switch.place).unwrap_or_else(|| switch.place.clone());
            NamedSwitch { thread: switch.thread, point: switch.point, to: switch.to, place, source: None }
        };
        switches.iter().map(named).collect()
    }

    /// Returns the name of a place of code, which is looked up once.
    fn name_of(&mut self, place: &str) -> Option<String> {
        if let Some(known) = self.code.get(place) {
            return known.clone();
        }
        let name = self.located(place).map(|it| it.name);
        self.code.insert(place.to_owned(), name.clone());
        name
    }

    /// Returns a switch with the name of its place, and the line of the source.
    pub(super) fn named(&mut self, switch: &Switch) -> NamedSwitch {
        let located = self.located(&switch.place);
        let source = match &located {
            Some(it) => {
                it.line.zip(split(&switch.place)).and_then(|(line, (file, _))| source(&it.source, line, file.as_ref()))
            }
            None => statement(&switch.place).map(str::to_owned),
        };
        let place = located.map_or_else(|| switch.place.clone(), |it| it.name);
        NamedSwitch { thread: switch.thread, point: switch.point, to: switch.to, place, source }
    }

    /// Returns two schedules that hardly differ, with the names of the places where they do.
    pub(super) fn difference(&mut self, isolated: &IsolatedSwitches) -> SwitchDifference {
        let changes = isolated.differ().into_iter().map(|change| NamedChange {
            passing: change.passing.map(|switch| self.named(&switch)),
            failing: change.failing.map(|switch| self.named(&switch)),
        });
        let changes = changes.collect();
        SwitchDifference { passing: isolated.passing.len(), failing: isolated.failing.len(), changes }
    }

    fn loader(&mut self, file: &str) -> Option<&Loader> {
        if self.files.len() >= MOST_FILES && !self.files.contains_key(file) {
            return None;
        }
        let before = self.before;
        let open = || size(file).filter(|_| is_older(file, before)).and_then(|_| Loader::new(file).ok());
        self.files.entry(file.to_owned()).or_insert_with(open).as_ref()
    }

    /// Returns what the file tells of a place that a schedule has as `FILE+0xOFFSET`.
    fn located(&mut self, place: &str) -> Option<Located> {
        let (file, offset) = split(place)?;
        let loader = self.loader(file)?;
        // The offset is where the call returns to: one less is in the call.
        let within = offset.checked_sub(1)?;
        let location = loader.find_location(within).ok().flatten()?;
        let path = location.file?;
        let name = path.rsplit('/').next()?.to_owned();
        let function = loader.find_symbol(within).map_or(String::new(), |name| format!("{name}, "));
        let line = location.line.map_or(String::new(), |line| format!(":{line}"));
        Some(Located { name: format!("{function}{name}{line}"), source: path.into(), line: location.line })
    }

    /// Returns the variable at a place, unless too much was read already.
    fn variable(&mut self, place: &str) -> Option<String> {
        let (file, offset) = split(place)?;
        let read = self.read + size(file).filter(|size| *size <= LARGEST_PROGRAM)?;
        (read <= MOST_READ).then_some(())?;
        self.read = read;
        variable_at(Path::new(file), offset)
    }

    /// Returns the symbol at a place, and how far behind its beginning that is.
    fn symbol(&mut self, place: &str) -> Option<String> {
        let (file, offset) = split(place)?;
        let symbol = self.loader(file)?.find_symbol_info(offset)?;
        let within = offset - symbol.address();
        Some(if within == 0 { symbol.name().to_owned() } else { format!("{}+0x{within:x}", symbol.name()) })
    }
}

impl PlaceNames for Places {
    fn of_code(&mut self, place: &str) -> Option<String> {
        self.located(place).map(|it| it.name)
    }

    fn of_data(&mut self, place: &str) -> Option<String> {
        if let Some(known) = self.data.get(place) {
            return known.clone();
        }
        let name = self.variable(place).or_else(|| self.symbol(place));
        self.data.insert(place.to_owned(), name.clone());
        name
    }
}

/// Returns the size of a regular file that is not empty. To open another one may block, and reading it may never end.
fn size(file: &str) -> Option<u64> {
    fs::metadata(file).ok().filter(fs::Metadata::is_file).map(|meta| meta.len()).filter(|size| *size > 0)
}

/// Returns whether a file was last changed before a time, if there is one.
fn is_older(file: &str, before: Option<SystemTime>) -> bool {
    before.is_none_or(|before| fs::metadata(file).and_then(|it| it.modified()).is_ok_and(|it| it <= before))
}

/// Returns the file and the offset of a place.
fn split(place: &str) -> Option<(&str, u64)> {
    let (file, offset) = place.rsplit_once("+0x")?;
    Some((file, u64::from_str_radix(offset, 16).ok()?))
}

/// Returns the statement of a place that a schedule has as `FILE:LINE STATEMENT`.
fn statement(place: &str) -> Option<&str> {
    let behind = |(at, _): (usize, &str)| {
        let (line, statement) = place[at + 1..].split_once(' ')?;
        let is_line = !line.is_empty() && line.bytes().all(|it| it.is_ascii_digit());
        is_line.then_some(statement)
    };
    place.match_indices(':').find_map(behind)
}

/// Returns a line of a source, unless that was changed after the program was made of it.
fn source(path: &Path, line: u32, program: &Path) -> Option<String> {
    let (source, made) = (fs::metadata(path).ok()?, fs::metadata(program).ok()?);
    let is_older = source.modified().ok()? <= made.modified().ok()?;
    let text = (is_older && source.is_file() && source.len() <= LARGEST).then(|| fs::read(path).ok()).flatten()?;
    let line = String::from_utf8_lossy(text.split(|byte| *byte == b'\n').nth(line.checked_sub(1)? as usize)?)
        .trim()
        .to_owned();
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_a_program_prints_is_looked_up_once_and_in_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        // To open it would block: nobody writes to it.
        let pipe = at("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut places = Places::default();
        assert_eq!(places.of_data(&format!("{pipe}+0x10")), None);
        assert_eq!(places.of_code(&format!("{pipe}+0x10")), None);

        let (source, program) = (at("it.c"), at("it"));
        fs::write(&source, "int table[3];\nint main(void) { return table[0]; }\n").unwrap();
        assert!(Command::new("cc").args(["-g", "-O0", "-o", &program, &source]).status().unwrap().success());
        let symbols = String::from_utf8(Command::new("nm").arg(&program).output().unwrap().stdout).unwrap();
        let table = symbols.lines().find(|line| line.ends_with(" table")).unwrap();
        let second = u64::from_str_radix(table.split(' ').next().unwrap(), 16).unwrap() + 4;
        let place = format!("{program}+0x{second:x}");
        assert_eq!(places.of_data(&place).as_deref(), Some("table[1]"));
        // Once enough was read, there are symbols only.
        let mut other = Places { read: MOST_READ, ..Places::default() };
        assert_eq!(other.of_data(&place).as_deref(), Some("table+0x4"));
        fs::remove_file(&program).unwrap();
        assert_eq!(places.of_data(&place).as_deref(), Some("table[1]"));
    }

    #[test]
    fn a_place_in_python_has_the_statement_that_stands_there() {
        assert_eq!(statement("a/cache.py:10 if not known:"), Some("if not known:"));
        assert_eq!(statement("a b: c.py:7 x = {1: 2}"), Some("x = {1: 2}"));
        assert_eq!(statement("?"), None);
        assert_eq!(statement("prog+0x1254"), None);
    }

    #[test]
    fn only_so_many_programs_are_opened() {
        let mut places = Places::default();
        for n in 0..2 * MOST_FILES {
            assert_eq!(places.of_code(&format!("/nowhere/{n}+0x10")), None);
        }
        assert_eq!(places.files.len(), MOST_FILES);
    }
}
