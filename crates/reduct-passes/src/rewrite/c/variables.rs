//! What is declared in a text in C or C++: variables, parameters, fields and functions, with where they are used.

use super::code::Code;
use std::collections::BTreeMap;

/// What is declared under one name in one scope.
pub(in crate::rewrite) struct Variable<'a> {
    pub(in crate::rewrite) name: &'a [u8],
    /// Where it is known; the root for fields.
    pub(in crate::rewrite) scope: usize,
    /// Whether it is a field of a struct, union or class.
    pub(in crate::rewrite) is_field: bool,
    pub(in crate::rewrite) declared: Vec<Declared>,
}

/// One declaration of a name.
pub(in crate::rewrite) struct Declared {
    /// The name in it.
    pub(in crate::rewrite) at: usize,
    /// The declarators around the name, innermost first: of `*x[2]` those of `[2]`, then of `*`.
    pub(in crate::rewrite) layers: Vec<usize>,
    /// The declaration, of which it may be one of several declarators.
    pub(in crate::rewrite) declaration: usize,
    /// What it begins with.
    pub(in crate::rewrite) value: Option<usize>,
}

/// What has declarators.
const DECLARATIONS: &[&str] = &[
    "declaration",
    "field_declaration",
    "parameter_declaration",
    "optional_parameter_declaration",
    "function_definition",
    "type_definition",
];

impl<'a> Code<'a> {
    /// Returns what is declared, in the order of the first declarations.
    pub(in crate::rewrite) fn variables(&self) -> Vec<Variable<'_>> {
        let mut found: Vec<Variable> = vec![];
        let mut known: BTreeMap<(&[u8], usize, bool), usize> = BTreeMap::new();
        for kind in ["identifier", "field_identifier"] {
            for at in self.all(kind) {
                let Some(declared) = self.declared(at) else { continue };
                let is_field = self.is(declared.declaration, "field_declaration");
                let Some(scope) = (if is_field { Some(0) } else { self.scope_of(&declared) }) else { continue };
                let next = *known.entry((self.text(at), scope, is_field)).or_insert(found.len());
                if next == found.len() {
                    found.push(Variable { name: self.text(at), scope, is_field, declared: vec![] });
                }
                found[next].declared.push(declared);
            }
        }
        found
    }

    /// Returns the declaration of which a node is the name.
    pub(in crate::rewrite) fn declared(&self, at: usize) -> Option<Declared> {
        let mut layers = vec![];
        let (mut inner, mut value) = (at, None);
        loop {
            let outer = self.tree.parent(inner)?;
            let kind = self.tree.kind(outer);
            let field = self.tree.field(inner);
            if DECLARATIONS.contains(&kind) {
                // Only parameters have one; a declaration may have a long list of children to look through.
                let may_default = kind.contains("parameter");
                let value = value.or_else(|| may_default.then(|| self.tree.child(outer, "default_value"))?);
                return (field == "declarator").then_some(Declared { at, layers, declaration: outer, value });
            }
            let inward = field == "declarator"
                || field.is_empty() && matches!(kind, "parenthesized_declarator" | "reference_declarator");
            if !inward || !kind.ends_with("declarator") {
                return None;
            }
            if kind == "init_declarator" {
                value = self.tree.child(outer, "value");
            } else {
                layers.push(outer);
            }
            inner = outer;
        }
    }

    /// Returns where a name is known. `None` for a parameter of what has no body.
    fn scope_of(&self, declared: &Declared) -> Option<usize> {
        if !self.tree.kind(declared.declaration).ends_with("parameter_declaration") {
            return Some(self.scope(declared.declaration));
        }
        let (function, _) = self.parameter(declared.declaration)?;
        let outermost = std::iter::successors(Some(function), |at| self.tree.parent(*at))
            .find(|at| !self.tree.kind(*at).ends_with("_declarator"))?;
        self.is(outermost, "function_definition").then_some(outermost)
    }

    /// Returns the declarator of the function that has this parameter, and its position among them, from 0.
    pub(in crate::rewrite) fn parameter(&self, declaration: usize) -> Option<(usize, usize)> {
        let list = self.in_a(declaration, "parameter_list")?;
        let position = self.parts(list).position(|at| at == declaration)?;
        Some((self.in_a(list, "function_declarator")?, position))
    }

    /// Returns the uses of a variable: the expressions that are it, declarations not included.
    pub(in crate::rewrite) fn uses(&self, variable: &Variable) -> Vec<usize> {
        let named = self.named_in(variable.name, variable.scope).iter().copied();
        if variable.is_field {
            let accesses = named.filter(|at| self.tree.field(*at) == "field");
            return accesses.filter_map(|at| self.in_a(at, "field_expression")).collect();
        }
        named.filter(|at| self.is(*at, "identifier") && self.declared(*at).is_none()).collect()
    }

    /// Returns the node of the type of a declaration.
    pub(in crate::rewrite) fn type_of(&self, declaration: usize) -> Option<usize> {
        self.tree.child(declaration, "type")
    }

    /// Returns, of a declaration of a function, the name, with the declarator that has the parameters.
    pub(in crate::rewrite) fn function(&self, declaration: usize) -> Option<(usize, usize)> {
        let mut at = self.tree.child(declaration, "declarator")?;
        let mut with_parameters = None;
        loop {
            if self.is(at, "function_declarator") {
                with_parameters = Some(at);
            }
            match self.tree.child(at, "declarator") {
                Some(inner) => at = inner,
                None if self.is(at, "reference_declarator") => at = self.parts(at).next()?,
                None => return with_parameters.map(|function| (at, function)),
            }
        }
    }

    /// Returns a name without what qualifies it, and the name of the last qualifier: of `n::A<T>::f` those of `f` and
    /// `A`.
    pub(in crate::rewrite) fn unqualified(&self, mut name: usize) -> (usize, Option<usize>) {
        let mut scope = None;
        while let Some(inner) = self.tree.child(name, "name").filter(|_| self.is(name, "qualified_identifier")) {
            let qualifier = self.tree.child(name, "scope");
            scope = qualifier.map(|scope| self.tree.child(scope, "name").unwrap_or(scope));
            name = inner;
        }
        (name, scope)
    }
}
