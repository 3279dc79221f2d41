//! Siblings in a tree that can go: their lists, and what of the text goes with each.

use crate::items::Item;
use crate::tree::{Role, Tree};
use std::ops::Range;

/// Returns whether the grammar says that a node can go.
pub fn can_go(tree: &Tree, at: usize) -> bool {
    let node = tree.node(at);
    !node_is_empty(tree, at) && matches!(node.role, Role::Optional | Role::Item | Role::ItemOfMany | Role::Error)
}

fn node_is_empty(tree: &Tree, at: usize) -> bool {
    tree.range(at).is_empty()
}

/// Calls `found` with each list among the children of a node: neighbours that can go, with nothing but
/// signs between them.
pub fn lists(tree: &Tree, at: usize, mut found: impl FnMut(&[usize])) {
    let mut list: Vec<usize> = vec![];
    for child in tree.children(at) {
        let joins = list.last().is_none_or(|last| {
            let (last, this) = (tree.node(*last), tree.node(child));
            last.field == this.field && last.role == this.role
        });
        if can_go(tree, child) && joins {
            list.push(child);
        } else if tree.node(child).role != Role::Token {
            if !list.is_empty() {
                found(&list);
                list.clear();
            }
            if can_go(tree, child) {
                list.push(child);
            }
        }
    }
    if !list.is_empty() {
        found(&list);
    }
}

/// Returns the nodes of a list as parts of the text, with their separators and lines.
pub fn items(text: &[u8], tree: &Tree, list: &[usize]) -> Vec<Item> {
    let separated = |pair: &[usize]| tree.node(pair[0]).after as usize != pair[1];
    // The root is the whole of its file.
    let file = tree.range(0);
    let whole_lines = |at: usize| lines_of(text, &file, tree.range(at));
    // Between two parts of a list all signs are the separator. A comma after the last one goes with it.
    let after = |position: usize| match list[position..] {
        [one, next, ..] if separated(&[one, next]) => tree.node(one).end..tree.node(next).start,
        [last] => comma_after(text, tree, last).unwrap_or_default(),
        _ => 0..0,
    };
    let is_followed = list.last().is_some_and(|last| comma_after(text, tree, *last).is_some());
    let item = |(position, at): (usize, &usize)| {
        let separator = after(position);
        let mut before = if position > 0 { after(position - 1) } else { 0..0 };
        if is_followed {
            // If all from here on go, the last comma goes with them, and that of the one before stays.
            let signs = text[before.start as usize..before.end as usize].trim_ascii_end().len();
            before.start += signs as u32;
        }
        let range = match list {
            [alone] if tree.node(*alone).role == Role::Optional => lines_of(text, &file, with_sign(text, tree, *alone)),
            // The white space before it is in the separator before it.
            _ if separator.is_empty() && !before.is_empty() => tree.range(*at),
            _ if separator.is_empty() => whole_lines(*at),
            [alone] => lines_of(text, &file, tree.node(*alone).start..separator.end),
            _ => tree.node(*at).start..separator.end,
        };
        Item { at: range, before, first: position == 0, last: position + 1 == list.len() }
    };
    list.iter().enumerate().map(item).collect()
}

/// Returns the addresses of a comma after a node in the same list.
fn comma_after(text: &[u8], tree: &Tree, at: usize) -> Option<Range<u32>> {
    let next = tree.node(at).after as usize;
    let parent = tree.node(at).parent as usize;
    if at == 0 || next >= tree.node(parent).after as usize || tree.node(next).role != Role::Token {
        return None;
    }
    let Range { start, end } = tree.range(next);
    (&text[start as usize..end as usize] == b",").then(|| tree.node(at).end..end)
}

/// Returns the addresses of a node that is there or not, with the sign that is there only with it: `= 1`, `-> T`,
/// `: T`, `a.`
fn with_sign(text: &[u8], tree: &Tree, at: usize) -> Range<u32> {
    const BEFORE: &[&[u8]] = &[b"=", b":=", b"->", b"=>", b":", b"<-", b"|", b"?"];
    // None of those before, so that two neighbours do not take the same sign.
    const AFTER: &[&[u8]] = &[b".", b"::", b"&.", b"?."];
    let Range { start, end } = tree.range(at);
    let is_sign = |sibling: usize, signs: &[&[u8]]| {
        let Range { start, end } = tree.range(sibling);
        tree.node(sibling).role == Role::Token && signs.contains(&&text[start as usize..end as usize])
    };
    let mut before = None;
    let mut siblings = tree.parent(at).into_iter().flat_map(|parent| tree.children(parent));
    for sibling in siblings.by_ref().take_while(|sibling| *sibling != at) {
        before = Some(sibling);
    }
    let before = before.filter(|sign| is_sign(*sign, BEFORE));
    let after = siblings.next().filter(|sign| before.is_none() && is_sign(*sign, AFTER));
    before.map_or(start, |sign| tree.node(sign).start)..after.map_or(end, |sign| tree.node(sign).end)
}

/// Returns the addresses with the white space around them that belongs to them: whole lines if nothing else stands on
/// them, else the blanks before them, or after them if there are none before or something follows that would then stand
/// too near. None of that is in another file, if the text is that of several.
pub fn lines_of(text: &[u8], file: &Range<u32>, range: Range<u32>) -> Range<u32> {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let (start, end) = (range.start as usize, range.end as usize);
    let (ahead, rest) = (&text[file.start as usize..start], &text[end..file.end as usize]);
    let before = ahead.iter().rev().take_while(is_blank).count();
    let after = rest.iter().take_while(is_blank).count();
    let begins_line = ahead[..ahead.len() - before].last().is_none_or(|byte| *byte == b'\n');
    let own_newline = end > start && text[end - 1] == b'\n';
    let is_over = |byte: &u8| byte.is_ascii_whitespace() || b")]}>;,".contains(byte);
    let ends_part = rest.first().is_none_or(is_over);
    let ends_line = rest.get(after) == Some(&b'\n');
    match (begins_line, ends_line) {
        (true, _) if own_newline => (start - before) as u32..range.end,
        (true, true) => (start - before) as u32..(end + after + 1) as u32,
        _ if own_newline => range,
        (false, _) if before > 0 && ends_part => (start - before) as u32..range.end,
        _ => range.start..(end + after) as u32,
    }
}
