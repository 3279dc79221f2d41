//! SQL: replaces a view by what it stands for.
//!
//! ## What it tries
//! For each view, and each query that has a name before a statement (`WITH`): if it only selects something from one table, that table
//! in the place of its name, wherever it is used. Then for each the query in brackets, with the name after it.
//!
//! ## When it helps
//! Where a query reads from a view that reads from another one.
//!
//! ## Before
//! ```sql
//! CREATE VIEW v AS SELECT max(a) AS m FROM t;
//! SELECT m FROM v;
//! ```
//! ## After
//! ```sql
//! SELECT m FROM (SELECT max(a) AS m FROM t) v;
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::{MOST_COPIES, largest_first, propose_in_order};
use reduct_input::names::EditDraft;
use reduct_input::{Edit, Subject, Tree};
use std::collections::HashMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting("views", "SQL: replaces a view by what it stands for", 0.4, propose);

fn propose(subject: &Subject) -> Proposals {
    let (mut tables, mut queries): (Vec<Edit>, Vec<Edit>) = Default::default();
    for (number, tree) in subject.trees().iter().enumerate().filter(|(_, tree)| tree.grammar.language == "sql") {
        let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for at in (1..tree.len()).filter(|at| tree.kind(*at) == "object_reference") {
            places.entry(subject.text(tree.range(at))).or_default().push(at);
        }
        for view in (1..tree.len()).filter_map(|at| View::of(subject, number, at)) {
            let all = places.get(subject.text(tree.range(view.name))).map_or(&[][..], Vec::as_slice);
            if let Some(uses) = view.uses(all) {
                tables.extend(view.table().and_then(|table| view.as_table(&uses, table)));
                queries.extend(view.as_query(&uses));
            }
        }
    }
    propose_in_order(subject, largest_first(tables).into_iter().chain(largest_first(queries)))
}

/// Longer queries are not copied to where they are used: those within each other would take memory in the square of the depth.
const LONGEST: usize = 16 << 10;

/// A view, or a query with a name.
struct View<'a> {
    subject: &'a Subject,
    /// The number of its tree.
    number: usize,
    tree: &'a Tree,
    /// All of it.
    definition: usize,
    /// Where it is known.
    scope: Range<u32>,
    name: usize,
    query: usize,
    /// Whether its columns have names of their own.
    has_columns: bool,
}

/// How a name is used.
enum Use {
    /// As something that is read from, whether with another name for it.
    Read { at: usize, has_alias: bool },
    /// As what a column is of.
    OfColumn(usize),
}

impl<'a> View<'a> {
    fn of(subject: &'a Subject, number: usize, at: usize) -> Option<View<'a>> {
        let tree = &subject.trees()[number];
        let of_kind = |kind: &str| tree.children(at).find(|child| tree.kind(*child) == kind);
        let statement = tree.parent(at)?;
        let (definition, scope, name, query) = match tree.kind(at) {
            "create_view" => (statement, tree.range(0), of_kind("object_reference")?, of_kind("create_query")?),
            "cte" => (at, tree.range(statement), of_kind("identifier")?, of_kind("statement")?),
            _ => return None,
        };
        let has_columns = tree.children(at).any(|child| child != name && tree.kind(child) == "identifier");
        Some(View { subject, number, tree, definition, scope, name, query, has_columns })
    }

    /// Returns its uses among all places of its name, in their order; `None` if there are none, too many, or others than it can be replaced in.
    fn uses(&self, places: &[usize]) -> Option<Vec<Use>> {
        let start = |at: &usize| self.tree.node(*at).start;
        let first = places.partition_point(|at| start(at) < self.scope.start);
        let known = places[first..].iter().take_while(|at| start(at) < self.scope.end).filter(|at| **at != self.name);
        let known: Vec<usize> = known.take(MOST_COPIES + 1).copied().collect();
        let is_own = |at: &usize| self.tree.descendants(self.definition).contains(at);
        if known.is_empty() || known.len() > MOST_COPIES || known.iter().any(is_own) {
            return None;
        }
        let named = |at: usize| {
            let parent = self.tree.parent(at)?;
            match self.tree.kind(parent) {
                "relation" => Some(Some(Use::Read { at, has_alias: self.tree.child(parent, "alias").is_some() })),
                "field" | "all_fields" => Some(Some(Use::OfColumn(at))),
                "invocation" => Some(None),
                _ => None,
            }
        };
        Some(known.into_iter().map(named).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Returns the table from which it selects, if that is all it does.
    fn table(&self) -> Option<usize> {
        let tree = self.tree;
        let [select, from] = tree.children(self.query).collect::<Vec<_>>()[..] else { return None };
        let [_, columns] = tree.children(select).collect::<Vec<_>>()[..] else { return None };
        let [_, relation] = tree.children(from).collect::<Vec<_>>()[..] else { return None };
        let [table] = tree.children(relation).collect::<Vec<_>>()[..] else { return None };
        let kinds = [select, columns, from, relation, table].map(|at| tree.kind(at));
        (kinds == ["select", "select_expression", "from", "relation", "object_reference"]).then_some(table)
    }

    /// Puts the table in the place of its name.
    fn as_table(&self, uses: &[Use], table: usize) -> Option<Edit> {
        let mut change = self.without_definition()?;
        for Use::Read { at, .. } | Use::OfColumn(at) in uses {
            change.put(self.tree.range(*at), self.subject.text(self.tree.range(table)));
        }
        change.edit()
    }

    /// Puts the query in the place of its name, which stands after it where nothing else does.
    fn as_query(&self, uses: &[Use]) -> Option<Edit> {
        let mut change = self.without_definition().filter(|_| !self.has_columns)?;
        let query = Some(self.subject.text(self.tree.range(self.query))).filter(|query| query.len() <= LONGEST)?;
        for used in uses {
            if let Use::Read { at, has_alias } = used {
                let name: &[u8] = if *has_alias { b"" } else { self.subject.text(self.tree.range(*at)) };
                let blank: &[u8] = if *has_alias { b"" } else { b" " };
                change.put(self.tree.range(*at), &[b"(", query, b")", blank, name].concat());
            }
        }
        change.edit()
    }

    fn without_definition(&self) -> Option<EditDraft<'a>> {
        let tree = self.tree;
        let mut change = EditDraft::new(self.subject, self.subject.names());
        let parent = tree.parent(self.definition)?;
        let is_other = |at: usize| tree.kind(at) == "cte" && at != self.definition;
        if tree.kind(self.definition) != "cte" || tree.children(parent).any(is_other) {
            change.remove(self.number, self.definition);
            return Some(change);
        }
        // The words before the only one go with it.
        let first = tree.children(parent).find(|at| tree.kind(*at) == "keyword_with")?;
        let next = tree.children(parent).find(|at| *at > self.definition)?;
        change.put(tree.node(first).start..tree.node(next).start, b"");
        Some(change)
    }
}
