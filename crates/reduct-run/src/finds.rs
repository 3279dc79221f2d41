//! Other failures met on the way: one smallest input each, in `others/`, bounded in number and bytes.

use crate::event::{Event, Observer};
use crate::executor::local::remove;
use crate::load::{load_published, write_below};
use reduct_circumstances::Candidate;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Keeps the smallest candidate of each other failure.
pub struct Finds {
    folder: PathBuf,
    smallest: BTreeMap<String, Find>,
    /// How many signatures were met that are not kept, because there are too many.
    pub dropped: usize,
}

struct Find {
    number: usize,
    bytes: usize,
}

/// More kinds of failure than this are counted, not kept.
const MOST: usize = 16;
/// Larger candidates than this are not kept.
const LARGEST: usize = 16 << 20;

impl Finds {
    /// Keeps them in `folder`, which is made with the first one, beside those that an earlier session has
    /// left there.
    pub fn open(folder: PathBuf) -> Finds {
        let mut finds = Finds { folder, smallest: BTreeMap::new(), dropped: 0 };
        for number in 1..=MOST {
            let place = finds.place(number);
            let Ok(signature) = fs::read_to_string(place.join("signature.txt")) else { continue };
            let Ok(artifact) = load_published(&place.join("input"), None) else { continue };
            let find = Find { number, bytes: artifact.bytes().len() };
            finds.smallest.insert(signature.trim_end().to_owned(), find);
        }
        finds
    }

    /// The other failures met: what they look like, and where the smallest input is.
    pub fn all(&self) -> impl Iterator<Item = (&str, PathBuf, usize)> + '_ {
        self.smallest.iter().map(|(signature, find)| (signature.as_str(), self.place(find.number), find.bytes))
    }

    fn place(&self, number: usize) -> PathBuf {
        self.folder.join(number.to_string())
    }

    fn keep(&mut self, signature: &str, candidate: &Candidate) -> io::Result<()> {
        let bytes = candidate.len();
        let known = self.smallest.get(signature);
        if known.is_some_and(|find| find.bytes <= bytes) || bytes > LARGEST {
            return Ok(());
        }
        let number = match known {
            Some(find) => find.number,
            None if self.smallest.len() == MOST => {
                self.dropped += 1;
                return Ok(());
            }
            None => (1..=MOST).find(|n| self.smallest.values().all(|find| find.number != *n)).unwrap_or(MOST),
        };
        let place = self.place(number);
        if place.exists() {
            remove::tree(&place)?;
        }
        fs::create_dir_all(&place)?;
        fs::write(place.join("signature.txt"), format!("{}\n", signature.replace('\n', " ")))?;
        let input = place.join("input");
        fs::create_dir(&input)?;
        write_below(candidate, &input)?;
        self.smallest.insert(signature.into(), Find { number, bytes });
        Ok(())
    }
}

impl Observer for Finds {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Other { signature, candidate } => self.keep(signature, candidate),
            _ => Ok(()),
        }
    }
}
