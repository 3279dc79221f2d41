//! The tables of `docs/internals` name a file and a function in each row: both exist.

use crate::root;
use crate::source::read;

/// The pages with such tables.
const PAGES: &[&str] = &["docs/internals/candidate.md"];

/// Rows that name what does not exist, as complaints.
///
/// # Errors
/// If a page or a file cannot be read.
pub(crate) fn complaints() -> Result<Vec<String>, String> {
    let mut complaints = vec![];
    for page in PAGES {
        let text = read(&root().join(page))?;
        let rows: Vec<(usize, &str, &str)> = rows(&text).collect();
        if rows.is_empty() {
            complaints.push(format!("{page}: no row names a file and a function"));
        }
        for (number, file, function) in rows {
            let path = root().join("crates").join(file);
            if !path.is_file() {
                complaints.push(format!("{page}:{number}: there is no crates/{file}"));
            } else if !defines(&read(&path)?, function) {
                complaints.push(format!("{page}:{number}: crates/{file} has no function {function}"));
            }
        }
    }
    Ok(complaints)
}

/// Returns the rows with a number, a file and a function in their first three cells, each with its line.
fn rows(page: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    page.lines().enumerate().filter_map(|(number, line)| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let code = |at: usize| cells.get(at)?.strip_prefix('`')?.strip_suffix('`');
        Some((number + 1, code(2).filter(|file| file.ends_with(".rs"))?, code(3)?))
    })
}

/// Returns whether a function of this name is in a text.
fn defines(text: &str, function: &str) -> bool {
    text.split("fn ").skip(1).any(|rest| rest.strip_prefix(function).is_some_and(|rest| rest.starts_with(['(', '<'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_a_file_and_a_function() {
        let page = "| # | file | function |\n| --- | --- | --- |\n| 1 | `a/src/b.rs` | `begin` | `x` |\ntext\n";
        assert_eq!(rows(page).collect::<Vec<_>>(), [(3, "a/src/b.rs", "begin")]);
        assert!(defines("pub(crate) fn begin<T>(x: T)", "begin"));
        assert!(!defines("fn beginning() { begin() }", "begin"));
    }
}
