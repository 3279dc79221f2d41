//! What the pure crates must not contain: no files, processes, threads, clocks, nothing printed.

use crate::source::Crate;

/// The crates that are pure.
pub(crate) const CRATES: &[&str] =
    &["reduct-core", "reduct-input", "reduct-passes", "reduct-strategies", "reduct-fuzz"];

/// What a pure crate must not contain, and what to do instead.
const BANNED: &[(&str, &str)] = &[
    ("std::fs", "files are read in reduct-sources"),
    ("std::net", "there is no network here"),
    ("std::process", "processes are started in reduct-sandbox"),
    ("std::thread", "a search is a value; what runs in parallel is in reduct-sandbox"),
    ("std::env", "what depends on the environment is decided by the caller"),
    ("std::time", "there is no clock here: an executor has one"),
    ("SystemTime", "there is no clock here: an executor has one"),
    ("Mutex", "a search is a value, not an object to be shared"),
    ("println!", "nothing here prints"),
    ("RandomState", "what is random has a seed: laws::Chance"),
];

/// Returns what a pure crate contains of that, as complaints.
pub(crate) fn complaints(krate: &Crate) -> Vec<String> {
    let mut complaints = vec![];
    for file in krate.files.values() {
        for (number, line) in file.text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for (banned, instead) in BANNED.iter().filter(|(banned, _)| code.contains(banned)) {
                complaints.push(format!("{}:{}: `{banned}`: {instead}", file.path.display(), number + 1));
            }
        }
    }
    complaints
}
