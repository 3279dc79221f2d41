//! The syntax of a text as a tree that knows which of its parts may go, and what may stand for what.
//!
//! A tree is made by a grammar (`reduct-grammars`); this crate only uses it. Nodes stand in one array,
//! each before what is in it, so that a subtree is a range and no walk needs recursion.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// What makes trees of texts: the languages that are known.
pub trait Grammars: fmt::Debug + Send + Sync {
    /// Returns the tree of a text, with positions from 0; `None` if its language is not known or does not help.
    fn parse(&self, path: &Path, text: &[u8]) -> Option<Tree>;

    /// Returns in how many places a text does not follow its language; `None` if its language is not known.
    /// Cheaper than a tree.
    fn errors(&self, path: &Path, text: &[u8]) -> Option<usize>;

    /// Returns whether nothing is amiss in a text, not even a token that has no node.
    fn follows(&self, path: &Path, text: &[u8]) -> bool {
        self.errors(path, text) == Some(0)
    }
}

/// A kind of node, by index into its [`Grammar`].
pub type KindId = u16;

/// What a node is to the one it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The whole text.
    Root,
    /// It can go.
    Optional,
    /// One of a list that may be empty.
    Item,
    /// One of a list that needs at least one.
    ItemOfMany,
    /// It cannot go.
    Mandatory,
    /// A word or sign of the language itself, as `while` or `,`.
    Token,
    /// What could not be parsed, or stands in for something that is missing.
    Error,
}

/// One node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: KindId,
    /// As what of its parent it stands there, from 1; 0 if that has no name.
    pub field: u16,
    /// Whether it can go.
    pub role: Role,
    /// The node it is in; its own index for the root.
    pub parent: u32,
    /// The index after its last descendant.
    pub after: u32,
    /// Where its text begins.
    pub start: u32,
    /// Where its text ends.
    pub end: u32,
}

/// The name of the kind that what a grammar does not know, or could not read, is of.
const ERROR: &str = "ERROR";

/// Properties of kinds that passes ask for, so that no pass has to know a language. A set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Class(pub u32);

impl Class {
    /// A name that stands for something: variables, functions, types, fields.
    pub const NAME: Class = Class(1);
    /// A number.
    pub const NUMBER: Class = Class(1 << 1);
    /// A string or character, with its quotes.
    pub const STRING: Class = Class(1 << 2);
    /// A comment.
    pub const COMMENT: Class = Class(1 << 3);
    /// Something that has a value.
    pub const EXPRESSION: Class = Class(1 << 4);
    /// Something that is executed, or a declaration in its place.
    pub const STATEMENT: Class = Class(1 << 5);
    /// Something that names or describes a type.
    pub const TYPE: Class = Class(1 << 6);
    /// A definition or declaration of something that has a name.
    pub const DEFINITION: Class = Class(1 << 7);
    /// A definition of a function or method, body and all.
    pub const FUNCTION: Class = Class(1 << 8);
    /// The list of the parameters of a function, with its parentheses.
    pub const PARAMETERS: Class = Class(1 << 9);
    /// The list of the arguments of a call, with its parentheses.
    pub const ARGUMENTS: Class = Class(1 << 10);
    /// A call.
    pub const CALL: Class = Class(1 << 11);
    /// A body: statements or members between braces or indented.
    pub const BLOCK: Class = Class(1 << 12);
    /// An include, import, use.
    pub const IMPORT: Class = Class(1 << 13);
    /// An attribute, annotation, decorator, modifier, storage class or qualifier.
    pub const MODIFIER: Class = Class(1 << 14);
    /// A statement that decides what is executed: if, loop, switch, try.
    pub const CONTROL: Class = Class(1 << 15);
    /// An alias of a type.
    pub const ALIAS: Class = Class(1 << 16);
    /// A class, struct, union, enum, interface or trait with its members.
    pub const AGGREGATE: Class = Class(1 << 17);
    /// Text without quotes around it: text between tags, a plain scalar, what stands between the slashes of a regular expression.
    pub const TEXT: Class = Class(1 << 18);

    /// The names of all classes, for the files of languages.
    pub const ALL: &[(&str, Class)] = &[
        ("name", Class::NAME),
        ("number", Class::NUMBER),
        ("string", Class::STRING),
        ("comment", Class::COMMENT),
        ("expression", Class::EXPRESSION),
        ("statement", Class::STATEMENT),
        ("type", Class::TYPE),
        ("definition", Class::DEFINITION),
        ("function", Class::FUNCTION),
        ("parameters", Class::PARAMETERS),
        ("arguments", Class::ARGUMENTS),
        ("call", Class::CALL),
        ("block", Class::BLOCK),
        ("import", Class::IMPORT),
        ("modifier", Class::MODIFIER),
        ("control", Class::CONTROL),
        ("alias", Class::ALIAS),
        ("aggregate", Class::AGGREGATE),
        ("text", Class::TEXT),
    ];

    /// Returns whether it has all properties of `other`.
    pub fn has(self, other: Class) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns both sets of properties.
    pub fn and(self, other: Class) -> Class {
        Class(self.0 | other.0)
    }
}

/// What a kind of node is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindInfo {
    /// Its name in the grammar.
    pub name: String,
    /// Whether it is a rule of the grammar, and no word or sign of the language.
    pub named: bool,
    /// Its properties.
    pub class: Class,
    /// The shortest texts that may stand for any node of this kind, likeliest first.
    pub shortest: Vec<String>,
}

/// What may stand in one place of a node: under one field, or among its other children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Whether something must stand there.
    pub required: bool,
    /// Whether several may.
    pub multiple: bool,
    /// The kinds that may, in ascending order, every kind that a name stands for included.
    pub types: Vec<KindId>,
}

