//! A grammar made from the node types of tree-sitter's.

use super::{Exceptions, Loaded};
use crate::describe::{Supertypes, describe};
use crate::language::Language;
use reduct_input::{Grammar, KindId, KindInfo, Slot};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Makes the grammar of a language from the node types of its grammar.
pub(super) fn load(language: &'static Language, symbols: &tree_sitter::Language, node_types: &str) -> Loaded {
    let mut kinds = Kinds::default();
    let by_symbol = (0..symbols.node_kind_count() as u16)
        .map(|id| kinds.id(symbols.node_kind_for_id(id).unwrap_or_default(), symbols.node_kind_is_named(id)))
        .collect();
    let error = kinds.id("ERROR", true);
    let types: Value = serde_json::from_str(node_types).unwrap_or_default();
    let fields: Vec<String> = (1..=symbols.field_count() as u16)
        .map(|id| symbols.field_name_for_id(id).unwrap_or_default().to_owned())
        .collect();
    let supertypes = supertypes(&types);
    let mut slots = BTreeMap::new();
    for entry in types.as_array().into_iter().flatten() {
        let (name, named) = type_of(entry);
        let kind = kinds.id(name, named);
        for (field, slot) in entry["fields"].as_object().into_iter().flatten() {
            if let Some(at) = fields.iter().position(|known| known == field) {
                slots.insert((kind, at as u16 + 1), slot_of(slot, &supertypes, &mut kinds));
            }
        }
        if entry["children"].is_object() {
            slots.insert((kind, 0), slot_of(&entry["children"], &supertypes, &mut kinds));
        }
    }
    let mut infos = kinds.infos;
    describe(language, &supertypes, &mut infos);
    let grammar = Grammar { language: language.name, kinds: infos, fields, slots: slots.into_iter().collect() };
    let roles = roles(language, &grammar);
    Loaded { body: grammar.field("body"), grammar: Arc::new(grammar), kinds: by_symbol, error, roles }
}

fn roles(language: &Language, grammar: &Grammar) -> Exceptions {
    let named = |name: &str| -> Vec<KindId> {
        let is_named = |kind: &KindInfo| match name.strip_suffix('*') {
            Some(beginning) => kind.name.starts_with(beginning),
            None => kind.name == name,
        };
        (0..grammar.kinds.len()).filter(|at| is_named(&grammar.kinds[*at])).map(|at| at as KindId).collect()
    };
    let mut roles = BTreeMap::<_, Vec<_>>::new();
    for (parent, field, child, role) in language.roles {
        let field = grammar.field(field).unwrap_or_default();
        let children = if child.is_empty() { vec![] } else { named(child) };
        named(parent)
            .into_iter()
            .for_each(|parent| roles.entry((parent, field)).or_default().push((children.clone(), *role)));
    }
    roles
}

/// Kinds by name, numbered in the order in which they are first named.
#[derive(Default)]
struct Kinds {
    ids: BTreeMap<(String, bool), KindId>,
    infos: Vec<KindInfo>,
}

impl Kinds {
    /// Returns the number of a kind. Rules that are only words of the language are numbered as rules, and become words
    /// in the end.
    fn id(&mut self, name: &str, named: bool) -> KindId {
        *self.ids.entry((name.to_owned(), named)).or_insert_with(|| {
            self.infos.push(KindInfo { name: name.to_owned(), named, ..KindInfo::default() });
            self.infos.len() as KindId - 1
        })
    }
}

fn supertypes(types: &Value) -> Supertypes<'_> {
    let direct: BTreeMap<&str, Vec<(&str, bool)>> = types
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let subtypes = entry["subtypes"].as_array()?;
            Some((type_of(entry).0, subtypes.iter().map(type_of).collect()))
        })
        .collect();
    let concrete = |name: &str| {
        let (mut found, mut seen, mut todo) = (BTreeSet::new(), BTreeSet::new(), vec![name]);
        while let Some(name) = todo.pop() {
            if !seen.insert(name) {
                continue;
            }
            for subtype in direct.get(name).into_iter().flatten() {
                if direct.contains_key(subtype.0) {
                    todo.extend(direct.get_key_value(subtype.0).map(|(name, _)| *name));
                } else {
                    found.insert(*subtype);
                }
            }
        }
        found
    };
    direct.keys().map(|name| (*name, concrete(name))).collect()
}

fn type_of(entry: &Value) -> (&str, bool) {
    (entry["type"].as_str().unwrap_or_default(), entry["named"].as_bool().unwrap_or_default())
}

fn slot_of(slot: &Value, supertypes: &Supertypes, kinds: &mut Kinds) -> Slot {
    let mut types = BTreeSet::new();
    for (name, named) in slot["types"].as_array().into_iter().flatten().map(type_of) {
        match supertypes.get(name) {
            Some(concrete) => types.extend(concrete.iter().map(|(name, named)| kinds.id(name, *named))),
            None => {
                types.insert(kinds.id(name, named));
            }
        }
    }
    let says = |what: &str| slot[what].as_bool().unwrap_or_default();
    Slot { required: says("required"), multiple: says("multiple"), types: types.into_iter().collect() }
}
