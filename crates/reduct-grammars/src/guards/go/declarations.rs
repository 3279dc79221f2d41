//! Declarations: `x, err := f()` becomes `var __r7_0 int;if __reduct.K(..) {__r7_0, err = f()};x := __r7_0`.
//!
//! A name means what it meant before until its variable is declared, as in `x := x + 1`: so the values go through variables of other names.

use super::Work;
use super::nodes::{children, holds, names};
use tree_sitter::Node;

impl<'t> Work<'_, 't> {
    /// Puts the guard of a declaration. Returns whether it has one: else it is always executed.
    pub(super) fn declaration(&mut self, node: Node<'t>, depth: usize, at: usize) -> bool {
        let declared = match node.kind() {
            "var_declaration" => self.variables(node),
            _ => self.short(node),
        };
        let line = node.start_position().row as u32 + 1;
        let Some(Declared { list, is, value, known }) = declared.filter(|_| !self.without.contains(&line)) else {
            // What it calls belongs to what it is within.
            if holds(node, "call_expression") {
                let anew = self.anew(depth, at);
                self.edits.insert(node.start_byte(), true, format!("{anew};"));
            }
            return false;
        };
        let number = self.number(node, false, depth, at);
        let other = |at: usize| format!("__r{number}_{at}");
        let new: Vec<(usize, &(Node<'_>, Option<String>))> =
            known.iter().enumerate().filter(|(_, (_, kind))| kind.is_some()).collect();
        let begun: String = new
            .iter()
            .map(|(at, (_, kind))| format!("var {} {};", other(*at), kind.as_deref().unwrap_or("")))
            .collect();
        self.edits.insert(node.start_byte(), true, format!("{begun}if __reduct.K(__rf,{number},{depth}) {{"));
        let targets: Vec<String> = known
            .iter()
            .enumerate()
            .map(|(at, (name, kind))| if kind.is_some() { other(at) } else { self.of(*name).to_owned() })
            .collect();
        self.edits.replace(list, format!("{} ", targets.join(",")));
        self.edits.replace(is, "=".into());
        let joined = |text: Vec<String>| text.join(",");
        let own = joined(new.iter().map(|(_, (name, _))| self.of(*name).to_owned()).collect());
        let others = joined(new.iter().map(|(at, _)| other(*at)).collect());
        let all: Vec<Node<'_>> = known.iter().map(|(name, _)| *name).collect();
        let noted = self.noted(depth, &all);
        let sets = match node.kind() {
            "var_declaration" => format!("var {own} = {others}"),
            _ => format!("{own} := {others}"),
        };
        self.edits.insert(value.end_byte(), false, format!("}};{sets}{noted}"));
        true
    }

    /// Returns what a declaration with `:=` declares, if the types of all new variables are known.
    fn short(&self, node: Node<'t>) -> Option<Declared<'t>> {
        let (left, value) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        let listed = names(left);
        if listed.len() != children(left).len() || self.of(left).contains('\n') {
            return None;
        }
        let known: Vec<(Node<'t>, Option<String>)> =
            listed.into_iter().map(|name| (name, self.kind_of(name))).collect();
        let mut cursor = node.walk();
        let sign = node.children(&mut cursor).find(|it| it.kind() == ":=")?;
        known.iter().find(|(_, kind)| kind.is_some())?;
        Some(Declared { list: left.byte_range(), is: sign.byte_range(), value, known })
    }

    /// Returns what a declaration with `var` declares, if it is a single one with values.
    fn variables(&self, node: Node<'t>) -> Option<Declared<'t>> {
        let [spec] = children(node)[..] else { return None };
        let value = spec.child_by_field_name("value").filter(|_| spec.kind() == "var_spec")?;
        let mut cursor = spec.walk();
        let listed: Vec<Node<'t>> =
            spec.children_by_field_name("name", &mut cursor).filter(|it| it.is_named()).collect();
        let given = spec.child_by_field_name("type").map(|it| self.of(it).to_owned());
        let kind = |name: Node<'_>| given.clone().or_else(|| self.kind_of(name));
        let known: Vec<(Node<'t>, Option<String>)> = listed.into_iter().map(|name| (name, kind(name))).collect();
        let mut cursor = spec.walk();
        let sign = spec.children(&mut cursor).find(|it| it.kind() == "=")?;
        let list = node.start_byte()..sign.start_byte();
        let is_plain = known
            .iter()
            .all(|(name, kind)| kind.as_ref().is_some_and(|it| !it.contains('\n')) && self.of(*name) != "_");
        let is_on_a_line = !self.text.get(list.clone())?.contains(&b'\n');
        (is_plain && is_on_a_line).then_some(Declared { list, is: sign.byte_range(), value, known })
    }

    /// Returns the type of the variable that is declared here.
    fn kind_of(&self, name: Node<'_>) -> Option<String> {
        let at = name.start_position();
        self.types.get(&(at.row as u32 + 1, at.column as u32 + 1)).cloned()
    }
}

/// A declaration that is taken apart.
struct Declared<'t> {
    /// What is declared, and the sign behind it.
    list: std::ops::Range<usize>,
    is: std::ops::Range<usize>,
    value: Node<'t>,
    /// The names, and the types of those that are new.
    known: Vec<(Node<'t>, Option<String>)>,
}
