//! Messages of protocol buffers: whatever fields go, the messages that are left are whole.

use crate::support::{chunked, fails_if, file, has, without};
use proptest::prelude::*;
use reduct_core::{Search, run};
use reduct_input::{Candidate, Circumstances, Parts};
use reduct_strategies::{Plan, Reduction};
use std::cell::Cell;

#[derive(Clone, Debug)]
enum Value {
    Number(u64),
    Four(u32),
    Eight(u64),
    /// With how many bytes its length takes, which is set when it is first written.
    Bytes(Cell<usize>, Vec<u8>),
    Message(Cell<usize>, Vec<Field>),
}

type Field = (u32, Value);

use Value::{Bytes, Eight, Four, Message, Number};

fn bytes(bytes: &[u8]) -> Value {
    Bytes(Cell::new(0), bytes.to_vec())
}

fn message(fields: Vec<Field>) -> Value {
    Message(Cell::new(0), fields)
}

/// A number in sevens, in so many bytes at least.
fn sevens(mut number: u64, width: usize) -> Vec<u8> {
    let mut written = vec![];
    loop {
        let is_last = number < 0x80 && written.len() + 1 >= width;
        written.push((number & 0x7f) as u8 | if is_last { 0 } else { 0x80 });
        if is_last {
            return written;
        }
        number >>= 7;
    }
}

fn counted(width: &Cell<usize>, data: &[u8]) -> Vec<u8> {
    let length = sevens(data.len() as u64, width.get());
    width.set(length.len());
    [&length, data].concat()
}

fn written(fields: &[Field]) -> Vec<u8> {
    let field = |(number, value): &Field| {
        let (kind, data) = match value {
            Number(number) => (0, sevens(*number, 1)),
            Eight(number) => (1, number.to_le_bytes().to_vec()),
            Bytes(width, bytes) => (2, counted(width, bytes)),
            Message(width, fields) => (2, counted(width, &written(fields))),
            Four(number) => (5, number.to_le_bytes().to_vec()),
        };
        [sevens(u64::from(number << 3 | kind), 1), data].concat()
    };
    fields.iter().flat_map(field).collect()
}

/// Leaves out the fields at a depth for which `gone` is true, counted in the order in which they stand.
fn leave_out(fields: &mut Vec<Field>, depth: usize, next: &mut usize, gone: &dyn Fn(usize) -> bool) {
    if depth == 0 {
        fields.retain(|_| {
            *next += 1;
            !gone(*next - 1)
        });
        return;
    }
    for (_, value) in fields {
        if let Message(_, inner) = value {
            leave_out(inner, depth - 1, next, gone);
        }
    }
}

/// Has all lengths take so many bytes, or more if they need them.
fn widen(fields: &[Field], width: usize) {
    for (_, value) in fields {
        match value {
            Message(own, inner) => {
                own.set(width);
                widen(inner, width);
            }
            Bytes(own, _) => own.set(width),
            _ => {}
        }
    }
}

fn places() -> impl Strategy<Value = Vec<Field>> {
    (0..32u32, 0..9u64, "[a-z ]{0,200}")
        .prop_map(|(four, eight, name)| vec![(1, Four(four)), (2, Eight(eight)), (3, bytes(name.as_bytes()))])
}

fn person() -> impl Strategy<Value = Value> {
    // No field has a kind of 7: such a list can be no message by chance.
    let numbers = prop::collection::vec((300..9999u64).prop_map(|number| number | 7), 3..9);
    let lists = prop::collection::vec(numbers, 0..3);
    (any::<u64>(), "[a-zä]{1,9}", lists, prop::collection::vec(places(), 0..4)).prop_map(|(id, name, lists, places)| {
        let packed =
            |list: Vec<u64>| (17, bytes(&list.iter().flat_map(|number| sevens(*number, 1)).collect::<Vec<_>>()));
        let own = [(1, Number(id)), (2, bytes(name.as_bytes()))];
        let places = places.into_iter().map(|place| (4, message(vec![(1, message(place)), (2, Number(7))])));
        message(own.into_iter().chain(places).chain(lists.into_iter().map(packed)).collect())
    })
}

