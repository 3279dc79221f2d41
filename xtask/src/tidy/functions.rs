//! Functions too long to be read at once.

use crate::source::{Crate, File, is_test};
use syn::spanned::Spanned;
use syn::visit::Visit;

/// The most lines that a function may have, from its signature to its closing brace.
pub(crate) const LONGEST: usize = 70;

/// Returns the functions of a crate that are longer, as complaints.
pub(crate) fn too_long(krate: &Crate) -> Vec<String> {
    let found = krate.files.values().flat_map(|file| {
        let mut lengths = Lengths { file, found: vec![] };
        lengths.visit_file(&file.syntax);
        lengths.found
    });
    found.collect()
}

struct Lengths<'a> {
    file: &'a File,
    found: Vec<String>,
}

impl Lengths<'_> {
    fn note(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let (first, last) = (signature.span().start().line, body.span().end().line);
        let lines = last + 1 - first;
        if lines > LONGEST {
            let path = self.file.path.display();
            self.found.push(format!("{path}:{first}: `{}` has {lines} lines; at most {LONGEST}", signature.ident));
        }
    }
}

impl<'a> Visit<'a> for Lengths<'_> {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.note(&function.sig, &function.block);
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        self.note(&function.sig, &function.block);
        syn::visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'a syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.note(&function.sig, body);
        }
        syn::visit::visit_trait_item_fn(self, function);
    }
}
