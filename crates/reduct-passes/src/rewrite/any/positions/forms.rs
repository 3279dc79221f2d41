//! Lists in parentheses whose first word says what they are, as in the text of WebAssembly.

use super::data::value;
use super::found::{Found, Listed, Number, Other};
use crate::text::{Strings, item, moved};
use reduct_input::{Item, Subject, is_binary};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// Fewer forms of one word are no list.
const FEWEST: usize = 2;

/// The word of what is defined elsewhere: what it defines is of the last form in it.
const IMPORT: &[u8] = b"import";

/// A pair of parentheses and what is in it.
struct Form {
    at: Range<usize>,
    parent: Option<usize>,
    /// Its first word; empty if it has none.
    head: Range<usize>,
    /// How many words, numbers and forms are in it.
    parts: usize,
    /// Whether a number comes behind its first word.
    has_number: bool,
}

/// A number in a form.
struct Place {
    at: Range<usize>,
    form: usize,
    /// The word before it in the same form.
    word: Range<usize>,
}

/// Returns what a text of forms has; `None` if it is another one.
pub(super) fn found<'a>(subject: &'a Subject, region: Range<u32>) -> Option<Found<'a>> {
    let text = subject.text(region.clone());
    let first = text.trim_ascii_start().first();
    if !matches!(first, Some(b'(' | b';')) || is_binary(text) {
        return None;
    }
    let (forms, numbers) = read(text)?;
    let texts = Forms { text, start: region.start, forms };
    let mut found = Found::default();
    found.lists = texts.lists();
    let in_all = texts.in_all(&found);
    let mut statements = HashMap::new();
    numbers.iter().for_each(|place| texts.add(place, &in_all, &mut statements, &mut found));
    (!found.lists.is_empty()).then_some(found)
}

/// Reads the forms of a text, each before those in it, and the numbers. `None` if parentheses have no partner.
fn read(text: &[u8]) -> Option<(Vec<Form>, Vec<Place>)> {
    let (mut forms, mut numbers): (Vec<Form>, Vec<Place>) = (vec![], vec![]);
    let (mut open, mut strings, mut at): (Vec<(usize, Range<usize>)>, Strings, usize) = (vec![], Strings::default(), 0);
    while let Some(byte) = text.get(at) {
        let rest = &text[at..];
        let mut end = at + 1;
        match byte {
            b'(' if rest.starts_with(b"(;") => end = at + rest.windows(2).position(|pair| pair == b";)")? + 2,
            b'(' => {
                let parent = open.last().map(|(form, _)| *form);
                parent.into_iter().for_each(|parent| forms[parent].parts += 1);
                open.push((forms.len(), at..at));
                forms.push(Form { at: at..at, parent, head: at..at, parts: 0, has_number: false });
            }
            b')' => {
                let (form, _) = open.pop()?;
                forms[form].at.end = end;
            }
            b';' => end = at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
            b'"' => end = at + strings.length(text, at).unwrap_or(1),
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                let is_over = |byte: &u8| byte.is_ascii_whitespace() || b"()\";".contains(byte);
                end = at + rest.iter().position(is_over).unwrap_or(rest.len());
                if let Some((form, word)) = open.last_mut() {
                    let is_number = value(&text[at..end]).is_some();
                    if forms[*form].parts == 0 && !is_number {
                        forms[*form].head = at..end;
                    }
                    forms[*form].has_number |= is_number && forms[*form].parts == 1;
                    forms[*form].parts += 1;
                    match is_number {
                        true => numbers.push(Place { at: at..end, form: *form, word: word.clone() }),
                        false => *word = at..end,
                    }
                }
            }
        }
        at = end;
    }
    open.is_empty().then_some((forms, numbers))
}

struct Forms<'a> {
    text: &'a [u8],
    start: u32,
    forms: Vec<Form>,
}

/// By word of a list, the words of forms that are in each of its parts.
type InAll<'a> = BTreeMap<&'a [u8], BTreeSet<&'a [u8]>>;

