//! The Rust files of a crate, parsed, and which module each of them is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The path of a module below its crate: `["oracle", "frames"]`; empty for the crate's own file.
pub(crate) type ModulePath = Vec<String>;

/// A file of a crate.
pub(crate) struct File {
    /// Relative to the root of the workspace.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) syntax: syn::File,
}

/// A crate of the workspace.
pub(crate) struct Crate {
    pub(crate) name: String,
    /// Its files below `src/`, by the module that each is.
    pub(crate) files: BTreeMap<ModulePath, File>,
}

/// Returns the crates of the product below a root, in the order of their names.
///
/// # Errors
/// If a file cannot be read or is not Rust.
pub(crate) fn crates(root: &Path) -> Result<Vec<Crate>, String> {
    let folder = root.join("crates");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names.into_iter().map(|name| parse(root, name)).collect()
}

fn parse(root: &Path, name: String) -> Result<Crate, String> {
    let folder = root.join("crates").join(&name).join("src");
    let mut files = BTreeMap::new();
    for path in rust_files(&folder)? {
        let text = read(&path)?;
        let syntax = syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let module = module_of(path.strip_prefix(&folder).unwrap_or(&path));
        let path = path.strip_prefix(root).unwrap_or(&path).to_owned();
        files.insert(module, File { path, text, syntax });
    }
    Ok(Crate { name, files })
}

/// Returns the module that a file below `src/` is.
fn module_of(path: &Path) -> ModulePath {
    let path = path.with_extension("");
    let mut parts: ModulePath = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    // What stands in `main.rs` is a crate of its own that shares the folder.
    if parts.last().is_some_and(|last| last == "lib" || last == "mod") {
        parts.pop();
    }
    parts
}

/// Returns the Rust files below a folder, sorted.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut todo, mut files) = (vec![folder.to_owned()], vec![]);
    while let Some(folder) = todo.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Reads a text.
///
/// # Errors
/// If it cannot be read, with its path.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns whether an item is there in tests only.
pub(crate) fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg_test = attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"));
        is_cfg_test || attribute.path().is_ident("test")
    })
}
