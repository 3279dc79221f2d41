//! Picireny needs a grammar, which is not part of it.
//!
//! `$PEERS/picireny-grammars` has a folder for each ending of a name, with the grammar's files (`*.g4`) and a file `start`, which names
//! the rule for a whole file; and `antlr.jar`, which makes the parsers.

use super::tool::Site;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the grammar for files with this ending, if there is one.
pub(super) fn grammar(ending: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("PEERS")?).join("picireny-grammars").join(ending);
    folder.join("start").is_file().then_some(folder)
}

/// Returns the arguments that have it reduce by a grammar.
pub(super) fn arguments(site: &Site, grammar: &Path, result: &Path) -> Result<Vec<OsString>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", grammar.display());
    let start = fs::read_to_string(grammar.join("start")).map_err(failed)?;
    let entries = fs::read_dir(grammar).map_err(failed)?;
    let mut rules: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    rules.retain(|path| path.extension().is_some_and(|ending| ending == "g4"));
    rules.sort();
    let mut words: Vec<OsString> =
        vec!["-i".into(), site.case.file.as_str().into(), "--test".into(), site.by_path.into()];
    words.extend(["--parallel", "-j"].map(OsString::from));
    words.push(site.jobs.to_string().into());
    words.push("--out".into());
    words.push(result.into());
    words.extend(
        ["--cache", "content", "--parser", "java", "--sys-recursion-limit", "20000", "--start"].map(OsString::from),
    );
    words.push(start.trim().into());
    words.push("--antlr".into());
    words.push(grammar.with_file_name("antlr.jar").into());
    words.push("--grammar".into());
    words.extend(rules.into_iter().map(OsString::from));
    Ok(words)
}
