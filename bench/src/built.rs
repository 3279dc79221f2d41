//! The program `reduct` that a benchmark runs: built just now, or seen to be of these sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Builds the release, which is a matter of a moment if it is there, and says where it is.
pub(crate) fn release() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--quiet", "--package", "reduct"]);
    let status = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    // This program stands in a profile's folder, beside the other profiles.
    let this = std::env::current_exe().map_err(|error| format!("where is this program? {error}"))?;
    let target = this.parent().and_then(Path::parent).ok_or("this program does not stand in a target folder")?;
    if status.success() { Ok(target.join("release/reduct")) } else { Err("reduct was not built".into()) }
}

/// Returns the program in `REDUCT`, or else the release; in a test, whose build must not wait for another one, the one of the
/// test's own profile.
///
/// # Errors
/// If it cannot be built, or is older than its sources.
pub(crate) fn program() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("REDUCT").map(PathBuf::from) {
        return if named.is_file() { Ok(named) } else { Err(format!("REDUCT: {} is no file", named.display())) };
    }
    if !cfg!(test) {
        return release();
    }
    let me = std::env::current_exe().ok();
    let above = me.iter().flat_map(|me| me.ancestors().skip(1).take(2));
    let beside = above.map(|folder| folder.join("reduct")).find(|program| program.is_file());
    let program = beside.ok_or("cargo build -p reduct first, or name the program in REDUCT")?;
    match newer_source(&program) {
        None => Ok(program),
        Some(source) => Err(format!("{} is newer than reduct: cargo build -p reduct first", source.display())),
    }
}

/// Returns a source that has changed since a program was built, by the list of its sources that cargo writes beside it.
fn newer_source(program: &Path) -> Option<PathBuf> {
    let built = modified(program)?;
    let list = fs::read_to_string(program.with_extension("d")).unwrap_or_default();
    let sources = list.split_once(": ").map_or("", |(_, sources)| sources);
    // A space that belongs to a path has a backslash before it.
    let sources = sources.trim_end().replace("\\ ", "\0");
    // Where only tests were built there is no list.
    let sources =
        sources.split(' ').filter(|source| !source.is_empty()).map(|source| PathBuf::from(source.replace('\0', " ")));
    sources.into_iter().find(|source| modified(source).is_none_or(|time| time > built))
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|meta| meta.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_program_that_is_older_than_a_source_is_not_taken() {
        let folder = std::env::temp_dir().join(format!("reduct-bench-built-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [program, one, two] = ["reduct", "one.rs", "two of it.rs"].map(|name| folder.join(name));
        let at = |path: &Path, seconds| {
            let file = fs::File::create(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        };
        [(&program, 10), (&one, 9), (&two, 10)].into_iter().for_each(|(path, seconds)| at(path, seconds));
        assert_eq!(newer_source(&program), None, "without a list");
        let spaced = two.display().to_string().replace(' ', "\\ ");
        fs::write(folder.join("reduct.d"), format!("{}: {} {spaced}\n", program.display(), one.display())).unwrap();
        assert_eq!(newer_source(&program), None);
        at(&two, 11);
        assert_eq!(newer_source(&program), Some(two.clone()));
        fs::remove_file(&two).unwrap();
        assert_eq!(newer_source(&program), Some(two));
        fs::remove_dir_all(&folder).unwrap();
    }
}
