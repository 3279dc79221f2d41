//! Files of gzip: one member, whose name is that of the file without its ending.

use super::{FILE_MODE, Member, Members};
use flate2::read::MultiGzDecoder;
use flate2::{Compression, GzBuilder};
use std::io::{self, Read, Write};
use std::path::Path;

/// How such a file begins: with a mark, and the only way to compress that there is.
pub(super) const BEGINNINGS: &[&[u8]] = &[b"\x1f\x8b\x08"];

/// The endings of such files, and what their member ends with instead.
const ENDINGS: [(&str, &str); 3] = [("gz", ""), ("tgz", "tar"), ("svgz", "svg")];

/// What a member is called whose archive has another ending.
const NAMELESS: &str = "contents";

/// The time that a file without a member says it is of: one whose member is empty says that it is of none.
const WITHOUT_MEMBER: u32 = 1;

/// Returns the only member of a file of gzip that stands under this name.
pub(super) fn read(bytes: &[u8], name: &Path, largest: u64) -> Option<Members> {
    let mut contents = vec![];
    let mut decoder = MultiGzDecoder::new(bytes);
    let read = decoder.by_ref().take(largest + 1).read_to_end(&mut contents).ok()?;
    if read == 0 && decoder.header().is_some_and(|header| header.mtime() == WITHOUT_MEMBER) {
        return Some(Members::new());
    }
    let is_small = read as u64 <= largest;
    is_small.then(|| Members::from([(member_name(name).into(), Member::File { mode: FILE_MODE, contents })]))
}

/// Returns the name of the member of a file of this name.
fn member_name(name: &Path) -> String {
    let known = |ending: &str| ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, instead)| *instead);
    let instead = name.extension().and_then(|ending| known(ending.to_str()?));
    let stem = name.file_stem().and_then(|stem| stem.to_str());
    match instead.zip(stem) {
        None | Some((_, "." | "..")) => NAMELESS.to_owned(),
        Some(("", stem)) => stem.to_owned(),
        Some((ending, stem)) => format!("{stem}.{ending}"),
    }
}

/// Returns a file of gzip that holds a member as it is, or nothing.
pub(super) fn write(members: &Members) -> io::Result<Vec<u8>> {
    let time = if members.is_empty() { WITHOUT_MEMBER } else { 0 };
    let mut encoder = GzBuilder::new().mtime(time).write(vec![], Compression::none());
    for member in members.values() {
        if let Member::File { contents, .. } = member {
            encoder.write_all(contents)?;
        }
    }
    encoder.finish()
}