fn people() -> impl Strategy<Value = Vec<Field>> {
    prop::collection::vec(person(), 5..12).prop_map(|people| {
        let name = (1, bytes(b"people"));
        [name].into_iter().chain(people.into_iter().map(|person| (2, person))).collect()
    })
}

/// How many fields there are at each depth.
fn depths(fields: &[Field]) -> Vec<usize> {
    let count = |depth| {
        let mut all = 0;
        leave_out(&mut fields.to_vec(), depth, &mut all, &|_| false);
        all
    };
    (0..).map(count).take_while(|fields| *fields > 0).collect()
}

/// Writes the messages of a file, each with its length in some form before it.
fn framed(fields: &[Field], form: usize) -> Vec<u8> {
    let framed = |(_, value): &Field| {
        let Message(width, fields) = value else { return vec![] };
        let data = written(fields);
        let length = data.len() as u32;
        match form {
            0 => counted(width, &data),
            1 => [&length.to_be_bytes()[..], &data].concat(),
            2 => [&length.to_le_bytes()[..], &data].concat(),
            _ => [&[0][..], &length.to_be_bytes(), &data].concat(),
        }
    };
    fields.iter().flat_map(framed).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_fields_go(people in people(), choice in prop::collection::vec(any::<bool>(), 1..40)) {
        let levels = chunked(&written(&people));
        let gone = |at: usize| choice[at % choice.len()];
        for (depth, count) in depths(&people).into_iter().enumerate() {
            prop_assert_eq!(levels[depth].len(), count);
            let mut left = people.clone();
            leave_out(&mut left, depth, &mut 0, &gone);
            prop_assert_eq!(without(&levels[depth], gone), written(&left));
        }
    }

    #[test]
    fn messages_with_their_lengths_before_them_go(
        people in people(), form in 0..4usize, choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let people = people[1..].to_vec();
        let levels = chunked(&framed(&people, form));
        let gone = |at: usize| choice[at % choice.len()];
        for (depth, count) in depths(&people).into_iter().enumerate() {
            prop_assert_eq!(levels[depth].len(), count);
            let mut left = people.clone();
            leave_out(&mut left, depth, &mut 0, &gone);
            prop_assert_eq!(without(&levels[depth], gone), framed(&left, form));
        }
    }

    #[test]
    fn any_bytes_are_taken_apart(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0..=0x22u8, Just(0x80)], 0..80),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        for parts in chunked(&bytes) {
            prop_assert_eq!(without(&parts, |_| false), bytes.clone());
            without(&parts, |at| choice[at % choice.len()]);
        }
    }
}

/// A list of messages in a message, as many as told.
fn list(count: u64) -> Vec<Field> {
    let entry = |at| {
        let place = message(vec![(1, Four(9)), (3, bytes(b"a place"))]);
        (4, message(vec![(1, Number(1000 + at)), (2, bytes(b"a name")), (4, place)]))
    };
    vec![(1, bytes(b"list")), (2, message((0..count).map(entry).collect())), (3, Number(7))]
}

#[test]
fn lengths_become_as_short_as_they_can_be() {
    let of = |width| {
        let all = list(9);
        widen(&all, width);
        written(&all)
    };
    let depths = depths(&list(9)).len();
    let mut text = of(2);
    // The lengths in the innermost messages come first. In them, and around them all, no length is left in the end that has a byte too many.
    for _ in 0..depths {
        text = without(&chunked(&text)[depths], |_| true);
    }
    assert_eq!(text, of(0));
}

