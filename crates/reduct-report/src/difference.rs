//! The difference of two candidates, for a person: where it is, and what stands there on either side.

use crate::excerpt::{Removed, clean, clean_bytes, shorten};
use crate::human::{count, counted};
use reduct_input::{Candidate, Entry, What, patch};
use reduct_strategies::VersionView;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many places are shown, and so many lines of each.
const MOST_PLACES: usize = 5;
const MOST_LINES: usize = 12;
/// So much is shown around what differs in a line, and of it.
const AROUND: usize = 32;
const MIDDLE: usize = 80;
/// So many bytes of a binary file are shown.
const MOST_BYTES: usize = 8;

/// Returns what differs between what passes and what fails, line by line, as far as it fits on a screen.
pub fn excerpt(passing: &Candidate, failing: &Candidate) -> Vec<String> {
    Excerpt::new(failing, None).of(passing)
}

/// Returns the same, where places are those of a version that the reader has: under its names, at its lines.
pub fn excerpt_seen(passing: &Candidate, failing: &Candidate, seen: &VersionView) -> Vec<String> {
    Excerpt::new(failing, Some(seen)).of(passing)
}

/// Returns what `less`, a part of `more`, lacks of it, whatever they are made from. The text is empty if it lacks
/// something else than contents.
pub fn removed(more: &Candidate, less: &Candidate) -> Removed {
    let known = Removed::between(more, less);
    if Arc::ptr_eq(more.base(), less.base()) || known.entries > 0 {
        return known;
    }
    let contents = |side: &Candidate| side.pieces().flat_map(|(_, pieces)| pieces.concat()).collect::<Vec<u8>>();
    let (more, less) = (contents(more), contents(less));
    let mut left = less.iter().peekable();
    let mut gone: Vec<(usize, u8)> = more.iter().copied().enumerate().collect();
    gone.retain(|(_, byte)| left.next_if_eq(&byte).is_none());
    // What is no part of the other is not told so.
    if left.next().is_some() {
        return known;
    }
    let runs = gone.chunk_by(|one, other| one.0 + 1 == other.0);
    let texts = runs.map(|run| clean_bytes(&run.iter().map(|(_, byte)| *byte).collect::<Vec<u8>>()));
    Removed { bytes: gone.len(), text: texts.collect::<Vec<String>>().join("…"), ..known }
}

/// What stands at a path: a word for its kind and mode, and its contents.
struct AtPath {
    what: String,
    bytes: Vec<u8>,
    /// What the reader calls it, if that is known.
    name: Option<PathBuf>,
}

/// One difference: under which name it is shown, and what stands there on either side, under its own name.
struct PathPair<'a> {
    name: PathBuf,
    old: Option<(&'a Path, &'a AtPath)>,
    new: Option<(&'a Path, &'a AtPath)>,
}

struct Excerpt<'a> {
    failing: &'a Candidate,
    seen: Option<&'a VersionView>,
    lines: Vec<String>,
    places: usize,
}

