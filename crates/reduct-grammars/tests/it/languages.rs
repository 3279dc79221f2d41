use reduct_circumstances::{Grammars, Role, Tree};
use reduct_grammars::{LANGUAGES, Languages};
use std::path::Path;

fn shown(tree: &Tree, text: &str) -> String {
    (0..tree.len())
        .map(|at| {
            let depth = std::iter::successors(Some(at), |at| tree.parent(*at)).count() - 1;
            let node = tree.node(at);
            format!(
                "{}{} {} {:?} {:?}\n",
                "  ".repeat(depth),
                tree.field(at),
                tree.kind(at),
                node.role,
                &text[node.start as usize..node.end as usize]
            )
        })
        .collect()
}

#[test]
fn print() {
    let text = "struct S { int a, b; };\nint f(int x) {\n  if (x) { return a[1] + g(2, 3); }\n  return 0;\n}\n";
    let tree = Languages::all().parse(Path::new("a.c"), text.as_bytes()).unwrap();
    println!("{}", shown(&tree, text));
    assert_eq!(tree.node(0).role, Role::Root);
    for language in LANGUAGES {
        let grammar = reduct_grammars::grammar_of(language);
        println!("{} {} kinds {} slots", language.name, grammar.kinds.len(), grammar.slots.len());
    }
}
