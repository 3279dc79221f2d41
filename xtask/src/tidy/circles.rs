//! Files of a crate that import each other in a circle: none of them can be read, tested or moved without the others.
//!
//! A table that names its rows by their modules (`lines::KIND`) is no import of them, and neither is handing a name on.

use crate::source::{Crate, File, ModulePath, is_test};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;

/// By file, the other files of the crate that it imports.
type Arrows<'a> = BTreeMap<&'a ModulePath, BTreeSet<ModulePath>>;

fn arrows(krate: &Crate) -> Arrows<'_> {
    let names: BTreeMap<&ModulePath, Names> = krate.files.iter().map(|(at, file)| (at, Names::of(file))).collect();
    let resolver = Resolver { krate, names: &names };
    let of = |(at, names): (&&'_ ModulePath, &Names)| {
        let used = names.used().filter_map(|path| resolver.file_of(at, path, 0));
        used.filter(|to| to != *at).collect()
    };
    names.iter().map(|(at, names)| (*at, of((at, names)))).collect()
}

/// Returns the imports that tie the circles of a crate, a line each.
pub(crate) fn ties(krate: &Crate) -> Vec<String> {
    let arrows = arrows(krate);
    let closes = |from: &ModulePath, to: &ModulePath| reach(to, &arrows).contains(from);
    let path = |at: &ModulePath| krate.files.get(at).map_or_else(String::new, |file| file.path.display().to_string());
    let pairs = arrows.iter().flat_map(|(from, all)| all.iter().map(move |to| (*from, to)));
    pairs.filter(|(from, to)| closes(from, to)).map(|(from, to)| format!("{} -> {}", path(from), path(to))).collect()
}

/// Returns the circles among the files of a crate, each with all its files, the largest first.
pub(crate) fn circles(krate: &Crate) -> Vec<Vec<String>> {
    let arrows = arrows(krate);
    let reached: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
        krate.files.keys().map(|at| (at, reach(at, &arrows))).collect();
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for (at, there) in reached.iter().filter(|(at, there)| there.contains(**at)) {
        let members = there.iter().filter(|other| reached.get(other).is_some_and(|back| back.contains(*at)));
        circles.insert(members.filter_map(|at| Some(krate.files.get(at)?.path.display().to_string())).collect());
    }
    let mut circles: Vec<_> = circles.into_iter().collect();
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

/// Returns the modules to which arrows lead from one, over any number of them.
fn reach(from: &ModulePath, arrows: &Arrows<'_>) -> BTreeSet<ModulePath> {
    let (mut reached, mut todo) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(at) = todo.pop() {
        for to in arrows.get(&at).into_iter().flatten() {
            if reached.insert(to.clone()) {
                todo.push(to.clone());
            }
        }
    }
    reached
}

/// What a file names of others.
#[derive(Default)]
struct Names {
    /// What it imports: the name it has there, and its path.
    imports: Vec<Import>,
    /// The paths in its code.
    paths: Vec<Vec<String>>,
    /// The single names in its code.
    words: BTreeSet<String>,
    /// The modules below it.
    children: BTreeSet<String>,
}

struct Import {
    name: String,
    path: Vec<String>,
    /// It is handed on: that is no use of it.
    is_public: bool,
}

impl Names {
    fn of(file: &File) -> Names {
        let child = |item: &syn::Item| match item {
            syn::Item::Mod(item) if item.content.is_none() => Some(item.ident.to_string()),
            _ => None,
        };
        let children = file.syntax.items.iter().filter_map(child).collect();
        let mut names = Names { children, ..Names::default() };
        names.visit_file(&file.syntax);
        names
    }

    /// Returns the paths that the code of the file makes use of.
    fn used(&self) -> impl Iterator<Item = &[String]> {
        let imports = self.imports.iter().filter(|import| !import.is_public || self.words.contains(&import.name));
        imports.map(|import| &import.path[..]).chain(self.paths.iter().map(|path| &path[..]))
    }

    fn import(&mut self, tree: &syn::UseTree, before: &[String], is_public: bool) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.import(&path.tree, &with(&path.ident), is_public),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before, is_public)),
            syn::UseTree::Name(name) if name.ident == "self" => {
                let name = before.last().cloned().unwrap_or_default();
                self.imports.push(Import { name, path: before.to_vec(), is_public });
            }
            syn::UseTree::Name(name) => {
                self.imports.push(Import { name: name.ident.to_string(), path: with(&name.ident), is_public });
            }
            syn::UseTree::Rename(name) => {
                self.imports.push(Import { name: name.rename.to_string(), path: with(&name.ident), is_public });
            }
            syn::UseTree::Glob(_) => {
                self.imports.push(Import { name: "*".into(), path: before.to_vec(), is_public });
            }
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.import(&item.tree, &[], !matches!(item.vis, syn::Visibility::Inherited));
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    /// Ignores a visibility: `pub(in path)` uses nothing of what it names.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match &segments[..] {
            [word] => drop(self.words.insert(word.clone())),
            [word, ..] => {
                self.words.insert(word.clone());
                if !self.children.contains(word) {
                    self.paths.push(segments);
                }
            }
            [] => {}
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        // What a macro gets need not be Rust; its words may name something.
        let words = mac.tokens.to_string();
        self.words.extend(words.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
        syn::visit::visit_macro(self, mac);
    }
}

