//! The programs that tests find, where they differ from those of whoever runs them.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Where programs are found: as for whoever runs the tests, but Python first in an environment of its own that holds nothing
/// besides the standard library. Some tests start it hundreds of times, and what is installed beside it (or a script of its
/// name that looks for it, as of pyenv) may take ten times as long to start as the interpreter. It is the system's Python
/// where there is one: others may be built without what makes them start fast.
pub(super) fn search_path() -> &'static OsStr {
    static PATH: LazyLock<OsString> = LazyLock::new(|| {
        let given = std::env::var_os("PATH").unwrap_or_default();
        let asked = ["-c", "import sys; print(sys.executable)"];
        let found =
            ["/usr/bin/python3", "python3"].into_iter().find_map(|it| Command::new(it).args(asked).output().ok());
        let python = found.and_then(|told| String::from_utf8(told.stdout).ok()).unwrap_or_default();
        let own = python_of_its_own(Path::new(python.trim())).unwrap();
        java_that_starts_fast(&own, &given).unwrap();
        std::env::join_paths([own].into_iter().chain(std::env::split_paths(&given))).unwrap()
    });
    &PATH
}

/// Makes what `python3 -m venv` makes, without the programs: a link to the interpreter, and the file that says whose it is.
fn python_of_its_own(python: &Path) -> std::io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let programs = folder.join("bin");
    fs::create_dir_all(&programs)?;
    let home = python.parent().unwrap_or(python).display();
    fs::write(folder.join("pyvenv.cfg"), format!("home = {home}\ninclude-system-site-packages = false\n"))?;
    let link = programs.join("python3");
    if fs::read_link(&link).ok().as_deref() != Some(python) {
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(python, link)?;
    }
    Ok(programs)
}

/// Makes a `java` and a `javac` in a folder that do not optimise code while it runs, nor collect garbage beside it: they take half the time for programs of
/// a page. The compiler finds its own classes as they are once they have been loaded, which takes half of the rest.
fn java_that_starts_fast(folder: &Path, path: &OsStr) -> std::io::Result<()> {
    for (name, prefix) in [("java", ""), ("javac", "-J")] {
        let Some(found) = std::env::split_paths(path).map(|it| it.join(name)).find(|it| it.is_file()) else { continue };
        let archive = if name == "javac" { loaded_classes(&found, folder) } else { None };
        let archive = archive.map(|it| format!("'-J-XX:SharedArchiveFile={}'", it.display())).unwrap_or_default();
        let options = format!("{prefix}-XX:TieredStopAtLevel=1 {prefix}-XX:+UseSerialGC {archive}");
        let place = folder.join(name);
        fs::write(&place, format!("#!/bin/sh\nexec '{}' {options} \"$@\"\n", found.display()))?;
        fs::set_permissions(place, Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// Returns an archive of the classes that the compiler of Java loads, made once for each installation of it: its name says of which it is. `None`
/// if this one makes none.
fn loaded_classes(javac: &Path, folder: &Path) -> Option<PathBuf> {
    let home = javac.canonicalize().ok()?;
    let modules = home.parent()?.parent()?.join("lib/modules").metadata().ok()?;
    let archive = folder.join(format!("javac-{}-{}.jsa", modules.mtime(), modules.len()));
    if archive.is_file() {
        return Some(archive);
    }
    let apart = tempfile::tempdir_in(folder).ok()?;
    fs::write(apart.path().join("Constructs.java"), include_str!("../../../../../fixtures/guards/Constructs.java"))
        .ok()?;
    let options = ["-J-XX:ArchiveClassesAtExit=it.jsa", "-J-XX:+UseSerialGC", "-nowarn", "-g", "Constructs.java"];
    let done = Command::new(javac).args(options).current_dir(apart.path()).output().ok()?;
    // Moved as a whole, as others may do the same.
    let is_made = done.status.success() && fs::rename(apart.path().join("it.jsa"), &archive).is_ok();
    is_made.then_some(archive)
}
