//! What differs between two candidates of one search, bounded, with what stands around it.

use super::columns::holds_words;
use reduct_core::Config;
use reduct_input::align::{hunks_of_lines, lines};
use reduct_input::situation::SituationRole;
use reduct_input::{Artifact, Candidate};
use reduct_report::story::DiffPiece;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// So many bytes of a difference are shown at most.
pub const DIFF_CAP: usize = 6000;
/// So many bytes around what differs are shown, and so many at either end of what went.
const AROUND: usize = 120;
const END: usize = 1200;
/// So many entries that went are named.
const MOST_ENTRIES: usize = 60;
/// Larger texts without a common base are not compared.
const LARGEST: usize = 1 << 18;

/// Returns what goes from `before` to `after`, in at most so many bytes.
///
/// ```
/// use reduct_input::{Artifact, Candidate};
/// use reduct_lib::{DIFF_CAP, diff};
///
/// let whole = |text: &[u8]| Candidate::whole(Artifact::of_file("list", text).unwrap().into());
/// assert!(diff(&whole(b"a\nb\n"), &whole(b"a\nb\n"), DIFF_CAP).is_empty());
/// assert!(!diff(&whole(b"a\nb\n"), &whole(b"b\n"), DIFF_CAP).is_empty());
/// ```
pub fn diff(before: &Candidate, after: &Candidate, cap: usize) -> Vec<DiffPiece> {
    let rebased;
    let mut before = before;
    if !Arc::ptr_eq(before.base(), after.base()) {
        // A later phase has the best as its base.
        rebased = Candidate::whole(after.base().clone());
        if before.len() != rebased.len() || before.artifact() != rebased.artifact() {
            return of_texts(before, after, cap);
        }
        before = &rebased;
    }
    let mut shown = entries(before, after);
    match holds_words(before.base()) {
        true => shown.extend(words(before, after)),
        false => shown.extend(Bounded::new(cap).all(before.base(), &pieces(before, after))),
    }
    shown
}

/// Whether a piece stands on both sides, or on which.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Same,
    Gone,
    Put,
}

/// A piece of a difference: where it stands, and what it is.
type Piece<'a> = (u32, Sort, &'a [u8]);

/// Returns all pieces of two candidates of one base, in their order.
fn pieces<'a>(before: &'a Candidate, after: &'a Candidate) -> Vec<Piece<'a>> {
    let base = after.base();
    let (had, has) = (before.kept(), after.kept());
    let gone = had.minus(has);
    let at = |config: &Config, sort: Sort| -> Vec<(u32, u8, Sort, &'a [u8])> {
        config.ranges().map(|range| (range.start, 1, sort, base.slice(range))).collect()
    };
    let mut all = at(&had.minus(&gone), Sort::Same);
    all.extend(at(&gone, Sort::Gone));
    all.extend(at(&has.minus(had), Sort::Put));
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (before.put().collect(), after.put().collect());
    for (place, text) in old.union(&new) {
        let sort = match (old.contains(&(*place, *text)), new.contains(&(*place, *text))) {
            (true, true) => Sort::Same,
            (true, false) => Sort::Gone,
            _ => Sort::Put,
        };
        all.push((*place, 0, sort, text));
    }
    all.sort_by_key(|(place, order, ..)| (*place, *order));
    all.into_iter().map(|(place, _, sort, text)| (place, sort, text)).collect()
}

/// Returns the entries that went, if any did.
fn entries(before: &Candidate, after: &Candidate) -> Vec<DiffPiece> {
    if before.entry_count() == after.entry_count() {
        return vec![];
    }
    let paths = |side: &Candidate| side.pieces().map(|(entry, _)| entry.path.clone()).collect::<BTreeSet<PathBuf>>();
    let (old, new) = (paths(before), paths(after));
    let is_file = |path: &&PathBuf| SituationRole::of(path) == SituationRole::File;
    old.difference(&new).filter(is_file).take(MOST_ENTRIES).cloned().map(DiffPiece::EntryGone).collect()
}

