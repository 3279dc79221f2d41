//! Relative links of the documentation lead somewhere: to a file or folder that is there, and within a page to a heading.

use crate::root;
use crate::source::read;
use std::path::{Path, PathBuf};

/// The pages outside of `docs`.
const PAGES: &[&str] = &["README.md", "CONTRIBUTING.md"];

/// Links that lead nowhere, as complaints.
///
/// # Errors
/// If a page cannot be read.
pub(crate) fn complaints() -> Result<Vec<String>, String> {
    let mut pages: Vec<PathBuf> = PAGES.iter().map(PathBuf::from).collect();
    pages_below(Path::new("docs"), &mut pages)?;
    let mut complaints = vec![];
    for page in &pages {
        for (number, target) in links(&read(&root().join(page))?) {
            if let Some(what) = leading_nowhere(page, &target)? {
                complaints.push(format!("{}:{number}: {what}", page.display()));
            }
        }
    }
    Ok(complaints)
}

/// Adds the pages of a folder and of those below it, in the order of their names.
fn pages_below(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = root().join(folder).read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    for path in names.into_iter().map(|name| folder.join(name)) {
        if root().join(&path).is_dir() {
            pages_below(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// Returns the targets of the links of a page, with the numbers of their lines. What is code holds none.
fn links(page: &str) -> Vec<(usize, String)> {
    let mut found = vec![];
    let mut is_code = false;
    for (number, line) in page.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        // Every second part between backticks is code.
        let text: Vec<&str> = line.split('`').step_by(2).collect();
        let text = text.concat();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        found.extend(targets.map(|(target, _)| (number + 1, target.to_owned())));
    }
    found
}

/// Returns what is wrong with a link of a page, if anything is.
fn leading_nowhere(page: &Path, target: &str) -> Result<Option<String>, String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(None);
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let place = match path {
        "" => root().join(page),
        path => root().join(page.parent().unwrap_or(page)).join(path),
    };
    if path.starts_with('/') || !place.exists() {
        return Ok(Some(format!("the link leads to {path}, which is not there")));
    }
    let Some(anchor) = anchor else { return Ok(None) };
    let is_there = headings(&read(&place)?).any(|heading| heading == anchor);
    Ok((!is_there).then(|| format!("the link leads to {target}, where no heading is called so")))
}

/// Returns what links call the headings of a page, as GitHub does.
fn headings(page: &str) -> impl Iterator<Item = String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let text = line.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_where_they_are_none_of_code() {
        let page = "[a](b.md) and [`c`](d.md#e),\n`[f](g)`\n```\n[h](i)\n```\n[two\nlines](j)\n";
        let found = links(page);
        assert_eq!(found, [(1, "b.md".into()), (1, "d.md#e".into()), (7, "j".into())]);
    }

    #[test]
    fn what_leads_nowhere_is_told() {
        let of = |target: &str| leading_nowhere(Path::new("docs/LIMITS.md"), target).expect("pages can be read");
        for there in ["https://example.org/x", "../README.md", "../bench", "#time", "LIMITS.md#confirming-the-result"] {
            assert_eq!(of(there), None, "{there}");
        }
        for nowhere in ["LIMITS", "README.md#nothing", "#last", "/README.md", "../docs/guide/none.md"] {
            assert!(of(nowhere).is_some(), "{nowhere}");
        }
    }
}
