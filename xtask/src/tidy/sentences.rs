//! Sentences that stand where only data should: words are made from data in `reduct-report` and in the command.

use crate::source::{Crate, File, ModulePath, is_test};
use std::collections::BTreeSet;
use syn::visit::Visit;

/// A text of so many words is one to be read.
const WORDS: usize = 4;

/// Returns the sentences of a crate, each with its file and line.
///
/// Attributes are not counted (the messages of error types, the help of the command line), nor is what an error type
/// advises (its methods whose name ends with `help`), nor are constants and statics (the tables
/// of passes and methods), reasons given to `expect` and panics, and tests.
pub(crate) fn sentences(krate: &Crate) -> Vec<String> {
    let errors = error_types(krate);
    let files = krate.files.iter().filter(|(module, _)| !is_test_file(krate, module));
    files.flat_map(|(_, file)| of_file(file, &errors)).collect()
}

/// Returns the names of the types of a crate that are errors: those that derive `Error`.
fn error_types(krate: &Crate) -> BTreeSet<String> {
    let items = krate.files.values().flat_map(|file| &file.syntax.items);
    let errors = items.filter_map(|item| match item {
        syn::Item::Enum(item) => derives_error(&item.attrs).then(|| item.ident.to_string()),
        syn::Item::Struct(item) => derives_error(&item.attrs).then(|| item.ident.to_string()),
        _ => None,
    });
    errors.collect()
}

fn derives_error(attributes: &[syn::Attribute]) -> bool {
    let mut found = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // What cannot be read does not compile either.
        let _ = attribute.parse_nested_meta(|derived| {
            found |= derived.path.segments.last().is_some_and(|last| last.ident == "Error");
            Ok(())
        });
    }
    found
}

/// Returns whether a file is named as a module that is there in tests only.
fn is_test_file(krate: &Crate, module: &ModulePath) -> bool {
    let Some((name, above)) = module.split_last() else { return false };
    let Some(parent) = krate.files.get(above) else { return false };
    parent.syntax.items.iter().any(|item| match item {
        syn::Item::Mod(item) => item.ident == name && is_test(&item.attrs),
        _ => false,
    })
}

fn of_file(file: &File, errors: &BTreeSet<String>) -> Vec<String> {
    let mut sentences = Sentences { found: vec![], errors, of_an_error: false };
    sentences.visit_file(&file.syntax);
    let path = file.path.display();
    sentences.found.into_iter().map(|(line, text)| format!("{path}:{line}: {text:?}")).collect()
}

struct Sentences<'e> {
    /// The line and the text of each.
    found: Vec<(usize, String)>,
    /// The types that are errors.
    errors: &'e BTreeSet<String>,
    /// Whether what is visited is a method of one of them.
    of_an_error: bool,
}

impl Sentences<'_> {
    fn note(&mut self, text: &str, at: proc_macro2::Span) {
        let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || "’'".contains(c));
        if text.split([' ', ',', '.', ':', ';']).filter(is_word).count() >= WORDS {
            self.found.push((at.start().line, text.to_owned()));
        }
    }
}

impl<'a> Visit<'a> for Sentences<'_> {
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let name = match &*item.self_ty {
            syn::Type::Path(of) => of.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let is_error = name.is_some_and(|name| self.errors.contains(&name));
        let before = std::mem::replace(&mut self.of_an_error, is_error);
        syn::visit::visit_item_impl(self, item);
        self.of_an_error = before;
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !self.of_an_error || !item.sig.ident.to_string().ends_with("help") {
            syn::visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}

    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if call.method == "expect" {
            self.visit_expr(&call.receiver);
        } else {
            syn::visit::visit_expr_method_call(self, call);
        }
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if ["assert", "assert_eq", "debug_assert", "panic", "unreachable"].contains(&name.as_str()) {
            return;
        }
        self.tokens(mac.tokens.clone());
    }

    fn visit_lit_str(&mut self, text: &'a syn::LitStr) {
        self.note(&text.value(), text.span());
    }
}

impl Sentences<'_> {
    /// Counts the texts among the tokens of a macro, but for attributes, which are a `#` or `#!` and a bracketed group.
    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let mut is_attribute = false;
        for token in tokens {
            let was_attribute = std::mem::take(&mut is_attribute);
            match token {
                proc_macro2::TokenTree::Group(group)
                    if was_attribute && group.delimiter() == proc_macro2::Delimiter::Bracket => {}
                proc_macro2::TokenTree::Group(group) => self.tokens(group.stream()),
                proc_macro2::TokenTree::Punct(sign) => {
                    is_attribute = sign.as_char() == '#' || was_attribute && sign.as_char() == '!';
                }
                proc_macro2::TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                        self.note(&text.value(), literal.span());
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_an_error_advises_is_no_sentence() {
        let text = "impl Place { fn help(&self) -> &str { \"give a folder that is there\" } }";
        let file = File { path: "a.rs".into(), text: text.into(), syntax: syn::parse_file(text).unwrap() };
        assert_eq!(of_file(&file, &BTreeSet::new()).len(), 1);
        assert_eq!(of_file(&file, &BTreeSet::from(["Place".to_owned()])).len(), 0);
        let attributes = |text| syn::parse_str::<syn::ItemEnum>(text).unwrap().attrs;
        assert!(derives_error(&attributes("#[derive(Debug, thiserror::Error)] enum A {}")));
        assert!(!derives_error(&attributes("#[derive(Debug)] enum Error {}")));
    }
}
