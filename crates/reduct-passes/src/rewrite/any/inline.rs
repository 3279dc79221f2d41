//! Puts what a name stands for in the place of its uses, and removes its definition.
//!
//! ## What it tries
//! For each variable or constant with a value, and each variable that is only assigned, once, by a statement of its own: the
//! value in the place of its uses. For each function that
//! only returns something, or consists of one statement, or returns nothing: what it returns, or its body, in the
//! place of its calls, with the arguments for the parameters, and for methods with what they are called on for `this` or `self`. For
//! each function of the shell that is one command: that command, with the arguments of the call for `"$@"` and `$1`. The same for
//! functions of one statement and for variables that are assigned once where no grammar reads, as Perl, Kotlin, Swift and Scala. Where
//! the text grows by that, it is tried when nothing else helps.
//!
//! ## When it helps
//! Where a chain of small functions and variables leads to what matters. Of what language models find after a
//! syntactic reducer (LPR) most is this.
//!
//! ## Before
//! ```c
//! int f(int x) { return x + 1; }
//! int main() { return f(2); }
//! ```
//! ## After
//! ```c
//! int main() { return 2 + 1; }
//! ```

mod constants;
mod functions;
mod object;
mod shell;

use crate::pass::{Needs, Pass};
use crate::rewrite::{MOST_COPIES, largest_first, propose_growing, propose_in_order};
use crate::text::only_child;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::names::{EditDraft, arguments_of, bracketed, listed, parameters_of};
use reduct_input::{Class, Tree};
use reduct_input::{Entity, NamePlace, Names, Part, Sort};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("inline", "puts what a name stands for in the place of its uses", 0.3, |subject| {
        propose_in_order(subject, edits(subject))
    })
};

/// The same where it makes the text longer.
pub(crate) const GROWING: Pass = PASS.growing(
    "longer-inline",
    "puts what a name stands for in the place of its uses, where that is longer",
    |subject| propose_growing(subject, edits(subject)),
);

fn edits(subject: &Subject) -> Vec<Edit> {
    let names = subject.names();
    let once = |entity: &&Entity| entity.defines.len() == 1 && (1..=MOST_COPIES).contains(&entity.uses.len());
    let edit = |entity: &Entity| match entity.sort {
        Sort::Value => value(subject, names, entity),
        Sort::Function => function(subject, names, entity),
        _ => None,
    };
    let mut edits: Vec<Edit> = names.entities().iter().filter(once).filter_map(edit).collect();
    edits.extend((0..names.all().len()).filter_map(|name| assigned(subject, names, name)));
    edits.extend((0..subject.trees().len()).flat_map(|number| shell::wrappers(subject, number)));
    edits.extend((0..subject.trees().len()).flat_map(|number| constants::of_shell(subject, number)));
    edits.extend(functions::inlined(subject));
    edits.extend(constants::inlined(subject));
    largest_first(edits)
}

/// Puts what is assigned to a variable that is defined nowhere in the place of its later uses: in some languages the first
/// assignment makes it.
fn assigned(subject: &Subject, names: &Names, name: usize) -> Option<Edit> {
    let known = &names.all()[name];
    if known.definitions + known.imports > 0 || !(2..=MOST_COPIES + 1).contains(&known.places.len()) {
        return None;
    }
    let mut places = names.places_of(name);
    let (first, uses) = (places.next()?, places);
    let tree = &subject.trees()[first.tree];
    let (assignment, value) = assignment(tree, variable(tree, first))?;
    let statement = names.statement(first)?;
    let is_alone = statement == assignment || only_child(tree, statement) == Some(assignment);
    let is_left = |place: &NamePlace| is_assigned(&subject.trees()[place.tree], place);
    if !is_alone || uses.clone().any(|place| is_left(place) || tree.range(assignment).contains(&place.at.start)) {
        return None;
    }
    let mut change = EditDraft::new(subject, names);
    change.remove(first.tree, statement);
    for used in uses {
        let other = &subject.trees()[used.tree];
        let at = variable(other, used);
        let text = placed((tree, value), subject.text(tree.range(value)), (other, at));
        change.put(other.range(at), &apart(subject, other, at, text));
    }
    change.edit()
}

/// Returns the variable of a name, which in PHP has a sign before it.
fn variable(tree: &Tree, place: &NamePlace) -> usize {
    tree.parent(place.node).filter(|parent| tree.kind(*parent) == "variable_name").unwrap_or(place.node)
}

/// Returns a plain assignment to a variable alone, and its value.
fn assignment(tree: &Tree, variable: usize) -> Option<(usize, usize)> {
    let parent = tree.parent(variable)?;
    let listed = tree.kind(parent) == "variable_list";
    let (at, left) = if listed { (tree.parent(parent)?, only_child(tree, parent)?) } else { (parent, variable) };
    let is_plain = matches!(tree.kind(at), "assignment_expression" | "assignment" | "assignment_statement");
    let list = || tree.children(at).find(|child| tree.kind(*child) == "expression_list");
    let value = if listed { only_child(tree, list()?)? } else { tree.child(at, "right")? };
    let is_left = listed || tree.field(variable) == "left";
    (is_plain && is_left && left == variable && tree.is(value, Class::EXPRESSION)).then_some((at, value))
}

