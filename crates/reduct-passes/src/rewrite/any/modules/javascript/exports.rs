//! What a file exports.

use super::super::Files;
use std::ops::Range;

/// What a file exports, and what changes where its text stands in another one.
#[derive(Default)]
pub(super) struct Exports {
    /// The statement by which it exports a value, and where the value itself begins: `module.exports = a`, `export default a`.
    pub(super) value: Option<(usize, u32)>,
    /// What says only that something is exported.
    pub(super) gone: Vec<(Range<u32>, String)>,
}

impl Exports {
    pub(super) fn of(files: &Files, file: usize) -> Exports {
        let tree = files.all[file].tree;
        let mut exports = Exports::default();
        for at in tree.children(0) {
            match tree.kind(at) {
                "export_statement" => exports.add_statement(files, file, at),
                "expression_statement" => exports.add_assignment(files, file, at),
                _ => {}
            }
        }
        exports
    }

    /// Adds `export ...`.
    fn add_statement(&mut self, files: &Files, file: usize, at: usize) {
        let tree = files.all[file].tree;
        let range = tree.range(at);
        let is_default = tree.children(at).any(|child| tree.kind(child) == "default");
        let inner = tree.child(at, "declaration").or_else(|| tree.child(at, "value"));
        match inner {
            Some(inner) if is_default => self.value = Some((at, tree.range(inner).start)),
            Some(inner) => self.gone.push((range.start..tree.range(inner).start, String::new())),
            // `export {a}`, but not `export {a} from './b'`.
            None if tree.child(at, "source").is_none() => self.gone.push((range, String::new())),
            None => {}
        }
    }

    /// Adds `exports.a = ...` and `module.exports = ...`.
    fn add_assignment(&mut self, files: &Files, file: usize, at: usize) {
        let tree = files.all[file].tree;
        let Some((left, right)) = sides(files, file, at) else { return };
        let text = files.node(file, left);
        match exported(text) {
            Some(name) if name == files.node(file, right) => self.gone.push((tree.range(at), String::new())),
            Some(name) => self.gone.push((tree.range(left), name.to_owned())),
            None if text != "module.exports" => {}
            None if is_list_of_names(files, file, right) => self.gone.push((tree.range(at), String::new())),
            None => self.value = Some((at, tree.range(right).start)),
        }
    }

    /// Returns the changes that give the value a name.
    pub(super) fn named_value(&self, files: &Files, file: usize, name: &str) -> Option<(Range<u32>, String)> {
        let tree = files.all[file].tree;
        let (statement, begin) = self.value?;
        let range = tree.range(statement);
        let value = files.text(begin..range.end).trim_end().trim_end_matches(';');
        if value == name {
            return Some((range, String::new()));
        }
        // A declaration with this name, as `export default function a() {}`, is one without the words before it.
        let declares = ["function", "class"].iter().any(|word| {
            let rest = value.strip_prefix(word).map(str::trim_start);
            rest.and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with(['(', ' ', '{']))
        });
        let head = if declares { String::new() } else { format!("let {name}=") };
        Some((range.start..begin, head))
    }
}

/// Returns whether an object has nothing but names in it, each under itself: `{a, b}`.
fn is_list_of_names(files: &Files, file: usize, at: usize) -> bool {
    let tree = files.all[file].tree;
    let is_name = |child: usize| {
        let part = |field| tree.child(child, field).map(|at| files.node(file, at));
        let is_pair = part("key").is_some() && part("key") == part("value");
        tree.kind(child) == "shorthand_property_identifier" || is_pair
    };
    tree.kind(at) == "object" && tree.children(at).filter(|child| tree.is_named(*child)).all(is_name)
}

/// Returns an expression whose value is what a file exports, if the file does nothing else.
pub(super) fn expression(files: &Files, file: usize) -> Option<Vec<u8>> {
    let tree = files.all[file].tree;
    let statements: Vec<usize> = tree.children(0).filter(|at| tree.is_named(*at)).collect();
    let mut members = vec![];
    for at in statements.iter().copied() {
        let (left, right) = sides(files, file, at)?;
        let value = files.node(file, right);
        match (exported(files.node(file, left)), files.node(file, left)) {
            (Some(name), _) => members.push(format!("{name}:{value}")),
            (None, "module.exports") if statements.len() == 1 => return Some(format!("({value})").into()),
            _ => return None,
        }
    }
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")).into())
}

/// Returns both sides of a statement that is an assignment.
fn sides(files: &Files, file: usize, at: usize) -> Option<(usize, usize)> {
    let tree = files.all[file].tree;
    let assignment = tree.children(at).find(|child| tree.kind(*child) == "assignment_expression")?;
    Some((tree.child(assignment, "left")?, tree.child(assignment, "right")?))
}

/// Returns the name in `exports.name`.
fn exported(text: &str) -> Option<&str> {
    text.strip_prefix("module.exports.").or_else(|| text.strip_prefix("exports."))
}
