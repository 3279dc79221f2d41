//! Python: `from m import a`, `from p import m` and `import p.m`.

use super::{Files, Load};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What a statement imports.
struct Import<'a> {
    statement: Range<u32>,
    /// Where the module is named, behind `from`.
    module_at: Range<u32>,
    /// The folder from which the module was found, and whether it was named by its place beside this one.
    base: PathBuf,
    is_relative: bool,
    file: usize,
    /// As what the module itself is known then.
    prefix: Option<&'a str>,
    /// Names that are known by another one then: the name of the module's, and the other one.
    renamed: Vec<(&'a str, &'a str)>,
}

pub(super) fn loaded(files: &Files, of: usize) -> Vec<usize> {
    imports(files, of).into_iter().map(|import| import.file).collect()
}

pub(super) fn loads(files: &Files, of: usize) -> Vec<Load> {
    imports(files, of).into_iter().filter_map(|import| load(files, of, import)).collect()
}

fn load(files: &Files, of: usize, import: Import) -> Option<Load> {
    let tree = files.all[of].tree;
    // What is deeper would have to be indented, strings and all.
    let column = tree.children(0).any(|at| tree.range(at) == import.statement);
    if !column || !files.is_loaded_once[import.file] {
        return None;
    }
    let mut text = files.with(import.file, moved(files, of, &import))?;
    for (name, other) in &import.renamed {
        text.extend(format!("\n{other}={name}").bytes());
    }
    let others = import.prefix.map_or_else(Vec::new, |prefix| files.unqualified(of, "attribute", prefix));
    Some(Load { at: import.statement, file: import.file, text, others })
}

/// Returns the imports of a module's text by its place, as they are named from where it is put.
fn moved(files: &Files, of: usize, import: &Import) -> Vec<(Range<u32>, String)> {
    let (from, to) = (files.folder(import.file), files.folder(of));
    if from == to && import.is_relative {
        return vec![];
    }
    let inner = imports(files, import.file).into_iter().filter(|inner| inner.is_relative);
    let named = inner.filter_map(|inner| {
        let text = files.text(inner.module_at.clone());
        let name = text.trim_start_matches(['.', ' ']);
        let folder = inner.base.as_path();
        let path = match import.is_relative {
            true => dots(folder, to)?,
            false => dotted(folder.strip_prefix(&import.base).ok()?),
        };
        let joint = if path.is_empty() || path.ends_with('.') || name.is_empty() { "" } else { "." };
        // `from.a` may go without a blank, `fromp.a` may not.
        Some((inner.module_at, format!(" {path}{joint}{name} ")))
    });
    named.collect()
}

/// Returns how a folder is named by its place from another one: by dots and names.
fn dots(folder: &Path, from: &Path) -> Option<String> {
    let up = from.ancestors().position(|around| folder.starts_with(around))?;
    let around = from.ancestors().nth(up)?;
    Some(".".repeat(up + 1) + &dotted(folder.strip_prefix(around).ok()?))
}

fn dotted(path: &Path) -> String {
    path.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join(".")
}

/// Returns the imports in a file of modules that are files.
fn imports<'a>(files: &'a Files, of: usize) -> Vec<Import<'a>> {
    let tree = files.all[of].tree;
    let found = (1..tree.len()).filter_map(|at| match tree.kind(at) {
        "import_from_statement" => from(files, of, at),
        "import_statement" => whole(files, of, at),
        _ => None,
    });
    found.collect()
}

/// Returns what `from m import a` imports.
fn from<'a>(files: &'a Files, of: usize, at: usize) -> Option<Import<'a>> {
    let tree = files.all[of].tree;
    let module = tree.child(at, "module_name")?;
    let (base, folder, is_relative) = place(files, of, files.node(of, module))?;
    let names: Vec<(&str, Option<&str>)> =
        tree.children(at).filter(|child| tree.field(*child) == "name").map(|name| known_as(files, of, name)).collect();
    let import = |file, prefix, renamed| Import {
        statement: tree.range(at),
        module_at: tree.range(module),
        base: base.clone(),
        is_relative,
        file,
        prefix,
        renamed,
    };
    if let [(name, other)] = names[..]
        && let Some(file) = module_at(files, &folder.join(name))
    {
        return Some(import(file, Some(other.unwrap_or(name)), vec![]));
    }
    let file = module_at(files, &folder)?;
    let renamed = names.into_iter().filter_map(|(name, other)| Some((name, other?))).collect();
    Some(import(file, None, renamed))
}

/// Returns what `import p.m` imports.
fn whole<'a>(files: &'a Files, of: usize, at: usize) -> Option<Import<'a>> {
    let tree = files.all[of].tree;
    let mut names = tree.children(at).filter(|child| tree.field(*child) == "name");
    let (name, None) = (names.next()?, names.next()) else { return None };
    let (path, other) = known_as(files, of, name);
    let (base, module, is_relative) = place(files, of, path)?;
    let file = module_at(files, &module)?;
    let (statement, module_at) = (tree.range(at), tree.range(name));
    Some(Import { statement, module_at, base, is_relative, file, prefix: Some(other.unwrap_or(path)), renamed: vec![] })
}

/// Returns a name, and as what it is known.
fn known_as<'a>(files: &'a Files, of: usize, at: usize) -> (&'a str, Option<&'a str>) {
    let tree = files.all[of].tree;
    let part = |field| tree.child(at, field).map(|child| files.node(of, child));
    match (part("name"), part("alias")) {
        (Some(name), alias @ Some(_)) => (name, alias),
        _ => (files.node(of, at), None),
    }
}

/// Returns the folder from which a module is named, its path without an extension, and whether that folder is told by dots.
fn place(files: &Files, of: usize, module: &str) -> Option<(PathBuf, PathBuf, bool)> {
    let name = module.trim_start_matches(['.', ' ']);
    let dots = module[..module.len() - name.len()].matches('.').count();
    let path: PathBuf = name.split('.').map(str::trim).collect();
    let mut around = files.folder(of).ancestors();
    if dots > 0 {
        let base = around.nth(dots - 1)?;
        return Some((base.to_owned(), base.join(path), true));
    }
    let mut bases = around.map(Path::to_owned);
    let is_there = |base: &PathBuf| {
        let first = base.join(path.iter().next().unwrap_or_default());
        module_at(files, &base.join(&path)).is_some() || files.folders.contains(first.as_path())
    };
    let base = bases.find(is_there)?;
    let module = base.join(&path);
    Some((base, module, false))
}

/// Returns the file of a module.
fn module_at(files: &Files, path: &Path) -> Option<usize> {
    let file = path.with_file_name(format!("{}.py", path.file_name()?.to_string_lossy()));
    files.first([file, path.join("__init__.py")])
}
