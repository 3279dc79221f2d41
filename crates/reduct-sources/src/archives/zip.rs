//! zip files, and all that are made of them: documents of offices, books, packages of Java, Python and Android.

use super::{FILE_MODE, FOLDER_MODE, Member, Members, inner};
use std::collections::btree_map::Entry;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// A member of this name stands first, and says what the archive is: so readers of ODF and EPUB expect it.
const FIRST: &str = "mimetype";

/// How a zip file begins: with its first member, or with its end if it has none.
pub(super) const BEGINNINGS: &[&[u8]] = &[b"PK\x03\x04", b"PK\x05\x06"];

/// As many members as an archive has.
const MOST: usize = 1 << 16;

/// The bits of a mode that permit something.
const PERMISSIONS: u32 = 0o777;

/// Returns the members of a zip file, if no two have the same name, none is encrypted or a link, and nothing stands before them.
pub(super) fn read(bytes: &[u8], _: &Path, largest: u64) -> Option<Members> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    if archive.offset() != 0 || archive.len() > MOST || archive.has_duplicate_names() {
        return None;
    }
    let (mut members, mut room) = (Members::new(), largest);
    for at in 0..archive.len() {
        let file = archive.by_index(at).ok()?;
        let path = inner(std::str::from_utf8(file.name_raw()).ok()?)?;
        if file.encrypted() || file.is_symlink() || file.size() > room {
            return None;
        }
        let mode = file.unix_mode().map(|mode| mode & PERMISSIONS).filter(|mode| *mode != 0);
        for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
            members.entry(above.to_owned()).or_insert(Member::Folder { mode: FOLDER_MODE });
        }
        let member = if file.is_dir() {
            Member::Folder { mode: mode.unwrap_or(FOLDER_MODE) }
        } else {
            let mut contents = vec![];
            file.take(room + 1).read_to_end(&mut contents).ok()?;
            room = room.checked_sub(contents.len() as u64)?;
            Member::File { mode: mode.unwrap_or(FILE_MODE), contents }
        };
        match members.entry(path) {
            Entry::Vacant(place) => drop(place.insert(member)),
            // A folder that comes after what is in it.
            Entry::Occupied(mut there) if is_folder(there.get()) && is_folder(&member) => drop(there.insert(member)),
            Entry::Occupied(_) => return None,
        }
    }
    let is_in_a_file =
        |path: &Path| path.ancestors().skip(1).any(|above| members.get(above).is_some_and(|at| !is_folder(at)));
    (!members.keys().any(|path| is_in_a_file(path))).then_some(members)
}

fn is_folder(member: &Member) -> bool {
    matches!(member, Member::Folder { .. })
}

/// Returns a zip file with these members, stored as they are. Folders are named only if nothing is in them.
pub(super) fn write(members: &Members) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(vec![]));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let is_first = |path: &Path| path == Path::new(FIRST);
    let first = members.iter().filter(|(path, _)| is_first(path));
    for (path, member) in first.chain(members.iter().filter(|(path, _)| !is_first(path))) {
        let name = path.to_str().ok_or(io::ErrorKind::InvalidData)?;
        match member {
            Member::File { mode, contents } => {
                writer.start_file(name, options.unix_permissions(*mode))?;
                writer.write_all(contents)?;
            }
            Member::Folder { mode } => {
                if !holds_something(members, path) || *mode != FOLDER_MODE {
                    writer.add_directory(name, options.unix_permissions(*mode))?;
                }
            }
        }
    }
    Ok(writer.finish()?.into_inner())
}

/// Returns whether a member stands below this folder: it is the next one in the order of paths.
fn holds_something(members: &Members, folder: &Path) -> bool {
    let mut following = members.range(folder.to_owned()..).map(|(path, _)| path).skip(1);
    following.next().is_some_and(|next| next.starts_with(folder))
}
