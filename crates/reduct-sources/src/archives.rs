//! Archives: what is packed in a file is reduced as files in a folder, and packed again for each test.
//!
//! Members are stored as they are: an archive that is packed again is larger than before, and quickly made. What an archive
//! holds besides its members (their order, times, comments, how they were compressed) is not kept. So it has to be tried whether
//! an archive that is packed again still fails.

mod gzip;
mod zip;

use reduct_input::{Artifact, ArtifactBuilder, Candidate, Entry, Packing, TooLarge, What};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

/// What unpacked contents are larger than is not unpacked: an archive of some kilobytes can hold terabytes.
const LARGEST: u64 = 256 << 20;

/// The mode of a member whose archive says nothing of it.
const FILE_MODE: u32 = 0o644;
const FOLDER_MODE: u32 = 0o755;

/// The members of an archive. A folder comes before what is in it.
type Members = BTreeMap<PathBuf, Member>;

/// What stands in an archive under one name.
enum Member {
    File { mode: u32, contents: Vec<u8> },
    Folder { mode: u32 },
}

/// One format of archives.
struct Format {
    packing: Packing,
    /// How its files begin.
    beginnings: &'static [&'static [u8]],
    /// Returns the members of what stands under a name; `None` if they could not be packed again as they are, or are larger
    /// than so many bytes.
    read: fn(&[u8], &Path, u64) -> Option<Members>,
    /// Returns what holds these members.
    write: fn(&Members) -> io::Result<Vec<u8>>,
}

const ZIP: Format = Format { packing: Packing::Zip, beginnings: zip::BEGINNINGS, read: zip::read, write: zip::write };
const GZIP: Format =
    Format { packing: Packing::Gzip, beginnings: gzip::BEGINNINGS, read: gzip::read, write: gzip::write };

impl Format {
    /// Returns the format of which contents may be, by how they begin.
    fn of(contents: &[u8]) -> Option<Format> {
        [ZIP, GZIP].into_iter().find(|format| format.beginnings.iter().any(|begin| contents.starts_with(begin)))
    }

    /// Returns the format of an archive.
    fn named(packing: Packing) -> Format {
        match packing {
            Packing::Zip => ZIP,
            Packing::Gzip => GZIP,
        }
    }
}

/// Returns the same with the members of its archives as entries of their own; `None` if it has no archive that can be unpacked.
///
/// # Errors
/// If that exceeds 4 GiB.
pub fn unpack(artifact: &Artifact) -> Result<Option<Artifact>, TooLarge> {
    if !artifact.files().any(|(_, _, contents)| Format::of(contents).is_some()) {
        return Ok(None);
    }
    let mut builder = ArtifactBuilder::default();
    let (mut is_unpacked, mut room) = (false, LARGEST);
    for Entry { path, what } in artifact.entries() {
        match what {
            What::File { mode, bytes } => {
                let contents = artifact.slice(bytes.clone());
                let read = |format: Format| Some((format.packing, (format.read)(contents, path, room)?));
                let Some((packing, members)) = Format::of(contents).and_then(read) else {
                    builder.file(path, *mode, contents)?;
                    continue;
                };
                builder.archive(path, *mode, packing);
                room -= add(&mut builder, path, members)?;
                is_unpacked = true;
            }
            What::Link { target } => drop(builder.link(path, target)),
            What::Folder { mode } => drop(builder.folder(path, *mode)),
            What::Archive { mode, packing } => drop(builder.archive(path, *mode, *packing)),
        }
    }
    Ok(is_unpacked.then(|| builder.finish()))
}

/// Adds members below an archive. Returns how many bytes they have.
fn add(builder: &mut ArtifactBuilder, archive: &Path, members: Members) -> Result<u64, TooLarge> {
    let mut bytes = 0;
    for (path, member) in members {
        match member {
            Member::File { mode, contents } => {
                builder.file(archive.join(path), mode, &contents)?;
                bytes += contents.len() as u64;
            }
            Member::Folder { mode } => drop(builder.folder(archive.join(path), mode)),
        }
    }
    Ok(bytes)
}

/// Returns the same candidate with its archives as the files that a test sees.
///
/// # Errors
/// If an archive cannot hold its members.
pub fn packed(candidate: &Candidate) -> io::Result<Cow<'_, Candidate>> {
    if !candidate.base().has_archives() {
        return Ok(Cow::Borrowed(candidate));
    }
    let too_large = io::Error::other::<TooLarge>;
    let mut builder = ArtifactBuilder::default();
    let mut entries = candidate.pieces().peekable();
    while let Some((Entry { path, what }, pieces)) = entries.next() {
        match what {
            What::File { mode, .. } => drop(builder.file(path, *mode, &pieces.concat()).map_err(too_large)?),
            What::Link { target } => drop(builder.link(path, target)),
            What::Folder { mode } => drop(builder.folder(path, *mode)),
            What::Archive { mode, packing } => {
                let mut members = Members::new();
                while let Some((entry, pieces)) = entries.next_if(|(entry, _)| entry.path.starts_with(path)) {
                    let name = entry.path.strip_prefix(path).map_err(io::Error::other)?;
                    members.extend(member(&entry.what, &pieces).map(|member| (name.to_owned(), member)));
                }
                let write = Format::named(*packing).write;
                builder.file(path, *mode, &write(&members)?).map_err(too_large)?;
            }
        }
    }
    Ok(Cow::Owned(Candidate::whole(builder.finish().into()).counted(candidate.deltas())))
}