/// Returns the arguments and variables that went: of variables, whose values may be secrets, the names.
fn words(before: &Candidate, after: &Candidate) -> Vec<DiffPiece> {
    let words = |side: &Candidate| -> Vec<(PathBuf, Vec<u8>)> {
        side.pieces().map(|(entry, pieces)| (entry.path.clone(), pieces.concat())).collect()
    };
    let left: BTreeSet<PathBuf> = words(after).into_iter().map(|(path, _)| path).collect();
    let mut shown = vec![];
    for (path, text) in words(before) {
        let text = match SituationRole::of(&path) {
            SituationRole::Argument(_) => [&text[..], b" "].concat(),
            SituationRole::Variable(name) => [name.as_encoded_bytes(), b"=... "].concat(),
            SituationRole::File => continue,
        };
        shown.push(if left.contains(&path) { DiffPiece::Same(text) } else { DiffPiece::Gone(text) });
    }
    shown
}

/// Compares two candidates that have no base in common, line by line.
fn of_texts(before: &Candidate, after: &Candidate, cap: usize) -> Vec<DiffPiece> {
    let (old, new) = (before.artifact(), after.artifact());
    if old.bytes().len().max(new.bytes().len()) > LARGEST || holds_words(&old) || holds_words(&new) {
        return vec![DiffPiece::Cut(old.bytes().len().saturating_sub(new.bytes().len()), true)];
    }
    let (from, to) = (lines(old.bytes()), lines(new.bytes()));
    let (mut all, mut at) = (vec![], 0);
    let flat = |lines: &[&[u8]]| lines.concat();
    let texts: Vec<(Sort, Vec<u8>)> = {
        for (was, is) in hunks_of_lines(&from, &to) {
            all.push((Sort::Same, flat(&from[at..was.start])));
            at = was.end;
            all.push((Sort::Gone, flat(&from[was])));
            all.push((Sort::Put, flat(&to[is])));
        }
        all.push((Sort::Same, flat(&from[at..])));
        all
    };
    let pieces: Vec<Piece<'_>> = texts.iter().map(|(sort, text)| (0, *sort, &text[..])).collect();
    Bounded::new(cap).all(&Artifact::of_variants(vec![], vec![]), &pieces)
}

/// Returns whether two pieces stand in one file.
fn in_one_file(files: &[(PathBuf, Range<u32>)], one: &Piece<'_>, other: &Piece<'_>) -> bool {
    files.iter().any(|(_, place)| place.contains(&one.0) && place.contains(&other.0))
}

/// A difference of bounded length.
struct Bounded {
    left: usize,
    shown: Vec<DiffPiece>,
    file: Option<PathBuf>,
}

impl Bounded {
    fn new(cap: usize) -> Bounded {
        Bounded { left: cap, shown: vec![], file: None }
    }

