//! A small language for tests of what needs a grammar: words and lists in parentheses.

use reduct_input::{Class, Grammar, Grammars, KindInfo, Node, Role, Slot, Tree};
use std::path::Path;
use std::sync::Arc;

/// The grammar. A text with a parenthesis too many or too few has as many errors.
#[derive(Debug)]
pub struct Lisp;

const ROOT: u16 = 0;
const LIST: u16 = 1;
const WORD: u16 = 2;
const SIGN: u16 = 3;

fn grammar() -> Grammar {
    let kind = |name: &str, named, class| KindInfo { name: name.into(), named, class, shortest: vec![] };
    let kinds = vec![
        kind("text", true, Class::default()),
        kind("list", true, Class::EXPRESSION),
        kind("word", true, Class::NAME),
        kind("(", false, Class::default()),
    ];
    let many = || Slot { required: false, multiple: true, types: vec![LIST, WORD] };
    Grammar { language: "lisp", kinds, fields: vec![], slots: vec![((ROOT, 0), many()), ((LIST, 0), many())] }
}

impl Grammars for Lisp {
    fn parse(&self, _: &Path, text: &[u8]) -> Option<Tree> {
        if self.errors(Path::new(""), text) != Some(0) {
            return None;
        }
        let mut nodes = vec![];
        let mut open: Vec<usize> = vec![];
        let mut add = |kind, role, parent: usize, start: usize, end: usize| {
            let at = nodes.len() as u32;
            let (start, end) = (start as u32, end as u32);
            nodes.push(Node { kind, field: 0, role, parent: parent as u32, after: at + 1, start, end });
            at as usize
        };
        open.push(add(ROOT, Role::Root, 0, 0, text.len()));
        let mut at = 0;
        let mut ends = vec![];
        while at < text.len() {
            let parent = open[open.len() - 1];
            let length = text[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            match text[at] {
                b'(' => {
                    open.push(add(LIST, Role::Item, parent, at, at));
                    add(SIGN, Role::Token, open[open.len() - 1], at, at + 1);
                }
                b')' => {
                    let sign = add(SIGN, Role::Token, parent, at, at + 1);
                    ends.push((parent, sign + 1, at + 1));
                    open.pop();
                }
                _ if length > 0 => {
                    add(WORD, Role::Item, parent, at, at + length);
                }
                _ => {}
            }
            at += length.max(1);
        }
        for (list, after, end) in ends {
            nodes[list].after = after as u32;
            nodes[list].end = end as u32;
        }
        nodes[0].after = nodes.len() as u32;
        Some(Tree { grammar: Arc::new(grammar()), nodes })
    }

    fn errors(&self, _: &Path, text: &[u8]) -> Option<usize> {
        let (mut open, mut wrong) = (0usize, 0);
        for byte in text {
            match byte {
                b'(' => open += 1,
                b')' if open == 0 => wrong += 1,
                b')' => open -= 1,
                _ => {}
            }
        }
        Some(wrong + open)
    }
}
