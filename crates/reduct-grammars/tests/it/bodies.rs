//! Bodies that any function may have: compilers take them, whatever the function returns.

use crate::support::{grammars, stock};
use reduct_core::{Config, Delta};
use reduct_input::parts::Edits;
use reduct_input::{Artifact, Circumstances, Parts, Subject};
use reduct_passes::{Pass, Proposals};
use std::process::Command;
use std::sync::Arc;

/// Returns a text and what a pass proposes for it.
fn proposed(pass: &str, name: &str, text: &str) -> (Arc<Artifact>, Proposals) {
    let base = Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap());
    let subject = Subject::new(base.clone(), Some(grammars()));
    assert!(subject.parses(), "{text}");
    let proposals = (Pass::named(pass).unwrap().propose)(&subject);
    (base, proposals)
}

/// Returns the text after all edits of the first level.
fn all_made(pass: &str, name: &str, text: &str) -> String {
    let (base, proposals) = proposed(pass, name, text);
    let parts = Parts::new(base, proposals[0].clone());
    let made = parts.candidate(&Config::empty()).unwrap().artifact();
    String::from_utf8(made.bytes().trim_ascii().to_vec()).unwrap()
}

/// Asserts that a compiler takes a text as it is, and with another body in each function.
fn assert_compiles(name: &str, text: &str, stub: &str, functions: usize, command: &[&str]) {
    let made = all_made("bodies", name, text);
    assert_eq!(made.matches(stub).count(), functions, "{made}");
    for text in [text, &made] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        let output = Command::new(command[0]).args(&command[1..]).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn compilers_take_bodies_that_do_not_return() {
    let java = "class A {
    final int a;
    A(int a) { this.a = a + 1; }
    int sum(int[] of) { int all = 0; for (int one : of) { all += one; } return all; }
    <T> T same(T one) { if (one == null) { return null; } return one; }
    void nothing() { System.out.println(sum(new int[] {1, 2})); }
    static class B extends A {
        B() { super(1); nothing(); System.out.println(); }
        boolean is() { return sum(new int[0]) == 0 || same(true); }
    }
}
";
    assert_compiles("A.java", java, "throw null;}", 6, &["javac", "A.java"]);
    let made = all_made("bodies", "A.java", java);
    assert!(made.contains("B() {super(1);throw null;}"), "{made}");
    let go = "package a

func sum(of []int) int { all := 0; for _, one := range of { all += one }; return all }
func two() (a int, err error) { a = 1; return a, nil }
func nothing() { println(sum(nil)); println(two()) }
";
    assert_compiles("a.go", go, "{panic(0)}", 3, &["go", "tool", "compile", "-p", "a", "a.go"]);
    let rust = "pub struct A(Vec<u8>);
impl A {
    pub fn sum(&self) -> u32 { let mut all = 0; for one in &self.0 { all += u32::from(*one) } all }
    pub fn first<'a>(&'a self) -> Option<&'a u8> { if self.sum() == 0 { return None } self.0.first() }
    pub fn nothing(&mut self) { self.0.clear(); self.0.push(1); }
}
";
    assert_compiles("a.rs", rust, "{loop{}}", 3, &["rustc", "--edition", "2021", "--crate-type", "lib", "a.rs"]);
}

/// Where no body has to return anything it is empty, and where it is what would be put there already it stays.
#[test]
fn bodies_are_empty_where_they_may_be() {
    let javascript = "function f(a) { return a + 1 }\nclass A { b() { return 2 } }\nlet c = () => { return 3 }\n";
    let expected = "function f(a) {}\nclass A { b() {} }\nlet c = () => {}";
    assert_eq!(all_made("bodies", "a.js", javascript), expected);
    let python = "def f(a):\n    b = a + 1\n    return b\n";
    assert_eq!(all_made("bodies", "a.py", python), "def f(a):\n    0");
    let (_, proposals) = proposed("bodies", "a.rs", "fn f() -> u8 {loop{}}\n");
    assert!(proposals.is_empty());
}

/// In each language what is proposed parses, one edit at a time and all at once, and there are such edits wherever functions are known.
#[test]
fn bodies_of_all_languages_parse() {
    let mut languages = vec![];
    for stock in stock() {
        let name = stock.path.file_name().unwrap().to_str().unwrap();
        let (base, proposals) = proposed("bodies", name, std::str::from_utf8(&stock.text).unwrap());
        for spans in &proposals {
            languages.push(stock.language.name);
            let parts = Parts::new(base.clone(), spans.clone());
            let count = spans.get::<Edits>().unwrap().0.len();
            let single = (0..count as u32).map(|at| Config::full(count).minus(&Config::from_deltas([Delta(at)])));
            for config in single.chain([Config::empty()]) {
                let made = Arc::new(parts.candidate(&config).unwrap().artifact());
                let text = String::from_utf8_lossy(made.bytes()).into_owned();
                assert!(Subject::new(made, Some(grammars())).parses(), "{text}");
            }
        }
    }
    languages.dedup();
    for wanted in
        ["csharp", "go", "java", "javascript", "lua", "php", "python", "ruby", "rust", "tsx", "typescript", "zig"]
    {
        assert!(languages.contains(&wanted), "{wanted}: {languages:?}");
    }
}

/// What has to return something gets such a body at last, too: in texts of any length, where an empty body was in vain.
#[test]
fn empty_bodies_come_before_bodies_that_do_not_return() {
    let (base, proposals) = proposed("empty-body", "a.rs", "fn f() -> Vec<u8> { g(); let a = vec![1]; a }\n");
    let text = |level: usize| {
        let parts = Parts::new(base.clone(), proposals[level].clone());
        String::from_utf8(parts.candidate(&Config::empty()).unwrap().artifact().bytes().trim_ascii().to_vec()).unwrap()
    };
    assert_eq!((text(0), text(1)), ("fn f() -> Vec<u8> {}".into(), "fn f() -> Vec<u8> {loop{}}".into()));
}
