//! The intermediate language of LLVM.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["ll"],
    beginnings: &["; ModuleID", "source_filename ="],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("llvm", tree_sitter_llvm::LANGUAGE, tree_sitter_llvm::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("local_var", Class::NAME),
    ("global_var", Class::NAME),
    ("label", Class::NAME),
    ("cstring", Class::STRING),
    ("value", Class::EXPRESSION),
    ("instruction", Class::STATEMENT),
    ("instruction_call", Class::CALL),
    ("fn_define", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("declare", Class::DEFINITION),
    ("global_global", Class::DEFINITION),
    ("global_type", Class::DEFINITION),
    ("global_metadata", Class::DEFINITION),
    ("unnamed_attr_grp", Class::DEFINITION),
    ("function_body", Class::BLOCK),
    ("metadata_attachment", Class::MODIFIER),
    ("attribute", Class::MODIFIER),
    ("attr_ref", Class::MODIFIER),
    ("param_or_return_attrs", Class::MODIFIER),
    ("linkage", Class::MODIFIER),
    ("linkage_aux", Class::MODIFIER),
    ("dso_local", Class::MODIFIER),
    ("visibility", Class::MODIFIER),
    ("unnamed_addr", Class::MODIFIER),
    ("calling_conv", Class::MODIFIER),
    ("fast_math", Class::MODIFIER),
    ("alignment", Class::MODIFIER),
    ("comdat", Class::MODIFIER),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("function_body", &["{ret void}", "{unreachable}"]),
    ("value", &["0", "undef", "poison", "null"]),
    ("type", &["i1", "i8", "ptr", "void"]),
];

/// What an instruction is made of stands in a list, of which little can go.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("instruction*", "", "metadata_attachment", Role::Item),
    ("instruction*", "", "attribute", Role::Item),
    ("instruction*", "", "fast_math", Role::Item),
    ("instruction*", "", "calling_conv", Role::Item),
    ("instruction*", "", "attr_ref", Role::Item),
    ("instruction*", "", "alignment", Role::Item),
    ("instruction_br", "", "", Role::ItemOfMany),
    ("instruction_switch", "", "", Role::ItemOfMany),
    ("instruction_phi", "", "", Role::ItemOfMany),
    ("instruction_getelementptr", "", "", Role::ItemOfMany),
    ("instruction*", "", "", Role::Mandatory),
    ("function_header", "", "type", Role::Mandatory),
    ("function_header", "", "argument_list", Role::Mandatory),
    ("function_header", "", "", Role::Item),
    ("argument", "", "type", Role::Mandatory),
    ("argument", "", "value", Role::Optional),
    ("argument", "", "", Role::Item),
    ("global_*", "", "type_and_value", Role::Mandatory),
    ("global_*", "", "type", Role::Mandatory),
    ("global_metadata", "", "", Role::Mandatory),
    ("global_*", "", "", Role::Item),
    ("type", "", "type_keyword", Role::Mandatory),
    ("type_and_value", "", "", Role::Mandatory),
    ("array_vector_body", "", "", Role::Mandatory),
    ("bin_op_keyword", "", "", Role::Mandatory),
    ("value", "", "", Role::Mandatory),
];
