//! Modules of WebAssembly: whatever goes, what is left names the functions, types and globals that it named.

use crate::support::{chunked, without};
use proptest::prelude::*;
use reduct_core::Delta;
use reduct_input::{Circumstances, Parts};

/// A function: a number by which it is known, the type, and which functions it calls.
#[derive(Clone, Debug, PartialEq)]
struct Function {
    known: u8,
    kind: usize,
    calls: Vec<usize>,
}

/// A number in two bytes, as some compilers write it, or in one.
fn sevens(number: usize, is_wide: bool) -> Vec<u8> {
    if is_wide || number > 0x7f { vec![number as u8 | 0x80, (number >> 7) as u8] } else { vec![number as u8] }
}

fn section(kind: u8, entries: &[Vec<u8>], is_wide: bool) -> Vec<u8> {
    let inside = [sevens(entries.len(), is_wide), entries.concat()].concat();
    [vec![kind], sevens(inside.len(), true), inside].concat()
}

/// Three types, an import, and the functions, each of which is exported by its number. The import is function 0.
fn module(functions: &[Function], is_wide: bool) -> Vec<u8> {
    let types: Vec<Vec<u8>> =
        (0..3u8).map(|count| [vec![0x60, count], vec![0x7f; usize::from(count)], vec![0]].concat()).collect();
    let import = b"\x03env\x01f\0\0".to_vec();
    let kinds: Vec<_> = functions.iter().map(|function| sevens(function.kind, is_wide)).collect();
    let exports: Vec<_> = functions
        .iter()
        .enumerate()
        .map(|(at, function)| [vec![1, function.known, 0], sevens(at + 1, is_wide)].concat())
        .collect();
    let code = functions.iter().map(|function| {
        let calls = function.calls.iter().flat_map(|at| [vec![0x10], sevens(*at, is_wide)].concat());
        let body: Vec<u8> =
            [0, 0x41, function.known & 0x3f, 0x1a, 0x02, 0x40].into_iter().chain(calls).chain([0x0b, 0x0b]).collect();
        [sevens(body.len(), is_wide), body].concat()
    });
    let code: Vec<_> = code.collect();
    let all = [(1, types), (2, vec![import]), (3, kinds), (7, exports), (10, code)];
    let sections = all.iter().flat_map(|(kind, entries)| section(*kind, entries, is_wide));
    b"\0asm\x01\0\0\0".iter().copied().chain(sections).collect()
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let first = usize::from(self.take(1)?[0]);
        Some(if first > 0x7f { first & 0x7f | usize::from(self.take(1)?[0]) << 7 } else { first })
    }
}

/// A name, and the place of a function.
type Export = (u8, usize);

/// Returns the functions of such a module, and by which names they are exported.
fn read(text: &[u8]) -> Option<(Vec<Function>, Vec<Export>)> {
    let mut at = Reader(text.strip_prefix(b"\0asm\x01\0\0\0")?);
    let (mut kinds, mut exports, mut functions) = (vec![], vec![], vec![]);
    while !at.0.is_empty() {
        let kind = at.take(1)?[0];
        let length = at.number()?;
        let mut inside = Reader(at.take(length)?);
        for index in 0..inside.number()? {
            match kind {
                1 => {
                    let count = inside.take(2)?[1];
                    (inside.take(usize::from(count) + 1)?.last() == Some(&0)).then_some(())?;
                }
                2 => drop(inside.take(8)?),
                3 => kinds.push(inside.number()?),
                7 => exports.push((inside.take(3)?[1], inside.number()?)),
                _ => {
                    let length = inside.number()?;
                    let mut body = Reader(inside.take(length)?.strip_suffix(b"\x0b\x0b")?);
                    let known = body.take(6)?[2];
                    let mut calls = vec![];
                    while !body.0.is_empty() {
                        (body.take(1)? == [0x10]).then_some(())?;
                        calls.push(body.number()?);
                    }
                    functions.push(Function { known, kind: *kinds.get(index)?, calls });
                }
            }
        }
        inside.0.is_empty().then_some(())?;
    }
    (kinds.len() == functions.len()).then_some((functions, exports))
}

fn functions() -> impl Strategy<Value = Vec<Function>> {
    (1..10usize).prop_flat_map(|count| {
        let function = (0..3usize, prop::collection::vec(0..=count, 0..5));
        prop::collection::vec(function, count).prop_map(|all| {
            let one = |(at, (kind, calls))| Function { known: 1 + at as u8, kind, calls };
            all.into_iter().enumerate().map(one).collect()
        })
    })
}

