//! What a comment cites is in the repository: a file at its path, a section of a page under its number.

use crate::root;
use crate::source::{Crate, File, read};

/// The folders of the root in which a comment may cite a file.
const FOLDERS: &[&str] = &["bench/", "crates/", "docs/", "examples/", "fixtures/", "xtask/"];

/// Comments that cite what is not there, as complaints.
///
/// # Errors
/// If a page that is cited cannot be read.
pub(crate) fn leading_nowhere(krate: &Crate) -> Result<Vec<String>, String> {
    let mut complaints = vec![];
    for file in krate.files.values() {
        of_file(file, &mut complaints)?;
    }
    Ok(complaints)
}

fn of_file(file: &File, complaints: &mut Vec<String>) -> Result<(), String> {
    for (number, line) in file.text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//") else { continue };
        let mut complain = |what: String| complaints.push(format!("{}:{}: {what}", file.path.display(), number + 1));
        let words: Vec<&str> = comment.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            let Some(path) = path_in(word) else { continue };
            if !root().join(path).exists() {
                complain(format!("there is no {path}"));
            } else if let Some(section) = words.get(at + 1).and_then(|next| section(word, next))
                && !has_section(&read(&root().join(path))?, section)
            {
                complain(format!("{path} has no section {section}"));
            }
        }
        for page in ["ALGORITHMS ", "DESIGN ", "SPEC "] {
            if comment.contains(page) {
                complain(format!("{page}is no page of the repository: cite one by its path"));
            }
        }
    }
    Ok(())
}

/// Returns the path of the repository that a word is, without what surrounds it. Patterns are none.
fn path_in(word: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "/_.-*{}<>".contains(c);
    let path = word.trim_matches(|c| !is_part(c)).trim_end_matches(['.', '/']);
    let is_path = FOLDERS.iter().any(|folder| path.starts_with(folder)) && path.chars().all(is_part);
    (is_path && !path.contains(['*', '{', '<'])).then_some(path)
}

/// Returns the number of the section that follows a page's path: `docs/X.md, 4.2`.
fn section<'a>(word: &str, next: &'a str) -> Option<&'a str> {
    let number = next.trim_matches(|c: char| !c.is_ascii_digit());
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    (word.ends_with(".md,") && is_number && next.starts_with(|c: char| c.is_ascii_digit())).then_some(number)
}

fn has_section(page: &str, number: &str) -> bool {
    let mut headings =
        page.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches(['#', ' ']));
    headings.any(|heading| heading.strip_prefix(number).is_some_and(|rest| rest.starts_with([' ', '.'])))
}