    fn all(mut self, base: &Artifact, pieces: &[Piece<'_>]) -> Vec<DiffPiece> {
        let files: Vec<(PathBuf, Range<u32>)> = match base.files().count() {
            0 | 1 => vec![],
            _ => base.files().map(|(path, at, _)| (path.to_owned(), at)).collect(),
        };
        let changes = pieces.iter().filter(|(_, sort, text)| *sort != Sort::Same && !text.is_empty());
        let (first, last) = (changes.clone().next(), changes.clone().next_back());
        let (Some(first), Some(last)) = (first, last) else { return self.shown };
        let is_there = |one: &Piece<'_>, other: &Piece<'_>| std::ptr::eq(one, other);
        let from = pieces.iter().position(|piece| is_there(piece, first)).unwrap_or(0);
        let to = pieces.iter().position(|piece| is_there(piece, last)).unwrap_or(pieces.len() - 1);
        for (position, piece) in pieces.iter().enumerate().take(to + 2).skip(from.saturating_sub(1)) {
            if self.left == 0 {
                let rest = pieces[position..].iter().filter(|(_, sort, _)| *sort == Sort::Gone);
                self.shown.push(DiffPiece::Cut(rest.map(|(.., text)| text.len()).sum(), true));
                break;
            }
            // What stands before a change is of its file already.
            let next =
                pieces.get(position + 1).filter(|next| piece.1 == Sort::Same && in_one_file(&files, piece, next));
            self.enter(&files, next.unwrap_or(piece));
            self.add(piece.1, piece.2, (position < from, position > to));
        }
        self.shown
    }

    /// Names the file of a change.
    fn enter(&mut self, files: &[(PathBuf, Range<u32>)], (at, sort, _): &Piece<'_>) {
        let there = files.iter().find(|(_, place)| place.contains(at));
        if let Some((path, _)) = there
            && *sort != Sort::Same
            && self.file.as_ref() != Some(path)
        {
            self.file = Some(path.clone());
            self.shown.push(DiffPiece::File(path.clone()));
        }
    }

    /// Adds a piece; what stands before all changes or after them is only there for its end or its beginning.
    fn add(&mut self, sort: Sort, text: &[u8], (is_before, is_after): (bool, bool)) {
        let (end, made): (usize, fn(Vec<u8>) -> DiffPiece) = match sort {
            Sort::Same => (AROUND, DiffPiece::Same),
            Sort::Gone => (END, DiffPiece::Gone),
            Sort::Put => (END, DiffPiece::Put),
        };
        let end = end.min(self.left);
        let head = if is_before { 0 } else { end };
        let tail = if is_after { 0 } else { end };
        if text.len() <= head + tail {
            self.push(made, text);
            return;
        }
        self.push(made, &text[..head]);
        self.shown.push(DiffPiece::Cut(text.len() - head - tail, sort == Sort::Gone));
        self.push(made, &text[text.len() - tail..]);
    }

    fn push(&mut self, made: fn(Vec<u8>) -> DiffPiece, text: &[u8]) {
        self.left = self.left.saturating_sub(text.len());
        if !text.is_empty() {
            self.shown.push(made(text.to_vec()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DiffPiece::{Cut, EntryGone, File, Gone, Put, Same};
    use reduct_input::{ArtifactBuilder, Splice};

    fn base(text: &[u8]) -> Arc<Artifact> {
        Arc::new(Artifact::of_file("f", text).unwrap())
    }

    fn keeping(base: &Arc<Artifact>, ranges: &[Range<u32>]) -> Candidate {
        Candidate::new(base.clone(), Config::full(1), Config::from_ranges(ranges.iter().cloned()), 0)
    }

    fn some(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    #[test]
    fn what_went_stands_between_what_is_left() {
        let base = base(b"keep-gone-keep");
        let (before, after) = (Candidate::whole(base.clone()), keeping(&base, &[0..5, 10..14]));
        let expected = [Same(some(b"keep-")), Gone(some(b"gone-")), Same(some(b"keep"))];
        assert_eq!(diff(&before, &after, DIFF_CAP), expected);
        // The next phase has another base, of the same text.
        let next = Arc::new(after.artifact());
        assert_eq!(diff(&after, &keeping(&next, &[0..4, 4..8]), DIFF_CAP), [Same(some(b"keep-kee")), Gone(some(b"p"))]);
        assert_eq!(diff(&after, &after, DIFF_CAP), []);
    }

    #[test]
    fn edits_show_what_came() {
        let base = base(b"abcdef");
        let after = Candidate::spliced(base.clone(), vec![Splice { at: 2..4, with: (*b"X").into() }], 0);
        let expected = [Same(some(b"ab")), Put(some(b"X")), Gone(some(b"cd")), Same(some(b"ef"))];
        assert_eq!(diff(&Candidate::whole(base), &after, DIFF_CAP), expected);
    }

    #[test]
    fn long_differences_are_cut_and_say_so() {
        let base = base(&[b'x'; 100_000]);
        let shown = diff(&Candidate::whole(base.clone()), &keeping(&base, &[0..10_000, 90_000..100_000]), DIFF_CAP);
        let length = |piece: &DiffPiece| match piece {
            Same(text) | Gone(text) | Put(text) => text.len(),
            _ => 0,
        };
        assert!(shown.iter().map(length).sum::<usize>() <= DIFF_CAP);
        let cut: usize = shown.iter().map(|piece| if let Cut(bytes, true) = piece { *bytes } else { 0 }).sum();
        let gone: usize = shown.iter().map(|piece| if let Gone(text) = piece { text.len() } else { 0 }).sum();
        assert_eq!(cut + gone, 80_000);
    }

    #[test]
    fn files_are_named() {
        let mut builder = ArtifactBuilder::default();
        builder.file("a", 0o644, b"one").unwrap().file("b", 0o644, b"two").unwrap().file("c", 0o644, b"").unwrap();
        let base = Arc::new(builder.finish());
        let after = Candidate::new(base.clone(), Config::full(2), Config::from_ranges([0..3, 4..6]), 0);
        let shown = diff(&Candidate::whole(base), &after, DIFF_CAP);
        let expected =
            [EntryGone("c".into()), Same(some(b"one")), File("b".into()), Gone(some(b"t")), Same(some(b"wo"))];
        assert_eq!(shown, expected);
    }
}
