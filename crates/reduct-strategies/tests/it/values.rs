//! Files that are values of values: whatever entries go, the values that are left are whole.

use crate::support::{chunked, fails_if, file, without};
use proptest::prelude::*;
use reduct_core::{Search, run};
use reduct_input::{Candidate, Circumstances, Parts};
use reduct_strategies::{Plan, Reduction};

/// A value, with how wide its length or number of entries is written: 0 in the first byte, 8 not at all but with an end (in CBOR).
#[derive(Clone, Debug)]
enum Value {
    Number(u16),
    Text(u8, String),
    List(u8, Vec<Value>),
    Map(u8, Vec<(Value, Value)>),
    Tagged(Box<Value>),
}

use Value::{List, Map, Number, Tagged, Text};

/// How a format writes a head of a kind with a number, and what stands behind the last entry.
type Write = fn(&Value) -> (Vec<u8>, Vec<u8>);

fn msgpack(value: &Value) -> (Vec<u8>, Vec<u8>) {
    let head = |width: u8, short: u8, long: [u8; 2], count: usize| match width {
        0 if count < 16 => vec![short | count as u8],
        0 | 2 => [&[long[0]][..], &(count as u16).to_be_bytes()].concat(),
        _ => [&[long[1]][..], &(count as u32).to_be_bytes()].concat(),
    };
    let head = match value {
        Number(number) => [&[0xcd][..], &number.to_be_bytes()].concat(),
        Text(width, text) => head(*width, 0xa0, [0xda, 0xdb], text.len()),
        List(width, all) => head(*width, 0x90, [0xdc, 0xdd], all.len()),
        Map(width, all) => head(*width, 0x80, [0xde, 0xdf], all.len()),
        Tagged(_) => vec![],
    };
    (head, vec![])
}

fn cbor(value: &Value) -> (Vec<u8>, Vec<u8>) {
    let head = |width: u8, kind: u8, count: usize| match width {
        0 if count < 24 => (vec![kind << 5 | count as u8], vec![]),
        8 => (vec![kind << 5 | 31], vec![0xff]),
        0 | 2 => ([&[kind << 5 | 25][..], &(count as u16).to_be_bytes()].concat(), vec![]),
        _ => ([&[kind << 5 | 26][..], &(count as u32).to_be_bytes()].concat(), vec![]),
    };
    match value {
        Number(number) => head(2, 0, usize::from(*number)),
        Text(width, text) => head(width & 7, 3, text.len()),
        List(width, all) => head(*width, 4, all.len()),
        Map(width, all) => head(*width, 5, all.len()),
        Tagged(_) => head(0, 6, 1),
    }
}

fn written(value: &Value, write: Write) -> Vec<u8> {
    let (head, end) = write(value);
    let inside = match value {
        Number(_) => vec![],
        Text(_, text) => text.clone().into_bytes(),
        List(_, all) => all.iter().flat_map(|value| written(value, write)).collect(),
        Map(_, all) => {
            all.iter().flat_map(|(key, value)| [written(key, write), written(value, write)].concat()).collect()
        }
        Tagged(value) => written(value, write),
    };
    [head, inside, end].concat()
}

/// Leaves out the entries at a depth for which `gone` is true, counted in the order in which they stand.
fn leave_out(value: &mut Value, depth: usize, next: &mut usize, gone: &dyn Fn(usize) -> bool) {
    let mut is_gone = || {
        *next += 1;
        gone(*next - 1)
    };
    match value {
        Number(_) | Text(..) => {}
        Tagged(value) => leave_out(value, depth, next, gone),
        List(_, all) if depth == 1 => all.retain(|_| !is_gone()),
        Map(_, all) if depth == 1 => all.retain(|_| !is_gone()),
        List(_, all) => all.iter_mut().for_each(|value| leave_out(value, depth - 1, next, gone)),
        Map(_, all) => all.iter_mut().for_each(|(key, value)| {
            leave_out(key, depth - 1, next, gone);
            leave_out(value, depth - 1, next, gone);
        }),
    }
}

fn value() -> impl Strategy<Value = Value> {
    let width = || prop_oneof![Just(0u8), Just(2), Just(4), Just(8)];
    let text = (width(), "[a-z]{0,20}").prop_map(|(width, text)| Text(width, text));
    // Smaller numbers may be as large as a list is long.
    let leaf = prop_oneof![(8..u16::MAX).prop_map(Number), text];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        let key = prop_oneof![any::<u16>().prop_map(Number), "[a-z]{0,9}".prop_map(|text| Text(0, text))];
        let entry = (key, inner.clone());
        prop_oneof![
            (width(), prop::collection::vec(inner.clone(), 0..8)).prop_map(|(width, all)| List(width, all)),
            (width(), prop::collection::vec(entry, 0..8)).prop_map(|(width, all)| Map(width, all)),
            inner.prop_map(|value| Tagged(Box::new(value))),
        ]
    })
}

