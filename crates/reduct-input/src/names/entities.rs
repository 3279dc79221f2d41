//! What is defined, as far as a text tells: a name within a function, or everywhere.

use super::entity::{Entity, Sort};
use super::{NamePlace, Names, Part};
use crate::tree::{Class, Tree};
use std::collections::BTreeMap;

/// By name and the scope in which it is defined, if in one, what that is.
type Known = BTreeMap<(usize, Option<(usize, usize)>), usize>;

/// The scopes of one tree.
struct Scopes {
    /// By node, the scope it is in.
    of: Vec<Option<u32>>,
}

impl Scopes {
    /// Finds functions, and what else has parameters: declarations of functions, templates, lambdas.
    fn new(tree: &Tree) -> Scopes {
        let mut scoped = vec![false; tree.len()];
        // Whether a node belongs to the head of a function, in front of its body.
        let mut head = vec![false; tree.len()];
        for at in 1..tree.len() {
            let parent = tree.node(at).parent as usize;
            let function = tree.is(parent, Class::FUNCTION);
            head[at] = !tree.is(at, Class::BLOCK) && (function || head[parent] && !scoped[parent]);
            scoped[at] |= tree.is(at, Class::FUNCTION);
            if tree.is(at, Class::PARAMETERS) && !head[at] {
                scoped[parent] = true;
            }
        }
        let mut of = vec![None; tree.len()];
        for at in 1..tree.len() {
            let parent = tree.node(at).parent as usize;
            of[at] = if scoped[parent] { Some(parent as u32) } else { of[parent] };
        }
        Scopes { of }
    }
}

/// Returns all that is defined, in the order of first definition, and by place what it refers to.
pub(super) fn entities(trees: &[Tree], names: &Names) -> (Vec<Entity>, Vec<Option<usize>>) {
    let scopes: Vec<Scopes> = trees.iter().map(Scopes::new).collect();
    let with_parameters: Vec<Vec<bool>> = trees.iter().map(with_parameters).collect();
    let mut known = Known::new();
    let mut entities: Vec<Entity> = vec![];
    let mut of_place = vec![None; names.places.len()];
    for (index, place) in names.places.iter().enumerate() {
        let (Part::Defines(definition) | Part::Imports(definition)) = place.part else { continue };
        let tree = &trees[place.tree];
        let sort = sort_of(tree, place, definition, &with_parameters[place.tree]);
        let mut scope = scopes[place.tree].of[definition];
        // What a template or the declaration of a function has of its own is its parameters.
        while let Some(at) = scope.filter(|at| sort != Sort::Parameter && !tree.is(*at as usize, Class::FUNCTION)) {
            scope = scopes[place.tree].of[at as usize];
        }
        let scope = scope.map(|node| (place.tree, node as usize));
        let entity = *known.entry((place.name, scope)).or_insert(entities.len());
        if entity == entities.len() {
            entities.push(Entity { name: place.name, scope, sort, ..Entity::default() });
        }
        entities[entity].sort = entities[entity].sort.max(sort);
        entities[entity].defines.push(index);
        of_place[index] = Some(entity);
    }
    resolve(trees, names, &known, &mut of_place);
    for (index, _) in names.places.iter().enumerate().filter(|(_, place)| place.part == Part::Uses) {
        if let Some(entity) = of_place[index] {
            entities[entity].uses.push(index);
        }
    }
    (entities, of_place)
}

/// Finds what each use refers to: what is defined by its name in the innermost scope around it, or else everywhere. Takes n log n for n places,
/// however deep scopes nest.
fn resolve(trees: &[Tree], names: &Names, known: &Known, of_place: &mut [Option<usize>]) {
    // By name: the scopes in which it is defined, in the order of the text, and those around the use.
    let mut uses: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, place) in names.places.iter().enumerate().filter(|(_, place)| place.part == Part::Uses) {
        uses.entry(place.name).or_default().push(index);
    }
    for (name, mut uses) in uses {
        let place = |index: &usize| (names.places[*index].tree, names.places[*index].node);
        uses.sort_by_key(place);
        let everywhere = known.get(&(name, None)).copied();
        let mut scopes = known.range((name, Some((0, 0)))..(name + 1, None)).peekable();
        let mut around: Vec<((usize, usize), usize)> = vec![];
        for index in uses {
            let (tree, node) = place(&index);
            let is_open =
                |(of, scope): (usize, usize), at: usize| of == tree && at < trees[of].node(scope).after as usize;
            while let Some((&(_, Some(scope)), entity)) = scopes.next_if(|((_, scope), _)| *scope < Some((tree, node)))
            {
                while around.pop_if(|(outer, _)| !is_open(*outer, scope.1) || scope.0 != tree).is_some() {}
                around.push((scope, *entity));
            }
            while around.pop_if(|(outer, _)| !is_open(*outer, node)).is_some() {}
            of_place[index] = around.last().map(|(_, entity)| *entity).or(everywhere);
        }
    }
}

/// Returns, by node, whether parameters are among its children: asked once, as one declaration may declare thousands.
fn with_parameters(tree: &Tree) -> Vec<bool> {
    let mut found = vec![false; tree.len()];
    for at in (1..tree.len()).filter(|at| tree.is(*at, Class::PARAMETERS)) {
        found[tree.node(at).parent as usize] = true;
    }
    found
}

fn sort_of(tree: &Tree, place: &NamePlace, definition: usize, with_parameters: &[bool]) -> Sort {
    let is = |class| tree.is(definition, class);
    let has_parameters = || {
        let above = |at: &usize| tree.parent(*at).filter(|_| *at != definition);
        std::iter::successors(Some(place.node), above).any(|at| with_parameters[at])
    };
    if matches!(place.part, Part::Imports(_)) {
        Sort::Import
    } else if tree.parent(definition).is_some_and(|parent| tree.is(parent, Class::PARAMETERS)) {
        Sort::Parameter
    } else if is(Class::AGGREGATE) || is(Class::ALIAS) || tree.is(place.node, Class::TYPE) {
        Sort::Type
    } else if is(Class::FUNCTION) || has_parameters() {
        Sort::Function
    } else {
        Sort::Value
    }
}
