//! Dialects of SQL: each statement is a part by itself, also where the grammar does not know it.

use reduct_grammars::Languages;
use reduct_input::{Grammars, Tree};
use std::path::Path;

fn read(text: &str) -> (Tree, usize) {
    let (languages, path) = (Languages::only("sql").unwrap(), Path::new("a.sql"));
    (languages.parse(path, text.as_bytes()).unwrap(), languages.errors(path, text.as_bytes()).unwrap())
}

/// Returns the texts of what stands in a node, but for single signs.
fn inside<'t>(tree: &Tree, text: &'t str, of: usize) -> Vec<&'t str> {
    let children = (of + 1..tree.node(of).after as usize).filter(|at| tree.node(*at).parent as usize == of);
    let texts = children.map(|at| &text[tree.range(at).start as usize..tree.range(at).end as usize]);
    texts.filter(|text| text.len() > 1).collect()
}

const UNKNOWN: &[&str] = &[
    "PRAGMA foreign_keys = ON;",
    "attach 'x;y.db' AS other;",
    "CREATE VIRTUAL TABLE words USING fts5(a, b);",
    "BEGIN IMMEDIATE;",
    "SAVEPOINT one;",
    "/* a; comment */ RELEASE one; -- and; one",
    "COMMIT;",
    ".mode csv",
    "DROP TRIGGER \"a;b\";",
    "COPY t FROM 'x.csv';",
    "CALL p($$a; b$$, $x$ c; $$ $x$);",
];

#[test]
fn unknown_statements_are_parts_wherever_they_stand() {
    let known = ["CREATE TABLE t (a INT);", "INSERT INTO t VALUES ('a; PRAGMA b;');", "SELECT a FROM t;"];
    for first in 0..known.len() {
        let mut all: Vec<&str> = known[..first].iter().copied().chain(UNKNOWN.iter().copied()).collect();
        all.extend(&known[first..]);
        let text = all.join("\n");
        let (tree, errors) = read(&text);
        assert_eq!(errors, 0);
        // Comments and the signs that end known statements are parts of their own.
        let bare = |statement: &&str| {
            let from = statement.find("*/").map_or(0, |end| end + 3);
            let to = statement.find(" --").unwrap_or(statement.len());
            let statement = &statement[from..to];
            if known.iter().any(|known| known.contains(statement)) {
                statement.trim_end_matches(';')
            } else {
                statement
            }
            .to_owned()
        };
        let expected: Vec<String> = all.iter().map(bare).collect();
        let is_comment = |part: &&str| part.starts_with("/*") || part.starts_with("--");
        let found: Vec<&str> = inside(&tree, &text, 0).into_iter().filter(|part| !is_comment(part)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn bodies_of_triggers_are_read() {
    let header = "CREATE TEMP TRIGGER tr AFTER UPDATE OF a ON t WHEN new.a > 1";
    let body = ["UPDATE t SET a = CASE WHEN a > 1 THEN 0 ELSE a END WHERE b = 'END;'", "DELETE FROM u"];
    let trigger = format!("{header} BEGIN\n  {};\n  {};\nEND", body[0], body[1]);
    let text = format!("SELECT 1;\n{trigger};\nPRAGMA a;\nSELECT 2;");
    let (tree, errors) = read(&text);
    assert_eq!(errors, 0);
    assert_eq!(inside(&tree, &text, 0), ["SELECT 1", &trigger, "PRAGMA a;", "SELECT 2"]);
    let block = (0..tree.len()).find(|at| tree.range(*at).len() == trigger.len()).unwrap();
    let parts = inside(&tree, &text, block);
    assert!(
        parts.contains(&body[0]) && parts.contains(&body[1]) && parts.contains(&format!("{header} ").as_str()),
        "{parts:?}"
    );
}

/// A body of a procedure that does not end is no body, and quotes, comments and labels that do not end, end with the text.
#[test]
fn what_does_not_end_is_read_to_its_end() {
    for text in [
        "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1;",
        "SELECT 'a; b",
        "SELECT 1; /* x",
        "SELECT $a$ b",
        "PRAGMA",
        ".",
        "-- a",
        "$",
        ";",
    ] {
        let (languages, path) = (Languages::only("sql").unwrap(), Path::new("a.sql"));
        for end in 0..=text.len() {
            languages.parse(path, &text.as_bytes()[..end]);
        }
    }
    // END of a loop and of a branch end no body.
    let text = "CREATE PROCEDURE p() BEGIN IF a THEN SELECT 1; END IF; SELECT 2; END;\nSELECT 3;";
    assert_eq!(inside(&read(text).0, text, 0).last(), Some(&"SELECT 3"));
}

/// In a dump of MySQL, a backslash stands before a quote within a string.
#[test]
fn quotes_behind_backslashes_end_no_string() {
    let rows = [r"(1,'it\'s a; b','\\')", r#"(2,'say \"no\"',NULL)"#, r"(3,'\\\'','-- ')"];
    let text = format!("CREATE TABLE `t` (`a` int);\n-- it's\nINSERT INTO `t` VALUES {};\nSELECT 1;\n", rows.join(","));
    let (tree, errors) = read(&text);
    assert_eq!(errors, 0);
    let insert = (0..tree.len()).find(|at| tree.kind(*at) == "insert").unwrap();
    let found = inside(&tree, &text, insert);
    assert!(rows.iter().all(|row| found.contains(row)), "{found:?}");
    // Of other dialects a backslash is a sign like any other.
    assert_eq!(read(r"SELECT 'C:\', 'b';").1, 0);
}
