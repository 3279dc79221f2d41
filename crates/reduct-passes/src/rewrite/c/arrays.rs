//! Makes a smaller array, or no array, of an array.
//!
//! ## What it tries
//! For each variable or field that is an array: without its last dimension, and without the first one if there
//! are several, the uses with one `[i]` less and a list it begins with reduced to its first element; and with
//! `0` for every index that is not a number. A variable that is a `vector` becomes an array.
//!
//! ## When it helps
//! Arrays of generated programs have dimensions that nothing needs. Removing one from the declaration alone leaves
//! uses that do not compile.
//!
//! ## Before
//! ```c
//! int a[2][3], b[4] = {1, 2};
//! int f(int i) { return a[i][0] + b[i]; }
//! ```
//! ## After
//! ```c
//! int a[2], b = 1;
//! int f(int i) { return a[i] + b; }
//! ```

use super::code::{Code, merged, propose_in_turn};
use super::variables::{Declared, Variable};
use crate::pass::Pass;
use reduct_input::{Edit, Splice};

pub(crate) const PASS: Pass =
    Pass::rewriting("c-arrays", "C: takes a dimension from an array and its uses", 0.3, |subject| {
        propose_in_turn(subject, edits)
    });

fn edits(code: &Code) -> Vec<Vec<Edit>> {
    let (mut last, mut first, mut zeros, mut vectors) = (vec![], vec![], vec![], vec![]);
    for variable in code.variables() {
        let dimensions = variable.declared.iter().map(|declared| dimensions(code, declared).count()).max().unwrap_or(0);
        if dimensions > 0 {
            last.extend(without(code, &variable, dimensions - 1));
            zeros.extend(indices_zero(code, &variable));
        }
        if dimensions > 1 {
            first.extend(without(code, &variable, 0));
        }
        vectors.extend(variable.declared.iter().filter_map(|declared| array_of_vector(code, declared)));
    }
    vec![last, first, zeros, vectors]
}

/// Returns the dimensions next to a name, the first one first.
fn dimensions<'a>(code: &'a Code, declared: &'a Declared) -> impl Iterator<Item = usize> + 'a {
    declared.layers.iter().copied().take_while(|layer| code.is(*layer, "array_declarator"))
}

/// Returns an array without one of its dimensions, from 0.
fn without(code: &Code, variable: &Variable, dimension: usize) -> Option<Edit> {
    let mut splices = vec![];
    for declared in &variable.declared {
        let Some(layer) = dimensions(code, declared).nth(dimension) else { continue };
        splices.push(code.erase_after(code.tree.child(layer, "declarator")?, layer));
        splices.extend(declared.value.filter(|_| dimension == 0).and_then(|list| first_of(code, list)));
    }
    for at in code.uses(variable) {
        let (array, subscript) = subscripts(code, at).nth(dimension).unwrap_or((at, at));
        if array != subscript {
            splices.push(code.erase_after(array, subscript));
        }
    }
    merged(splices)
}

/// Returns the subscripts of a use, each with what it is of: of `a[i][j]` first `a` and `a[i]`.
fn subscripts<'a>(code: &'a Code, at: usize) -> impl Iterator<Item = (usize, usize)> + 'a {
    let next = |array: usize| {
        code.in_a(array, "subscript_expression")
            .filter(|_| code.tree.field(array) == "argument")
            .map(|outer| (array, outer))
    };
    std::iter::successors(next(at), move |(_, outer)| next(*outer))
}

/// Returns a list reduced to its first element.
fn first_of(code: &Code, list: usize) -> Option<Splice> {
    let list = Some(list).filter(|list| code.is(*list, "initializer_list"))?;
    Some(code.put(list, code.text(code.parts(list).next()?)))
}

/// Returns all indices of an array as `0`. One alone is left to what tries the shortest text of a node.
fn indices_zero(code: &Code, variable: &Variable) -> Option<Edit> {
    let mut splices = vec![];
    for at in code.uses(variable) {
        for (array, subscript) in subscripts(code, at) {
            let index = code.parts(subscript).find(|part| *part != array)?;
            let index = if code.is(index, "subscript_argument_list") { code.parts(index).next()? } else { index };
            if !code.is(index, "number_literal") {
                splices.push(code.put(index, b"0"));
            }
        }
    }
    (splices.len() > 1).then(|| merged(splices))?
}

/// Returns the edit that makes `vector<T> v` an array, with room for what small tests put into it.
fn array_of_vector(code: &Code, declared: &Declared) -> Option<Edit> {
    let of = code.type_of(declared.declaration)?;
    let inner = if code.is(of, "qualified_identifier") { code.tree.child(of, "name")? } else { of };
    let name = code.tree.child(inner, "name").filter(|_| code.is(inner, "template_type"))?;
    let element = code.parts(code.tree.child(inner, "arguments")?).next().filter(|_| code.text(name) == b"vector")?;
    let sized = [code.text(declared.at), b"[9]"].concat();
    merged(vec![code.put(of, code.text(element)), code.put(declared.at, &sized)])
}
