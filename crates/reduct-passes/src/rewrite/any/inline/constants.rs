//! Variables that are assigned once, in texts that no grammar reads, and of the shell.

use crate::plain::{LONGEST, Plain, is_firm};
use crate::rewrite::MOST_COPIES;
use crate::text::is_word;
use reduct_input::{Edit, Splice, Subject, Tree};
use std::collections::HashMap;
use std::ops::Range;

/// The words before the name of a variable that is defined. In languages that have none, a name begins with `$`.
const WORDS: &[&str] = &["my", "our", "local", "let", "val", "var", "const"];

/// Returns the edits that put the value of a variable in the place of its later uses.
pub(super) fn inlined(subject: &Subject) -> Vec<Edit> {
    let mut edits = vec![];
    for plain in Plain::files(subject) {
        let by_text = plain.by_text();
        let mut names: Vec<&Vec<usize>> = by_text.values().collect();
        names.retain(|places| (2..=MOST_COPIES + 1).contains(&places.len()));
        names.sort_unstable();
        edits.extend(names.into_iter().filter_map(|places| inline(&plain, places)));
    }
    edits
}

fn inline(plain: &Plain, places: &[usize]) -> Option<Edit> {
    let (first, uses) = places.split_first()?;
    let named = &plain.words[*first];
    let word = first.checked_sub(1).filter(|before| plain.word(*before).is_some_and(|word| WORDS.contains(&word)));
    let begins = word.map_or(named.start, |word| plain.words[word].start);
    let is_declared = word.is_some_and(|word| plain.past_blanks(plain.words[word].end) == named.start);
    let is_first = plain.before(begins).is_none_or(|byte| b"\n;{}".contains(&byte));
    if !is_first || !is_declared && !plain.text[named.start..].starts_with('$') {
        return None;
    }
    let sign = plain.first_of(b"=;\n", named.end).filter(|at| plain.byte(*at) == Some(b'='))?;
    let is_bare =
        plain.past_blanks(named.end) == sign || is_declared && plain.byte(plain.past_blanks(named.end)) == Some(b':');
    if !is_bare || plain.byte(sign + 1).is_some_and(|byte| b"=~>".contains(&byte)) {
        return None;
    }
    let value = plain.expression(sign + 1);
    let text = &plain.text[value.clone()];
    if text.is_empty()
        || text.len() > LONGEST
        || text.starts_with("{")
        || uses.iter().any(|at| changes(plain, &plain.words[*at]) || plain.words[*at].start < value.end)
    {
        return None;
    }
    let mut end = value.end;
    if plain.byte(end) == Some(b';') {
        end += 1;
    }
    let mut splices = vec![plain.put(plain.with_line_end(begins..end), "")];
    for at in uses.iter().map(|at| plain.words[*at].clone()) {
        let is_plain = is_firm(text) || plain.is_whole(&at);
        splices.push(plain.put(at, &if is_plain { text.to_owned() } else { format!("({text})") }));
    }
    Edit::new(splices)
}

/// Returns whether a variable is changed where it stands.
fn changes(plain: &Plain, at: &Range<usize>) -> bool {
    let after = &plain.text.as_bytes()[plain.past_blanks(at.end)..];
    let before = plain.text[..at.start].trim_end();
    match after {
        [b'=', next, ..] => !b"=~>".contains(next),
        [b'+' | b'-' | b'*' | b'/' | b'.' | b'%' | b'|', b'=', ..] | [b'+', b'+', ..] | [b'-', b'-', ..] => true,
        [b'[' | b'{', ..] => true,
        _ => before.ends_with("++") || before.ends_with("--") || before.ends_with('\\'),
    }
}

/// Returns the edits that put the value of a variable of the shell in the place of `$x` and `${x}`.
pub(super) fn of_shell(subject: &Subject, number: usize) -> Vec<Edit> {
    let tree = &subject.trees()[number];
    if tree.grammar.language != "bash" {
        return vec![];
    }
    let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for at in (1..tree.len()).filter(|at| tree.kind(*at) == "variable_name") {
        places.entry(subject.text(tree.range(at))).or_default().push(at);
    }
    let mut names: Vec<&Vec<usize>> = places.values().collect();
    names.retain(|places| (2..=MOST_COPIES + 1).contains(&places.len()));
    names.sort_unstable();
    names.into_iter().filter_map(|places| of_variable(subject, tree, places)).collect()
}

fn of_variable(subject: &Subject, tree: &Tree, places: &[usize]) -> Option<Edit> {
    let (first, uses) = places.split_first()?;
    let assignment = tree.parent(*first).filter(|at| tree.kind(*at) == "variable_assignment")?;
    // Before a command, it is a variable of that command.
    let is_alone = tree.parent(assignment).is_some_and(|parent| tree.kind(parent) != "command");
    let text = subject.text(tree.range(tree.child(assignment, "value").filter(|_| is_alone)?));
    let is_plain =
        !text.is_empty() && text.iter().all(|byte| is_word(*byte) || b"./-".contains(byte)) && !text.contains(&b'$');
    let bytes = subject.artifact().bytes();
    let whole = tree.range(assignment);
    let ends = bytes.get(whole.end as usize).is_some_and(|byte| matches!(byte, b'\n' | b';'));
    let mut splices = vec![Splice { at: whole.start..whole.end + u32::from(ends), with: [].into() }];
    for used in uses {
        let expansion = tree.parent(*used).filter(|at| matches!(tree.kind(*at), "simple_expansion" | "expansion"))?;
        let at = tree.range(expansion);
        let is_bare = matches!(subject.text(at.clone()).len() - subject.text(tree.range(*used)).len(), 1 | 3);
        if !is_bare {
            return None;
        }
        splices.push(Splice { at, with: text.into() });
    }
    is_plain.then(|| Edit::new(splices))?
}
