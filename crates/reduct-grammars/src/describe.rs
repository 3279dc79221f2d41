//! What the kinds of a grammar mean: the properties and texts that all grammars share, and those of a language's file.

use crate::language::Language;
use reduct_input::{Class, KindInfo};
use std::collections::{BTreeMap, BTreeSet};

/// By the name of a supertype, the kinds that it stands for, and whether they are named.
pub(crate) type Supertypes<'a> = BTreeMap<&'a str, BTreeSet<(&'a str, bool)>>;

/// Gives kinds the properties and texts that the file of the language names.
pub(crate) fn describe(language: &Language, supertypes: &Supertypes, kinds: &mut [KindInfo]) {
    let stands_for = |kind: &KindInfo, name: &str| {
        kind.named
            && (kind.name == name
                || supertypes.get(name).is_some_and(|concrete| concrete.contains(&(kind.name.as_str(), true))))
    };
    for kind in kinds {
        kind.named &= !language.words.iter().any(|words| kind.name.starts_with(words));
        for (name, class) in COMMON.iter().chain(language.classes) {
            if stands_for(kind, name) {
                kind.class = kind.class.and(*class);
            }
        }
        for (name, texts) in language.shortest {
            if stands_for(kind, name) {
                let new: Vec<_> = texts.iter().filter(|text| !kind.shortest.iter().any(|has| has == *text)).collect();
                kind.shortest.extend(new.into_iter().map(|text| (*text).to_owned()));
            }
        }
    }
}

/// Does the same for a language without supertypes.
pub(crate) fn describe_plainly(language: &Language, kinds: &mut [KindInfo]) {
    describe(language, &Supertypes::new(), kinds);
}

/// Names of kinds that mean the same in all grammars.
const COMMON: &[(&str, Class)] = &[
    ("comment", Class::COMMENT),
    ("line_comment", Class::COMMENT),
    ("block_comment", Class::COMMENT),
    ("identifier", Class::NAME),
    ("type_identifier", Class(Class::NAME.0 | Class::TYPE.0)),
    ("field_identifier", Class::NAME),
    ("property_identifier", Class::NAME),
    ("expression", Class::EXPRESSION),
    ("_expression", Class::EXPRESSION),
    ("statement", Class::STATEMENT),
    ("_statement", Class::STATEMENT),
    ("type", Class::TYPE),
    ("_type", Class::TYPE),
    ("argument_list", Class::ARGUMENTS),
    ("arguments", Class::ARGUMENTS),
    ("parameter_list", Class::PARAMETERS),
    ("parameters", Class::PARAMETERS),
    ("formal_parameters", Class::PARAMETERS),
    ("block", Class::BLOCK),
    ("string", Class::STRING),
    ("string_literal", Class::STRING),
    ("char_literal", Class::STRING),
    ("character_literal", Class::STRING),
    ("number", Class::NUMBER),
    ("number_literal", Class::NUMBER),
    ("integer", Class::NUMBER),
    ("float", Class::NUMBER),
    ("integer_literal", Class::NUMBER),
    ("float_literal", Class::NUMBER),
];
