//! Functions: the body of one is `__rf := __reduct.E(5);defer __reduct.L(__rf);.. return`, if it has guards.

use super::nodes::children;
use super::{Function, Visit, Work};
use std::ops::Range;
use tree_sitter::Node;

impl<'t> Work<'_, 't> {
    /// Notes a function. Returns what is below it.
    pub(super) fn function(&mut self, node: Node<'t>, body: Node<'t>) -> Vec<Visit<'t>> {
        let line = node.start_position().row as u32 + 1;
        let is_whole = body.child(0).is_some_and(|it| it.kind() == "{") && !body.has_error();
        if self.without.contains(&line) || !is_whole {
            return self.below(body, None, 0, false);
        }
        let name = self.name(node).into();
        self.functions.push(Function { node, body, name, deepest: None, of_go: self.go_of(node) });
        self.below(body, Some(self.functions.len() - 1), 0, false)
    }

    /// Returns the name of a function: its receiver's type, and its own.
    fn name(&self, node: Node<'_>) -> String {
        let mut outer = node;
        while outer.kind() == "func_literal"
            || !outer.kind().ends_with("_declaration")
            || outer.kind().starts_with("var_")
            || outer.kind().starts_with("short_")
        {
            let Some(parent) = outer.parent() else { return "func".to_owned() };
            outer = parent;
        }
        let own = outer.child_by_field_name("name").map_or("", |it| self.of(it));
        let receiver = outer.child_by_field_name("receiver").and_then(|it| children(it).into_iter().next());
        let kind = receiver.and_then(|it| it.child_by_field_name("type")).map_or("", |it| self.of(it));
        let kind = kind.trim_start_matches('*').split('[').next().unwrap_or("");
        let whole = if kind.is_empty() { own.to_owned() } else { format!("{kind}.{own}") };
        if outer == node { whole } else { format!("{whole}.func") }
    }

    /// Returns the number of the `go` statement that runs this function. It is the last statement that has a number.
    fn go_of(&self, literal: Node<'_>) -> Option<usize> {
        let call = literal.parent().filter(|it| it.kind() == "call_expression")?;
        let is_called = call.child_by_field_name("function") == Some(literal);
        let has_guard = call.parent().is_some_and(|it| it.kind() == "go_statement");
        let number = self.numbers.statements.len().checked_sub(1)?;
        (is_called && has_guard && self.functions.last().is_some_and(|it| it.deepest.is_some()))
            .then_some(self.first + number)
    }

    /// Gives each function with guards its frame, and its results names. Returns the lines of functions.
    pub(super) fn frames(&mut self) -> Vec<Range<u32>> {
        let mut lines = vec![];
        for function in std::mem::take(&mut self.functions) {
            let Function { node, body, deepest: Some(deepest), of_go, .. } = function else { continue };
            let belongs = of_go.map_or(String::new(), |number| format!("__reduct.S(__rg{number});"));
            let enters = format!("{belongs}__rf := __reduct.E({});defer __reduct.L(__rf);", deepest + 1);
            self.edits.insert(body.start_byte() + 1, false, enters);
            if let Some(result) = node.child_by_field_name("result") {
                self.name_results(result);
                self.edits.insert(body.end_byte() - 1, true, ";return ".into());
            }
            let line = |row: usize| row as u32 + 1;
            lines.push(line(node.start_position().row)..line(node.end_position().row) + 1);
        }
        lines
    }

    /// Gives results that have no names some.
    fn name_results(&mut self, result: Node<'_>) {
        if result.kind() != "parameter_list" {
            self.edits.insert(result.start_byte(), true, "(__rr0 ".into());
            self.edits.insert(result.end_byte(), false, ")".into());
            return;
        }
        let results: Vec<Node<'_>> =
            children(result).into_iter().filter(|it| it.kind() == "parameter_declaration").collect();
        if results.iter().any(|it| it.child_by_field_name("name").is_some()) {
            return;
        }
        for (at, it) in results.into_iter().enumerate() {
            self.edits.insert(it.start_byte(), true, format!("__rr{at} "));
        }
    }
}
