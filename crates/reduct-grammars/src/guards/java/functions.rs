//! Functions: methods, constructors, what initialises an object, and lambdas with a block.
//!
//! The body of one is `int[] __reduct_f0=__Reduct1.e(5);try{..}finally{__Reduct1.l(__reduct_f0);}`. Final fields without a value are final no
//! more, as what gives them one may be left out.

use super::nodes::{children, holds, modifier, returns_value};
use super::{Function, Standing, Visit, Work};
use std::ops::Range;
use tree_sitter::Node;

/// What a frame has besides the executions that are under way: see `Guards.java` of reduct-trace.
const IN_A_FRAME: usize = 4;

/// What a field is that nobody else sees.
const CONSTANT: &str = "private static final";

impl<'t> Work<'_, 't> {
    /// Returns what is below a definition, if this is one: a function, a field, what holds them.
    pub(super) fn definition(&mut self, node: Node<'t>, place: Standing) -> Option<Vec<Visit<'t>>> {
        let body = node.child_by_field_name("body").filter(|it| !it.has_error() || it.kind() != "class_body");
        let outside = Standing { function: None, keeps_end: false, has_value: false, ..place };
        match (node.kind(), body) {
            ("method_declaration" | "compact_constructor_declaration", Some(body)) => {
                Some(self.function(node, body, outside))
            }
            ("constructor_declaration", Some(body)) => Some(match owner(node).map(|it| it.kind()) {
                // Its fields are final.
                Some("record_declaration") => self.others(node, outside),
                Some("enum_declaration") => {
                    self.initialises_class(body, outside);
                    self.others(node, outside)
                }
                _ => self.function(node, body, outside),
            }),
            ("lambda_expression", Some(body)) if body.kind() == "block" => {
                let is_left = place.function.is_none() && is_in_function(node);
                Some(if is_left { self.others(node, outside) } else { self.function(node, body, place) })
            }
            ("block", _) if node.parent().is_some_and(|it| it.kind() == "class_body") => {
                Some(self.function(node, node, outside))
            }
            ("field_declaration", _) => {
                self.field(node);
                Some(self.others(node, outside))
            }
            ("class_body" | "enum_body_declarations", _) => {
                self.class(node);
                Some(self.others(node, outside))
            }
            ("static_initializer" | "interface_body" | "enum_body" | "annotation_type_body", _) => {
                Some(self.others(node, outside))
            }
            _ => None,
        }
    }

    /// Notes a function. Returns what is below it.
    fn function(&mut self, node: Node<'t>, body: Node<'t>, place: Standing) -> Vec<Visit<'t>> {
        let line = node.start_position().row as u32 + 1;
        let outside = Standing { function: None, keeps_end: false, has_value: false, ..place };
        if self.without.contains(&line) || body.has_error() && body.child(0).is_none_or(|it| it.kind() != "{") {
            return self.others(node, outside);
        }
        let super_call = children(body).into_iter().find(|it| it.kind() == "explicit_constructor_invocation");
        let begins = super_call.map_or(body.start_byte() + 1, |it| it.end_byte());
        let frame = format!("__reduct_f{}", place.nested);
        let name = self.name(node).into();
        self.functions.push(Function { node, body, begins, name, frame, deepest: None });
        let function = Some(self.functions.len() - 1);
        // A lambda that gives no value might become one that could.
        let last = children(body).into_iter().rfind(|it| it.kind() != "comment");
        let keeps_end =
            node.kind() == "lambda_expression" && !returns_value(body) && last.is_some_and(|it| self.never_ends(it));
        let inner = Standing { function, depth: 0, nested: place.nested + 1, keeps_end, has_value: false };
        let of = |child: Node<'t>| {
            let place = if child == body { inner } else { outside };
            Visit { node: child, place, is_body: false, is_last: false }
        };
        if node == body {
            return self.below(body, inner, false);
        }
        let mut below: Vec<Visit<'t>> = children(node).into_iter().filter(|it| *it != body).map(of).collect();
        below.extend(self.below(body, inner, false));
        below
    }

    /// Returns the name of a function: its class, and its own.
    fn name(&self, node: Node<'_>) -> String {
        let own = match node.kind() {
            "lambda_expression" => {
                let mut outer = node.parent();
                while let Some(it) =
                    outer.filter(|it| !it.kind().ends_with("_declaration") || it.kind() == "local_variable_declaration")
                {
                    outer = it.parent();
                }
                let name =
                    outer.filter(|it| it.kind() == "method_declaration").and_then(|it| it.child_by_field_name("name"));
                format!("{}lambda", name.map_or(String::new(), |it| format!("{}.", self.of(it))))
            }
            "block" | "constructor_declaration" | "compact_constructor_declaration" => "<init>".to_owned(),
            _ => node.child_by_field_name("name").map_or("", |it| self.of(it)).to_owned(),
        };
        let class = owner(node).and_then(|it| it.child_by_field_name("name")).map_or("", |it| self.of(it));
        if class.is_empty() { own } else { format!("{class}.{own}") }
    }

    /// A field that is final and has no value gets it in a constructor.
    fn field(&mut self, node: Node<'_>) {
        let declarators = children(node).into_iter().filter(|it| it.kind() == "variable_declarator");
        let is_blank = declarators.into_iter().any(|it| it.child_by_field_name("value").is_none());
        if let Some(word) = modifier(node, "final").filter(|_| is_blank) {
            self.edits.replace(word.byte_range(), String::new());
        }
    }

    /// What initialises a class belongs to nothing: it is executed where the class is used first.
    fn class(&mut self, body: Node<'_>) {
        let initialises = |it: &Node<'_>| {
            it.kind() == "static_initializer"
                || (it.kind() == "field_declaration"
                    && modifier(*it, "static").is_some()
                    && (holds(*it, "method_invocation") || holds(*it, "object_creation_expression")))
        };
        let members: Vec<Node<'_>> = children(body).into_iter().filter(initialises).collect();
        let (Some(first), Some(last)) = (members.first(), members.last()) else { return };
        let begins = format!("{CONSTANT} int __reduct_s={}.s();", self.class);
        self.edits.insert(first.start_byte(), true, begins);
        self.edits.insert(last.end_byte(), false, format!("static{{{}.t(__reduct_s);}}", self.class));
    }

    /// A constructor of an enumeration runs when its class is initialised.
    fn initialises_class(&mut self, body: Node<'_>, place: Standing) {
        let inside = children(body);
        let super_call = inside.iter().find(|it| it.kind() == "explicit_constructor_invocation");
        let begins = super_call.map_or(body.start_byte() + 1, |it| it.end_byte());
        if !(holds(body, "method_invocation") || holds(body, "object_creation_expression")) {
            return;
        }
        let (class, frame) = (&self.class, format!("__reduct_s{}", place.nested));
        self.edits.insert(begins, false, format!("int {frame}={class}.s();try{{"));
        self.edits.insert(body.end_byte() - 1, true, format!("}}finally{{{class}.t({frame});}}"));
    }

    /// Gives each function with guards its frame, and a value where a statement that returns one is left out. Returns the lines of functions.
    pub(super) fn frames(&mut self) -> Vec<Range<u32>> {
        let mut lines = vec![];
        for function in std::mem::take(&mut self.functions) {
            let Function { node, body, begins, frame, deepest: Some(deepest), .. } = function else { continue };
            let class = &self.class;
            let enters = format!("int[] {frame}={class}.e({});try{{", deepest + IN_A_FRAME);
            self.edits.insert(begins, false, enters);
            let returned = match node.kind() {
                "method_declaration" => self.nothing(node).map(|zero| format!("return {zero};")),
                "lambda_expression" if returns_value(body) => Some(format!("return {class}.z();")),
                _ => None,
            };
            let leaves = format!("{}}}finally{{{class}.l({frame});}}", returned.unwrap_or_default());
            self.edits.insert(body.end_byte() - 1, true, leaves);
            let line = |row: usize| row as u32 + 1;
            lines.push(line(node.start_position().row)..line(node.end_position().row) + 1);
        }
        lines
    }

    /// Returns what a method returns if what returns something is left out.
    fn nothing(&self, method: Node<'_>) -> Option<&'static str> {
        let kind = method.child_by_field_name("type")?;
        if method.child_by_field_name("dimensions").is_some() {
            return Some("null");
        }
        (kind.kind() != "void_type").then(|| self.zero(kind))
    }
}

/// Returns what a function is declared in, if that has a name.
fn owner(node: Node<'_>) -> Option<Node<'_>> {
    let mut outer = node.parent();
    while let Some(it) = outer {
        if matches!(
            it.kind(),
            "class_declaration" | "enum_declaration" | "record_declaration" | "interface_declaration"
        ) {
            return Some(it);
        }
        outer = it.parent();
    }
    None
}

/// Returns whether a lambda stands in a function, and not in a field.
fn is_in_function(node: Node<'_>) -> bool {
    let mut outer = node.parent();
    while let Some(it) = outer {
        match it.kind() {
            "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => return true,
            "class_body" | "field_declaration" => return false,
            _ => outer = it.parent(),
        }
    }
    false
}