impl<'a> Forms<'a> {
    fn head(&self, form: usize) -> &'a [u8] {
        &self.text[self.forms[form].head.clone()]
    }

    /// Returns forms in one that is in no other, by that and their words. Those with a number behind it refer themselves.
    fn alike(&self) -> BTreeMap<(usize, &'a [u8]), Vec<usize>> {
        let mut last_in: BTreeMap<usize, usize> = BTreeMap::new();
        let in_parents = self.forms.iter().enumerate().filter_map(|(form, it)| Some((form, it.parent?)));
        last_in.extend(in_parents.clone().map(|(form, parent)| (parent, form)));
        let mut alike: BTreeMap<(usize, &'a [u8]), Vec<usize>> = BTreeMap::new();
        for (form, parent) in in_parents {
            let named = if self.head(form) == IMPORT { last_in.get(&form).copied().unwrap_or(form) } else { form };
            if !self.head(named).is_empty() && !self.forms[named].has_number && self.forms[parent].parent.is_none() {
                alike.entry((parent, self.head(named))).or_default().push(form);
            }
        }
        alike.retain(|_, forms| forms.len() >= FEWEST);
        alike
    }

    fn lists(&self) -> Vec<Listed<'a>> {
        let alike = self.alike().into_iter().filter(|((_, head), _)| head.iter().all(u8::is_ascii_alphanumeric));
        let list = |((parent, name), forms): ((usize, &'a [u8]), Vec<usize>)| Listed {
            name,
            scope: moved(self.forms[parent].at.clone(), self.start),
            starts: forms.iter().map(|form| self.start + self.forms[*form].at.start as u32).collect(),
            items: forms.iter().map(|form| self.item(*form)).collect(),
        };
        alike.map(list).collect()
    }

    /// Returns a form with its line, if it has that for itself, or else the white space before it.
    fn item(&self, form: usize) -> Item {
        let Range { start, end } = self.forms[form].at.clone();
        let white = self.text[..start].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        item(self.start, &(start - white..end))
    }

    /// Returns, by the word of a list, the words of forms of which each of its parts has one.
    fn in_all(&self, found: &Found<'a>) -> InAll<'a> {
        let mut heads: BTreeMap<usize, BTreeSet<&'a [u8]>> = BTreeMap::new();
        for (form, it) in self.forms.iter().enumerate() {
            // One without any has none of them.
            heads.entry(form).or_default();
            if let Some(parent) = it.parent {
                heads.entry(parent).or_default().insert(self.head(form));
            }
        }
        let names: BTreeSet<&[u8]> = found.lists.iter().map(|list| list.name).collect();
        let mut in_all = InAll::new();
        for (form, heads) in heads {
            let name = self.head(form);
            if names.contains(name) {
                let known = in_all.entry(name).or_insert_with(|| heads.clone());
                known.retain(|head| heads.contains(head));
            }
        }
        in_all
    }

    /// Adds a number. `statements` are the forms that go with parts, and where they are among others.
    fn add(&self, place: &Place, in_all: &InAll<'a>, statements: &mut HashMap<usize, usize>, found: &mut Found<'a>) {
        let word = &self.text[if place.word.is_empty() { &self.forms[place.form].head } else { &place.word }.clone()];
        let Some(value) = value(&self.text[place.at.clone()]).filter(|_| !word.is_empty()) else { return };
        let with = self.statement(place, in_all).map(|form| {
            let other = *statements.entry(form).or_insert_with(|| {
                found.others.push(Other { items: vec![self.item(form)], is_needed: false });
                found.others.len() - 1
            });
            (other, 0)
        });
        let at = moved(place.at.clone(), self.start);
        let label = found.label(word.to_vec());
        found.numbers.push(Number { at, value, label, says: [word, b""], with });
    }

    /// Returns the form in which a number stands, as a part of what is one of many. `None` if each of these has such a form.
    fn statement(&self, place: &Place, in_all: &InAll) -> Option<usize> {
        let around = std::iter::successors(Some(place.form), |form| self.forms[*form].parent);
        let parent = |form: &usize| self.forms[*form].parent;
        let is_part = |form: &usize| parent(form).is_some_and(|parent| in_all.contains_key(self.head(parent)));
        let form = around.take(DEEPEST).find(is_part)?;
        let is_needed = in_all.get(self.head(parent(&form)?)).is_some_and(|all| all.contains(self.head(form)));
        (!is_needed).then_some(form)
    }
}

/// So many forms around a number are looked at for a statement.
const DEEPEST: usize = 32;
