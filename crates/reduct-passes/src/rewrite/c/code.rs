//! A text in C or C++ as the passes for them see it: its tree, and where each name stands.

use crate::pass::Proposals;
use crate::rewrite::{largest_first, propose_in_order, propose_shrinking};
use reduct_input::Spans;
use reduct_input::Subject;
use reduct_input::Tree;
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;
use std::ops::Range;

/// A text in C or C++.
pub(in crate::rewrite) struct Code<'a> {
    text: &'a [u8],
    pub(in crate::rewrite) tree: &'a Tree,
    names: BTreeMap<&'a [u8], Vec<usize>>,
}

/// The kinds of nodes that are nothing but a name.
const NAMES: &[&str] = &["identifier", "field_identifier", "type_identifier", "namespace_identifier"];

/// Returns what a pass proposes for the texts in C and C++: what `find` finds in each.
pub(in crate::rewrite) fn propose(subject: &Subject, find: impl Fn(&Code) -> Vec<Edit>) -> Proposals {
    propose_shrinking(subject, codes(subject).flat_map(|code| find(&code)))
}

/// Returns the same as [`propose`], those that gain most to be tried first.
pub(in crate::rewrite) fn propose_largest_first(subject: &Subject, find: impl Fn(&Code) -> Vec<Edit>) -> Proposals {
    propose_in_order(subject, largest_first(codes(subject).flat_map(|code| find(&code)).collect()))
}

/// Returns the same as [`propose`], with each of several lists of edits in levels of its own: what changes most goes first.
pub(in crate::rewrite) fn propose_in_turn(subject: &Subject, find: impl Fn(&Code) -> Vec<Vec<Edit>>) -> Proposals {
    let mut turns: Vec<Vec<Edit>> = vec![];
    for code in codes(subject) {
        for (turn, edits) in find(&code).into_iter().enumerate() {
            if turns.len() <= turn {
                turns.resize_with(turn + 1, Vec::new);
            }
            turns[turn].extend(edits);
        }
    }
    let levels = |edits| propose_shrinking(subject, edits);
    turns.into_iter().flat_map(levels).collect::<Vec<Spans>>()
}

fn codes(subject: &Subject) -> impl Iterator<Item = Code<'_>> {
    let is_c = |tree: &&Tree| matches!(tree.grammar.language, "c" | "cpp");
    subject.trees().iter().filter(is_c).map(|tree| Code::new(subject.artifact().bytes(), tree))
}

