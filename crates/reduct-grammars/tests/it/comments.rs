//! What `comments` takes for a comment.

use crate::support::grammars;
use reduct_input::parts::Edits;
use reduct_input::{Artifact, Splice, Subject};
use reduct_passes::Pass;
use std::sync::Arc;

/// Returns a text with all edits of `comments` made.
fn without(name: &str, text: &str) -> String {
    let subject = Subject::new(Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap()), Some(grammars()));
    let levels = (Pass::named("comments").unwrap().propose)(&subject);
    assert!(levels.len() < 2, "{name}: one question takes all");
    let mut splices: Vec<Splice> = levels
        .iter()
        .flat_map(|level| level.get::<Edits>().unwrap().0.iter().flat_map(|edit| edit.splices().to_vec()))
        .collect();
    splices.sort_by_key(|splice| splice.at.start);
    let mut left = text.to_owned();
    for splice in splices.iter().rev() {
        let with = std::str::from_utf8(&splice.with).unwrap();
        left.replace_range(splice.at.start as usize..splice.at.end as usize, with);
    }
    left
}

#[test]
fn a_line_marker_within_a_function_is_none() {
    let text = "int f(int x) {\n  int y = x\n# 4 \"c.c\"\n  + 1 /* one */\n# 5 \"c.c\"\n  ;\n  return y;\n}\n";
    for name in ["x.c", "x.cpp"] {
        assert_eq!(without(name, text), text.replace(" /* one */", ""), "{name}");
    }
}

#[test]
fn strings_that_are_statements_of_python_document_it() {
    let cases = [
        ("\"\"\"Two\nlines.\n\"\"\"\nimport a\n", "import a\n"),
        ("# one\n'''two'''\n# three\na = 1\n", "a = 1\n"),
        ("def f(x):\n    \"\"\"Doc.\"\"\"\n    return x\n", "def f(x):\n    return x\n"),
        ("def f(x):\n    \"\"\"Doc.\"\"\"\n", "def f(x):\n    0\n"),
        ("class A:\n    'a' 'b'\n    # c\n    'd'\n", "class A:\n    0\n"),
        ("def f(): 'a'; return 1\n", "def f(): return 1\n"),
        ("def f(): 'a'\n", "def f(): 0\n"),
        ("'a'\n", ""),
    ];
    for (text, wanted) in cases {
        assert_eq!(without("x.py", text), wanted, "{text}");
    }
    for kept in ["f'{a()}'\n", "a = 'b'\n", "f('a')\n", "def f(): return 1; 'a'\n"] {
        assert_eq!(without("x.py", kept), kept);
    }
}