/// How many entries there are at each depth.
fn entries(value: &Value) -> Vec<usize> {
    let count = |depth| {
        let mut all = 0;
        leave_out(&mut value.clone(), depth, &mut all, &|_| false);
        all
    };
    (1..).map(count).take_while(|entries| *entries > 0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_entries_go(
        first in prop::collection::vec(value(), 1..6), is_cbor in any::<bool>(),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let write = if is_cbor { cbor } else { msgpack };
        let value = List(0, vec![List(2, first), Text(0, "a few words".into()), Number(0xfefe)]);
        let text = written(&value, write);
        let levels = chunked(&text);
        let gone = |at: usize| choice[at % choice.len()];
        for (depth, count) in entries(&value).into_iter().enumerate() {
            prop_assert_eq!(levels[depth].len(), count);
            let mut left = value.clone();
            leave_out(&mut left, depth + 1, &mut 0, &gone);
            prop_assert_eq!(without(&levels[depth], gone), written(&left, write));
        }
    }

    #[test]
    fn any_bytes_are_taken_apart(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x80..=0xdfu8, Just(0xff)], 0..60),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        for parts in chunked(&bytes) {
            prop_assert_eq!(without(&parts, |_| false), bytes.clone());
            without(&parts, |at| choice[at % choice.len()]);
        }
    }
}

fn text(text: &str) -> Value {
    Text(0, text.into())
}

/// Records of a list, behind the number of its entries or behind a map with that.
fn counted(lengths: &[u16], has_head: bool) -> Value {
    let record = |length: &u16| {
        let count = (text("n"), Number(*length));
        let count = if has_head { (text("head"), Map(0, vec![count])) } else { count };
        Map(0, vec![count, (text("list"), List(2, (0..*length).map(|at| Number(0xfe00 + at)).collect()))])
    };
    List(0, lengths.iter().map(record).collect())
}

