//! Makes functions of the methods of a class.
//!
//! ## What it tries
//! For each class in JavaScript, TypeScript, Python, Ruby or PHP that has nothing but methods: the methods as functions in
//! its place, the constructor gone, each method named without what it is called on, and `0` for objects of the class. In
//! Python the parameter for the object goes if the method does not use it; else it is given `0`. A constructor that is all that is left of a
//! class becomes a function, called where objects were made.
//!
//! ## When it helps
//! Where a class is left with a method or two that need no object.
//!
//! ## Before
//! ```javascript
//! class A { constructor(a) {} static f(b) { return b; } }
//! A.f(new A(1));
//! ```
//! ## After
//! ```javascript
//! function f(b) { return b; }
//! f(0);
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::c::code::merged;
use crate::rewrite::{deeper, largest_first, propose_in_order};
use reduct_input::names::{NamePlace, arguments_of, listed};
use reduct_input::{Class, Edit, Splice, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting("methods", "makes functions of the methods of a class", 0.2, propose);

/// What a language calls the constructor of a class.
const CONSTRUCTORS: &[(&str, &str)] = &[
    ("javascript", "constructor"),
    ("typescript", "constructor"),
    ("tsx", "constructor"),
    ("python", "__init__"),
    ("ruby", "initialize"),
    ("php", "__construct"),
];

/// The kinds of nodes that name a member after what it is a member of.
const ACCESSES: &[&str] =
    &["attribute", "member_expression", "call", "member_call_expression", "scoped_call_expression"];

/// A method of a class.
struct Method {
    /// All of it, with what is said of it.
    whole: usize,
    /// Its name.
    name: usize,
    /// What of its beginning is replaced, and by what, to make it a function.
    head: Range<u32>,
    word: &'static [u8],
    /// In Python, the parameter for the object.
    object: Option<usize>,
}

/// A class that has nothing but methods.
struct Methods<'a> {
    subject: &'a Subject,
    number: usize,
    tree: &'a Tree,
    class: usize,
    methods: Vec<Method>,
    /// Whether the constructor is all there is: it becomes the function.
    is_constructor: bool,
}

/// Where more classes are left, and of classes with more methods or with names that stand in more places, none is tried.
const MOST_CLASSES: usize = 256;
const MOST_METHODS: usize = 64;
const MOST_PLACES: usize = 1024;

fn propose(subject: &Subject) -> Proposals {
    let is_class = |tree: &Tree, at: usize| tree.is(at, Class::AGGREGATE);
    let all = subject.trees().iter().flat_map(|tree| (1..tree.len()).filter(|at| is_class(tree, *at)));
    if all.take(MOST_CLASSES + 1).count() > MOST_CLASSES {
        return vec![];
    }
    let edits = (0..subject.trees().len()).flat_map(|number| {
        let tree = &subject.trees()[number];
        let constructor = CONSTRUCTORS.iter().find(|(language, _)| *language == tree.grammar.language);
        let classes = (1..tree.len()).filter(move |at| constructor.is_some() && is_class(tree, *at));
        classes.filter_map(move |class| Methods::of(subject, number, class, constructor?.1.as_bytes())?.as_functions())
    });
    propose_in_order(subject, largest_first(edits.collect()))
}

