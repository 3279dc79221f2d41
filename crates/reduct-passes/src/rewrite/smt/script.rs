//! A text in SMT-LIB as the passes for it see it: its tree, and what its lists begin with.

use reduct_input::{Class, Edit, NamePlace, Part, Splice, Subject, Tree, together};
use std::ops::Range;

/// The name of the language.
const LANGUAGE: &str = "smt";

/// A text in SMT-LIB.
#[derive(Clone, Copy)]
pub(super) struct Script<'a> {
    pub(super) subject: &'a Subject,
    pub(super) tree: &'a Tree,
}

/// Returns the texts of a subject that are in SMT-LIB.
pub(super) fn scripts(subject: &Subject) -> impl Iterator<Item = Script<'_>> {
    subject.trees().iter().filter(|tree| tree.grammar.language == LANGUAGE).map(move |tree| Script { subject, tree })
}

impl<'a> Script<'a> {
    /// Returns the text in which a name stands, if it is in SMT-LIB.
    pub(super) fn of(subject: &'a Subject, place: &NamePlace) -> Option<Script<'a>> {
        let tree = &subject.trees()[place.tree];
        (tree.grammar.language == LANGUAGE).then_some(Script { subject, tree })
    }

    /// Returns the text of a node.
    pub(super) fn text(&self, at: usize) -> &'a [u8] {
        self.subject.text(self.tree.range(at))
    }

    /// Returns the members of a list: no brackets, no comments.
    pub(super) fn members(&self, at: usize) -> Vec<usize> {
        let is_member = |child: &usize| self.tree.is_named(*child) && !self.tree.is(*child, Class::COMMENT);
        self.tree.children(at).filter(is_member).collect()
    }

    /// Returns the word that a list begins with.
    pub(super) fn head(&self, at: usize) -> Option<&'a [u8]> {
        self.tree.child(at, "head").map(|head| self.text(head))
    }

    /// Returns the list in which this name is the head.
    pub(super) fn called(&self, name: usize) -> Option<usize> {
        self.tree.parent(name).filter(|_| self.tree.field(name) == "head")
    }

    /// Returns the members of a list of names, terms or sorts in a definition, as the parameters of a function.
    pub(super) fn listed(&self, definition: usize, kind: &str) -> Option<Vec<usize>> {
        let list = self.tree.children(definition).find(|child| self.tree.kind(*child) == kind)?;
        Some(self.members(list))
    }

    /// Returns the addresses of a member with the white space before it.
    pub(super) fn with_space(&self, at: usize) -> Range<u32> {
        let Range { start, end } = self.tree.range(at);
        let before = self.subject.text(self.tree.range(0).start..start);
        start - before.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count() as u32..end
    }
}

/// Returns the node that defines a name at this place.
pub(super) fn definition(place: &NamePlace) -> Option<usize> {
    match place.part {
        Part::Defines(definition) => Some(definition),
        _ => None,
    }
}

/// Returns these changes as one edit: what stands in a removed part goes with it.
pub(super) fn merged(splices: impl IntoIterator<Item = Splice>) -> Option<Edit> {
    let edits = splices.into_iter().map(|splice| Edit::new(vec![splice])).collect::<Option<Vec<Edit>>>()?;
    Edit::new(together(&edits)?)
}