/// Finds the file that a path leads to.
struct Resolver<'a> {
    krate: &'a Crate,
    names: &'a BTreeMap<&'a ModulePath, Names>,
}

impl Resolver<'_> {
    /// Returns the module whose file defines what a path names, seen from another. `None` if it is not of this crate.
    fn file_of(&self, from: &ModulePath, path: &[String], depth: usize) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        if depth > 8 {
            return None;
        }
        let child = |of: &ModulePath, name: &String| {
            let path = [&of[..], std::slice::from_ref(name)].concat();
            self.krate.files.contains_key(&path).then_some(path)
        };
        let (mut at, rest) = match first.as_str() {
            "crate" => (vec![], rest),
            "self" => (from.clone(), rest),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                (from[..from.len().checked_sub(ups)?].to_vec(), &path[ups..])
            }
            _ => match child(from, first) {
                Some(at) => (at, rest),
                None => return self.imported(from, path, depth),
            },
        };
        for (number, part) in rest.iter().enumerate() {
            match child(&at, part) {
                Some(below) => at = below,
                None if self.imports(&at, part) => return self.imported(&at, &rest[number..], depth),
                None => return Some(at),
            }
        }
        Some(at)
    }

    /// Returns whether a module has imported something under this name, maybe of another crate.
    fn imports(&self, at: &ModulePath, name: &String) -> bool {
        self.names.get(at).is_some_and(|names| names.imports.iter().any(|import| import.name == *name))
    }

    /// Returns the same for what a module itself has imported under its first name.
    fn imported(&self, at: &ModulePath, path: &[String], depth: usize) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        let import = self.names.get(at)?.imports.iter().find(|import| import.name == *first)?;
        if import.path.first() == Some(first) && import.path.len() == 1 {
            return None;
        }
        self.file_of(at, &[&import.path[..], rest].concat(), depth + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a crate of files with these texts.
    fn krate(files: &[(&str, &str)]) -> Crate {
        let parsed = |(name, text): &(&str, &str)| {
            let module: ModulePath = name.split('/').filter(|part| *part != "lib").map(str::to_owned).collect();
            let syntax = syn::parse_file(text).expect("it is Rust");
            (module, File { path: format!("{name}.rs").into(), text: (*text).to_owned(), syntax })
        };
        Crate { name: "x".into(), files: files.iter().map(parsed).collect() }
    }

    #[test]
    fn two_files_that_import_each_other_are_a_circle_however_the_names_come_there() {
        let there = ("lib", "mod a; mod b; pub use b::B;");
        for one in ["use crate::b::B; struct A(B);", "use crate::B; struct A(B);", "struct A(super::b::B);"] {
            let krate = krate(&[there, ("a", one), ("b", "use super::a::A; pub struct B(A);")]);
            assert_eq!(circles(&krate), [["a.rs", "b.rs"]], "{one}");
        }
    }

    #[test]
    fn a_table_of_modules_and_names_handed_on_are_no_circle() {
        let row = ("a", "use crate::Row; pub const ROW: Row = Row;");
        for lib in
            ["mod a; pub struct Row; pub const ROWS: &[Row] = &[a::ROW];", "mod a; pub struct Row; pub use a::ROW;"]
        {
            assert!(circles(&krate(&[("lib", lib), row])).is_empty(), "{lib}");
        }
    }

    #[test]
    fn tests_may_import_anything() {
        let lib = "mod a; pub struct B; #[cfg(test)] mod tests { use crate::a::A; }";
        assert!(circles(&krate(&[("lib", lib), ("a", "use crate::B; pub struct A(B);")])).is_empty());
    }
}
