//! Declarations: `int a = f(), *b;` becomes `int a={0},*b={__reduct_p(42)};(void)(__reduct_k(7,0)&&((a = f(),b),1));`.
//!
//! So what is left out has a value, and the same one each time: a pointer, an address that nothing has, so that a run that uses it is
//! not taken for one that uses a null pointer; all else, zero. Scalars and pointers only: a declaration with arrays, constants or lists
//! of values stays, and is always executed. An array without values is set to zero behind its declaration, as its length may not be known; or
//! within it, if what comes next may use the array: `int a[n], *__reduct_y9=(__reduct_z(a),(void *)0), b = f(a);`.

use super::Work;
use super::nodes::{array, holds, in_parentheses, scalar};
use tree_sitter::Node;

/// Pointers without a value are told apart by so many places.
const PLACES: usize = 1 << 18;

/// Kinds of types that are no pointers, whatever is behind them.
const NO_POINTERS: &[&str] =
    &["primitive_type", "sized_type_specifier", "struct_specifier", "union_specifier", "enum_specifier"];

impl Work<'_, '_> {
    /// Puts the guard of a declaration.
    pub(super) fn declaration(&mut self, node: Node<'_>, depth: usize, function: usize) {
        if node.has_error() {
            return;
        }
        let mut cursor = node.walk();
        let declared: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        let is_fixed = self.is_fixed(node);
        let with_values = declared.iter().any(|it| it.kind() == "init_declarator");
        self.zero_arrays(node, &declared, false);
        if !is_fixed && !with_values {
            self.begin(node, declared);
            return;
        }
        let taken: Option<Vec<Variable<'_>>> =
            if is_fixed { None } else { declared.iter().map(|it| self.taken_apart(*it)).collect() };
        let Some(variables) = taken else {
            // What it calls belongs to what it is within, whatever was executed last.
            if with_values && holds(node, "call_expression") && !self.is_static(node) {
                let within = if depth == 0 { "-1".to_owned() } else { (depth - 1).to_string() };
                self.edits.insert(node.start_byte(), true, format!("__reduct_c({within});"));
                let function = &mut self.functions[function];
                function.deepest = function.deepest.max(Some(depth));
            }
            return;
        };
        self.take_apart(node, &declared, &variables, depth, function);
    }

    /// Lets the variables without values begin that the head of a `for` declares.
    pub(super) fn head(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let declared: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        self.zero_arrays(node, &declared, true);
        if !self.is_fixed(node) {
            self.begin(node, declared);
        }
    }

    /// Lets variables without values begin in the same way each time: what gives them a value may be left out.
    fn begin(&mut self, declaration: Node<'_>, declared: Vec<Node<'_>>) {
        for it in declared {
            if let Some(name) = scalar(it) {
                let begins = self.begins(declaration, it, name);
                self.edits.insert(it.end_byte(), false, begins);
            }
        }
    }