impl Excerpt<'_> {
    fn new<'a>(failing: &'a Candidate, seen: Option<&'a VersionView>) -> Excerpt<'a> {
        Excerpt { failing, seen, lines: vec![], places: 0 }
    }

    fn of(mut self, passing: &Candidate) -> Vec<String> {
        let (old, new) = (standing(passing, self.seen), standing(self.failing, self.seen));
        let renamed: BTreeMap<PathBuf, PathBuf> =
            patch::renamed(passing, self.failing).into_iter().map(|(from, to)| (to, from)).collect();
        for place in places(&old, &new, &renamed) {
            self.place(&place);
        }
        if self.places > MOST_PLACES {
            self.lines.push(format!("… and {}", counted(self.places - MOST_PLACES, "more places")));
        }
        self.lines.into_iter().map(|line| clean(&line)).collect()
    }

    /// Counts one more place. Returns whether it is to be shown.
    fn counts(&mut self) -> bool {
        self.places += 1;
        self.places <= MOST_PLACES
    }

    fn place(&mut self, PathPair { name, old, new }: &PathPair<'_>) {
        let shown = name.display();
        match (old, new) {
            (Some((from, was)), Some((to, is))) => {
                let is_renamed = from != to;
                if (is_renamed || was.what != is.what) && self.counts() {
                    let renamed =
                        if is_renamed { format!("{} → {}", from.display(), to.display()) } else { String::new() };
                    let mode =
                        if was.what == is.what { String::new() } else { format!("{} → {}", was.what, is.what) };
                    let all = [renamed, mode].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
                    self.lines.push(format!("{shown}: {}", all.join(", ")));
                }
                if was.bytes != is.bytes {
                    self.changed(name, to, &was.bytes, &is.bytes);
                }
            }
            (None, Some((_, is))) => self.whole(name, '+', is),
            (Some((_, was)), None) => self.whole(name, '-', was),
            (None, None) => {}
        }
    }

    fn changed(&mut self, name: &Path, path: &Path, before: &[u8], after: &[u8]) {
        if patch::is_binary(before) || patch::is_binary(after) {
            if self.counts() {
                self.lines.push(format!("{}: {}", name.display(), binary(before, after)));
            }
            return;
        }
        let ends = !(has_dos_ends(before) && has_dos_ends(after));
        for change in patch::changes(before, after) {
            if !self.counts() {
                continue;
            }
            let line = self.seen.and_then(|seen| seen.line(self.failing, path, change.line)).unwrap_or(change.line);
            self.lines.push(format!("{}:{line}", name.display()));
            self.change(&change, ends);
        }
    }

    fn change(&mut self, change: &patch::TextChange<'_>, ends: bool) {
        let last_ends = |lines: &[&[u8]]| lines.last().is_none_or(|line| line.ends_with(b"\n"));
        let (old_ends, new_ends) = (last_ends(&change.old), last_ends(&change.new));
        // An end that is missing on both sides of one line is no difference.
        let both = !change.old.is_empty() && !change.new.is_empty();
        let marks = both && (old_ends != new_ends || change.old.len() != change.new.len());
        let mark = |is_ended: bool| (marks && !is_ended).then(|| "  \\ No newline at end of file".to_owned());
        let shown = |line: &&[u8]| text(line, ends);
        let (old, new): (Vec<String>, Vec<String>) =
            (change.old.iter().map(shown).collect(), change.new.iter().map(shown).collect());
        if let ([old], [new]) = (&old[..], &new[..])
            && old.len().max(new.len()) > MIDDLE + 2 * AROUND
        {
            let (old, new) = middle(old, new);
            self.lines.push(format!("  - {old}"));
            self.lines.extend(mark(old_ends));
            self.lines.push(format!("  + {new}"));
            self.lines.extend(mark(new_ends));
            return;
        }
        for (sign, all, is_ended) in [('-', old, old_ends), ('+', new, new_ends)] {
            signed(&mut self.lines, sign, &all);
            self.lines.extend(mark(is_ended));
        }
    }

    fn whole(&mut self, name: &Path, sign: char, stands: &AtPath) {
        if !self.counts() {
            return;
        }
        let is = if sign == '+' { "is there" } else { "is gone" };
        let (name, bytes) = (name.display(), &stands.bytes);
        if patch::is_binary(bytes) {
            return self.lines.push(format!("{name}: {is}, binary, {} bytes", count(bytes.len() as u64)));
        }
        let what = if stands.what.starts_with("mode") { String::new() } else { format!(", a {}", stands.what) };
        self.lines.push(format!("{name}: {is}{what}"));
        let all: Vec<String> =
            bytes.split_inclusive(|byte| *byte == b'\n').map(|line| text(line, !has_dos_ends(bytes))).collect();
        signed(&mut self.lines, sign, &all);
    }
}

fn standing(candidate: &Candidate, seen: Option<&VersionView>) -> BTreeMap<PathBuf, AtPath> {
    let stands = |(entry, pieces): (&Entry, Vec<&[u8]>)| {
        let (what, bytes) = match &entry.what {
            What::File { mode, .. } => (format!("mode {mode:o}"), pieces.concat()),
            What::Link { target } => (format!("link to {}", target.display()), vec![]),
            What::Folder { mode } => (format!("folder of mode {mode:o}"), vec![]),
            What::Archive { mode, .. } => (format!("archive of mode {mode:o}"), vec![]),
        };
        let name = seen.and_then(|seen| seen.name(entry)).map(Path::to_owned);
        (entry.path.clone(), AtPath { what, bytes, name })
    };
    candidate.pieces().map(stands).collect()
}