/// Returns what stands in an archive for an entry below it.
fn member(what: &What, pieces: &[&[u8]]) -> Option<Member> {
    match what {
        What::File { mode, .. } => Some(Member::File { mode: *mode, contents: pieces.concat() }),
        What::Folder { mode } => Some(Member::Folder { mode: *mode }),
        // Neither is ever made below an archive.
        What::Link { .. } | What::Archive { .. } => None,
    }
}

/// Returns a name in an archive as a path that stays in it; `None` if it is not written as such a path is.
fn inner(name: &str) -> Option<PathBuf> {
    let path: PathBuf = Path::new(name).components().collect();
    let is_inner = path.components().all(|part| matches!(part, Component::Normal(_)));
    let is_plain = path.to_str() == Some(name.strip_suffix('/').unwrap_or(name));
    (is_inner && is_plain && !name.is_empty() && !name.contains(['\0', '\\'])).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_core::{Config, Delta, Question};

    /// An archive in which folders are filled, nested and empty.
    fn archive(packing: Packing) -> Artifact {
        let mut builder = ArtifactBuilder::default();
        builder.archive("a", 0o644, packing);
        if packing == Packing::Zip {
            builder.folder("a/b", FOLDER_MODE).file("a/b/c", 0o755, b"one").unwrap();
            builder.folder("a/b/d", FOLDER_MODE).folder("a/e", 0o700).file("a/mimetype", FILE_MODE, b"").unwrap();
        }
        builder.file("a/contents", FILE_MODE, b"two").unwrap();
        let mut all = builder.finish();
        all = Artifact::of_variants(sorted(&all), all.bytes().to_vec());
        all
    }

    fn sorted(artifact: &Artifact) -> Vec<Entry> {
        let mut entries = artifact.entries().to_vec();
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        entries
    }

    #[test]
    fn what_is_packed_is_unpacked_as_it_was_whatever_was_left_out() {
        let all: std::sync::Arc<Artifact> = archive(Packing::Zip).into();
        let count = all.entries().len();
        for kept in 0u32..1 << count {
            let is_kept = |at: usize| kept >> at & 1 == 1;
            let parent = |at: usize| {
                let parent = all.entries()[at].path.parent()?;
                all.entries().iter().position(|entry| entry.path == parent)
            };
            if (0..count).any(|at| is_kept(at) && parent(at).is_some_and(|parent| !is_kept(parent))) {
                continue;
            }
            let entries = Config::from_deltas((0..count as u32).filter(|at| is_kept(*at as usize)).map(Delta));
            let bytes = all.entries().iter().enumerate().filter(|(at, _)| is_kept(*at));
            let bytes = bytes.filter_map(|(_, entry)| match &entry.what {
                What::File { bytes, .. } => Some(bytes.clone()),
                _ => None,
            });
            let mut bytes: Vec<_> = bytes.collect();
            bytes.sort_by_key(|range| range.start);
            let candidate = Candidate::new(all.clone(), entries, Config::from_ranges(bytes), 0);
            let packed = packed(&candidate).unwrap().artifact();
            assert!(!packed.has_archives());
            let again = unpack(&packed).unwrap().unwrap_or(packed);
            assert_eq!(Candidate::whole(again.into()).key(), candidate.key(), "{kept:b}");
        }
    }

    /// With its member, without the contents of that, and without it.
    #[test]
    fn a_member_of_gzip_is_unpacked_as_it_was() {
        let all: std::sync::Arc<Artifact> = archive(Packing::Gzip).into();
        let length = all.bytes().len();
        for (entries, bytes) in [(2, length), (2, 0), (1, 0)] {
            let candidate = Candidate::new(all.clone(), Config::full(entries), Config::full(bytes), 0);
            let packed = packed(&candidate).unwrap().artifact();
            let again = unpack(&packed).unwrap().unwrap();
            assert_eq!(Candidate::whole(again.into()).key(), candidate.key(), "{entries} entries, {bytes} bytes");
        }
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_no_name() {
        for name in ["", "/", "/a", "..", "a/../b", "./a", "a//b", "a\\b", "a\0", "a/."] {
            assert_eq!(inner(name), None, "{name:?}");
        }
        for name in ["a", "a/b", "a/", "[Content_Types].xml"] {
            assert!(inner(name).is_some(), "{name:?}");
        }
    }
}
