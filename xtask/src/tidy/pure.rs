//! What the pure crates must not contain: no files, processes, threads, clocks, nothing printed.

use crate::source::Crate;
use syn::visit::Visit;

/// The crates that are pure.
pub(crate) const CRATES: &[&str] =
    &["reduct-core", "reduct-input", "reduct-passes", "reduct-strategies", "reduct-fuzz"];

/// What a pure crate must not contain, and what to do instead.
const BANNED: &[(&str, &str)] = &[
    ("std::fs", "files are read in reduct-sources"),
    ("std::net", "there is no network here"),
    ("std::process", "processes are started in reduct-sandbox"),
    ("std::thread", "a search is a value; what runs in parallel is in reduct-sandbox"),
    ("std::env", "what depends on the environment is decided by the caller"),
    ("std::time", "there is no clock here: an executor has one"),
    ("SystemTime", "there is no clock here: an executor has one"),
    ("Mutex", "a search is a value, not an object to be shared"),
    ("println!", "nothing here prints"),
    ("RandomState", "what is random has a seed: laws::Chance"),
];

/// Returns what a pure crate contains of that, as complaints.
pub(crate) fn complaints(krate: &Crate) -> Vec<String> {
    let mut complaints = vec![];
    for file in krate.files.values() {
        for (number, line) in file.text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for (banned, instead) in BANNED.iter().filter(|(banned, _)| code.contains(banned)) {
                complaints.push(format!("{}:{}: `{banned}`: {instead}", file.path.display(), number + 1));
            }
        }
        // In a group, a module stands apart from what it is in.
        let mut imports = Imports::default();
        imports.visit_file(&file.syntax);
        for path in imports.grouped {
            for (banned, instead) in BANNED.iter().filter(|(banned, _)| path.starts_with(banned)) {
                complaints.push(format!("{}: `{banned}`, in a group: {instead}", file.path.display()));
            }
        }
    }
    complaints
}

/// The paths that a file imports out of groups, such as both of `use std::{fmt, fs}`.
#[derive(Default)]
struct Imports {
    grouped: Vec<String>,
}

impl Imports {
    fn tree(&mut self, tree: &syn::UseTree, before: &str, is_grouped: bool) {
        let with = |name: &syn::Ident| if before.is_empty() { name.to_string() } else { format!("{before}::{name}") };
        match tree {
            syn::UseTree::Path(path) => self.tree(&path.tree, &with(&path.ident), is_grouped),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before, true)),
            syn::UseTree::Name(name) if is_grouped => self.grouped.push(with(&name.ident)),
            syn::UseTree::Rename(name) if is_grouped => self.grouped.push(with(&name.ident)),
            syn::UseTree::Glob(_) if is_grouped => self.grouped.push(before.to_owned()),
            syn::UseTree::Name(_) | syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => {}
        }
    }
}

impl<'a> Visit<'a> for Imports {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.tree(&item.tree, "", false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_imported_in_a_group_is_found() {
        let mut imports = Imports::default();
        imports.visit_file(&syn::parse_file("use std::{fmt, fs::{self, File}}; use std::env;").unwrap());
        assert_eq!(imports.grouped, ["std::fmt", "std::fs::self", "std::fs::File"]);
    }
}