impl<'a> Methods<'a> {
    /// Returns what a class has, but for its constructor; `None` if that is more than methods.
    fn of(subject: &'a Subject, number: usize, class: usize, constructor: &[u8]) -> Option<Methods<'a>> {
        let tree = &subject.trees()[number];
        let members = listed(tree, tree.child(class, "body")?);
        let methods: Vec<Method> = members.iter().map(|at| method(subject, tree, *at)).collect::<Option<_>>()?;
        let is_constructor = |method: &Method| subject.text(tree.range(method.name)) == constructor;
        let (constructors, methods): (Vec<_>, Vec<_>) = methods.into_iter().partition(is_constructor);
        let is_constructor = methods.is_empty();
        let methods = if is_constructor { constructors } else { methods };
        (!methods.is_empty()).then_some(Methods { subject, number, tree, class, methods, is_constructor })
    }

    fn as_functions(&self) -> Option<Edit> {
        let name = self.tree.child(self.class, "name").filter(|name| self.is_small(*name))?;
        let mut splices = self.definitions()?;
        if self.is_constructor {
            splices.push(Splice { at: self.tree.range(self.methods[0].name), with: self.function().into() });
        } else {
            let places = self.methods.iter().flat_map(|method| self.places(method.name));
            splices.extend(places.filter_map(|place| self.without_object(place)));
        }
        for method in self.methods.iter().filter(|method| method.object.is_some()) {
            splices.extend(self.object(method)?);
        }
        let gone: Vec<Range<u32>> = splices.iter().map(|splice| splice.at.clone()).collect();
        for place in self.places(name).filter(|place| !self.head().contains(&place.at.start)) {
            if !gone.iter().any(|at| is_in(&place.at, at)) {
                splices.extend(if self.is_constructor { self.called(place) } else { Some(self.created(place)?) });
            }
        }
        merged(splices)
    }

    /// Returns the name of the function that a constructor becomes; in Ruby, functions begin with a small letter.
    fn function(&self) -> Vec<u8> {
        let name = self.tree.child(self.class, "name").map_or(&[][..], |name| self.subject.text(self.tree.range(name)));
        if self.tree.grammar.language == "ruby" { name.to_ascii_lowercase() } else { name.to_vec() }
    }

    /// Calls the function that the constructor has become in the place of the creation of an object.
    fn called(&self, place: &NamePlace) -> Option<Splice> {
        let (tree, name) = (self.tree, self.function());
        let parent = tree.parent(place.node)?;
        let start = tree.node(parent).start;
        if let Some(method) = tree.child(parent, "method") {
            let is_new = self.subject.text(tree.range(method)) == b"new";
            return is_new.then(|| Splice { at: start..tree.node(method).end, with: name.into() });
        }
        // In Python, it was called before.
        let is_new = tree.is(parent, Class::CALL) && self.subject.text(tree.range(parent)).starts_with(b"new");
        let has_arguments = tree.children(parent).any(|child| tree.is(child, Class::ARGUMENTS));
        let with = if has_arguments { name } else { [&*name, b"()"].concat() };
        is_new.then(|| Splice { at: start..place.at.end, with: with.into() })
    }

    /// Returns the places in its file of the name that a node is.
    fn places(&self, node: usize) -> impl Iterator<Item = &'a NamePlace> {
        let names = self.subject.names();
        let first = names.within(self.tree.range(node)).next().map(|at| names.places()[at].name);
        let number = self.number;
        first.into_iter().flat_map(|name| names.places_of(name)).filter(move |place| place.tree == number)
    }

    /// Returns whether it has few methods, which are named in few places: an edit of each class has all of them.
    fn is_small(&self, name: usize) -> bool {
        let named = self.methods.iter().map(|method| method.name).chain([name]).flat_map(|node| self.places(node));
        self.methods.len() <= MOST_METHODS && named.take(MOST_PLACES + 1).count() <= MOST_PLACES
    }

    /// Returns what stands before the first method.
    fn head(&self) -> Range<u32> {
        self.tree.node(self.class).start..self.methods[0].head.end
    }

    /// Makes functions of the methods, with nothing around them.
    fn definitions(&self) -> Option<Vec<Splice>> {
        let class = self.tree.range(self.class);
        let mut splices = vec![];
        let mut before = class.start;
        for method in &self.methods {
            let whole = self.tree.range(method.whole);
            let is_first = before == class.start;
            // A constructor between two methods.
            let others = listed(self.tree, self.tree.parent(method.whole)?);
            let is_between = |at: &&usize| before <= self.tree.node(**at).start && **at < method.whole;
            let gone = others.iter().rfind(is_between);
            if let Some(gone) = gone.filter(|_| !is_first) {
                splices.push(Splice { at: before..self.tree.node(*gone).end, with: [].into() });
            }
            let mut head = if is_first { class.start..method.head.end } else { method.head.clone() };
            let mut with = method.word.to_vec();
            if head.is_empty() {
                head = self.tree.range(method.name);
                with.extend_from_slice(self.subject.text(head.clone()));
            }
            if self.subject.text(head.clone()) != with {
                splices.push(Splice { at: head, with: with.into() });
            }
            before = whole.end;
        }
        if before < class.end {
            splices.push(Splice { at: before..class.end, with: [].into() });
        }
        if self.tree.grammar.language == "python" {
            let kept = self.tree.node(self.methods[0].whole).start..before;
            let lines = deeper(self.subject, &class, &kept)?.into_iter();
            splices.extend(lines.map(|at| Splice { at, with: [].into() }));
        }
        Some(splices)
    }

    /// Names a method without what it is called on.
    fn without_object(&self, place: &NamePlace) -> Option<Splice> {
        let access = self.access(place)?;
        Some(Splice { at: self.tree.node(access).start..place.at.start, with: [].into() })
    }

    /// Returns the node that names a member there, after what it is a member of.
    fn access(&self, place: &NamePlace) -> Option<usize> {
        let parent = self.tree.parent(place.node);
        let parent = parent.filter(|at| ACCESSES.contains(&self.tree.kind(*at)))?;
        let is_member = self.tree.node(parent).start < place.at.start
            && matches!(self.tree.field(place.node), "attribute" | "property" | "method" | "name");
        is_member.then_some(parent)
    }

