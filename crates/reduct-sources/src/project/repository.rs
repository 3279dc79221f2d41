//! Whether a copy of a repository is one: what git would do in it, it must not do to the original.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a repository's settings that name its folder of files.
const SETTINGS: [&str; 2] = [".git/config", ".git/config.worktree"];

/// Returns where the files of the repository in this folder are said to stand, if a copy of it would look for them
/// elsewhere than in the copy.
pub(super) fn elsewhere(folder: &Path) -> Option<PathBuf> {
    let texts = SETTINGS.iter().filter_map(|name| fs::read(folder.join(name)).ok());
    let named: Vec<PathBuf> = texts.filter_map(|text| worktree(&String::from_utf8_lossy(&text))).collect();
    let is_in_the_copy = |place: &PathBuf| {
        let full = folder.join(".git").join(place).canonicalize();
        place.is_relative() && full.is_ok_and(|full| full.starts_with(folder))
    };
    named.into_iter().find(|place| !is_in_the_copy(place))
}

/// Returns `core.worktree`, as it stands there last.
fn worktree(settings: &str) -> Option<PathBuf> {
    let (mut is_core, mut found) = (false, None);
    for line in settings.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            is_core = section.split(']').next().is_some_and(|name| name.trim().eq_ignore_ascii_case("core"));
        }
        let setting = if line.starts_with('[') { line.rsplit(']').next().unwrap_or(line) } else { line };
        if let Some((name, value)) = setting.split_once('=')
            && is_core
            && name.trim().eq_ignore_ascii_case("worktree")
        {
            found = Some(value.trim().trim_matches('"').into());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_files_is_read_as_git_reads_it() {
        for (settings, expected) in [
            ("[core]\n\tbare = false\n\tworktree = /a/b\n", Some("/a/b")),
            ("[CORE] WorkTree=\"../x\"\n", Some("../x")),
            ("[core]\nworktree = /a\nworktree = /b\n", Some("/b")),
            ("[other]\nworktree = /a/b\n", None),
            ("[core \"sub\"]\nworktree = /a\n", None),
            ("", None),
        ] {
            assert_eq!(worktree(settings), expected.map(PathBuf::from), "{settings}");
        }
    }
}
