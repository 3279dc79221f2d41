//! An order of files other than that of their paths.

use std::ops::Range;

/// An order of the files of an artifact: by how much their addresses shift if they stand in it.
#[derive(Clone, Debug)]
pub struct FileOrder {
    /// By file, in the order of their addresses: where it begins, and where it would begin.
    starts: Vec<(u32, u32)>,
}

impl FileOrder {
    /// Returns the order in which these addresses are given, of all files.
    pub fn new(files: impl IntoIterator<Item = Range<u32>>) -> FileOrder {
        let mut end = 0;
        let place = |file: Range<u32>| {
            let start = end;
            end += file.end - file.start;
            (file.start, start, file.end)
        };
        let mut starts: Vec<(u32, u32, u32)> = files.into_iter().map(place).collect();
        // A file without contents begins where the next one does.
        starts.sort_by_key(|(start, _, end)| (*start, *end));
        FileOrder { starts: starts.into_iter().map(|(start, place, _)| (start, place)).collect() }
    }

    /// Returns where addresses of one file would be.
    pub(crate) fn place(&self, at: &Range<u32>) -> Range<u32> {
        let file = self.starts.partition_point(|(start, _)| *start <= at.start).saturating_sub(1);
        let place = |address: u32| self.starts.get(file).map_or(address, |(start, place)| address - start + place);
        place(at.start)..place(at.end)
    }
}
