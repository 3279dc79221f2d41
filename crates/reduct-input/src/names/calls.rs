//! Functions, their parameters and the arguments of their calls.

use super::{EditDraft, Entity, NamePlace, Names, Part};
use crate::parsed::Parsed;
use crate::tree::{Class, Tree};

/// The fields under which the name of a member stands in `object.member`.
const MEMBER: &[&str] = &["name", "field", "property", "attribute", "method"];

/// The fields under which what is called stands in a call.
const CALLED: &[&str] = &["function", "name", "method", "macro", "constructor"];

/// How the object of a method is called where it is a parameter like others.
const SELF: &[&[u8]] = &[b"self", b"&self", b"&mut self", b"mut self", b"cls", b"this"];

/// Returns the parameters that stand with the name of a function in its definition or declaration.
pub fn parameters_of(tree: &Tree, place: &NamePlace) -> Option<usize> {
    let Part::Defines(definition) = place.part else { return None };
    let mut at = place.node;
    loop {
        let lists = || tree.children(at).filter(|child| tree.is(*child, Class::PARAMETERS));
        let found = lists().find(|list| tree.field(*list) == "parameters").or_else(|| lists().next());
        if found.is_some() || at == definition {
            return found;
        }
        at = tree.parent(at)?;
    }
}

/// Returns the arguments of the call of what is named here, and whether it is called as a member of something.
pub fn arguments_of(tree: &Tree, place: &NamePlace) -> Option<(usize, bool)> {
    let (mut at, mut member) = (place.node, false);
    loop {
        let (parent, field) = (tree.parent(at)?, tree.field(at));
        if tree.is(parent, Class::CALL) && CALLED.contains(&field) {
            member |= tree.child(parent, "object").is_some() || tree.child(parent, "receiver").is_some();
            return tree.children(parent).find(|child| tree.is(*child, Class::ARGUMENTS)).map(|list| (list, member));
        }
        if !MEMBER.contains(&field) {
            return None;
        }
        (at, member) = (parent, true);
    }
}

/// Returns what stands in a list of parameters or arguments.
pub fn listed(tree: &Tree, list: usize) -> Vec<usize> {
    tree.children(list).filter(|child| tree.is_named(*child) && !tree.is(*child, Class::COMMENT)).collect()
}

impl Names {
    /// Removes the parameter at a position of a function wherever it is declared, and the argument there in
    /// each call. Says which entities these parameters are; `None` if there is none or one cannot go.
    pub fn remove_parameter(
        &self,
        subject: &dyn Parsed,
        function: &Entity,
        position: usize,
        change: &mut EditDraft,
    ) -> Option<Vec<usize>> {
        let (mut found, mut has_self) = (vec![], false);
        let mut any = false;
        for place in function.defines.iter().map(|at| &self.places[*at]) {
            let tree = &subject.trees()[place.tree];
            let Some(list) = parameters_of(tree, place) else { continue };
            let parameters = listed(tree, list);
            let is_self = parameters.first().is_some_and(|first| SELF.contains(&subject.text(tree.range(*first))));
            has_self |= is_self;
            let Some(parameter) = parameters.get(position) else { continue };
            if is_self && position == 0 {
                return None;
            }
            let defined = self.within(tree.range(*parameter)).filter(|at| self.places[*at].part != Part::Uses);
            found.extend(defined.filter_map(|at| self.of_place[at]));
            change.remove(place.tree, *parameter);
            any = true;
        }
        for place in function.uses.iter().map(|at| &self.places[*at]) {
            let tree = &subject.trees()[place.tree];
            let Some((list, member)) = arguments_of(tree, place) else { continue };
            let position = position - usize::from(has_self && member);
            if let Some(argument) = listed(tree, list).get(position) {
                change.remove(place.tree, *argument);
            }
        }
        found.sort_unstable();
        found.dedup();
        any.then_some(found)
    }

    /// Returns how many parameters a function has where it has most.
    pub fn arity(&self, subject: &dyn Parsed, function: &Entity) -> usize {
        let count = |place: &NamePlace| {
            let tree = &subject.trees()[place.tree];
            parameters_of(tree, place).map_or(0, |list| listed(tree, list).len())
        };
        function.defines.iter().map(|at| count(&self.places[*at])).max().unwrap_or(0)
    }

    /// Returns the function that has this parameter, and its position there.
    pub fn function_of(&self, subject: &dyn Parsed, parameter: &Entity) -> Option<(usize, usize)> {
        let place = &self.places[*parameter.defines.first()?];
        let (tree, (_, scope)) = (&subject.trees()[place.tree], parameter.scope?);
        let named = self.within(tree.range(scope)).find(|at| {
            let NamePlace { part, tree: own, .. } = &self.places[*at];
            let owns =
                |definition: usize| definition == scope || tree.within(scope, Class::DEFINITION) == Some(definition);
            matches!(part, Part::Defines(definition) if *own == place.tree && owns(*definition))
        })?;
        let list = parameters_of(tree, &self.places[named])?;
        let holds = |node: &usize| tree.range(*node).start <= place.at.start && place.at.end <= tree.range(*node).end;
        Some((self.of_place[named]?, listed(tree, list).iter().position(holds)?))
    }
}
