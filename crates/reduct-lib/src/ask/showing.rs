//! How a command is started that shows a candidate.

use reduct_oracle::shell_line::fill_in_command;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Returns the words of a command that shows what is at `path`: with it in the place of `{}`, or at the end.
pub(super) fn showing(argv: &[OsString], path: &Path) -> Vec<OsString> {
    use std::os::unix::ffi::OsStrExt;
    let is_named = argv.iter().any(|word| word.as_bytes().windows(2).any(|two| two == b"{}"));
    // Nobody is asked in a project.
    let mut words = fill_in_command(argv, path.as_os_str(), OsStr::new("."));
    if !is_named {
        words.push(path.as_os_str().to_owned());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_stands_where_it_is_named_or_at_the_end() {
        let words = |argv: &[&str]| {
            let argv: Vec<OsString> = argv.iter().map(OsString::from).collect();
            showing(&argv, Path::new("/a b/page.html"))
        };
        assert_eq!(words(&["view", "{}"]), ["view", "/a b/page.html"]);
        assert_eq!(words(&["view", "file://{}", "-x"]), ["view", "file:///a b/page.html", "-x"]);
        assert_eq!(words(&["view", "-x"]), ["view", "-x", "/a b/page.html"]);
    }
}
