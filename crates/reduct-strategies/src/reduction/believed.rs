//! What was tried in vain, and is believed to be needed until the final proof, as long as what stands around it stays
//! as it is.
//!
//! Each byte that goes makes another input, of which nothing is known for certain. But what could not go before hardly
//! ever can because something far away has gone; and where it can, the proof finds it, which tries everything.

use super::renamed::{Renamed, renaming};
use super::tallied::{Tallied, Tally};
use reduct_core::{Config, Delta, Key, Keyed};
use reduct_input::names::is_word;
use reduct_input::{Artifact, Candidate, Circumstances, Edit, Parts, Splice, is_binary};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// How many tokens on either side have to be the same, but for the blanks between them and the names of what was renamed.
const AROUND: usize = 4;

/// The same in a short text, a quarter of which stands within so many tokens: what goes there would change the surroundings of most of it. In a
/// long one, more than one part has the same token on either side.
const AROUND_IN_SHORT: usize = 1;

/// So many bytes are a short text.
const SHORT_TEXT: usize = 512;

/// How many characters that are, if the part is itself less than a word.
const AROUND_IN_WORD: usize = 2 * AROUND;

/// In which so many bytes at most are looked at.
const FAR: usize = 128;

/// Of longer texts only so much of either end is looked at.
const ENDS: usize = 256;

/// Longer texts are not compared as a whole.
const SHORT: usize = 4 << 10;

/// More parts of one list are not taken note of.
const MOST: usize = 1 << 16;

/// What was tried in vain, by what it is and what stands around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Believed {
    prints: Arc<HashSet<Key>>,
    /// What was asked in vain as a whole, if it is short.
    wholes: Arc<HashSet<Key>>,
    names: Arc<Renamed>,
}

impl Believed {
    /// Returns the parts of a list that are believed to be needed. `rewriting` is the pass if its parts are edits of its
    /// own: what one cannot do, another one may. `grown` tells whether an edit has made the text larger to have something nearby go: then all counts that
    /// stands around a part.
    pub(super) fn of(&self, parts: &Parts, rewriting: Option<usize>, grown: bool) -> Config {
        if self.prints.is_empty() {
            return Config::empty();
        }
        let at = |address: u32| address as usize;
        let text = Tallied::new(parts.base().bytes());
        let is_short = !grown && text.bytes().len() <= SHORT_TEXT && !is_binary(text.bytes());
        let tokens = if is_short { AROUND_IN_SHORT } else { AROUND };
        let is_known = |part: &Delta| {
            self.prints.contains(&print(&text, &parts.changes(*part), at, tokens, rewriting, &self.names))
        };
        Config::from_deltas((0..parts.len() as u32).map(Delta).filter(is_known))
    }

    /// Takes note that these parts cannot go from what is left now.
    pub(super) fn add(&mut self, needed: &Config, parts: &Parts, left: &Left, rewriting: Option<usize>) {
        if needed.is_empty() || needed.len() > MOST {
            return;
        }
        let at = |address: u32| left.place(address);
        let text = Tallied::new(&left.text);
        // The text may be short when it is looked for.
        for tokens in [AROUND, AROUND_IN_SHORT] {
            let print = |part| print(&text, &parts.changes(part), at, tokens, rewriting, &self.names);
            Arc::make_mut(&mut self.prints).extend(needed.iter().map(print));
        }
    }

    /// Takes note of a candidate that does not fail.
    pub(super) fn add_whole(&mut self, candidate: &Candidate) {
        if candidate.len() <= SHORT {
            let key = self.whole(candidate);
            Arc::make_mut(&mut self.wholes).insert(key);
        }
    }

    /// Returns whether a candidate was asked in vain, but for its layout and for names that were shortened since; not if all that
    /// it has changed of `best` is the layout.
    pub(super) fn has_whole(&self, candidate: &Candidate, best: &Candidate) -> bool {
        if self.wholes.is_empty() || candidate.len() > SHORT {
            return false;
        }
        let key = self.whole(candidate);
        self.wholes.contains(&key) && key != self.whole(best)
    }