/// Returns whether a place is on the left of any assignment, or counts up or down.
fn is_assigned(tree: &Tree, place: &NamePlace) -> bool {
    let at = variable(tree, place);
    let Some(parent) = tree.parent(at) else { return false };
    let kind = tree.kind(parent);
    tree.field(at) == "left" && kind.contains("assign") || kind == "variable_list" || kind.starts_with("update")
}

/// Puts the value of a variable in the place of its uses.
fn value(subject: &Subject, names: &Names, entity: &Entity) -> Option<Edit> {
    let place = &names.places()[entity.defines[0]];
    let tree = &subject.trees()[place.tree];
    let Part::Defines(definition) = place.part else { return None };
    let fields = || ["value", "right", "default_value"].into_iter().find_map(|field| tree.child(definition, field));
    let plain = || fields().filter(|_| tree.parent(place.node) == Some(definition));
    let value = plain().or_else(|| assignment(tree, place.node).map(|(_, value)| value))?;
    if !tree.is(value, Class::EXPRESSION) {
        return None;
    }
    let mut change = EditDraft::new(subject, subject.names());
    change.remove(place.tree, place.item?);
    for used in entity.uses.iter().map(|at| &names.places()[*at]) {
        let place = (&subject.trees()[used.tree], used.node);
        change.put(used.at.clone(), &placed((tree, value), subject.text(tree.range(value)), place));
    }
    change.edit()
}

/// Puts what a function does in the place of its calls.
fn function(subject: &Subject, names: &Names, entity: &Entity) -> Option<Edit> {
    let place = &names.places()[entity.defines[0]];
    let tree = &subject.trees()[place.tree];
    let Part::Defines(definition) = place.part else { return None };
    let body = tree.is(definition, Class::FUNCTION).then(|| tree.child(definition, "body")).flatten()?;
    let does = Does::of(tree, body)?;
    let parameters = listed(tree, parameters_of(tree, place)?);
    let mut change = EditDraft::new(subject, subject.names());
    change.remove(place.tree, place.item?);
    for used in entity.uses.iter().map(|at| &names.places()[*at]) {
        let other = &subject.trees()[used.tree];
        let (list, member) = arguments_of(other, used)?;
        let mut arguments = listed(other, list);
        let object =
            if member { Some(object::of(subject, (tree, definition), &parameters, (other, used))?) } else { None };
        if let Some(object) = object.filter(|object| object.is_parameter) {
            arguments.insert(0, object.node);
        }
        let call = other.parent(list).filter(|_| arguments.len() == parameters.len())?;
        let texts = arguments.iter().map(|at| argument(other, *at));
        let texts: Vec<_> = texts.map(|at| bracketed(other, at, subject.text(other.range(at)))).collect();
        let object = object.map(|object| subject.text(other.range(object.node)));
        match does {
            Does::Returns(at) => {
                let text = substituted(subject, names, place, (at, at), (&parameters, &texts, object));
                change.put(other.range(call), &placed((tree, at), &text, (other, call)));
            }
            Does::Executes(from, to) => {
                let at = alone(other, call)?;
                let text = substituted(subject, names, place, (from, to), (&parameters, &texts, object));
                let columns = (tree, tree.node(from).start, at.start);
                change.put(at, &indented(subject, columns, text)?);
            }
        }
    }
    change.edit()
}

/// Returns the text of an expression as it is put in the place of another one: with parentheses, unless it stands as firmly together as a
/// word, or alone in that place.
fn placed((tree, node): (&Tree, usize), text: &[u8], (other, at): (&Tree, usize)) -> Vec<u8> {
    let is_one = !["comma", "sequence", "assign"].iter().any(|kind| tree.kind(node).contains(kind));
    let is_alone = other.parent(at).is_some_and(|parent| {
        let kind = other.kind(parent);
        other.is(parent, Class::ARGUMENTS) || kind.starts_with("return") || kind.starts_with("parenthesized")
    });
    if is_one && is_alone { text.to_vec() } else { bracketed(tree, node, text) }
}

/// Returns what is given as an argument, which in some languages stands in a node of its own.
fn argument(tree: &Tree, at: usize) -> usize {
    only_child(tree, at)
        .filter(|child| tree.kind(at) == "argument" && tree.range(*child) == tree.range(at))
        .unwrap_or(at)
}

/// Returns a text with a blank before it where the point of PHP and the digit that follows would be a number.
fn apart(subject: &Subject, tree: &Tree, at: usize, text: Vec<u8>) -> Vec<u8> {
    let before = tree.range(at).start.checked_sub(1).map(|at| subject.artifact().bytes()[at as usize]);
    let joins = tree.grammar.language == "php" && before == Some(b'.') && text.first().is_some_and(u8::is_ascii_digit);
    if joins { [b" ", &text[..]].concat() } else { text }
}

