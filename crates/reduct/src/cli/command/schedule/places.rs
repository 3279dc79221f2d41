//! Names of places in programs: the function and the line of an offset in a file, and what stands on that line; or the variable there.

use super::variables::variable_at;
use addr2line::Loader;
use reduct_report::schedules::{NamedChange, NamedSwitch, PlaceNames, SwitchDifference};
use reduct_trace::{IsolatedSwitches, Switch};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// A larger source is not read.
const LARGEST: u64 = 16 << 20;

/// Files that were asked about.
#[derive(Default)]
pub(super) struct Places {
    files: HashMap<String, Option<Loader>>,
}

impl Places {
    /// Returns a switch with the name of its place, and the line of the source.
    pub(super) fn named(&mut self, switch: &Switch) -> NamedSwitch {
        let (place, source) = self.known(&switch.place).unwrap_or_else(|| (switch.place.clone(), None));
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
        self.files.entry(file.to_owned()).or_insert_with(|| Loader::new(file).ok()).as_ref()
    }

    /// Returns what the file tells of a place that a schedule has as `FILE+0xOFFSET`.
    fn known(&mut self, place: &str) -> Option<(String, Option<String>)> {
        let (file, offset) = split(place)?;
        let loader = self.loader(file)?;
        // The offset is where the call returns to: one less is in the call.
        let within = offset.checked_sub(1)?;
        let location = loader.find_location(within).ok().flatten()?;
        let path = location.file?;
        let name = path.rsplit('/').next()?.to_owned();
        let function = loader.find_symbol(within).map_or(String::new(), |name| format!("{name}, "));
        let line = location.line.map_or(String::new(), |line| format!(":{line}"));
        let source = location.line.and_then(|line| source(Path::new(path), line, Path::new(file)));
        Some((format!("{function}{name}{line}"), source))
    }
}

impl PlaceNames for Places {
    fn of_code(&mut self, place: &str) -> Option<String> {
        self.known(place).map(|(name, _)| name)
    }

    fn of_data(&mut self, place: &str) -> Option<String> {
        let (file, offset) = split(place)?;
        variable_at(Path::new(file), offset).or_else(|| {
            let symbol = self.loader(file)?.find_symbol_info(offset)?;
            let within = offset - symbol.address();
            Some(if within == 0 { symbol.name().to_owned() } else { format!("{}+0x{within:x}", symbol.name()) })
        })
    }
}

/// Returns the file and the offset of a place.
fn split(place: &str) -> Option<(&str, u64)> {
    let (file, offset) = place.rsplit_once("+0x")?;
    Some((file, u64::from_str_radix(offset, 16).ok()?))
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
