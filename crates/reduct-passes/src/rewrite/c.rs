//! Passes for C and C++: what C-Reduce's `clang_delta` does, as plausible changes of the text.
//!
//! `clang_delta` knows types and scopes from LLVM, and makes one change at a time. These passes know the syntax and
//! the names only, offer all changes of a kind together, and leave it to the test whether they are right. Its
//! transformations and where their purpose is served (passes without `c-` or `cpp-` are for every language; `nodes` is
//! the kind of parts that removes whatever the grammar lets go):
//!
//! | `clang_delta` | here |
//! |---|---|
//! | aggregate-to-scalar | `c-scalars` |
//! | binop-simplification | `hoist`: an operand in the place of the whole |
//! | callexpr-to-value | `shortest`: 0 in the place of a call; `definitions`: of all calls of a function |
//! | class-template-to-class | `cpp-templates` |
//! | combine-global-var, combine-local-var | `c-merge` |
//! | copy-propagation | `inline` |
//! | empty-struct-to-int | `types`, `c-structs` |
//! | expression-detector | none: it looks for what matters in order to print it, and makes nothing smaller |
//! | instantiate-template-param, instantiate-template-type-param-to-int | `cpp-parameters`, `cpp-templates` |
//! | lift-assignment-expr | none: it makes the text longer; `hoist` keeps the assignment or the rest |
//! | local-to-global | `c-globals` |
//! | move-function-body | `c-moves` |
//! | move-global-var | `c-merge`, which moves while it joins |
//! | param-to-global | `c-globals` |
//! | param-to-local | none alone: it makes the text longer; `parameters` puts `0` in its place, `c-globals` a variable |
//! | reduce-array-dim, remove-array | `c-arrays` |
//! | reduce-array-size | `numbers`; `optional` removes the size |
//! | reduce-class-template-param | `cpp-parameters` |
//! | reduce-pointer-level, remove-pointer, reduce-pointer-pairs | `c-pointers`: single ones, then all to one type |
//! | remove-addr-taken | `hoist`: `x` in the place of `&x` |
//! | remove-base-class | `nodes`, each and all |
//! | remove-ctor-initializer | `nodes`, each and all |
//! | remove-enum-member-value, remove-unused-enum-member | `optional`, `nodes`; `c-enums` for all at once |
//! | remove-namespace | `cpp-namespaces` |
//! | remove-nested-function | none: it makes the text longer; `hoist` keeps the inner call instead of the outer one |
//! | remove-trivial-base-template | `nodes`: a base; `cpp-templates` |
//! | remove-unresolved-base | `nodes` |
//! | remove-unused-field | `nodes`; `c-fields` with the values of initialisers |
//! | remove-unused-function, remove-unused-var, remove-unused-outer-class | `nodes`; `splice` for an outer class |
//! | rename-class, rename-cxx-method, rename-fun, rename-param, rename-var | `rename` |
//! | replace-array-access-with-index | `hoist`: `i` in the place of `a[i]` |
//! | replace-array-index-var | `shortest` for one; `c-arrays` for all of an array |
//! | replace-callexpr, simplify-callexpr | `hoist`: an argument in the place of a call |
//! | replace-class-with-base-template-spec, replace-derived-class | `cpp-classes` |
//! | replace-dependent-name, replace-dependent-typedef, simplify-dependent-typedef | `hoist`, `shortest`, `aliases` |
//! | replace-function-def-with-decl | `c-bodies` |
//! | replace-one-level-typedef-type, replace-simple-typedef | `aliases` |
//! | replace-undefined-function | `definitions` |
//! | return-void | `c-void` |
//! | simple-inliner | `inline` |
//! | simplify-comma-expr | `hoist`: one side of the comma |
//! | simplify-if | `splice`, `hoist`, `control` |
//! | simplify-nested-class | `splice`, `hoist`: the inner class in the place of the outer one |
//! | simplify-recursive-template-instantiation | `hoist`: `B` in the place of `A<B>` |
//! | simplify-struct, simplify-struct-union-decl | `c-structs`, `types`; `nodes`: the name, a declarator |
//! | template-arg-to-int, template-non-type-arg-to-int | `shortest`, `types`, `numbers` |
//! | unify-function-decl | `c-moves`; `nodes` removes a declaration that is not needed |
//! | union-to-struct | none: `struct` is the longer word, and the other way nothing is won; `c-structs` replaces both |
//! | vector-to-array | `c-arrays` |
//!
//! `c-markers` is C-Reduce's `line_markers`, `c-conditionals` its `ifs` and `unifdef`; `c-macros`, `c-words` and
//! `cpp-returns` have no transformation of `clang_delta` as a model.

pub(crate) mod arrays;
pub(crate) mod bodies;
pub(crate) mod code;
pub(crate) mod conditionals;
mod directives;
pub(crate) mod enums;
pub(crate) mod fields;
pub(crate) mod globals;
pub(crate) mod macros;
pub(crate) mod markers;
pub(crate) mod merge;
pub(crate) mod moves;
pub(crate) mod pointers;
pub(crate) mod scalars;
pub(crate) mod structs;
mod variables;
pub(crate) mod void;
pub(crate) mod words;
