//! Tables of what is written as JSON, made from the doc comments of the types that are written.

use super::root;
use super::tables::{code, row, row_and_rule};
use std::fs;
use syn::{Attribute, Expr, ExprLit, Field, Item, Lit, Meta};

/// Returns the table of an enum that is written as records with a tag: one row for each record, one for each of its keys.
pub(super) fn of_enum(file: &str, name: &str) -> String {
    let found = items(file).into_iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == name => Some(item),
        _ => None,
    });
    let found = found.unwrap_or_else(|| panic!("{file} has no enum {name}"));
    let rows = found.variants.iter().map(|variant| {
        let tag = code(&variant.ident.to_string().to_lowercase());
        let keys = variant.fields.iter().map(|field| key("", field)).collect::<String>();
        row(&[&tag, "", &text(&variant.attrs)]) + &keys
    });
    row_and_rule(&["`t`", "key", "what it says"]) + &rows.collect::<String>()
}

/// Returns the table of structs that are written as objects, each under the key that holds it: one row for each key.
pub(super) fn of_structs(structs: &[(&str, &str, &str)]) -> String {
    let rows = structs.iter().map(|(holder, file, name)| {
        let found = items(file).into_iter().find_map(|item| match item {
            Item::Struct(item) if item.ident == *name => Some(item),
            _ => None,
        });
        let found = found.unwrap_or_else(|| panic!("{file} has no struct {name}"));
        let keys = found.fields.iter().map(|field| key("", field)).collect::<String>();
        row(&[&code(holder), "", &text(&found.attrs)]) + &keys
    });
    row_and_rule(&["in", "key", "what it says"]) + &rows.collect::<String>()
}

fn items(file: &str) -> Vec<Item> {
    let text = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}")).items
}

fn key(of: &str, field: &Field) -> String {
    let name = field.ident.as_ref().map(|name| code(&name.to_string())).unwrap_or_default();
    row(&[of, &name, &text(&field.attrs)])
}

/// Returns the doc comment of an item on one line, with links as code.
fn text(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ").replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}

#[test]
fn doc_comments_become_rows() {
    let item: syn::ItemStruct =
        syn::parse_str("/// One\n/// line.\n struct A { /// See [`read`].\n a: u8 }").expect("it is Rust");
    assert_eq!(text(&item.attrs), "One line.");
    assert_eq!(item.fields.iter().map(|field| key("", field)).collect::<String>(), "| | `a` | See `read`. |\n");
}