    /// Does without the parameter for the object of a method, or gives it `0`.
    fn object(&self, method: &Method) -> Option<Vec<Splice>> {
        let object = method.object?;
        let own = self.subject.text(self.tree.range(object));
        let names = self.subject.names();
        let list = self.tree.parent(object)?;
        let inside = names.within(self.tree.range(method.whole)).map(|at| &names.places()[at]);
        let is_other = |place: &&NamePlace| place.node != object && self.subject.text(place.at.clone()) == own;
        let calls_method = |place: &NamePlace| {
            let access = self.tree.parent(place.node).filter(|at| self.tree.kind(*at) == "attribute");
            let member = access.and_then(|access| self.tree.child(access, "attribute"));
            let is_one = |member: usize| {
                let is_it = |method: &Method| {
                    self.subject.text(self.tree.range(method.name)) == self.subject.text(self.tree.range(member))
                };
                self.methods.iter().any(is_it)
            };
            member.is_some_and(is_one)
        };
        if inside.filter(is_other).all(calls_method) {
            let next = listed(self.tree, list).get(1).map(|next| self.tree.node(*next).start);
            let end = next.unwrap_or(self.tree.node(object).end);
            return Some(vec![Splice { at: self.tree.node(object).start..end, with: [].into() }]);
        }
        let name = if self.is_constructor { self.tree.child(self.class, "name")? } else { method.name };
        let calls = self.places(name).filter(|place| self.is_constructor || self.access(place).is_some());
        let lists = calls.filter_map(|place| arguments_of(self.tree, place)).map(|(list, _)| list);
        let with = |list: usize| if listed(self.tree, list).is_empty() { b"(0".as_slice() } else { b"(0," };
        let start = |list: usize| self.tree.node(list).start..self.tree.node(list).start + 1;
        Some(lists.map(|list| Splice { at: start(list), with: with(list).into() }).collect())
    }

    /// Returns `0` in the place of an object of the class, or the class itself.
    fn created(&self, place: &NamePlace) -> Option<Splice> {
        let tree = self.tree;
        let parent = tree.parent(place.node)?;
        let is_call = tree.is(parent, Class::CALL);
        let method = tree.child(parent, "method").filter(|_| tree.child(parent, "receiver") == Some(place.node));
        let is_new = method.is_some_and(|method| self.subject.text(tree.range(method)) == b"new");
        let is_first = tree.children(parent).find(|child| tree.is_named(*child)) == Some(place.node);
        let is_creation = is_call && (is_new || method.is_none() && is_first);
        let is_value = is_creation || tree.is(place.node, Class::EXPRESSION);
        let at = if is_creation { tree.range(parent) } else { place.at.clone() };
        is_value.then(|| Splice { at, with: b"0".as_slice().into() })
    }
}

fn is_in(inner: &Range<u32>, outer: &Range<u32>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Returns a method as what it takes to make it a function.
fn method(subject: &Subject, tree: &Tree, whole: usize) -> Option<Method> {
    let start = tree.node(whole).start;
    let text = |at: usize| subject.text(tree.range(at));
    let is_decorated = tree.kind(whole) == "decorated_definition";
    let function = if is_decorated { tree.child(whole, "definition")? } else { whole };
    let name = tree.child(function, "name").filter(|_| tree.is(function, Class::FUNCTION))?;
    let begin = tree.node(name).start;
    let words = || tree.children(function).take_while(|child| *child < name);
    let has = |word: &[u8]| words().any(|at| text(at) == word);
    let (head, word): (Range<u32>, &[u8]) = match tree.grammar.language {
        "python" => (start..tree.node(function).start, b""),
        "php" => (start..tree.node(words().find(|at| text(*at) == b"function")?).start, b""),
        "ruby" => match tree.child(function, "object") {
            Some(_) => (start..begin, b"def "),
            None => (start..start, b""),
        },
        _ if has(b"get") || has(b"set") || tree.is(function, Class::AGGREGATE) => return None,
        _ if has(b"async") || has(b"*") => return None,
        _ => (start..begin, b"function "),
    };
    let mut decorators = tree.children(whole).filter(|at| is_decorated && *at != function && tree.is_named(*at));
    let is_plain = |at: usize| matches!(text(at), b"@staticmethod" | b"@classmethod");
    let is_static = tree.children(whole).any(|at| is_decorated && text(at) == b"@staticmethod");
    if !decorators.all(is_plain) {
        return None;
    }
    let parameters = tree.child(function, "parameters").filter(|_| tree.grammar.language == "python" && !is_static);
    let object = parameters.and_then(|list| listed(tree, list).first().copied());
    Some(Method { whole, name, head, word, object })
}