/// Makes the numbers of such records true.
fn count(all: &mut Value) {
    let List(_, records) = all else { return };
    for record in records {
        let Map(_, entries) = record else { return };
        let length =
            entries.iter().find_map(|(_, value)| if let List(_, all) = value { Some(all.len()) } else { None });
        let inner = entries.iter_mut().flat_map(|(_, value)| match value {
            Map(_, inner) => inner.iter_mut().map(|(_, value)| value).collect(),
            _ => vec![value],
        });
        let numbers = inner.filter(|value| matches!(value, Number(_)));
        numbers.for_each(|value| *value = Number(length.unwrap_or(0) as u16));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn numbers_of_entries_are_kept_true(
        lengths in prop::collection::vec(0..9u16, 0..9), has_head in any::<bool>(), is_cbor in any::<bool>(),
        depth in 1..4usize, choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let write = if is_cbor { cbor } else { msgpack };
        let all = counted(&[&lengths[..], &[3]].concat(), has_head);
        let levels = chunked(&written(&all, write));
        let gone = |at: usize| choice[at % choice.len()];
        let mut left = all.clone();
        leave_out(&mut left, depth, &mut 0, &gone);
        count(&mut left);
        prop_assert_eq!(without(&levels[depth - 1], gone), written(&left, write));
    }

    /// The number may have to stay as it is.
    #[test]
    fn what_is_counted_goes_without_its_number_too(
        lengths in prop::collection::vec(1..9u16, 0..9), is_cbor in any::<bool>(),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let write = if is_cbor { cbor } else { msgpack };
        let all = counted(&[&lengths[..], &[3]].concat(), false);
        let levels = chunked(&written(&all, write));
        let gone = |at: usize| choice[at % choice.len()];
        let mut left = all.clone();
        leave_out(&mut left, 3, &mut 0, &gone);
        // Behind three levels, those follow of which something is counted.
        prop_assert_eq!(without(&levels[5], gone), written(&left, write));
    }
}

/// Of the numbers behind one key, nearly all have to be as large as a list is long; one of them is no chance.
#[test]
fn numbers_that_count_now_and_then_stay() {
    let of = |first: u16, entries: u16| {
        let numbers = [4, 5, 6].map(|number| Map(0, vec![(text("n"), Number(number))]));
        let list = List(2, (0..entries).map(|at| Number(0xfe00 + at)).collect());
        let record = Map(0, vec![(text("n"), Number(first)), (text("list"), list)]);
        written(&List(0, [&numbers[..], &[record]].concat()), msgpack)
    };
    assert_eq!(without(&chunked(&of(9, 9))[2], |at| at == 8), of(9, 8));
}

/// Short numbers keep their form, in the byte that says what they are.
#[test]
fn numbers_of_one_byte_count_too() {
    let of = |short: &dyn Fn(u8) -> Vec<u8>, count: u8| {
        let list: Vec<u8> = (0..count).flat_map(|at| short(at + 20)).collect();
        (short(count), list)
    };
    let msgpack = |count: u8| {
        let (number, list) = of(&|number| vec![number], count);
        [b"\x83\xa1n", &number[..], b"\xa1l", &[0x90 | count], &list, b"\xa1x\xcb12345678"].concat()
    };
    let cbor = |count: u8| {
        let (number, list) = of(&|number| if number < 24 { vec![number] } else { vec![24, number] }, count);
        [b"\xa3\x61n", &number[..], b"\x61l", &[0x80 | count], &list, b"\x61x\xfb12345678"].concat()
    };
    for write in [&msgpack as &dyn Fn(u8) -> Vec<u8>, &cbor] {
        assert_eq!(without(&chunked(&write(7))[1], |at| at == 6), write(6));
    }
}

#[test]
fn strings_are_shortened_with_their_length() {
    for (write, width) in [(msgpack as Write, 0), (msgpack, 2), (cbor, 0), (cbor, 4)] {
        let of = |text: &str| List(0, vec![Text(width, text.into()), Number(0xffff)]);
        let levels = chunked(&written(&of("a long text"), write));
        let left = without(levels.last().unwrap(), |at| at > 0 && at % 2 == 0);
        assert_eq!(left, written(&of("a ogtx"), write));
    }
}

/// Both formats read these to the end. In MessagePack the letters would be numbers, and a list a key.
#[test]
fn of_two_readings_the_likely_one_counts() {
    let text = |text: &str| Text(2, text.into());
    let all = List(2, vec![Map(4, vec![(text("aaaaaaaaaaaaaaaaaaa"), text("aa"))])]);
    let letters = List(0, vec![all, Number(0xfefe), Number(0xfcfd)]);
    let numbers = List(0, vec![List(2, vec![Number(0x1234), Number(0x1235)]), Number(0xfefe), Number(0xfcfd)]);
    for value in [letters, numbers] {
        let counts: Vec<usize> = chunked(&written(&value, cbor)).iter().map(Parts::len).collect();
        assert!(counts.starts_with(&entries(&value)), "{counts:?}");
    }
}

/// Values one after the other, as messages are logged.
#[test]
fn values_in_a_row() {
    let message = |at: u16| written(&Map(0, vec![(Text(0, "at".into()), Number(at | 0x8000))]), msgpack);
    let text: Vec<u8> = (0..9).flat_map(message).collect();
    let left = without(&chunked(&text)[0], |at| at != 5);
    assert_eq!(left, message(5));
}

/// What is no value up to its end, and a text, is taken apart as before.
#[test]
fn texts_are_no_values() {
    let of = |text: &[u8]| chunked(text).first().map(Parts::len);
    assert_eq!(of("\u{91}\u{92}\u{90}größer".as_bytes()), None);
    assert_eq!(of(b"/* gr\xfc\xdfe */ int main(void);\n"), None);
    let mut text = written(&List(0, vec![Number(1), Number(0xffff)]), msgpack);
    text.push(1);
    assert_ne!(of(&text), Some(2));
}

#[test]
fn a_record_is_found_in_few_tests() {
    let record = |at: u16| {
        let tags = List(0, (0..at % 5).map(Number).collect());
        Map(0, vec![(Text(0, "id".into()), Number(at)), (Text(0, "tags".into()), tags)])
    };
    let of = |records: Vec<Value>| written(&Map(0, vec![(Text(0, "records".into()), List(2, records))]), msgpack);
    let all = of((0..500).map(record).collect());
    let is_there = |text: &[u8]| {
        let wanted = written(&Number(333), msgpack);
        text.starts_with(b"\x81\xa7records\xdc") && text.windows(3).any(|bytes| bytes == wanted)
    };
    let mut tests = 0;
    let oracle = |candidate: &Candidate| {
        tests += 1;
        fails_if(is_there(candidate.artifact().bytes()))
    };
    let end = run(Reduction::new(file(&all), Plan::standard()), oracle);
    assert!(end.best().artifact().bytes().len() <= 16 && tests < 150, "{tests} tests");
}

/// Of two strings, the first can go once the second is empty, which is found after it was tried.
#[test]
fn zeros_come_when_nothing_goes() {
    let of =
        |first: &[Value], second: &str| written(&List(0, [first, &[text(second), Number(0xfefe)]].concat()), msgpack);
    let long = [text("as long as it is there")];
    let second = "letters";
    let known = |candidate: &Candidate| {
        let left = candidate.artifact().bytes().to_vec();
        let is = |end: usize| left == of(&long, &second[..end]);
        fails_if(left == of(&[], "") || (0..=second.len()).any(is))
    };
    let mut reduction = Reduction::new(file(&of(&long, second)), Plan::standard());
    let mut of_zeros = 0;
    while let Some(candidate) = reduction.ask() {
        if reduction.phase().is_some_and(|phase| phase.kind == "zeros") {
            of_zeros += 1;
            assert_eq!(reduction.best().artifact().bytes(), of(&[], ""));
        }
        reduction.tell(known(&candidate));
    }
    assert!(of_zeros > 0);
}
