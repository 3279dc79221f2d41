//! Other failures met on the way: one smallest input each, in `others/`, bounded in number and bytes.

use crate::event::{Event, Observer};
use reduct_input::Candidate;
use reduct_sources::{load_published, write_below};
use reduct_system::remove;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Keeps the smallest candidate of each other failure.
pub struct OtherFailures {
    folder: PathBuf,
    smallest: BTreeMap<String, Find>,
    /// How often other failures were met in this session.
    met: usize,
    /// How often some were met that are not kept, because there are too many kinds or they are too large.
    dropped: usize,
}

struct Find {
    number: usize,
    bytes: usize,
    /// How often it was met in this session.
    met: usize,
}

/// The other failures that were met in a session, and in those before it.
#[derive(Clone, Debug, Default)]
pub struct Met {
    /// What those that are kept look like, where the smallest input is, its size in bytes.
    pub kept: Vec<(String, PathBuf, usize)>,
    /// How often any was met.
    pub times: usize,
    /// How often one was met that is not kept.
    pub not_kept: usize,
    /// The file that lists them, or else the folder they are in.
    pub place: PathBuf,
}

/// More kinds of failure than this are counted, not kept.
const MOST: usize = 16;
/// Larger candidates than this are not kept.
const LARGEST: usize = 16 << 20;

impl OtherFailures {
    /// Keeps them in `folder`, which is made with the first one, beside those that an earlier session has
    /// left there.
    pub fn open(folder: PathBuf) -> OtherFailures {
        let mut other_failures = OtherFailures { folder, smallest: BTreeMap::new(), met: 0, dropped: 0 };
        for number in 1..=MOST {
            let place = other_failures.place(number);
            let Ok(signature) = fs::read_to_string(place.join("signature.txt")) else { continue };
            let Ok(artifact) = load_published(&place.join("input"), None) else { continue };
            let find = Find { number, bytes: artifact.bytes().len(), met: 0 };
            other_failures.smallest.insert(signature.trim_end().to_owned(), find);
        }
        other_failures
    }

    /// Returns the other failures met. Those that are kept are listed in a file beside them, if it can be written.
    pub fn conclude(&self) -> Met {
        let smallest = self.smallest.iter();
        let kept: Vec<_> =
            smallest.map(|(signature, find)| (signature.clone(), self.place(find.number), find.bytes)).collect();
        let list = self.folder.join("list.txt");
        let is_listed = !kept.is_empty() && fs::write(&list, self.listed()).is_ok();
        let place = if is_listed { list } else { self.folder.clone() };
        Met { kept, times: self.met, not_kept: self.dropped, place }
    }

    /// Returns one line each, those met most often first.
    fn listed(&self) -> String {
        let mut all: Vec<(&String, &Find)> = self.smallest.iter().collect();
        all.sort_by_key(|(_, find)| (std::cmp::Reverse(find.met), find.number));
        let mut text = "met  smallest  where\n".to_owned();
        for (signature, Find { number, bytes, met }) in all {
            text += &format!("{met:>3}  {bytes:>8}  {number}/input  {}\n", one_line(signature));
        }
        if self.dropped > 0 {
            text += &format!("{:>3}            not kept\n", self.dropped);
        }
        text
    }

    fn place(&self, number: usize) -> PathBuf {
        self.folder.join(number.to_string())
    }

    /// Counts a failure, and keeps it if it is new or smaller.
    fn take(&mut self, signature: &str, candidate: &Candidate) -> io::Result<()> {
        self.keep(signature, candidate)?;
        self.met += 1;
        match self.smallest.get_mut(signature) {
            Some(find) => find.met += 1,
            None => self.dropped += 1,
        }
        Ok(())
    }

    fn keep(&mut self, signature: &str, candidate: &Candidate) -> io::Result<()> {
        let bytes = candidate.len();
        let known = self.smallest.get(signature);
        if known.is_some_and(|find| find.bytes <= bytes) || bytes > LARGEST {
            return Ok(());
        }
        let met = known.map_or(0, |find| find.met);
        let number = match known {
            Some(find) => find.number,
            None if self.smallest.len() == MOST => return Ok(()),
            None => (1..=MOST).find(|n| self.smallest.values().all(|find| find.number != *n)).unwrap_or(MOST),
        };
        let place = self.place(number);
        if place.exists() {
            remove::tree(&place)?;
        }
        fs::create_dir_all(&place)?;
        fs::write(place.join("signature.txt"), format!("{}\n", one_line(signature)))?;
        let input = place.join("input");
        fs::create_dir(&input)?;
        write_below(candidate, &input)?;
        self.smallest.insert(signature.into(), Find { number, bytes, met });
        Ok(())
    }
}

fn one_line(signature: &str) -> String {
    signature.replace('\n', " ")
}

impl Observer for OtherFailures {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Other { signature, candidate } => self.take(signature, candidate),
            _ => Ok(()),
        }
    }
}
