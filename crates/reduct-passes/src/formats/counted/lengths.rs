//! Which numbers of a text are lengths of what follows.

use crate::counting::says_so;
use crate::text::{is_word, pairs};
use reduct_input::ByteOrder;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// A stretch, and the digits that say how long it is.
pub(super) struct Stretch {
    pub(super) field: Range<usize>,
    pub(super) order: ByteOrder,
    pub(super) at: Range<usize>,
    pub(super) behind: Behind,
}

impl Stretch {
    /// Returns whether another one with its length is in it.
    fn holds(&self, other: &Stretch) -> bool {
        self.at.start <= other.field.start && other.at.end <= self.at.end
    }

    /// Returns whether one of these, which are disjoint and in ascending order, is partly in it, or it in that.
    fn crosses_one_of(&self, others: &[Stretch]) -> bool {
        let first = others.partition_point(|other| other.at.end <= self.field.start);
        let last = others.partition_point(|other| other.field.start < self.at.end);
        // Those between the first and the last one are in it.
        let ends = others.get(first..last).and_then(|shared| shared.first().zip(shared.last()));
        ends.is_some_and(|(one, other)| [one, other].iter().any(|end| !end.holds(self) && !self.holds(end)))
    }
}

/// Behind what a stretch begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Behind {
    /// Behind a sign of so many bytes that follows the digits.
    Sign(usize),
    /// Behind the line that they end.
    Line,
    /// Behind the next blank line.
    Blank,
}

/// Numbers with more digits are no lengths.
const DIGITS: usize = 9;

/// A longer label does not tell more.
const LONGEST_LABEL: usize = 32;

/// So much has to speak for the numbers behind a label, in bits: how unlikely it is that so many stretches end as well by chance. What a label says
/// counts as so much, and one that ends anywhere speaks so much against them.
const NEEDED: f64 = 12.0;
const SAYS_SO: f64 = 8.0;
const AGAINST: f64 = 4.0;

/// Stretches of so many sorts are enough.
const SORTS: usize = 16;

/// What one of so many bytes says that is nothing but what stands between two brackets, or what they say if they are the whole text: hardly any other length
/// would be so.
const VALUE: f64 = 12.0;
const LONG: usize = 16;

/// So many numbers are enough to tell whether stretches of whole lines end as they do by chance.
const MANY: usize = 8;

/// So many of these in ten are to end well.
const MOST: usize = 8;

/// Returns the stretches whose lengths stand before them, in the order of their numbers. None crosses another one's end.
pub(super) fn find(text: &[u8]) -> Vec<Stretch> {
    let lines = Lines::of(text);
    let mut groups: BTreeMap<Key, Vec<Range<usize>>> = BTreeMap::new();
    for line in &lines.lines {
        numbers(text, line, |key, field| groups.entry(key).or_default().push(field));
    }
    // What stands in a stretch that is known may be anything, and says nothing of other numbers with the same label.
    let mut known: Vec<Range<usize>> = vec![];
    for stretch in lines.judged(&groups, &[]) {
        if known.last().is_none_or(|last| last.end <= stretch.at.start) {
            known.push(stretch.at);
        }
    }
    if known.is_empty() { vec![] } else { lines.judged(&groups, &known) }
}

/// What numbers have in common: behind what their stretches begin, whether they are of base sixteen, and what stands before them.
type Key<'a> = (Behind, bool, &'a [u8]);

/// Calls `found` with the numbers of a line that may be lengths.
fn numbers<'a>(text: &'a [u8], line: &Range<usize>, mut found: impl FnMut(Key<'a>, Range<usize>)) {
    let end = line.start + text[line.clone()].trim_ascii_end().len();
    let words = &text[line.start..end];
    if (1..DIGITS).contains(&words.len()) && words.iter().all(u8::is_ascii_hexdigit) {
        found((Behind::Line, true, b""), line.start..end);
    }
    let mut at = line.start;
    while let Some(start) = (at..end).find(|at| text[*at].is_ascii_digit()) {
        at = (start..end).find(|at| !text[*at].is_ascii_digit()).unwrap_or(end);
        // What has a zero before it is written so for some reason.
        if at - start > DIGITS || text[start] == b'0' && at - start > 1 {
            continue;
        }
        let before = &text[line.start.max(start.saturating_sub(LONGEST_LABEL))..start];
        if before.last().is_some_and(|byte| *byte == b'-' || *byte == b'.') || is_computed(before) {
            continue;
        }
        if text[at..].starts_with(b":\"") {
            found((Behind::Sign(2), false, b""), start..at);
        } else if text[at..].starts_with(b":") {
            found((Behind::Sign(1), false, b""), start..at);
        }
        if at == end && !before.last().is_some_and(|byte| is_word(*byte)) {
            let label = before.iter().rposition(u8::is_ascii_digit).map_or(before, |digit| &before[digit + 1..]);
            found((Behind::Line, false, label), start..at);
            found((Behind::Blank, false, label), start..at);
        }
    }
}