/// Returns the level whose parts are entries of sections: the first one is the first type.
fn entries(text: &[u8], is_wide: bool) -> Parts {
    let first = 8 + 3 + if is_wide { 2 } else { 1 };
    chunked(text).into_iter().find(|level| level.addresses(Delta(0)).start == first).unwrap()
}

/// Two functions behind imports, of which the first names an exception; the instructions of the first function are given.
fn with_tag(instructions: &[u8]) -> Vec<u8> {
    let import = |name: u8, kind: &[u8]| [&[1, b'e', 1, name], kind].concat();
    let export = |name: u8, place: u8| vec![1, name, 0, place];
    let body = |instructions: &[u8]| [&[instructions.len() as u8 + 2, 0], instructions, &[0x0b]].concat();
    let all = [
        (1, vec![vec![0x60, 0, 0]]),
        (2, vec![import(b't', &[4, 0, 0]), import(b'f', &[0, 0])]),
        (3, vec![vec![0], vec![0]]),
        (7, vec![export(b'a', 1), export(b'b', 2)]),
        (10, vec![body(instructions), body(&[1])]),
    ];
    let sections = all.iter().flat_map(|(kind, entries)| section(*kind, entries, false));
    b"\0asm\x01\0\0\0".iter().copied().chain(sections).collect()
}

/// An exception that is imported is no function, and what stands behind it keeps its place.
#[test]
fn functions_behind_an_exception_are_named_by_their_places() {
    let text = with_tag(&[1, 1]);
    let first = text.windows(5).position(|at| at == [4, 0, 1, 1, 0x0b]).unwrap() as u32;
    let levels = chunked(&text);
    let has_body = |parts: &&Parts| (0..parts.len()).any(|at| parts.addresses(Delta(at as u32)) == (first..first + 5));
    let parts = levels.iter().find(has_body).unwrap();
    let left = without(parts, |at| parts.addresses(Delta(at as u32)).start == first);
    assert!(left.windows(4).any(|at| at == [1, b'b', 0, 1]), "{left:?}");
}

