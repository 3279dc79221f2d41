//! Calls in texts that no grammar reads, and brackets in brackets.

use crate::rewrite::unwrapping;
use crate::text::{moved, name_before, pairs, quoted};
use reduct_input::{Edit, Subject, is_binary};
use std::cmp::Reverse;
use std::ops::Range;

/// How many of its arguments are offered for a call, the largest.
const OFFERS: usize = 4;

/// Returns the edits that put an argument in the place of its call, or a pair of brackets in the place of one like it around it.
pub(super) fn hoists(subject: &Subject) -> Vec<Edit> {
    let regions = subject.of_unknown_languages().into_iter().map(|region| (region.start, subject.text(region)));
    let texts = regions.filter(|(_, text)| !is_binary(text));
    texts.flat_map(|(start, text)| of_text(text, start)).collect()
}

/// A pair of brackets, as far as it was gone through.
struct Open {
    at: Range<usize>,
    /// Where the argument begins that is being gone through.
    next: usize,
    /// Its arguments, and what stands in brackets like it in it.
    arguments: Vec<Range<usize>>,
    alike: Vec<Range<usize>>,
}

impl Open {
    /// Ends an argument.
    fn end_argument(&mut self, text: &[u8], end: usize) {
        let argument = &text[self.next..end];
        let start = self.next + argument.len() - argument.trim_ascii_start().len();
        let trimmed = start..start + argument.trim_ascii().len();
        self.arguments.extend((!trimmed.is_empty()).then_some(trimmed));
        self.next = end + 1;
    }

    /// Returns what may stand for the whole.
    fn edits(self, text: &[u8], start: u32) -> impl Iterator<Item = Edit> + use<> {
        let name = name_before(text, self.at.start).filter(|_| text[self.at.start] == b'(');
        let mut offers = if name.is_some() { self.arguments } else { self.alike };
        offers.sort_by_key(|offer| (Reverse(offer.len()), offer.start));
        let whole = moved(name.unwrap_or(self.at.start)..self.at.end, start);
        offers.into_iter().take(OFFERS).filter_map(move |offer| unwrapping(&whole, &moved(offer, start)))
    }
}

fn of_text(text: &[u8], start: u32) -> Vec<Edit> {
    let (strings, pairs) = (quoted(text), pairs(text));
    let (mut strings, mut pairs) = (strings.into_iter().peekable(), pairs.into_iter().peekable());
    let (mut open, mut edits, mut at): (Vec<Open>, Vec<Edit>, usize) = (vec![], vec![], 0);
    while at < text.len() {
        if let Some(string) = strings.next_if(|string| string.start == at) {
            at = string.end;
            continue;
        }
        if let Some((first, last)) = pairs.next_if(|(first, _)| *first == at) {
            open.push(Open { at: first..last + 1, next: first + 1, arguments: vec![], alike: vec![] });
        } else if text[at] == b',' {
            open.iter_mut().last().into_iter().for_each(|inner| inner.end_argument(text, at));
        } else if let Some(mut inner) = open.pop_if(|inner| inner.at.end == at + 1) {
            inner.end_argument(text, at);
            let outer = open.last_mut().filter(|outer| text[outer.at.start] == text[inner.at.start]);
            outer.into_iter().for_each(|outer| outer.alike.push(inner.at.clone()));
            edits.extend(inner.edits(text, start));
        }
        at += 1;
    }
    edits
}