    /// Sets arrays without values to zero: within their declaration if it is in the head of a `for`, or if a value follows that may use them.
    fn zero_arrays(&mut self, declaration: Node<'_>, declared: &[Node<'_>], is_in_head: bool) {
        if self.has_storage_class(declaration) || self.is_constant(declaration) {
            return;
        }
        for (at, declarator) in declared.iter().enumerate() {
            let Some(name) = array(*declarator) else { continue };
            let zeroed = format!("__reduct_z({})", self.of(name));
            let is_used = declared[at + 1..].iter().any(|it| it.kind() == "init_declarator");
            let next = declarator.next_sibling().filter(|it| matches!(it.kind(), "," | ";"));
            match next {
                // What is said of all that is declared would be said of one more.
                Some(next) if (is_in_head || is_used) && !self.is_special(declaration) => {
                    let zeroed = format!(",*__reduct_y{}=({zeroed},(void *)0)", name.start_byte());
                    self.edits.insert(next.start_byte(), false, zeroed);
                }
                _ if !is_in_head => self.edits.insert(declaration.end_byte(), false, zeroed + ";"),
                _ => {}
            }
        }
    }

    /// Returns whether attributes or an alignment stand before all that is declared.
    fn is_special(&self, declaration: Node<'_>) -> bool {
        let mut cursor = declaration.walk();
        declaration.named_children(&mut cursor).any(|it| match it.kind() {
            "attribute_specifier" | "attribute_declaration" | "ms_declspec_modifier" => true,
            _ => it.kind() == "type_qualifier" && self.of(it).contains("lignas"),
        })
    }

    fn take_apart(
        &mut self,
        node: Node<'_>,
        declared: &[Node<'_>],
        variables: &[Variable<'_>],
        depth: usize,
        function: usize,
    ) {
        let (Some(first), Some(last)) = (declared.first(), declared.last()) else { return };
        let begins = |it: &Variable<'_>| self.of(it.declarator).to_owned() + &self.begins(node, it.declarator, it.name);
        let begun: Vec<String> = variables.iter().map(begins).collect();
        let with_values: Vec<Node<'_>> = variables.iter().filter(|it| it.has_value).map(|it| it.name).collect();
        let noted: String = self.noted(depth, &with_values).iter().map(|it| format!(",{it}")).collect();
        let asked = self.asked(node, false, depth, function);
        // Lines stay where they are: what is written twice is written on one.
        let begun = begun.join(",").replace('\n', " ");
        self.edits.insert(first.start_byte(), true, format!("{begun};(void)({asked}&&(("));
        for variable in variables {
            let lines = self.of(variable.declarator).matches('\n').count();
            let name = format!("{}{}", self.of(variable.name), "\n".repeat(lines));
            self.edits.replace(variable.declarator.byte_range(), name);
        }
        self.edits.insert(last.end_byte(), false, format!("){noted},1))"));
    }

    /// Returns how a variable begins.
    fn begins(&self, declaration: Node<'_>, declarator: Node<'_>, name: Node<'_>) -> String {
        let place = self.place_of(declarator);
        let mut node = declarator;
        while let Some(inner) = in_parentheses(node) {
            node = inner;
        }
        let kind = declaration.child_by_field_name("type").map_or("", |it| it.kind());
        match () {
            () if node.kind() != "identifier" => format!("={{__reduct_p({place})}}"),
            () if NO_POINTERS.contains(&kind) => "={0}".into(),
            () => format!("={{__reduct_n({},{place})}}", self.of(name)),
        }
    }

    /// Returns the number by which a pointer without a value is told from others.
    pub(super) fn place_of(&self, node: Node<'_>) -> usize {
        (self.first + node.start_byte()) % PLACES
    }

    /// Returns whether all of a declaration has to stay as it is.
    fn is_fixed(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor);
        parts.any(|part| {
            let text = self.of(part);
            match part.kind() {
                "storage_class_specifier" => !matches!(text, "register" | "auto"),
                "type_qualifier" => matches!(text, "constexpr" | "_Noreturn" | "noreturn"),
                // The type is that of the value.
                "type_identifier" => text == "__auto_type",
                "gnu_asm_expression" | "attributed_declarator" | "ms_call_modifier" => true,
                _ => false,
            }
        }) || {
            let mut cursor = node.walk();
            let names = node.children_by_field_name("declarator", &mut cursor);
            self.is_constant(node) && names.into_iter().any(|it| declarator_of(it).kind() == "identifier")
        }
    }

    /// Returns whether something is declared that is no variable of its block, or has no address.
    fn has_storage_class(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).any(|it| it.kind() == "storage_class_specifier" && self.of(it) != "auto")
    }

    fn is_static(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).any(|it| it.kind() == "storage_class_specifier" && self.of(it) == "static")
    }

    /// Returns whether a declaration, or a pointer in it, is constant.
    fn is_constant(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).any(|it| it.kind() == "type_qualifier" && self.of(it) == "const")
    }

    /// Returns a variable that can be declared first and get its value then.
    fn taken_apart<'t>(&self, declared: Node<'t>) -> Option<Variable<'t>> {
        let declarator = declarator_of(declared);
        let name = scalar(declarator)?;
        let is_constant = name.parent().is_some_and(|it| it.kind() == "pointer_declarator" && self.is_constant(it));
        let value = declared.child_by_field_name("value");
        let is_list = value.is_some_and(|it| it.kind() == "initializer_list");
        (!is_constant && !is_list).then_some(Variable { declarator, name, has_value: value.is_some() })
    }
}

/// A variable that is declared.
struct Variable<'t> {
    declarator: Node<'t>,
    name: Node<'t>,
    has_value: bool,
}

/// Returns what is declared, without its value.
fn declarator_of(declared: Node<'_>) -> Node<'_> {
    let inner = declared.child_by_field_name("declarator").filter(|_| declared.kind() == "init_declarator");
    inner.unwrap_or(declared)
}
