//! C++.

use super::Language;
use reduct_input::{Class, Role};
use std::ops::Range;

pub(super) static LANGUAGE: Language = Language {
    nicknames: &["c++"],
    extensions: &["cpp", "cc", "cxx", "c++", "C", "ii", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl", "cu", "cuh"],
    classes: &CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    signs: super::c::SIGNS,
    unknown,
    ..Language::new("cpp", tree_sitter_cpp::LANGUAGE, tree_sitter_cpp::NODE_TYPES)
};

const OWN: [(&str, Class); 20] = [
    ("class_specifier", Class(Class::AGGREGATE.0 | Class::DEFINITION.0)),
    ("namespace_definition", Class(Class::AGGREGATE.0 | Class::DEFINITION.0)),
    ("alias_declaration", Class(Class::ALIAS.0 | Class::DEFINITION.0)),
    ("using_declaration", Class::IMPORT),
    ("template_declaration", Class::DEFINITION),
    ("concept_definition", Class::DEFINITION),
    ("optional_parameter_declaration", Class::DEFINITION),
    ("type_parameter_declaration", Class::DEFINITION),
    ("optional_type_parameter_declaration", Class::DEFINITION),
    ("namespace_identifier", Class::NAME),
    ("template_parameter_list", Class::PARAMETERS),
    ("lambda_expression", Class::EXPRESSION),
    ("raw_string_literal", Class::STRING),
    ("for_range_loop", Class::CONTROL),
    ("try_statement", Class::CONTROL),
    ("access_specifier", Class::MODIFIER),
    ("virtual_specifier", Class::MODIFIER),
    ("explicit_function_specifier", Class::MODIFIER),
    ("noexcept", Class::MODIFIER),
    ("ref_qualifier", Class::MODIFIER),
];

/// Those of C and its own.
static CLASSES: [(&str, Class); super::c::CLASSES.len() + OWN.len()] = super::joined(super::c::CLASSES, &OWN);

const SHORTEST: &[(&str, &[&str])] = &[
    ("compound_statement", &["{}"]),
    ("statement", &[";"]),
    ("string_literal", &["\"\""]),
    ("expression", &["0", "1", "{}"]),
    ("comma_expression", &["0"]),
    ("initializer_list", &["{}"]),
    ("field_declaration_list", &["{}"]),
    ("declaration_list", &["{}"]),
    ("primitive_type", &["int"]),
    ("sized_type_specifier", &["int"]),
    ("type_specifier", &["int", "auto"]),
    ("type_descriptor", &["int"]),
    ("argument_list", &["()"]),
    ("parameter_list", &["()"]),
    ("template_argument_list", &["<>"]),
    ("template_parameter_list", &["<>"]),
];

/// What has no fields, and of which all is needed.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("field_initializer", "", "", Role::Mandatory),
    ("field_declaration_list", "", "access_specifier", Role::Item),
    super::c::NAME_FOR_LINKING,
];

/// Returns what the grammar does not know: some attributes, and words before others.
fn unknown(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = attributes_of_namespaces(text);
    found.append(&mut attributes_of_variables(text));
    found.append(&mut words_before_others(text));
    found.sort_unstable_by_key(|range| range.start);
    // One may have another one in it.
    let mut end = 0;
    found.retain(|range| {
        let is_apart = range.start >= end;
        end = end.max(range.end);
        is_apart
    });
    found
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the attributes of GNU C between what is declared and its value.
fn attributes_of_variables(text: &[u8]) -> Vec<Range<usize>> {
    let is_first = |at: &usize| *at == 0 || !is_name(text[at - 1]);
    let starts = (0..text.len()).filter(|at| text[*at..].starts_with(b"__attribute") && is_first(at));
    let attributes = starts.filter_map(|start| Some(start..start + attribute(&text[start..])?));
    attributes.filter(|range| text[range.end..].trim_ascii_start().starts_with(b"=")).collect()
}

/// Returns the words of `extern template` and `__extension__ template`, before what is instantiated elsewhere or is new, and of
/// `typedef decltype(a) b`; also what `__decltype` has before the usual word.
fn words_before_others(text: &[u8]) -> Vec<Range<usize>> {
    let kind = |byte: &u8| (is_name(*byte), byte.is_ascii_whitespace());
    let mut found = vec![];
    let mut before: Option<(&[u8], Range<usize>)> = None;
    let mut at = 0;
    for word in text.chunk_by(|one, next| kind(one) == kind(next)) {
        let range = at..at + word.len();
        at = range.end;
        match (word, &before) {
            (b"template", Some((b"extern" | b"__extension__", word))) | (b"decltype", Some((b"typedef", word))) => {
                found.push(Range::clone(word));
            }
            (b"__decltype", _) => found.push(range.start..range.start + 2),
            _ => {}
        }
        if !word.trim_ascii().is_empty() {
            before = Some((word, range));
        }
    }
    found
}

/// Returns the attributes of GNU C that stand before or after the name of a namespace, as in all headers of the C++ library. The
/// grammar takes the braces of such a namespace for a mistake.
fn attributes_of_namespaces(text: &[u8]) -> Vec<Range<usize>> {
    const WORD: &[u8] = b"namespace";
    let mut found = vec![];
    let mut at = 0;
    while let Some(next) = text[at..].windows(WORD.len()).position(|word| word == WORD) {
        let start = at + next;
        at = start + WORD.len();
        if start > 0 && is_name(text[start - 1]) {
            continue;
        }
        let mut attributes = vec![];
        loop {
            at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if let Some(length) = attribute(&text[at..]) {
                attributes.push(at..at + length);
                at += length;
                continue;
            }
            match text[at..].iter().take_while(|byte| is_name(**byte) || **byte == b':').count() {
                0 => break,
                length => at += length,
            }
        }
        if text.get(at) == Some(&b'{') {
            found.append(&mut attributes);
        }
    }
    found
}

/// Longer attributes are not looked for: where one does not end, the rest of a text would be read for each.
const LONGEST: usize = 4096;

/// Returns how long the attribute is with which a text begins: `__attribute__ ((...))`.
fn attribute(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"__attribute__").or_else(|| text.strip_prefix(b"__attribute"))?;
    let inner = rest.trim_ascii_start();
    let (mut depth, mut is_string) = (0usize, false);
    for (at, byte) in inner.iter().enumerate().take(LONGEST) {
        match byte {
            b'"' => is_string = !is_string,
            b'(' if !is_string => depth += 1,
            b')' if !is_string => depth = depth.checked_sub(1)?,
            b'{' | b'}' | b';' if !is_string => return None,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then(|| text.len() - inner.len() + at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_namespaces_are_found_and_no_others() {
        let text = "namespace std __attribute__ ((__visibility__ (\"default\")))\n{\n\
                    inline namespace __attribute__((a)) b __attribute__((c(\")(\"))) __attribute ((d)) {}\n\
                    void f() __attribute__((e));\nnamespace g = h;\nusing namespace i __attribute__((j));\n\
                    mynamespace k __attribute__((l)) {}\nnamespace {\n}}\nnamespace m __attribute__((n";
        let found: Vec<&str> = attributes_of_namespaces(text.as_bytes()).into_iter().map(|at| &text[at]).collect();
        let expected = [
            "__attribute__ ((__visibility__ (\"default\")))",
            "__attribute__((a))",
            "__attribute__((c(\")(\")))",
            "__attribute ((d))",
        ];
        assert_eq!(found, expected);
    }
}
