//! Class files of Java: whatever goes, what is left names the constants that it named.

use crate::support::{chunked, fails_if, file, without};
use proptest::prelude::*;
use reduct_core::{Delta, Search};
use reduct_input::{Circumstances, Parts};
use reduct_strategies::{Plan, Reduction};

fn short(number: usize) -> [u8; 2] {
    (number as u16).to_be_bytes()
}

fn counted(inside: &[u8]) -> Vec<u8> {
    [&(inside.len() as u32).to_be_bytes(), inside].concat()
}

/// Constants as they are written, and how many places they have.
#[derive(Default)]
struct Pool(Vec<u8>, usize);

impl Pool {
    /// Adds a constant, and returns its place.
    fn add(&mut self, kind: u8, inside: &[u8]) -> usize {
        self.0.push(kind);
        self.0.extend(inside);
        let place = self.1 + 1;
        self.1 += if kind == 5 { 2 } else { 1 };
        place
    }

    fn text(&mut self, text: &str) -> usize {
        self.add(1, &[&short(text.len())[..], text.as_bytes()].concat())
    }

    fn string(&mut self, text: &str) -> usize {
        let text = self.text(text);
        self.add(8, &short(text))
    }
}

/// A class with a method for each list of numbers, which stand in its code as texts, in lines, and beside numbers of two places.
fn class(methods: &[Vec<u8>]) -> Vec<u8> {
    let mut pool = Pool::default();
    let [code, lines, own] = ["Code", "LineNumberTable", "Own"].map(|text| pool.text(text));
    let own = pool.add(7, &short(own));
    let mut all = short(methods.len()).to_vec();
    for (at, numbers) in methods.iter().enumerate() {
        let mut instructions = vec![];
        for number in numbers {
            let text = pool.string(&format!("text {number}"));
            pool.add(5, &[*number; 8]);
            // ldc, ldc_w and a switch over two numbers, filled up.
            instructions.extend([0x12, text as u8, 0x13, 0, text as u8, 0xaa]);
            let filled = instructions.len().next_multiple_of(4);
            instructions.resize(filled, 0);
            instructions.extend([[0, 0, 0, 9], [0, 0, 0, 4], [0, 0, 0, 5], [0, 0, 0, 1], [0, 0, 0, 2]].concat());
        }
        instructions.push(0xb1);
        let rows: Vec<u8> = numbers.iter().flat_map(|number| [0, 0, 0, *number]).collect();
        let table = [&short(lines)[..], &counted(&[&short(numbers.len())[..], &rows].concat())].concat();
        let inside = [&[0, 9, 0, 9][..], &counted(&instructions), &[0, 0, 0, 1], &table].concat();
        let name = pool.text(&format!("method{at}"));
        all.extend([&[0, 0][..], &short(name), &short(name), &[0, 1], &short(code), &counted(&inside)].concat());
    }
    let end = [&[0, 33][..], &short(own), &[0; 2], &[0, 0, 0, 0], &all, &[0, 0]].concat();
    [&b"\xca\xfe\xba\xbe\0\0\0\x34"[..], &short(pool.1 + 1), &pool.0, &end].concat()
}

/// Reads of such a class the name of each method, which numbers its lines have, and what its instructions name.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, width: usize) -> Option<usize> {
        Some(self.take(width)?.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }
}

type Method = (String, Vec<u8>, Vec<String>);