/// Signs of expressions. What says in a text how long something is stands before a number without them.
const COMPUTING: [&[u8]; 15] =
    [b"-", b"+", b"*", b"/", b"%", b"<", b">", b"<=", b">=", b"==", b"!=", b"<<", b">>", b"&&", b"||"];

/// Returns whether a number is one side of an expression, as in `size - 1`, from what stands before it in its line.
fn is_computed(before: &[u8]) -> bool {
    let (is_apart, before) = (before.ends_with(b" "), before.trim_ascii());
    let sign = before.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    is_apart && sign.len() < before.len() && COMPUTING.contains(&sign)
}

/// The lines of a text.
struct Lines<'a> {
    text: &'a [u8],
    lines: Vec<Range<usize>>,
    /// Where lines begin that follow a blank one.
    paragraphs: Vec<usize>,
    /// Where words stand with which the text or a line behind a blank one begins.
    begun: HashSet<usize>,
    /// How many of these signs there are.
    commas: usize,
    quotes: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a [u8]) -> Lines<'a> {
        let (mut lines, mut paragraphs, mut at) = (vec![], vec![], 0);
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            lines.push(at..at + line.len());
            at += line.len();
            paragraphs.extend(line.trim_ascii().is_empty().then_some(at));
        }
        let count = |sign: u8| text.iter().filter(|byte| **byte == sign).count();
        let (commas, quotes) = (count(b','), count(b'"'));
        let mut found = Lines { text, lines, paragraphs, begun: HashSet::new(), commas, quotes };
        let starts = std::iter::once(0).chain(found.paragraphs.iter().copied());
        let firsts: HashSet<&[u8]> = starts.map(|start| found.word(start)).filter(|word| word.len() > 1).collect();
        let is_start = |at: &usize| {
            let is_inside = *at > 0 && text[at - 1].is_ascii_alphabetic();
            !is_inside && firsts.contains(found.word(*at))
        };
        let begun = (0..text.len()).filter(|at| text[*at].is_ascii_alphabetic()).filter(is_start).collect();
        found.begun = begun;
        found
    }

    fn word(&self, at: usize) -> &'a [u8] {
        let rest = &self.text[at..];
        &rest[..rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()]
    }

    /// Returns the stretches of numbers that are lengths, in the order of these; those of the likeliest sorts, where some cross each other.
    fn judged(&self, groups: &BTreeMap<Key, Vec<Range<usize>>>, known: &[Range<usize>]) -> Vec<Stretch> {
        let judged = groups.iter().filter_map(|(key, fields)| self.stretches(*key, fields, known));
        let mut judged: Vec<(f64, Vec<Stretch>)> = judged.collect();
        judged.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let mut found: Vec<Vec<Stretch>> = vec![];
        for (_, mut stretches) in judged.into_iter().take(SORTS) {
            stretches.retain(|stretch| !found.iter().any(|others| stretch.crosses_one_of(others)));
            found.push(stretches);
        }
        let mut found: Vec<Stretch> = found.into_iter().flatten().collect();
        found.sort_by_key(|stretch| stretch.field.start);
        found
    }

    /// Returns where the stretch begins that a number counts.
    fn start(&self, behind: Behind, field: &Range<usize>) -> Option<usize> {
        let next_line = || {
            let next = self.lines.partition_point(|line| line.start < field.end);
            self.lines.get(next).map_or(self.text.len(), |line| line.start)
        };
        match behind {
            Behind::Sign(bytes) => Some(field.end + bytes),
            Behind::Line => Some(next_line()),
            Behind::Blank => {
                let next = next_line();
                self.paragraphs.get(self.paragraphs.partition_point(|start| *start <= next)).copied()
            }
        }
    }

    /// Returns the stretches that numbers of a sort count, and how much speaks for them, if that is enough.
    fn stretches(
        &self,
        (behind, is_hex, label): Key,
        fields: &[Range<usize>],
        known: &[Range<usize>],
    ) -> Option<(f64, Vec<Stretch>)> {
        let order = if is_hex { ByteOrder::Hex } else { ByteOrder::Decimal };
        let ends = self.ends(behind, fields);
        let is_known = |field: &Range<usize>| {
            let next = known.partition_point(|at| at.end <= field.start);
            known.get(next).is_some_and(|at| at.start <= field.start)
        };
        let (mut found, mut lengths, mut values, mut against, mut free) = (vec![], HashSet::new(), 0, 0, 0);
        for field in fields {
            let start = self.start(behind, field).filter(|_| field.start >= free);
            let length = order.read(&self.text[field.clone()]).and_then(|length| usize::try_from(length).ok());
            let Some((start, length)) = start.zip(length).filter(|(_, length)| *length > 0) else { continue };
            let end = start.saturating_add(length);
            let is_value = is_between_brackets(self.text, start..end);
            if !is_value && !ends.is_end(end) {
                against += i32::from(!is_known(field));
                continue;
            }
            values += usize::from(is_value && length >= LONG);
            free = end;
            lengths.insert(length);
            found.push(Stretch { field: field.clone(), order, at: start..end, behind });
        }
        // Those of one length may all end well for one reason.
        let bits = ends.bits() * lengths.len() as f64 + (found.len() - lengths.len()) as f64;
        let said = if says_so(label) { SAYS_SO } else { 0.0 };
        values += usize::from(matches!(behind, Behind::Sign(_)) && against == 0 && self.are_all(&found));
        let sum = bits + said + VALUE * values.min(1) as f64 - AGAINST * f64::from(against);
        let are_most = found.len() * 10 >= (found.len() + against as usize) * MOST;
        (sum >= NEEDED && are_most && !found.is_empty()).then_some((sum, found))
    }

    /// Returns whether these begin with the text, and the last one ends with it.
    fn are_all(&self, found: &[Stretch]) -> bool {
        let is_last = |last: &Stretch| self.text[last.at.end..].trim_ascii().len() <= 1;
        found.first().is_some_and(|first| first.field.start == 0) && found.last().is_some_and(is_last)
    }

    fn ends<'b>(&'b self, behind: Behind, fields: &[Range<usize>]) -> Ends<'b> {
        let start = |field: &Range<usize>| match behind {
            Behind::Sign(_) => field.start,
            Behind::Line | Behind::Blank => {
                let line = self.lines.partition_point(|line| line.end <= field.start);
                self.lines.get(line).map_or(field.start, |line| line.start)
            }
        };
        let is_of_lines = behind == Behind::Line && fields.len() >= MANY;
        Ends { lines: self, behind, starts: fields.iter().map(start).collect(), is_of_lines }
    }
}

