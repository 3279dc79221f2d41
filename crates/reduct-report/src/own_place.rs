//! Files of the user's that may go to the folder in which they stand, in words.

use std::path::Path;

/// Returns why a file may go there: it holds words that ask for it, or it could not be read as a script.
pub fn describe(path: &Path, asks: bool) -> String {
    let path = path.display();
    match asks {
        true => format!("{path} can tell where it stands, which is in your folder"),
        false => format!("{path} stands in your folder and is no short script that could be read"),
    }
}