    /// Returns the digest of a candidate without its layout, with each name as it was first.
    fn whole(&self, candidate: &Candidate) -> Key {
        let mut keyed = Keyed::default();
        candidate.pieces().for_each(|(_, pieces)| self.names.add(&mut keyed, &without_layout(&pieces.concat())));
        keyed.finish()
    }

    /// Takes note of the edits that were made: what they have renamed is the same as it was.
    pub(super) fn add_names<'a>(&mut self, made: impl Iterator<Item = &'a Edit>, base: &Artifact) {
        let renamings: Vec<_> = made.filter_map(|edit| renaming(edit, base)).collect();
        if !renamings.is_empty() {
            Arc::make_mut(&mut self.names).extend(renamings, base.bytes());
        }
    }
}

/// What is left of a base.
pub(super) struct Left {
    candidate: Candidate,
    put_in: Vec<(u32, usize)>,
    text: Vec<u8>,
}

impl Left {
    pub(super) fn new(candidate: &Candidate) -> Left {
        let text = candidate.pieces().flat_map(|(_, pieces)| pieces.concat()).collect();
        Left { candidate: candidate.clone(), put_in: candidate.put_in(), text }
    }

    /// Returns where it has what the base has at an address.
    fn place(&self, address: u32) -> usize {
        let before = self.put_in.partition_point(|(at, _)| *at < address).checked_sub(1);
        self.candidate.kept().count_within(0..address) + before.map_or(0, |at| self.put_in[at].1)
    }
}

/// Returns the digest of changes of a text and of what stands around them.
fn print(
    tallied: &Tallied<'_>,
    changes: &[Splice],
    at: impl Fn(u32) -> usize,
    tokens: usize,
    rewriting: Option<usize>,
    names: &Renamed,
) -> Key {
    let text = tallied.bytes();
    let mut keyed = Keyed::default();
    keyed.add(rewriting.map_or(0, |pass| pass as u64 + 1));
    keyed.add(tokens as u64);
    for Splice { at: range, with } in changes {
        let (start, end) = (at(range.start).min(text.len()), at(range.end).min(text.len()));
        let around =
            if cuts_word(text, start) || cuts_word(text, end) { Unit::Character } else { Unit::Tokens(tokens) };
        names.add(&mut keyed, &filled(&text[begin_of_last(around, &text[..start])..start]));
        add_gone(&mut keyed, tallied, start..end.max(start), names);
        names.add(&mut keyed, with);
        names.add(&mut keyed, &filled(&text[end..end + end_of_first(around, &text[end..])]));
    }
    keyed.finish()
}

/// Adds what goes to a key, without its blanks; of a long text its ends and how much it holds, so that it takes no more time than a short one.
fn add_gone(keyed: &mut Keyed, tallied: &Tallied<'_>, range: Range<usize>, names: &Renamed) {
    let gone = &tallied.bytes()[range.clone()];
    let tally = if gone.len() > 2 * ENDS { tallied.tally(range) } else { Tally::default() };
    let is_blank = tally.filled == 0;
    let count = if is_blank { gone.len() } else { tally.filled };
    if count <= 2 * ENDS {
        return names.add(keyed, &without_blanks(gone));
    }
    let counts = |byte: &&u8| is_blank || !byte.is_ascii_whitespace();
    let begin: Vec<u8> = gone.iter().filter(counts).take(ENDS).copied().collect();
    let mut end: Vec<u8> = gone.iter().rev().filter(counts).take(ENDS).copied().collect();
    end.reverse();
    names.add(keyed, &begin);
    names.add(keyed, &end);
    // The length of a long text does not say that it is the same once names are shorter.
    keyed.add(if is_blank { count } else { tally.marks } as u64);
}

