//! Paths as files name them.

use std::path::{Component, Path, PathBuf};

/// Returns the path that a file in a folder names, if it does not lead out of all there is.
pub(super) fn joined(folder: &Path, named: &str) -> Option<PathBuf> {
    let mut path = folder.to_path_buf();
    for component in Path::new(named).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => path.pop().then_some(())?,
            Component::Normal(name) => path.push(name),
            _ => return None,
        }
    }
    Some(path)
}

/// Returns the path that names the same from another folder.
pub(super) fn relative(path: &Path, folder: &Path) -> String {
    let common = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| "..".to_owned());
    let down = path.components().skip(common).map(|name| name.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Returns a path that is named from one folder as it is named from another one.
pub(super) fn moved(named: &str, from: &Path, to: &Path) -> Option<String> {
    Some(relative(&joined(from, named)?, to))
}
