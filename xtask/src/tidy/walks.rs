//! The tables of `docs/internals` name a file and a function in each row: both exist.

use crate::root;
use crate::source::{is_test, read};
use syn::visit::Visit;

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

/// Returns whether a function of this name is in a file, its tests aside.
fn defines(text: &str, function: &str) -> bool {
    let mut looked_for = LookedFor { function, is_there: false };
    if let Ok(file) = syn::parse_file(text) {
        looked_for.visit_file(&file);
    }
    looked_for.is_there
}

/// A function that is looked for.
struct LookedFor<'a> {
    function: &'a str,
    is_there: bool,
}

impl<'a> Visit<'a> for LookedFor<'_> {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_signature(&mut self, signature: &'a syn::Signature) {
        self.is_there |= signature.ident == self.function;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_a_file_and_a_function() {
        let page = "| # | file | function |\n| --- | --- | --- |\n| 1 | `a/src/b.rs` | `begin` | `x` |\ntext\n";
        assert_eq!(rows(page).collect::<Vec<_>>(), [(3, "a/src/b.rs", "begin")]);
        assert!(defines("pub(crate) fn begin<T>(x: T) {}", "begin"));
        assert!(defines("impl X { fn begin(&self) {} }", "begin") && defines("trait X { fn begin(&self); }", "begin"));
        assert!(!defines("// fn begin()\nconst TEXT: &str = \"fn begin()\";", "begin"));
        assert!(!defines("fn beginning() { begin() }", "begin"));
    }
}
