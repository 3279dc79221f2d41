//! Whether a run says that something is missing: a failure of the folder in which it ran, perhaps, and not of the input.

use crate::job::Job;
use reduct_oracle::Observed;
use std::collections::BTreeSet;
use std::path::Path;

/// What programs say of what is not there.
const PHRASES: [&str; 17] = [
    "not found",
    "no such file",
    "cannot open",
    "can't open",
    "could not open",
    "couldn't open",
    "unable to open",
    "cannot find",
    "can't find",
    "could not find",
    "couldn't find",
    "unable to find",
    "can't locate",
    "no module named",
    "cannot load such file",
    "does not exist",
    "directory nonexistent",
];

/// Returns a line in which a run says that something is missing, if there is one.
pub(super) fn said(observed: &Observed) -> Option<String> {
    lines(observed).into_iter().find(|line| says_so(line))
}

/// Returns whether a run says that something is missing and none of these others says the same.
pub(super) fn only_in(one: &Observed, others: &[Observed]) -> bool {
    let of = |observed: &Observed| -> BTreeSet<String> {
        lines(observed).iter().filter(|line| says_so(line)).map(|line| without_places(line)).collect()
    };
    let elsewhere: BTreeSet<String> = others.iter().flat_map(of).collect();
    !of(one).is_subset(&elsewhere)
}

/// Returns the first file of the user's folder that a run names, which is neither an input nor a word of the command.
pub(super) fn named(job: &Job, observed: &Observed) -> Option<String> {
    let others: Vec<_> =
        job.input_paths().into_iter().chain(job.command.iter().map(|word| job.folder.join(word))).collect();
    let others: Vec<_> = others.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let is_another = |word: &&str| {
        // A plain word may be anything.
        let is_path = word.contains('/') || Path::new(word).extension().is_some();
        let full = job.folder.join(word);
        let full = if is_path && full.is_file() { full.canonicalize().ok() } else { None };
        full.is_some_and(|full| {
            !others.contains(&full) && job.folder.canonicalize().is_ok_and(|top| full.starts_with(top))
        })
    };
    let of_line = |line: &String| -> Option<String> {
        let is_between = |c: char| c.is_whitespace() || "'\"`:;,()[]<>=“”‘’".contains(c);
        line.split(is_between).filter(|word| !word.is_empty()).find(is_another).map(str::to_owned)
    };
    lines(observed).iter().find_map(of_line)
}

fn lines(observed: &Observed) -> Vec<String> {
    let said = [&observed.stderr[..], b"\n", &observed.stdout[..]].concat();
    String::from_utf8_lossy(&said).lines().map(str::to_owned).collect()
}

fn says_so(line: &str) -> bool {
    let line = line.to_lowercase();
    PHRASES.iter().any(|phrase| line.contains(phrase))
}

/// Returns a line without numbers and without the folders in its paths: those of a test are others each time.
fn without_places(line: &str) -> String {
    let name = |word: &str| word.rsplit('/').next().unwrap_or_default().replace(|c: char| c.is_ascii_digit(), "");
    line.split_whitespace().map(name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_oracle::{Also, Exit};
    use std::time::Duration;

    fn saying(text: &str) -> Observed {
        let (stdout, stderr) = (vec![], text.as_bytes().to_vec());
        Observed { exit: Exit::Code(1), stdout, stderr, elapsed: Duration::ZERO, also: Also::default() }
    }

    #[test]
    fn what_is_missing_in_both_places_is_not_missing_in_one() {
        let bare = saying("/home/a/t.sh: 3: /scratch/17/prog: not found\n");
        assert!(!only_in(&bare, &[saying("./t.sh: 3: /scratch/2/prog: not found\nmore\n")]));
        assert!(only_in(&bare, &[saying("./t.sh: 3: /scratch/2/other: not found\n")]));
        assert!(only_in(&bare, &[]));
        assert!(!only_in(&saying("wrong\n"), &[]));
    }
}