/// Returns a text without its blanks, or as it is if it has nothing else: a pass that takes them away has another subject.
fn without_blanks(text: &[u8]) -> Cow<'_, [u8]> {
    let filled = filled(text);
    if filled.is_empty() { Cow::Borrowed(text) } else { filled }
}

/// Returns a text without its blanks.
fn filled(text: &[u8]) -> Cow<'_, [u8]> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    match text.iter().any(is_blank) {
        true => Cow::Owned(text.iter().copied().filter(|byte| !is_blank(byte)).collect()),
        false => Cow::Borrowed(text),
    }
}

/// Returns a text with one blank between words that stand side by side, and no others.
fn without_layout(text: &[u8]) -> Vec<u8> {
    let mut dense: Vec<u8> = Vec::with_capacity(text.len());
    let mut after_blank = false;
    for byte in text {
        if byte.is_ascii_whitespace() {
            after_blank = true;
            continue;
        }
        if std::mem::take(&mut after_blank) && is_word(*byte) && dense.last().is_some_and(|last| is_word(*last)) {
            dense.push(b' ');
        }
        dense.push(*byte);
    }
    dense
}

/// By what the surroundings of a part are counted; blanks are not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// So many words, and other characters each.
    Tokens(usize),
    Character,
}

impl Unit {
    fn around(self) -> usize {
        match self {
            Unit::Tokens(count) => count,
            Unit::Character => AROUND_IN_WORD,
        }
    }
}

/// Returns whether the same word stands on both sides.
fn cuts_word(text: &[u8], at: usize) -> bool {
    at > 0 && at < text.len() && is_word(text[at - 1]) && is_word(text[at])
}

/// Returns where the surroundings before a part begin, within `FAR` bytes at most.
fn begin_of_last(unit: Unit, text: &[u8]) -> usize {
    let mut tokens = 0;
    let mut inside = false;
    for at in (text.len().saturating_sub(FAR)..text.len()).rev() {
        let byte = text[at];
        let goes_on = unit != Unit::Character && inside && is_word(byte);
        inside = is_word(byte);
        tokens += usize::from(!goes_on && !byte.is_ascii_whitespace());
        if tokens > unit.around() {
            return at + 1;
        }
    }
    text.len().saturating_sub(FAR)
}

