//! One name, one public type: where two crates or files give a name to two things, a reader takes one for the other.

use crate::source::Crate;
use std::collections::BTreeMap;

/// Returns the public types of all crates that share a name, each name with the places, as complaints.
pub(crate) fn of_one_name(crates: &[Crate]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in crates.iter().flat_map(|krate| krate.files.values()) {
        for item in &file.syntax.items {
            if let Some(ident) = public_type(item) {
                places.entry(ident.to_string()).or_default().push(file.path.display().to_string());
            }
        }
    }
    let doubled = places.into_iter().filter(|(_, places)| places.len() > 1);
    doubled.map(|(name, places)| format!("`{name}` is {} public types: {}", places.len(), places.join(", "))).collect()
}

/// Returns the name of an item that is a public type or trait.
fn public_type(item: &syn::Item) -> Option<&syn::Ident> {
    let (visibility, ident) = match item {
        syn::Item::Struct(item) => (&item.vis, &item.ident),
        syn::Item::Enum(item) => (&item.vis, &item.ident),
        syn::Item::Trait(item) => (&item.vis, &item.ident),
        syn::Item::Type(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    matches!(visibility, syn::Visibility::Public(_)).then_some(ident)
}