impl<'a> Code<'a> {
    fn new(text: &'a [u8], tree: &'a Tree) -> Code<'a> {
        let mut names: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        let is_name: Vec<bool> = tree.grammar.kinds.iter().map(|kind| NAMES.contains(&kind.name.as_str())).collect();
        for at in (0..tree.len()).filter(|at| is_name[tree.node(*at).kind as usize]) {
            let Range { start, end } = tree.range(at);
            names.entry(&text[start as usize..end as usize]).or_default().push(at);
        }
        Code { text, tree, names }
    }

    /// Returns the text of a node.
    pub(in crate::rewrite) fn text(&self, at: usize) -> &'a [u8] {
        self.bytes(self.tree.range(at))
    }

    /// Returns the text at these addresses.
    pub(in crate::rewrite) fn bytes(&self, range: Range<u32>) -> &'a [u8] {
        &self.text[range.start as usize..range.end as usize]
    }

    /// Returns all nodes that are this name, in the order of the text.
    pub(in crate::rewrite) fn named(&self, name: &[u8]) -> &[usize] {
        self.names.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns all nodes within `scope` that are this name.
    pub(in crate::rewrite) fn named_in(&self, name: &[u8], scope: usize) -> &[usize] {
        let all = self.named(name);
        let from = all.partition_point(|at| *at < scope);
        let to = all.partition_point(|at| *at < self.tree.node(scope).after as usize);
        &all[from..to]
    }

    /// Returns all nodes of a kind, in the order of the text.
    pub(in crate::rewrite) fn all(&self, kind: &str) -> impl Iterator<Item = usize> + '_ {
        let kinds = &self.tree.grammar.kinds;
        let wanted: Vec<bool> = kinds.iter().map(|known| known.named && known.name == kind).collect();
        (0..self.tree.len()).filter(move |at| wanted[self.tree.node(*at).kind as usize])
    }

    /// Returns whether a node is of this kind.
    pub(in crate::rewrite) fn is(&self, at: usize, kind: &str) -> bool {
        self.tree.kind(at) == kind
    }

    /// Returns the parent of a node if that is of this kind.
    pub(in crate::rewrite) fn in_a(&self, at: usize, kind: &str) -> Option<usize> {
        self.tree.parent(at).filter(|parent| self.is(*parent, kind))
    }

    /// Returns the first child of this kind, words and signs included.
    pub(in crate::rewrite) fn child_of_kind(&self, at: usize, kind: &str) -> Option<usize> {
        self.tree.children(at).find(|child| self.is(*child, kind))
    }

    /// Returns the children of a node that are rules of the grammar, comments left out.
    pub(in crate::rewrite) fn parts(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.tree.children(at).filter(|child| self.tree.is_named(*child) && !self.is(*child, "comment"))
    }

    /// Returns the next sibling of a node if it is this word or sign.
    pub(in crate::rewrite) fn next_sign(&self, at: usize, sign: &str) -> Option<usize> {
        let next = self.tree.node(at).after as usize;
        let parent = self.tree.parent(at)?;
        (next < self.tree.node(parent).after as usize && self.is(next, sign)).then_some(next)
    }

    /// Removes these addresses with the blanks after them, and with their line if they begin and end it.
    /// What would then run together is kept apart.
    pub(in crate::rewrite) fn cut(&self, range: Range<u32>) -> Splice {
        let blanks = |from: usize| self.text[from..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
        let (start, mut end) = (range.start as usize, range.end as usize);
        let before = self.text[..start].iter().rev().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        end += blanks(end);
        if before.is_none_or(|b| *b == b'\n') && self.text.get(end) == Some(&b'\n') {
            end += 1;
            end += blanks(end);
        }
        let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let joins = start > 0 && is_word(self.text.get(start - 1)) && is_word(self.text.get(end));
        Splice { at: range.start..end as u32, with: if joins { b" ".as_slice() } else { b"" }.into() }
    }

    /// Removes these addresses and nothing else.
    pub(in crate::rewrite) fn erase(&self, range: Range<u32>) -> Splice {
        Splice { at: range, with: b"".as_slice().into() }
    }

    /// Removes what a node has after one of its children.
    pub(in crate::rewrite) fn erase_after(&self, child: usize, node: usize) -> Splice {
        self.erase(self.tree.node(child).end..self.tree.node(node).end)
    }

    /// Removes a node.
    pub(in crate::rewrite) fn cut_node(&self, at: usize) -> Splice {
        self.cut(self.tree.range(at))
    }

    /// Removes a node with the `;` after it.
    pub(in crate::rewrite) fn cut_statement(&self, at: usize) -> Splice {
        let end = self.next_sign(at, ";").map_or(self.tree.node(at).end, |sign| self.tree.node(sign).end);
        self.cut(self.tree.node(at).start..end)
    }

    /// Removes an element of a list with one of the commas around it. What is the only element goes alone.
    pub(in crate::rewrite) fn cut_element(&self, at: usize) -> Splice {
        let node = self.tree.node(at);
        if let Some(comma) = self.next_sign(at, ",") {
            return self.cut(node.start..self.tree.node(comma).end);
        }
        let siblings = self.tree.parent(at).into_iter().flat_map(|parent| self.tree.children(parent));
        let comma = siblings.take_while(|sibling| *sibling < at).last().filter(|before| self.is(*before, ","));
        comma.map_or_else(|| self.cut_node(at), |comma| self.cut(self.tree.node(comma).start..node.end))
    }

    /// Puts other text in the place of a node.
    pub(in crate::rewrite) fn put(&self, at: usize, with: &[u8]) -> Splice {
        Splice { at: self.tree.range(at), with: with.into() }
    }

    /// Puts another type in the place of a class or an enum, where that is the type of something. Elsewhere it only defines or declares one: it is removed
    /// with its `;`.
    pub(in crate::rewrite) fn put_type(&self, specifier: usize, with: &[u8]) -> Splice {
        if self.tree.field(specifier) == "type" { self.put(specifier, with) } else { self.cut_statement(specifier) }
    }

    /// Returns the arguments at this position, from 0, in the calls of a function.
    pub(in crate::rewrite) fn arguments(&self, function: &[u8], position: usize) -> impl Iterator<Item = usize> + '_ {
        let calls = self.named(function).iter().filter_map(|at| self.call_of(*at));
        calls.filter_map(move |call| self.parts(self.tree.child(call, "arguments")?).nth(position))
    }

    /// Returns the call of which this name is the function.
    pub(in crate::rewrite) fn call_of(&self, name: usize) -> Option<usize> {
        self.in_a(name, "call_expression").filter(|_| self.tree.field(name) == "function")
    }

    /// Returns the node in which a name that is declared here is known: the nearest block, loop or function.
    pub(in crate::rewrite) fn scope(&self, at: usize) -> usize {
        let scopes =
            ["compound_statement", "for_statement", "for_range_loop", "function_definition", "lambda_expression"];
        std::iter::successors(self.tree.parent(at), |at| self.tree.parent(*at))
            .find(|at| scopes.contains(&self.tree.kind(*at)))
            .unwrap_or(0)
    }
}

/// Splices that go together, where what is in a place that goes anyway is left out. `None` if there are none.
pub(in crate::rewrite) fn merged(mut splices: Vec<Splice>) -> Option<Edit> {
    splices.sort_by(|a, b| (a.at.start, b.at.end).cmp(&(b.at.start, a.at.end)));
    let mut apart: Vec<Splice> = Vec::with_capacity(splices.len());
    for splice in splices {
        if apart.last().is_none_or(|last| last.at.end <= splice.at.start) {
            apart.push(splice);
        } else if let Some(last) =
            apart.last_mut().filter(|last| last.at.end < splice.at.end && last.with == splice.with)
        {
            last.at.end = splice.at.end;
        }
    }
    Edit::new(apart)
}
