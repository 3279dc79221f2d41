//! Names of places in programs: the function and the line of an offset in a file.

use addr2line::Loader;
use std::collections::HashMap;

/// Files that were asked about.
#[derive(Default)]
pub(super) struct Places {
    files: HashMap<String, Option<Loader>>,
}

impl Places {
    /// Returns the name of a place that a schedule has as `FILE+0xOFFSET`; as it is, if the file does not tell.
    pub(super) fn name(&mut self, place: &str) -> String {
        self.known(place).unwrap_or_else(|| place.to_owned())
    }

    fn known(&mut self, place: &str) -> Option<String> {
        let (file, offset) = place.rsplit_once("+0x")?;
        let offset = u64::from_str_radix(offset, 16).ok()?;
        let loader = self.files.entry(file.to_owned()).or_insert_with(|| Loader::new(file).ok()).as_ref()?;
        // The offset is where the call returns to: one less is in the call.
        let within = offset.checked_sub(1)?;
        let location = loader.find_location(within).ok().flatten()?;
        let source = location.file?.rsplit('/').next()?.to_owned();
        let function = loader.find_symbol(within).map_or(String::new(), |name| format!("{name}, "));
        let line = location.line.map_or(String::new(), |line| format!(":{line}"));
        Some(format!("{function}{source}{line}"))
    }
}
