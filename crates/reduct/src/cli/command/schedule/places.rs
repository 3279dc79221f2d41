//! Names of places in programs: the function and the line of an offset in a file, and what stands on that line.

use addr2line::Loader;
use reduct_report::schedules::{NamedChange, NamedSwitch, SwitchDifference};
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

    /// Returns what the file tells of a place that a schedule has as `FILE+0xOFFSET`.
    fn known(&mut self, place: &str) -> Option<(String, Option<String>)> {
        let (file, offset) = place.rsplit_once("+0x")?;
        let offset = u64::from_str_radix(offset, 16).ok()?;
        let loader = self.files.entry(file.to_owned()).or_insert_with(|| Loader::new(file).ok()).as_ref()?;
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