/// Longer stretches are not read for brackets.
const READ: usize = 1 << 16;

/// Returns whether a stretch is what stands between a bracket and the one that closes it.
fn is_between_brackets(text: &[u8], at: Range<usize>) -> bool {
    let Some([first, .., last]) = text.get(at.clone()).filter(|stretch| stretch.len() <= READ) else { return false };
    let is_pair = matches!((first, last), (b'{', b'}') | (b'[', b']') | (b'(', b')'));
    is_pair && text.get(at.clone()).is_some_and(|stretch| pairs(stretch).first() == Some(&(0, stretch.len() - 1)))
}

/// Where stretches of a sort may end.
struct Ends<'a> {
    lines: &'a Lines<'a>,
    behind: Behind,
    /// Where what begins with a number begins.
    starts: HashSet<usize>,
    /// Whether they may be the ends of whole lines, which by chance are more often met.
    is_of_lines: bool,
}

impl Ends<'_> {
    fn is_end(&self, at: usize) -> bool {
        let text = self.lines.text;
        if at >= text.len() {
            return at == text.len();
        }
        let is_sign = match self.behind {
            Behind::Sign(1) => text[at] == b',',
            Behind::Sign(_) => text[at] == b'"',
            Behind::Line => {
                let is_behind_line = self.is_of_lines && at > 0 && text[at - 1] == b'\n';
                is_behind_line || text[at..].starts_with(b"\n") || text[at..].starts_with(b"\r\n")
            }
            Behind::Blank => {
                text[at..].starts_with(b"\n") || text[at..].starts_with(b"\r\n") || self.lines.begun.contains(&at)
            }
        };
        is_sign || self.starts.contains(&at)
    }

    /// Returns how unlikely it is that a place taken by chance is one of them, in bits.
    fn bits(&self) -> f64 {
        let lines = self.lines;
        let signs = match self.behind {
            Behind::Sign(1) => lines.commas,
            Behind::Sign(_) => lines.quotes,
            Behind::Line if self.is_of_lines => 2 * lines.lines.len(),
            Behind::Line => lines.lines.len(),
            Behind::Blank => lines.lines.len() + lines.begun.len(),
        };
        (lines.text.len() as f64 / (signs + self.starts.len() + 1) as f64).log2().max(0.0)
    }
}
