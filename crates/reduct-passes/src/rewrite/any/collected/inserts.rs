//! Rows that are put into a table of SQL by several statements.

use reduct_input::{Edit, Splice, Subject, Tree};

/// A statement that puts rows into a table and does nothing else.
struct Insert<'a> {
    /// The words before the first row.
    head: Vec<&'a [u8]>,
    /// Where the first row begins, and the last one ends.
    rows: std::ops::Range<u32>,
    /// Where the statement begins.
    start: u32,
}

/// Returns the edits that make one statement of several ones in a row that say the same before their rows: of all of them, then of each pair.
pub(super) fn joined(subject: &Subject, tree: &Tree) -> Vec<Edit> {
    if tree.grammar.language != "sql" {
        return vec![];
    }
    let inserts = (1..tree.len()).filter(|at| tree.kind(*at) == "insert").filter_map(|at| insert(subject, tree, at));
    let inserts: Vec<Insert> = inserts.collect();
    let goes_on = |one: &Insert, next: &Insert| {
        let is_between = |text: &[u8]| text.iter().all(|byte| byte.is_ascii_whitespace() || *byte == b';');
        one.head == next.head && one.rows.end <= next.start && is_between(subject.text(one.rows.end..next.start))
    };
    let (mut whole, mut pairs) = (vec![], vec![]);
    for run in inserts.chunk_by(goes_on).filter(|run| run.len() > 1) {
        let joint = |pair: &[Insert]| Splice { at: pair[0].rows.end..pair[1].rows.start, with: b","[..].into() };
        let joints: Vec<Splice> = run.windows(2).map(joint).collect();
        if joints.len() > 1 {
            pairs.extend(joints.iter().cloned().filter_map(|joint| Edit::new(vec![joint])));
        }
        whole.extend(Edit::new(joints));
    }
    whole.into_iter().chain(pairs).collect()
}

fn insert<'a>(subject: &'a Subject, tree: &Tree, at: usize) -> Option<Insert<'a>> {
    let values = tree.descendants(at).find(|inner| tree.kind(*inner) == "keyword_values")?;
    let is_own = |list: &usize| {
        let parent = tree.parent(*list);
        parent == Some(at)
            || parent.is_some_and(|parent| tree.kind(parent) == "values" && tree.parent(parent) == Some(at))
    };
    let lists = (values..tree.node(at).after as usize).filter(|inner| tree.kind(*inner) == "list" && is_own(inner));
    let lists: Vec<usize> = lists.collect();
    let rows = tree.node(*lists.first()?).start..tree.node(*lists.last()?).end;
    let start = tree.node(at).start;
    let head = subject.text(start..rows.start).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    (rows.end == tree.node(at).end).then_some(Insert { head, rows, start })
}
