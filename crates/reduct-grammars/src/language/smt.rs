//! SMT-LIB: problems for solvers, lists in parentheses.

use super::{Language, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "smt",
    nicknames: &["smtlib", "smt-lib"],
    extensions: &["smt2", "smt", "sy"],
    interpreters: &[],
    beginnings: &["(set-logic", "(set-info", "(set-option", "(declare-", "(define-"],
    reader: Reader::Lists,
    classes: &[],
    shortest: SHORTEST,
    words: &[],
    lenient: false,
    is_beyond: |_| false,
    unknown: |_| vec![],
    read_as: |text| text.into(),
    wrong: &[],
    roles: &[],
    signs: &[],
};

const SHORTEST: &[(&str, &[&str])] = &[("term", &["true", "0", "false"]), ("string", &["\"\""])];