/// The kinds of nodes of a language, and what fits where, as the grammar's own node types say it.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// The language.
    pub language: &'static str,
    /// The kinds, by [`KindId`].
    pub kinds: Vec<KindInfo>,
    /// The names of fields, from 1.
    pub fields: Vec<String>,
    /// By kind and field, in ascending order.
    pub slots: Vec<((KindId, u16), Slot)>,
}

impl Grammar {
    /// Returns what may stand under a field of a kind of node.
    pub fn slot(&self, kind: KindId, field: u16) -> Option<&Slot> {
        self.slots.binary_search_by_key(&(kind, field), |(place, _)| *place).ok().map(|at| &self.slots[at].1)
    }

    /// Returns the named kind of this name.
    pub fn kind(&self, name: &str) -> Option<KindId> {
        self.kinds.iter().position(|kind| kind.named && kind.name == name).map(|at| at as KindId)
    }

    /// Returns the field of this name, from 1.
    pub fn field(&self, name: &str) -> Option<u16> {
        self.fields.iter().position(|field| field == name).map(|at| at as u16 + 1)
    }
}

/// The syntax of a text.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The language's kinds of nodes.
    pub grammar: Arc<Grammar>,
    /// The nodes, each before those in it; the first is the root.
    pub nodes: Vec<Node>,
}

impl Tree {
    /// Returns the same tree for a text that begins at this address.
    pub fn moved(mut self, by: u32) -> Tree {
        self.nodes.iter_mut().for_each(|node| {
            node.start += by;
            node.end += by;
        });
        self
    }

    /// Returns how many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns a node.
    pub fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    /// Returns the name of a node's kind.
    pub fn kind(&self, at: usize) -> &str {
        &self.grammar.kinds[self.nodes[at].kind as usize].name
    }

    /// Returns the name of the field it stands under, or nothing.
    pub fn field(&self, at: usize) -> &str {
        let field = self.nodes[at].field;
        if field == 0 { "" } else { &self.grammar.fields[field as usize - 1] }
    }

    /// Returns whether a node has a property.
    pub fn is(&self, at: usize, class: Class) -> bool {
        self.grammar.kinds[self.nodes[at].kind as usize].class.has(class)
    }

    /// Returns whether a node is a rule of the grammar, and no word or sign.
    pub fn is_named(&self, at: usize) -> bool {
        self.grammar.kinds[self.nodes[at].kind as usize].named
    }

    /// Returns whether a node is what its grammar does not know, or could not read.
    pub fn is_unread(&self, at: usize) -> bool {
        let node = &self.nodes[at];
        let is_whole = node.start < node.end && node.role != Role::Root;
        is_whole && (node.role == Role::Error || self.kind(at) == ERROR)
    }

    /// Returns the texts that may stand for a node.
    pub fn shortest(&self, at: usize) -> &[String] {
        &self.grammar.kinds[self.nodes[at].kind as usize].shortest
    }

    /// Returns the children of a node, tokens included, in the order of the text.
    pub fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let (mut next, after) = (at + 1, self.nodes[at].after as usize);
        std::iter::from_fn(move || {
            let child = (next < after).then_some(next)?;
            next = self.nodes[child].after as usize;
            Some(child)
        })
    }

    /// Returns the child of a node under a field.
    pub fn child(&self, at: usize, field: &str) -> Option<usize> {
        self.children(at).find(|child| self.field(*child) == field)
    }

    /// Returns all nodes in a node, itself not included.
    pub fn descendants(&self, at: usize) -> Range<usize> {
        at + 1..self.nodes[at].after as usize
    }

    /// Returns the node it is in; `None` for the root.
    pub fn parent(&self, at: usize) -> Option<usize> {
        let parent = self.nodes[at].parent as usize;
        (parent != at).then_some(parent)
    }

    /// Returns the addresses of a node's text.
    pub fn range(&self, at: usize) -> Range<u32> {
        self.nodes[at].start..self.nodes[at].end
    }

    /// Returns whether a node of this kind may stand where `at` stands, as far as the grammar says.
    pub fn fits(&self, at: usize, kind: KindId) -> bool {
        let Node { kind: own, field, parent, .. } = self.nodes[at];
        own == kind
            || self
                .grammar
                .slot(self.nodes[parent as usize].kind, field)
                .is_some_and(|slot| slot.types.binary_search(&kind).is_ok())
    }

    /// Returns what is replaced if a node in `at` takes its place: not the sign that ends a class where it stands alone.
    pub fn replaced_by(&self, at: usize, inner: usize) -> Range<u32> {
        let is_type = |node: usize| self.kind(node).ends_with("_specifier");
        let sign = |node: usize| self.children(node).last().filter(|last| self.kind(*last) == ";");
        match sign(at).filter(|_| is_type(at) && is_type(inner) && sign(inner).is_none()) {
            Some(sign) => self.nodes[at].start..self.nodes[sign].start,
            None => self.range(at),
        }
    }

    /// Returns, by node, the innermost of some sort that holds it, or is it: for what is asked of many nodes, as going up
    /// from each takes the square of the depth.
    pub(crate) fn innermost(&self, is: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
        let mut found: Vec<Option<u32>> = vec![None; self.len()];
        for at in 0..self.len() {
            found[at] = if is(at) { Some(at as u32) } else { found[self.nodes[at].parent as usize] };
        }
        found
    }

    /// Returns the innermost node that has a property and holds `at`, or is it.
    pub fn within(&self, at: usize, class: Class) -> Option<usize> {
        std::iter::successors(Some(at), |at| self.parent(*at)).find(|at| self.is(*at, class))
    }
}