/// What goes with all code before a zero does not go with its first byte.
#[test]
fn a_byte_goes_alone() {
    let text = with_tag(b"\x01\x01\x01\0tail");
    let bytes = chunked(&text).pop().unwrap();
    assert!(bytes.len() > 8);
    assert!((0..bytes.len()).all(|gone| without(&bytes, |at| at == gone).len() + 1 == text.len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Those that go have no name, and only what goes too calls them.
    #[test]
    fn functions_go_with_their_types(all in functions(), choice in any::<u16>(), is_wide in any::<bool>()) {
        let is_gone = |at: usize| at > 0 && choice >> at & 1 == 1;
        let kept: Vec<usize> = (0..=all.len()).filter(|at| !is_gone(*at)).collect();
        let mut all = all;
        for function in &mut all {
            function.calls.retain(|at| !is_gone(*at));
        }
        let text = module(&all, is_wide);
        let names: Vec<_> = all.iter().enumerate().map(|(at, function)| (function.known, at + 1)).collect();
        prop_assert_eq!(read(&text), Some((all.clone(), names)));
        // Types, the import, exports and code are the entries.
        let entries = &entries(&text, is_wide);
        let count = all.len();
        prop_assert_eq!(entries.len(), 3 + 1 + 2 * count);
        let left = without(entries, |at| at >= 4 && is_gone((at - 4) % count + 1));
        let place = |at: usize| kept.iter().position(|kept| *kept == at).unwrap();
        let functions: Vec<_> = kept.iter().filter(|at| **at > 0).map(|at| &all[at - 1]).collect();
        let expected: Vec<Function> = functions
            .iter()
            .map(|function| Function { calls: function.calls.iter().map(|at| place(*at)).collect(), ..(*function).clone() })
            .collect();
        let names = functions.iter().enumerate().map(|(at, function)| (function.known, at + 1)).collect();
        prop_assert_eq!(read(&left), Some((expected, names)));
    }

    #[test]
    fn any_bytes_in_a_module(
        all in functions(), is_wide in any::<bool>(), changes in prop::collection::vec((8..200usize, any::<u8>()), 0..6),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let mut text = module(&all, is_wide);
        let length = text.len();
        changes.into_iter().filter(|(at, _)| *at < length).for_each(|(at, byte)| text[at] = byte);
        for parts in chunked(&text) {
            prop_assert_eq!(without(&parts, |_| false), text.clone());
            without(&parts, |at| choice[at % choice.len()]);
        }
    }
}

/// Types that no function has go, too.
#[test]
fn types_go() {
    let functions = [0, 2, 2].map(|kind| Function { known: 7, kind, calls: vec![0] });
    let left = without(&entries(&module(&functions, false), false), |at| at == 1);
    let kinds: Vec<usize> = read(&left).unwrap().0.into_iter().map(|function| function.kind).collect();
    assert_eq!(kinds, [0, 1, 1]);
}

/// What stays of code is an instruction that never goes on, and an end.
#[test]
fn code_shrinks_to_a_zero() {
    let calls = vec![1, 0, 2];
    let functions = [Function { known: 9, kind: 0, calls: vec![1] }, Function { known: 8, kind: 0, calls }];
    let text = module(&functions, false);
    let left = without(&chunked(&text)[1], |_| true);
    assert!(left.ends_with(b"\x0a\x89\0\x02\x03\0\0\x0b\x03\0\0\x0b"), "{left:?}");
}

/// Exceptions have places of their own: those that are imported, then those of the module.
#[test]
fn exceptions_are_named_by_their_places() {
    let module = |imported: &[&[u8]], own: &[&[u8]], place: usize| {
        let list = |entries: &[&[u8]]| entries.iter().map(|entry| entry.to_vec()).collect::<Vec<_>>();
        let throw = [&[4, 0, 0x08][..], &sevens(place, false), &[0x0b]].concat();
        let sections = [
            section(1, &[vec![0x60, 0, 0], vec![0x60, 1, 0x7f, 0]], false),
            section(2, &list(imported), false),
            section(3, &[vec![0]], false),
            section(13, &list(own), false),
            section(7, &[[&b"\x01e\x04"[..], &sevens(place, false)].concat()], false),
            section(10, &[throw], false),
        ];
        [b"\0asm\x01\0\0\0".to_vec(), sections.concat()].concat()
    };
    let [tag, function] = [&b"\x01e\x01t\x04\0\0"[..], b"\x01e\x01f\0\0"];
    let own: [&[u8]; 2] = [&[0, 1], &[0, 0]];
    let all = module(&[tag, function], &own, 2);
    let entries = entries(&all, false);
    // Two types are before the imports, and two imports before the exceptions of the module.
    assert_eq!(without(&entries, |at| at == 2), module(&[function], &own, 1));
    assert_eq!(without(&entries, |at| at == 3), module(&[tag], &own, 2));
    assert_eq!(without(&entries, |at| at == 4), module(&[tag, function], &own[1..], 1));
}

/// How many data there are is said before the code, too.
#[test]
fn data_are_counted_twice() {
    let module =
        |data: &[Vec<u8>], said: u8| [b"\0asm\x01\0\0\0\x0c\x81\0", &[said][..], &section(11, data, false)].concat();
    let data = [b"\x01\x01a".to_vec(), b"\x01\x01b".to_vec()];
    let first = module(&data, 2).len() as u32 - 6;
    let without_first = |text: &[u8]| {
        let levels = chunked(text);
        let entries = levels.iter().find(|level| level.addresses(Delta(0)).start == first).unwrap();
        without(entries, |at| at == 0)
    };
    assert_eq!(without_first(&module(&data, 2)), module(&data[1..], 1));
    assert_eq!(without_first(&module(&data, 7)), module(&data[1..], 7));
}

/// Of a section that is not as it should be, no part is an entry.
#[test]
fn a_section_that_cannot_be_read_has_no_entries() {
    let export = b"\x01a\0\0";
    let text = [b"\0asm\x01\0\0\0\x07\x86\0\x02", &export[..], b"\xff"].concat();
    let levels = chunked(&text);
    assert!(levels.iter().all(|level| (0..level.len()).all(|at| level.addresses(Delta(at as u32)) != (12..16))));
    let bytes = levels.last().unwrap();
    assert_eq!(bytes.len(), 6);
    assert!((0..6).all(|gone| without(bytes, |at| at == gone).len() + 1 == text.len()));
}