/// Returns where the surroundings behind a part end.
fn end_of_first(unit: Unit, text: &[u8]) -> usize {
    let mut tokens = 0;
    let mut inside = false;
    for (at, byte) in text.iter().take(FAR).enumerate() {
        let goes_on = unit != Unit::Character && inside && is_word(*byte);
        inside = is_word(*byte);
        tokens += usize::from(!goes_on && !byte.is_ascii_whitespace());
        if tokens > unit.around() {
            return at;
        }
    }
    text.len().min(FAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_input::Spans;
    use reduct_input::parts::Edits;

    /// Returns the digest of leaving out a part of a text.
    fn print_of(text: &str, part: &str) -> Key {
        let start = text.find(part).expect("a part of the text") as u32;
        let change = Splice { at: start..start + part.len() as u32, with: Arc::from([]) };
        print(&Tallied::new(text.as_bytes()), &[change], |address| address as usize, AROUND, None, &Renamed::default())
    }

    #[test]
    fn blanks_that_went_do_not_make_another_part() {
        let (spread, dense) = ("a = b +\n    c (\n) ;\n", "a=b+c();");
        assert_eq!(print_of(spread, "c"), print_of(dense, "c"));
        assert_eq!(print_of(spread, "c (\n)"), print_of(dense, "c()"));
        assert_ne!(print_of(spread, "b"), print_of(dense, "c"));
    }

    /// Of a long part the ends count and how many marks there are, with blanks or without.
    #[test]
    fn a_long_part_is_known_by_its_ends_and_marks() {
        let long = |mark: &str, blank: &str| format!("x = {{{}}};", [mark, "word", blank].concat().repeat(200));
        let part = |text: &str| text[4..text.len() - 1].to_owned();
        let print = |text: String| print_of(&text, &part(&text));
        assert_eq!(print(long("+", "")), print(long("+", " \n")));
        assert_ne!(print(long("+", "")), print(long("-", "")));
        let middle =
            |with: &str| long("+", "").replacen(&"+word".repeat(60), &format!("{}{with}", "+word".repeat(59)), 1);
        assert_ne!(print(middle("+word")), print(middle("+(word")));
    }

    #[test]
    fn a_candidate_is_known_whatever_its_layout_and_shorter_names() {
        let candidate =
            |text: &str| Candidate::whole(Arc::new(Artifact::of_file("it", text.as_bytes()).expect("small")));
        let mut believed = Believed::default();
        believed.add_whole(&candidate("int f() {\n    return counter;\n}\n"));
        let best = candidate("int f() { return counter + 1; }");
        assert!(believed.has_whole(&candidate("int f(){return counter;}"), &best));
        assert!(!believed.has_whole(&candidate("intf(){return counter;}"), &best));
        assert!(!believed.has_whole(&candidate("int f(){return a;}"), &best));
        // What differs in layout alone was not asked.
        assert!(!believed.has_whole(&candidate("int f(){return counter;}"), &candidate("int f() { return counter; }")));
        let base = Artifact::of_file("it", b"counter").expect("small");
        let shorter = Edit::replace(0..7, b"a").expect("an edit");
        believed.add_names([shorter].iter(), &base);
        assert!(believed.has_whole(&candidate("int f(){return a;}"), &best));
    }

    #[test]
    fn a_part_of_nothing_but_blanks_is_what_it_is() {
        assert_ne!(print_of("a \n b", " \n "), print_of("a  b", "  "));
    }

    /// Words that come together leave each of their characters where it was.
    #[test]
    fn of_less_than_a_word_the_characters_around_it_count() {
        assert_eq!(print_of("the quick fox", "q"), print_of("thequickfox", "q"), "its first one is less than a word");
        assert_eq!(print_of("the quick fox", "i"), print_of("thequickfox", "i"));
        assert_ne!(print_of("thequickfox", "i"), print_of("thequick", "i"), "three of eight are missing");
        assert_eq!(print_of("other, the quick foxes jump", "i"), print_of("another, the quick foxes jumped", "i"));
    }

    /// In a short text one token on either side counts, in a long one four.
    #[test]
    fn in_a_short_text_only_the_nearest_counts() {
        let base = |text: &str| Arc::new(Artifact::of_file("it", text.as_bytes()).expect("small"));
        let known = |before: &str, after: &str| {
            let parts = |text: &str| {
                let at = text.find("needed").expect("a part of the text") as u32;
                let spans = Spans::from(Edits(Arc::new([Edit::replace(at..at + 6, b"0").expect("an edit")])));
                Parts::new(base(text), spans)
            };
            let mut believed = Believed::default();
            let (tried, asked) = (parts(before), parts(after));
            let left = Left::new(&Candidate::whole(base(before)));
            believed.add(&Config::full(1), &tried, &left, None);
            believed.of(&asked, None, false).len() == 1
        };
        let (one, other) = ("f(1); x = needed; y(2);", "g(1) x = needed; z(2);");
        assert!(known(one, other));
        assert!(!known(one, "f(1); x + needed; y(2);"));
        let long = |text: &str| format!("{}{text}", "a = b;\n".repeat(SHORT_TEXT));
        assert!(!known(&long(one), &long(other)));
        assert!(known(&long(one), other), "it has become short");
    }

    #[test]
    fn only_what_stands_near_counts() {
        let (one, other) = ("f(1); x; g + h - i * j; k", "f(2, 3); x; g + h - i * j / k");
        assert_eq!(print_of(one, "h"), print_of(other, "h"));
        assert_ne!(print_of(one, "x"), print_of("f(1) + x; g + h - i * j; k", "x"));
    }
}
