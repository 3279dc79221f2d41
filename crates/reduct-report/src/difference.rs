//! The difference of two candidates, for a person: where it is, and what stands there on either side.

use crate::excerpt::clean;
use crate::human::counted;
use reduct_circumstances::{Candidate, What, patch};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// So many places are shown, and so many lines of each.
const MOST_PLACES: usize = 5;
const MOST_LINES: usize = 12;
/// So much is shown around what differs in a line, and of it.
const AROUND: usize = 32;
const MIDDLE: usize = 80;

/// What differs between what passes and what fails, line by line, as far as it fits on a screen.
pub fn excerpt(passing: &Candidate, failing: &Candidate) -> Vec<String> {
    let (old, new) = (texts(passing), texts(failing));
    let mut lines = vec![];
    let mut places = 0;
    for path in old.keys().chain(new.keys().filter(|path| !old.contains_key(*path))) {
        let (before, after) = (old.get(path), new.get(path));
        if before == after {
            continue;
        }
        places += 1;
        if places > MOST_PLACES {
            continue;
        }
        match (before, after) {
            (Some((_, before)), Some((_, after))) if before != after => {
                changed(&mut lines, path, before, after, &mut places);
            }
            (Some((was, _)), Some((is, _))) => lines.push(format!("{}: {was} → {is}", path.display())),
            (None, Some((_, after))) => whole(&mut lines, path, '+', after),
            (Some((_, before)), None) => whole(&mut lines, path, '-', before),
            (None, None) => {}
        }
    }
    if places > MOST_PLACES {
        lines.push(format!("… and {}", counted(places - MOST_PLACES, "more places")));
    }
    lines.into_iter().map(|line| clean(&line)).collect()
}

/// What stands where: a word for its kind and mode, and its contents.
fn texts(candidate: &Candidate) -> BTreeMap<PathBuf, (String, Vec<u8>)> {
    let text = |(entry, pieces): (&reduct_circumstances::Entry, Vec<&[u8]>)| {
        let what = match &entry.what {
            What::File { mode, .. } => (format!("mode {mode:o}"), pieces.concat()),
            What::Link { target } => (format!("link to {}", target.display()), vec![]),
            What::Folder { mode } => (format!("folder of mode {mode:o}"), vec![]),
        };
        (entry.path.clone(), what)
    };
    candidate.pieces().map(text).collect()
}

fn changed(lines: &mut Vec<String>, path: &Path, before: &[u8], after: &[u8], places: &mut usize) {
    for change in patch::changes(before, after) {
        if *places > MOST_PLACES {
            *places += 1;
            continue;
        }
        *places += 1;
        lines.push(format!("{}:{}", path.display(), change.line));
        let (old, new) = (change.old.concat(), change.new.concat());
        if change.old.len() <= 1 && change.new.len() <= 1 && old.len().max(new.len()) > MIDDLE + 2 * AROUND {
            let (old, new) = middle(&old, &new);
            lines.extend([format!("  - {old}"), format!("  + {new}")]);
            continue;
        }
        let signed = |sign: char, all: Vec<&[u8]>| -> Vec<String> {
            let shown = all.iter().take(MOST_LINES).map(|line| format!("  {sign} {}", text(line)));
            let more = all.len().saturating_sub(MOST_LINES);
            shown.chain((more > 0).then(|| format!("  {sign} … {}", counted(more, "more lines")))).collect()
        };
        lines.extend(signed('-', change.old));
        lines.extend(signed('+', change.new));
    }
    *places -= 1;
}

fn whole(lines: &mut Vec<String>, path: &Path, sign: char, content: &[u8]) {
    lines.push(format!("{}: {}", path.display(), if sign == '+' { "is there" } else { "is gone" }));
    let all: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
    lines.extend(all.iter().take(MOST_LINES).map(|line| format!("  {sign} {}", text(line))));
    if all.len() > MOST_LINES {
        lines.push(format!("  {sign} … {}", counted(all.len() - MOST_LINES, "more lines")));
    }
}

/// A line without its end, not too long.
fn text(line: &[u8]) -> String {
    crate::excerpt::shorten(String::from_utf8_lossy(line).trim_end_matches(['\n', '\r']), MIDDLE + 2 * AROUND)
}

/// What differs in two long lines, with a little of what is around it.
fn middle(old: &[u8], new: &[u8]) -> (String, String) {
    let same = |(a, b): &(&u8, &u8)| a == b;
    let above = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[above..], &new[above..]);
    let below = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let shown = |whole: &[u8]| {
        let from = above.saturating_sub(AROUND);
        let to = (whole.len() - below + AROUND).min(whole.len());
        let string = |part: &[u8]| String::from_utf8_lossy(part).trim_end_matches(['\n', '\r']).to_owned();
        let inner = crate::excerpt::shorten(&string(&whole[above..whole.len() - below]), MIDDLE);
        let (before, after) = (string(&whole[from..above]), string(&whole[whole.len() - below..to]));
        let (first, last) = (if from > 0 { "…" } else { "" }, if to < whole.len() { "…" } else { "" });
        format!("{first}{before}⟦{inner}⟧{after}{last}")
    };
    (shown(old), shown(new))
}