/// Returns the methods, and how many constants there are.
fn read(text: &[u8]) -> Option<(Vec<Method>, usize)> {
    let mut at = Reader(text.strip_prefix(b"\xca\xfe\xba\xbe\0\0\0\x34")?);
    let mut pool: Vec<&[u8]> = vec![b""];
    let count = at.number(2)?;
    while pool.len() < count {
        let kind = at.take(1)?[0];
        let length = match kind {
            1 => at.number(2)?,
            5 => 8,
            _ => 2,
        };
        pool.push(at.take(length)?);
        pool.extend((kind == 5).then_some(&b""[..]));
    }
    let text = |place: usize| String::from_utf8(pool.get(place)?.to_vec()).ok();
    let named = |place: usize| text(Reader(pool.get(place)?).number(2)?);
    at.number(2)?;
    (named(at.number(2)?)? == "Own").then_some(())?;
    at.take(6)?;
    let mut methods = vec![];
    for _ in 0..at.number(2)? {
        at.take(2)?;
        let name = text(at.number(2)?)?;
        (text(at.number(2)?)? == name && at.number(2)? == 1 && text(at.number(2)?)? == "Code").then_some(())?;
        let length = at.number(4)?;
        let mut code = Reader(at.take(length)?);
        code.take(4)?;
        let length = code.number(4)?;
        let mut instructions = Reader(code.take(length)?);
        let mut names = vec![];
        while instructions.0.len() > 1 {
            let texts = [instructions.take(2)?[1].into(), Reader(&instructions.take(3)?[1..]).number(2)?];
            names.extend(texts.into_iter().map(named).collect::<Option<Vec<_>>>()?);
            let end = (length - instructions.0.len() + 1).next_multiple_of(4) + 20;
            instructions.take(end + instructions.0.len() - length)?;
        }
        (code.number(2)? == 0 && code.number(2)? == 1 && text(code.number(2)?)? == "LineNumberTable").then_some(())?;
        (code.number(4)? == code.0.len()).then_some(())?;
        let rows = code.number(2)?;
        (rows * 4 == code.0.len()).then_some(())?;
        methods.push((name, code.0.chunks(4).map(|row| row[3]).collect(), names));
    }
    (at.0 == [0, 0]).then_some((methods, pool.len() - 1))
}

fn expected(methods: &[Vec<u8>]) -> Vec<Method> {
    let texts = |numbers: &Vec<u8>| numbers.iter().flat_map(|number| vec![format!("text {number}"); 2]).collect();
    let method = |(at, numbers): (usize, &Vec<u8>)| (format!("method{at}"), numbers.clone(), texts(numbers));
    methods.iter().enumerate().map(method).collect()
}

/// A class without fields and methods, with so many interfaces as it says, which follow, and attributes.
fn small(pool: &Pool, own: usize, interfaces: usize, end: &[u8]) -> Vec<u8> {
    let head = [&b"\xca\xfe\xba\xbe\0\0\0\x34"[..], &short(pool.1 + 1), &pool.0].concat();
    [&head[..], &[0, 33], &short(own), &[0; 2], &short(interfaces), end].concat()
}

/// In a folder, another file follows.
#[test]
fn rows_behind_the_end_are_no_parts() {
    let text = small(&Pool::default(), 1, 16, &[0, 1]);
    for parts in chunked(&text) {
        assert!((0..parts.len()).all(|at| parts.addresses(Delta(at as u32)).end as usize <= text.len()));
    }
}

/// An attribute of two bytes says that it has 65,535 rows, and another one follows.
#[test]
fn what_is_in_an_attribute_ends_with_it() {
    let mut pool = Pool::default();
    let [table, own] = ["LineNumberTable", "Own"].map(|text| pool.text(text));
    let attributes = [&short(2)[..], &short(table), &counted(&[0xff; 2]), &short(own), &counted(&[0; 400])].concat();
    let text = small(&pool, own, 0, &[&[0; 4], &attributes[..]].concat());
    let parts: usize = chunked(&text).iter().map(Parts::len).sum();
    assert!((400..text.len()).contains(&parts), "{parts} parts of {} bytes", text.len());
}

/// A number of two places that code names stays, and one that nothing names goes.
#[test]
fn numbers_of_two_places_are_needed() {
    let mut pool = Pool::default();
    let [own, code] = ["Own", "Code"].map(|text| pool.text(text));
    let named = pool.add(5, &[7; 8]);
    pool.add(3, &[9; 4]);
    let inside = [&[0, 2, 0, 2][..], &counted(&[0x14, 0, named as u8, 0xb1]), &[0; 4]].concat();
    let method = [&short(1)[..], &short(own), &short(own), &short(1), &short(code), &counted(&inside)].concat();
    let text = small(&pool, own, 0, &[&[0, 0, 0, 1], &method[..], &[0, 0]].concat());
    let levels = chunked(&text);
    let left = without(&levels[levels.len() - 2], |_| true);
    let has = |bytes: &[u8]| left.windows(bytes.len()).any(|at| at == bytes);
    assert!(has(&[5, 7, 7, 7, 7, 7, 7, 7, 7]) && !has(&[3, 9, 9, 9, 9]), "{left:?}");
}