#[test]
fn strings_are_shortened_with_all_lengths_around_them() {
    let of = |text: &[u8]| {
        let all = list(9);
        let inner = message(vec![(1, Number(0x1234)), (5, bytes(text))]);
        written(&[&all[..], &[(6, message(vec![(1, Number(1)), (2, inner)]))]].concat())
    };
    let levels = chunked(&of(b"a long text"));
    let contents = levels.last().unwrap();
    let first = contents.len() - b"a long text".len();
    assert_eq!(without(contents, |at| at >= first && (at - first).is_multiple_of(2)), of(b" ogtx"));
}

/// Zeros in a length of four bytes can be read as lengths of empty messages.
#[test]
fn lengths_of_short_messages_are_read_as_wide_as_they_are() {
    let all = list(9);
    let Message(_, short) = &all[1].1 else { unreachable!() };
    for form in 0..4 {
        let left = without(&chunked(&framed(short, form))[0], |at| at != 4);
        assert_eq!(left, framed(&short[4..5], form));
    }
}

/// The last field of a file may be cut off, and a byte that is no key may stand behind it.
#[test]
fn what_is_no_message_up_to_its_end_is_none() {
    let text = written(&list(40));
    let fields = chunked(&text)[0].len();
    assert_eq!(fields, 3);
    for other in [&text[..text.len() - 1], &[&text[..], &[0]].concat(), &[&text[..], &[0x0f]].concat()] {
        assert_ne!(chunked(other).first().map(Parts::len), Some(fields));
    }
}

/// Returns whether a text can be read as fields up to its end, whatever speaks for that.
fn is_message(mut rest: &[u8]) -> bool {
    fn number(rest: &mut &[u8]) -> Option<u64> {
        let end = rest.iter().take(10).position(|byte| *byte < 0x80)?;
        let number = rest[..=end].iter().rev().fold(0, |number: u64, byte| number << 7 | u64::from(byte & 0x7f));
        *rest = &rest[end + 1..];
        Some(number)
    }
    while !rest.is_empty() {
        let Some(key) = number(&mut rest).filter(|key| key >> 3 > 0) else { return false };
        let length = match key & 7 {
            0 => number(&mut rest).map(|_| 0),
            1 => Some(8),
            2 => number(&mut rest),
            5 => Some(4),
            _ => None,
        };
        let Some(after) = length.and_then(|length| rest.get(usize::try_from(length).ok()?..)) else { return false };
        rest = after;
    }
    true
}

/// Of random bytes, some can be read as a message of a few fields. They are no file of messages.
#[test]
fn random_bytes_are_no_messages() {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let texts: Vec<Vec<u8>> = (0..40_000usize).map(|at| (0..12 + at % 40).map(|_| next()).collect()).collect();
    let can_be: Vec<_> = texts.iter().filter(|text| is_message(text)).collect();
    assert!(can_be.len() > 100, "{}", can_be.len());
    // Some begin with a byte that is as large as what follows is long, which then is one list.
    assert!(can_be.iter().all(|text| chunked(text).len() <= 1));
}

#[test]
fn texts_are_no_messages() {
    assert_eq!(chunked(b"\n\x09fifteen\n").len(), 0);
    assert_eq!(chunked("\n\n\n  größer\n\n".as_bytes()).len(), 0);
    // A row of numbers is none either.
    assert_eq!(chunked(&[8; 100]).len(), 0);
}

#[test]
fn a_message_is_found_in_few_tests() {
    let all = written(&list(500));
    let wanted = sevens(1333, 1);
    let is_there = |text: &[u8]| is_message(text) && text.starts_with(b"\x0a\x04list") && has(text, &wanted);
    let mut tests = 0;
    let oracle = |candidate: &Candidate| {
        tests += 1;
        fails_if(is_there(candidate.artifact().bytes()))
    };
    let end = run(Reduction::new(file(&all), Plan::standard()), oracle);
    // The list with one entry, and its number in that.
    let least = [&b"\x0a\x04list\x12\x05\x22\x03\x08"[..], &wanted].concat();
    assert!(end.best().artifact().bytes().len() <= least.len() && tests < 150, "{tests} tests");
}
