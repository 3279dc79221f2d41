//! A text in SMT-LIB as the passes for it see it: its tree, and what its lists begin with.

use reduct_input::{Class, Edit, NamePlace, Part, Splice, Subject, Tree, together};
use std::ops::Range;

/// The name of the language.
const LANGUAGE: &str = "smt";

/// A text in SMT-LIB.
#[derive(Clone, Copy)]
pub(crate) struct Script<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) tree: &'a Tree,
}

/// Returns the texts of a subject that are in SMT-LIB.
pub(crate) fn scripts(subject: &Subject) -> impl Iterator<Item = Script<'_>> {
    subject.trees().iter().filter_map(move |tree| Script::new(subject, tree))
}

impl<'a> Script<'a> {
    /// Returns the text of a tree, if it is in SMT-LIB.
    pub(crate) fn new(subject: &'a Subject, tree: &'a Tree) -> Option<Script<'a>> {
        (tree.grammar.language == LANGUAGE).then_some(Script { subject, tree })
    }

    /// Returns the text in which a name stands, if it is in SMT-LIB.
    pub(crate) fn of(subject: &'a Subject, place: &NamePlace) -> Option<Script<'a>> {
        Script::new(subject, &subject.trees()[place.tree])
    }

    /// Returns the text of a node.
    pub(crate) fn text(&self, at: usize) -> &'a [u8] {
        self.subject.text(self.tree.range(at))
    }

    /// Returns the members of a list: no brackets, no comments.
    pub(crate) fn members(&self, at: usize) -> Vec<usize> {
        let is_member = |child: &usize| self.tree.is_named(*child) && !self.tree.is(*child, Class::COMMENT);
        self.tree.children(at).filter(is_member).collect()
    }

    /// Returns the word that a list begins with.
    pub(crate) fn head(&self, at: usize) -> Option<&'a [u8]> {
        self.tree.child(at, "head").map(|head| self.text(head))
    }

    /// Returns the list in which this name is the head.
    pub(crate) fn called(&self, name: usize) -> Option<usize> {
        self.tree.parent(name).filter(|_| self.tree.field(name) == "head")
    }

    /// Returns the members of a list of names, terms or sorts in a definition, as the parameters of a function.
    pub(crate) fn listed(&self, definition: usize, kind: &str) -> Option<Vec<usize>> {
        let list = self.tree.children(definition).find(|child| self.tree.kind(*child) == kind)?;
        Some(self.members(list))
    }

    /// Returns the addresses of a member with the white space before it.
    pub(crate) fn with_space(&self, at: usize) -> Range<u32> {
        let Range { start, end } = self.tree.range(at);
        let before = self.subject.text(self.tree.range(0).start..start);
        start - before.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count() as u32..end
    }
}

/// Returns the node that defines a name at this place.
pub(crate) fn definition(place: &NamePlace) -> Option<usize> {
    match place.part {
        Part::Defines(definition) => Some(definition),
        _ => None,
    }
}

/// Returns these changes as one edit: what stands in a removed part goes with it, and words stay apart.
pub(crate) fn merged(script: &Script, splices: impl IntoIterator<Item = Splice>) -> Option<Edit> {
    let edits = splices.into_iter().map(|splice| Edit::new(vec![splice])).collect::<Option<Vec<Edit>>>()?;
    Edit::new(apart(script, together(&edits)?))
}

/// Returns these changes, which ascend, with a blank where two words would become one.
fn apart(script: &Script, mut splices: Vec<Splice>) -> Vec<Splice> {
    let whole = script.tree.range(0);
    let byte = |at: u32| whole.contains(&at).then(|| script.subject.text(at..at + 1)[0]);
    let touch = |one: &Splice, next: &Splice| one.at.end == next.at.start;
    for run in splices.chunk_by_mut(touch).filter(|run| run.iter().all(|splice| splice.with.is_empty())) {
        let before = run[0].at.start.checked_sub(1).and_then(byte);
        let after = byte(run[run.len() - 1].at.end);
        if before.zip(after).is_some_and(|(before, after)| joins(before, after)) {
            run[0].with = b" ".as_slice().into();
        }
    }
    splices
}

/// Returns whether these bytes are of one word where they stand side by side. Two strings would be one with a quote in it.
fn joins(before: u8, after: u8) -> bool {
    let is_of_word = |byte: u8| !byte.is_ascii_whitespace() && !b"()\";|".contains(&byte);
    let begins_word = matches!(after, b'#' | b':');
    before == b'"' && after == b'"' || is_of_word(before) && is_of_word(after) && !begins_word
}