fn methods() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 0..5), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn methods_go_and_then_their_constants(methods in methods(), choice in any::<u8>()) {
        let text = class(&methods);
        let all = expected(&methods);
        prop_assert_eq!(read(&text).map(|(methods, _)| methods), Some(all.clone()));
        let is_gone = |at: usize| choice >> at & 1 == 1;
        let levels = chunked(&text);
        prop_assert_eq!(levels[0].len(), methods.len());
        let left = without(&levels[0], is_gone);
        let kept: Vec<Method> = all.into_iter().enumerate().filter(|(at, _)| !is_gone(*at)).map(|(_, all)| all).collect();
        prop_assert_eq!(read(&left).map(|(methods, _)| methods), Some(kept.clone()));
        // The last level but one is what nothing names: one part.
        let levels = chunked(&left);
        let vain = &levels[levels.len() - 2];
        let numbers: usize = kept.iter().map(|(_, numbers, _)| numbers.len()).sum();
        let needed = 2 + if kept.is_empty() { 0 } else { 2 } + kept.len() + 2 * numbers;
        prop_assume!(read(&left).unwrap().1 > needed);
        prop_assert_eq!(vain.len(), 1);
        // It is also the first one behind the methods, if there are any.
        prop_assert_eq!(levels[usize::from(!kept.is_empty())].addresses(Delta(0)), vain.addresses(Delta(0)));
        prop_assert_eq!(read(&without(vain, |_| true)), Some((kept, needed)));
    }

    #[test]
    fn rows_of_tables_go(methods in methods(), choice in prop::collection::vec(any::<bool>(), 1..40)) {
        let text = class(&methods);
        let is_gone = |at: usize| choice[at % choice.len()];
        let rows: usize = methods.iter().map(Vec::len).sum();
        prop_assume!(rows > 0);
        // Methods, the numbers that nothing names, attributes of methods, attributes of their code, rows.
        let left = read(&without(&chunked(&text)[4], is_gone)).unwrap().0;
        let kept: Vec<u8> = methods.concat().into_iter().enumerate().filter(|(at, _)| !is_gone(*at)).map(|(_, row)| row).collect();
        prop_assert_eq!(left.into_iter().flat_map(|(_, rows, _)| rows).collect::<Vec<u8>>(), kept);
    }

    #[test]
    fn any_bytes_in_a_class(
        methods in methods(), changes in prop::collection::vec((8..400usize, prop_oneof![Just(0), Just(255), any::<u8>()]), 0..6),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let mut text = class(&methods);
        let length = text.len();
        changes.into_iter().for_each(|(at, byte)| text[at % length] = byte);
        for parts in chunked(&text) {
            prop_assert!((0..parts.len()).all(|at| parts.addresses(Delta(at as u32)).end as usize <= text.len()));
            prop_assert_eq!(without(&parts, |_| false), text.clone());
            without(&parts, |at| choice[at % choice.len()]);
        }
    }
}

/// Once a method has gone, its constants go, and then the attributes of the method that stays are asked about: a level of which nothing is left
/// has no number any more.
#[test]
fn no_level_is_passed_over() {
    let is_whole =
        |text: &[u8]| read(text).is_some_and(|(methods, _)| methods.iter().any(|(name, ..)| name == "method0"));
    let mut reduction = Reduction::new(file(&class(&[vec![7], vec![8]])), Plan::standard());
    let mut of_second_level = 0;
    while let Some(candidate) = reduction.ask() {
        let here = reduction.phase().unwrap();
        of_second_level += u32::from((here.kind, here.round, here.level) == ("chunks", 1, 2));
        reduction.tell(fails_if(is_whole(candidate.artifact().bytes())));
    }
    assert_eq!(of_second_level, 2);
}