/// Returns what differs, in the order of the names under which it is shown.
fn places<'a>(
    old: &'a BTreeMap<PathBuf, AtPath>,
    new: &'a BTreeMap<PathBuf, AtPath>,
    renamed: &'a BTreeMap<PathBuf, PathBuf>,
) -> Vec<PathPair<'a>> {
    let moved: BTreeSet<&PathBuf> = renamed.values().collect();
    let paths: BTreeSet<&PathBuf> = old.keys().filter(|path| !moved.contains(path)).chain(new.keys()).collect();
    let place = |path: &'a PathBuf| {
        let from = renamed.get(path).unwrap_or(path);
        let at = |side: &'a BTreeMap<PathBuf, AtPath>, path: &'a PathBuf| Some((path.as_path(), side.get(path)?));
        let (old, new) = (at(old, from), at(new, path));
        let is_same = match (&old, &new) {
            (Some((from, was)), Some((to, is))) => from == to && was.what == is.what && was.bytes == is.bytes,
            _ => false,
        };
        let name = new.or(old).and_then(|(_, stands)| stands.name.clone()).unwrap_or_else(|| path.clone());
        (!is_same).then_some(PathPair { name, old, new })
    };
    let mut places: Vec<PathPair<'a>> = paths.into_iter().filter_map(place).collect();
    places.sort_by(|one, other| one.name.cmp(&other.name));
    places
}

fn signed(lines: &mut Vec<String>, sign: char, all: &[String]) {
    lines.extend(all.iter().take(MOST_LINES).map(|line| format!("  {sign} {}", shorten(line, MIDDLE + 2 * AROUND))));
    let more = all.len().saturating_sub(MOST_LINES);
    lines.extend((more > 0).then(|| format!("  {sign} … {more} more lines")));
}

/// Returns whether all of its lines end as in DOS, so that nobody needs to see it.
fn has_dos_ends(text: &[u8]) -> bool {
    text.split_inclusive(|byte| *byte == b'\n').all(|line| !line.ends_with(b"\n") || line.ends_with(b"\r\n"))
}

/// Returns a line without its end; with `ends`, what stands before the line break is visible.
fn text(line: &[u8], ends: bool) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    match line.strip_suffix(b"\r") {
        Some(line) => readable(line) + if ends { "\\r" } else { "" },
        None => readable(line),
    }
}

/// Returns a text in which bytes that are no UTF-8 are still told apart.
fn readable(text: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in text.utf8_chunks() {
        shown.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| shown += &format!("\\x{byte:02x}"));
    }
    shown
}

/// Returns in what two binary files differ: their sizes, and the bytes at the first place.
fn binary(old: &[u8], new: &[u8]) -> String {
    let at = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let below = old[at..].iter().rev().zip(new[at..].iter().rev()).take_while(|(a, b)| a == b).count();
    let shown = |side: &[u8]| {
        let differs = &side[at..side.len() - below];
        let hex: Vec<String> = differs.iter().take(MOST_BYTES).map(|byte| format!("{byte:02x}")).collect();
        let more = if differs.len() > MOST_BYTES { " …" } else { "" };
        if hex.is_empty() { "nothing".to_owned() } else { hex.join(" ") + more }
    };
    let sizes = format!("{} → {} bytes", count(old.len() as u64), count(new.len() as u64));
    format!("binary, {sizes}; at byte {}: {} → {}", count(at as u64), shown(old), shown(new))
}

/// Returns what differs in two long lines, with a little of what is around it.
fn middle(old: &str, new: &str) -> (String, String) {
    let same = |(a, b): &(char, char)| a == b;
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let above = old.iter().copied().zip(new.iter().copied()).take_while(same).count();
    let rest = |side: &[char]| side[above..].iter().rev().copied().collect::<Vec<char>>();
    let below = rest(&old).into_iter().zip(rest(&new)).take_while(same).count();
    let shown = |whole: &[char]| {
        let from = above.saturating_sub(AROUND);
        let to = (whole.len() - below + AROUND).min(whole.len());
        let string = |part: &[char]| part.iter().collect::<String>();
        let inner = shorten(&string(&whole[above..whole.len() - below]), MIDDLE);
        let (before, after) = (string(&whole[from..above]), string(&whole[whole.len() - below..to]));
        let (first, last) = (if from > 0 { "…" } else { "" }, if to < whole.len() { "…" } else { "" });
        format!("{first}{before}⟦{inner}⟧{after}{last}")
    };
    (shown(&old), shown(&new))
}
