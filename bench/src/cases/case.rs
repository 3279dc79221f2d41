//! A case: a folder with an input that really fails, and the test that says so.
//!
//! `case.toml` names the input (`file = "case.c"`, or a path from there); what else stands there is for people. `interesting.sh`
//! takes a path, and exits with 0 if the failure occurs.

use std::fs;
use std::path::{Path, PathBuf};

/// One case.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The name of its folder.
    pub(crate) name: String,
    /// The file name of the input, which candidates have too: compilers go by its ending.
    pub(crate) file: String,
    pub(crate) test: PathBuf,
    pub(crate) input: Vec<u8>,
}

impl Case {
    /// Returns the cases of some folders: each is a case, or holds cases.
    pub(crate) fn find(folders: &[PathBuf]) -> Result<Vec<Case>, String> {
        let mut cases = vec![];
        for folder in folders {
            let held = if folder.join("case.toml").exists() { vec![folder.clone()] } else { cases_in(folder)? };
            for folder in held {
                cases.push(Case::read(&folder)?);
            }
        }
        Ok(cases)
    }

    /// Reads the folder of a case.
    pub(crate) fn read(folder: &Path) -> Result<Case, String> {
        let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
        let about = folder.join("case.toml");
        let text = fs::read_to_string(&about).map_err(|error| format!("{}: {error}", about.display()))?;
        let file = value(&text, "file").ok_or_else(|| format!("{}: no line `file = \"...\"`", about.display()))?;
        let input = folder.join(file);
        let file = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let input = fs::read(&input).map_err(|error| format!("{}: {error}", input.display()))?;
        let test = folder.join("interesting.sh");
        if !test.is_file() {
            return Err(format!("{}: there is no such file", test.display()));
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Case { name, file, test, input })
    }

    /// Returns the ending of the input's name, without the dot.
    pub(crate) fn ending(&self) -> &str {
        Path::new(&self.file).extension().and_then(|ending| ending.to_str()).unwrap_or_default()
    }

    /// Returns whether it is C or C++: some tools have passes of their own for these.
    pub(crate) fn is_c(&self) -> bool {
        matches!(self.ending(), "c" | "h" | "cc" | "cpp" | "cxx" | "hpp")
    }
}

fn cases_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut cases: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    cases.retain(|path| path.join("case.toml").exists());
    cases.sort();
    if cases.is_empty() {
        Err(format!("{}: no case.toml in it or in a folder of it", folder.display()))
    } else {
        Ok(cases)
    }
}

/// Returns the value of `key = "value"`. That much of the format is enough here.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let rest = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
        rest.trim_start().strip_prefix('"')?.split('"').next()
    })
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn a_value_is_found_by_its_whole_key() {
        let text = "name = \"n\"\nfiles = 1\nfile   = \"case.c\" # C\n";
        assert_eq!(value(text, "file"), Some("case.c"));
        assert_eq!(value(text, "tool"), None);
    }
}
