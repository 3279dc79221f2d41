//! Files of the user's by which a test is started wherever it runs, and whether they may go to the folder in which they
//! stand: that is the user's own then.

use super::Job;
use reduct_report::preflight::place::Goer;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// So much of a script is read; of a longer one nothing is known.
const LONGEST: u64 = 1 << 16;

/// What scripts ask where they stand by.
const ASKS: [&str; 29] = [
    "$0",
    "${0",
    "BASH_SOURCE",
    "funcsourcetrace",
    "(%):-%",
    ".sh.file",
    "__file__",
    "__FILE__",
    "__dir",
    "__DIR__",
    "__filename",
    "__spec__",
    "argv[0]",
    "argv[1]",
    "arg[0]",
    "sys.path",
    "inspect.get",
    "importlib.resources",
    "import.meta",
    "require.main",
    "FindBin",
    "PROGRAM_NAME",
    "current_exe",
    "info script",
    "status filename",
    "status -f",
    "getinfo",
    "MAKEFILE_LIST",
    "/proc/",
];

/// Why a file may go to the folder in which it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goes {
    /// It holds words that ask for it.
    Asks,
    /// It is no script, or a long one.
    Unread,
}

impl Job {
    /// Returns the first file below a folder that the command names so that it is found from anywhere, inputs not among
    /// them, or of these `others`, by their paths in it, that may go to the folder in which it stands.
    pub(crate) fn goer(&self, top: &Path, others: &[PathBuf]) -> Option<Goer> {
        let named = self.named_below(top);
        if named.is_empty() {
            return None;
        }
        let goes = |path: &PathBuf| Some(Goer { asks: goes(&top.join(path))? == Goes::Asks, path: path.clone() });
        // What is opened besides may be anything: only what asks for it is known to.
        let asks = |goer: &Goer| goer.asks;
        named.iter().find_map(goes).or_else(|| others.iter().filter_map(goes).find(asks))
    }
}

/// Returns whether a file may go to the folder in which it stands, and why.
fn goes(path: &Path) -> Option<Goes> {
    let mut text = vec![];
    let file = path.is_file().then(|| File::open(path).ok()).flatten()?;
    if file.take(LONGEST + 1).read_to_end(&mut text).is_err() {
        return Some(Goes::Unread);
    }
    let holds = |asks: &&str| text.windows(asks.len()).any(|part| part == asks.as_bytes());
    let is_unread = text.len() as u64 > LONGEST || text.contains(&0);
    if ASKS.iter().any(holds) { Some(Goes::Asks) } else { is_unread.then_some(Goes::Unread) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_go_to_its_own_folder_is_told_by_its_text() {
        let folder = tempfile::tempdir().unwrap();
        let long = vec![b'a'; LONGEST as usize + 1];
        for (text, expected) in [
            (&b"#!/bin/sh\ncd \"$(dirname \"$0\")\"\n"[..], Some(Goes::Asks)),
            (b"open(os.path.join(os.path.dirname(__file__), 'log'))", Some(Goes::Asks)),
            (b"#!/bin/sh\ngrep -q needle \"$1\" >out.txt\n", None),
            (b"", None),
            (b"\x7fELF\0\0", Some(Goes::Unread)),
            (&long, Some(Goes::Unread)),
        ] {
            let path = folder.path().join("file");
            std::fs::write(&path, text).unwrap();
            assert_eq!(goes(&path), expected, "{}", String::from_utf8_lossy(&text[..text.len().min(30)]));
        }
        assert_eq!(goes(&folder.path().join("missing")), None);
    }
}