/// What a function does, as far as it can be put elsewhere.
#[derive(Clone, Copy)]
enum Does {
    /// It returns the value of this expression.
    Returns(usize),
    /// It executes these statements, from the first to the last, or this block.
    Executes(usize, usize),
}

impl Does {
    fn of(tree: &Tree, body: usize) -> Option<Does> {
        if tree.is(body, Class::EXPRESSION) && !tree.is(body, Class::BLOCK) {
            return Some(Does::Returns(body));
        }
        let inner = |at| tree.children(at).filter(|child| tree.is_named(*child) && !tree.is(*child, Class::COMMENT));
        let mut statements = inner(body);
        let first = statements.next()?;
        let last = statements.last().unwrap_or(first);
        let only = last == first;
        let returns = |at: usize| tree.kind(at).starts_with("return");
        // Rust wraps `return 1` in a statement.
        let wrapped = inner(first).next().filter(|at| returns(*at)).unwrap_or(first);
        if only && returns(wrapped) {
            return inner(wrapped).next().map(Does::Returns);
        }
        if only && tree.is(first, Class::EXPRESSION) && !tree.is(first, Class::STATEMENT) {
            return Some(Does::Returns(first));
        }
        if tree.descendants(body).any(returns) {
            return None;
        }
        let is_braced = braced(tree, body);
        let is_plain = !is_braced || only && !tree.is(first, Class::DEFINITION);
        Some(if is_plain { Does::Executes(first, last) } else { Does::Executes(body, body) })
    }
}

fn braced(tree: &Tree, body: usize) -> bool {
    tree.children(body).next().is_some_and(|first| tree.kind(first) == "{")
}

/// Returns where a call stands as a statement.
fn alone(tree: &Tree, call: usize) -> Option<Range<u32>> {
    let parent = tree.parent(call)?;
    let is_wrapped = tree.is(parent, Class::STATEMENT) && tree.node(parent).start == tree.node(call).start;
    let is_listed = parent == 0 || tree.is(parent, Class::BLOCK) && !braced(tree, parent);
    is_wrapped.then_some(parent).or(is_listed.then_some(call)).map(|at| tree.range(at))
}

/// Returns statements that began at one address as they begin at another: where indentation means something, lines after the
/// first are as deep as it is there. `None` if one of them is less deep.
fn indented(subject: &Subject, (tree, from, to): (&Tree, u32, u32), text: Vec<u8>) -> Option<Vec<u8>> {
    if tree.grammar.language != "python" || !text.contains(&b'\n') {
        return Some(text);
    }
    let bytes = subject.artifact().bytes();
    let blanks = |at: u32| {
        let length = bytes[..at as usize].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        &bytes[at as usize - length..at as usize]
    };
    let (own, there) = (blanks(from), blanks(to));
    let mut lines = text.split(|byte| *byte == b'\n');
    let mut moved = lines.next()?.to_vec();
    for line in lines {
        moved.push(b'\n');
        if !line.trim_ascii().is_empty() {
            moved.extend_from_slice(there);
            moved.extend_from_slice(line.strip_prefix(own)?);
        }
    }
    Some(moved)
}

/// Returns the text of parts of a function, from one to another, with other texts for its parameters, and for the object that it is
/// called on.
fn substituted(
    subject: &Subject,
    names: &Names,
    function: &NamePlace,
    (first, last): (usize, usize),
    (parameters, texts, object): (&[usize], &[Vec<u8>], Option<&[u8]>),
) -> Vec<u8> {
    let tree = &subject.trees()[function.tree];
    let range = tree.node(first).start..tree.node(last).end;
    let is_of = |place: &NamePlace, parameter: usize| {
        let within = tree.range(parameter);
        place.tree == function.tree && within.start <= place.at.start && place.at.end <= within.end
    };
    let other = |index: usize| {
        let place = &names.places()[index];
        let Some(entity) = names.entity_of(index).map(|entity| &names.entities()[entity]) else {
            // Parameters of PHP are no definitions.
            let (own, text) = (tree.range(variable(tree, place)), subject.text(tree.range(variable(tree, place))));
            let position = parameters.iter().position(|at| subject.text(tree.range(*at)) == text && own != place.at)?;
            return Some((own, &texts[position][..]));
        };
        let defines = Some(&names.places()[*entity.defines.first()?]).filter(|_| entity.sort == Sort::Parameter)?;
        let position = parameters.iter().position(|parameter| is_of(defines, *parameter))?;
        Some((place.at.clone(), &texts[position][..]))
    };
    let mut others: Vec<(Range<u32>, &[u8])> = names.within(range.clone()).filter_map(other).collect();
    if let Some(object) = object {
        others.extend(object::places(tree, first, last).map(|at| (tree.range(at), object)));
        others.sort_by_key(|(at, _)| at.start);
        others.dedup_by_key(|(at, _)| at.start);
    }
    let (mut text, mut from) = (vec![], range.start);
    for (at, with) in others {
        text.extend_from_slice(subject.text(from..at.start));
        text.extend_from_slice(with);
        from = at.end;
    }
    text.extend_from_slice(subject.text(from..range.end));
    text
}
