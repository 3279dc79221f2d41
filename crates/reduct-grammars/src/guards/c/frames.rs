//! The frame of a function with guards, and the value that it returns where its statement that returns one is left out.

use super::{Function, Work};

/// A frame holds so many numbers besides those of the executions that are under way.
const IN_A_FRAME: usize = 3;

impl Work<'_, '_> {
    /// Gives each function with guards its frame, and a value where a statement that returns one is left out.
    pub(super) fn frames(&mut self) {
        for function in std::mem::take(&mut self.functions) {
            let Some(deepest) = function.deepest else { continue };
            let frame = format!("__reduct_frame({});", deepest + IN_A_FRAME);
            // Before the guard of the first statement, and behind the last one.
            self.edits.insert(function.body.start_byte() + 1, false, frame);
            if let Some(nothing) = self.nothing(&function) {
                self.edits.insert(function.body.end_byte() - 1, true, nothing);
            }
        }
    }

    /// Returns the statement with which a function returns zero, or a pointer without a value, if its text tells how to name its type.
    fn nothing(&self, function: &Function<'_>) -> Option<String> {
        let of = function.node;
        let declarator = of.child_by_field_name("declarator").filter(|it| !it.has_error())?;
        let has_type = of.child_by_field_name("type").is_some_and(|it| self.of(it) != "void" || it.has_error());
        let is_pointer = declarator.kind() == "pointer_declarator";
        if !function.returns || !(has_type || is_pointer) {
            return None;
        }
        let mut node = declarator;
        while node.kind() == "pointer_declarator" {
            node = node.child_by_field_name("declarator")?;
        }
        let name = node.child_by_field_name("declarator").filter(|it| it.kind() == "identifier")?;
        let parameters = node.child_by_field_name("parameters").filter(|it| it.kind() == "parameter_list")?;
        let mut cursor = parameters.walk();
        let mut names = vec![];
        for parameter in parameters.named_children(&mut cursor).filter(|it| it.kind() == "parameter_declaration") {
            match parameter.child_by_field_name("declarator") {
                Some(declarator) => names.push(self.name(declarator)),
                None if self.of(parameter) == "void" => {}
                None => return None,
            }
        }
        let call = format!("{}({})", self.of(name), names.join(","));
        let place = self.place_of(function.body);
        Some(format!("return (__typeof__({call})){{__reduct_n({call},{place})}};"))
    }
}
