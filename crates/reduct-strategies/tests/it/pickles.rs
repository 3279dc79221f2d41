//! Pickles of Python: whatever goes, the values that are left are the same, as long as nothing names what has gone.

use crate::support::{chunked, without};
use proptest::prelude::*;
use reduct_core::Delta;
use reduct_input::{Circumstances, Parts};
use std::collections::HashSet;

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Text(String),
    Number(u8),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

use Value::{List, Map, Number, Text};

/// Writes a value as Python does: each text is remembered, and named where it stands again.
fn write(value: &Value, memo: &mut Vec<Option<String>>, out: &mut Vec<u8>) {
    match value {
        Number(number) => out.extend([b'K', *number]),
        Text(text) => match memo.iter().position(|known| known.as_ref() == Some(text)) {
            Some(at) => out.extend([b'h', at as u8]),
            None => {
                out.extend([0x8c, text.len() as u8]);
                out.extend(text.bytes());
                out.push(0x94);
                memo.push(Some(text.clone()));
            }
        },
        List(all) => {
            out.extend(b"]\x94");
            memo.push(None);
            if let [one] = &all[..] {
                write(one, memo, out);
                out.push(b'a');
            } else {
                out.push(b'(');
                all.iter().for_each(|value| write(value, memo, out));
                out.push(b'e');
            }
        }
        Map(all) => {
            out.extend(b"}\x94(");
            memo.push(None);
            for (key, value) in all {
                write(key, memo, out);
                write(value, memo, out);
            }
            out.push(b'u');
        }
    }
}

fn pickle(value: &Value) -> Vec<u8> {
    let mut inside = vec![];
    write(value, &mut vec![], &mut inside);
    inside.push(b'.');
    [&b"\x80\x04\x95"[..], &(inside.len() as u64).to_le_bytes(), &inside].concat()
}

/// Returns the value of a pickle that is as these here are; `None` if it is none.
fn read(text: &[u8]) -> Option<Value> {
    let mut at = 2;
    if text.get(at) == Some(&0x95) {
        let length = u64::from_le_bytes(*text.get(3..)?.first_chunk()?);
        at = 11;
        (length as usize == text.len() - at).then_some(())?;
    }
    let (mut stack, mut marks, mut memo) = (vec![], vec![], vec![]);
    loop {
        let code = *text.get(at)?;
        at += 1;
        match code {
            b'K' => stack.push(Number(*text.get(at)?)),
            b'h' => stack.push(Option::clone(memo.get(usize::from(*text.get(at)?))?)?),
            0x8c => {
                let end = at + 1 + usize::from(*text.get(at)?);
                stack.push(Text(String::from_utf8(text.get(at + 1..end)?.to_vec()).ok()?));
                at = end;
            }
            0x94 => memo.push(stack.last().cloned()),
            b']' => stack.push(List(vec![])),
            b'}' => stack.push(Map(vec![])),
            b'(' => marks.push(stack.len()),
            b'a' => {
                let item = stack.pop()?;
                let List(all) = stack.last_mut()? else { return None };
                all.push(item);
            }
            b'e' | b'u' => {
                let items = stack.split_off(marks.pop()?);
                match (code, stack.last_mut()?) {
                    (b'e', List(all)) => all.extend(items),
                    (b'u', Map(all)) => {
                        all.extend(items.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())));
                    }
                    _ => return None,
                }
            }
            b'.' => return (at == text.len()).then(|| stack.pop()).flatten(),
            _ => return None,
        }
        at += usize::from(matches!(code, b'K' | b'h'));
    }
}

/// Returns the texts in a value.
fn texts(value: &Value) -> HashSet<String> {
    match value {
        Number(_) => HashSet::new(),
        Text(text) => [text.clone()].into(),
        List(all) => all.iter().flat_map(texts).collect(),
        Map(all) => all.iter().flat_map(|(key, value)| texts(key).into_iter().chain(texts(value))).collect(),
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![any::<u8>().prop_map(Number), "[a-d]{1,2}".prop_map(Text)];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let entry = (inner.clone(), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(List),
            prop::collection::vec(entry, 0..4).prop_map(Map),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn items_go_that_nothing_names(all in prop::collection::vec(value(), 2..7), choice in any::<u8>()) {
        let text = pickle(&List(all.clone()));
        prop_assert_eq!(read(&text), Some(List(all.clone())));
        let items: Vec<usize> = (0..all.len()).filter(|at| choice >> at & 1 == 0).collect();
        let gone_texts = |end: usize| {
            let gone = all[..end].iter().enumerate().filter(|(at, _)| !items.contains(at));
            gone.flat_map(|(_, value)| texts(value)).collect::<HashSet<_>>()
        };
        // A text that was in one that went, and in none before that one, is gone.
        let first_use = |text: &String| all.iter().position(|value| texts(value).contains(text));
        let is_whole = items.iter().all(|at| {
            texts(&all[*at]).iter().all(|text| !gone_texts(*at).contains(text) || items.contains(&first_use(text).unwrap()))
        });
        prop_assume!(is_whole);
        // In the first level are the frame, what is remembered of the list, and all items; then they are one by one.
        let expected = Some(List(items.iter().map(|at| all[*at].clone()).collect()));
        prop_assert_eq!(levels_of_items(&text, all.len()).map(|(level, first)| {
            read(&without(&level, |at| at >= first && at < first + all.len() && !items.contains(&(at - first))))
        }), Some(expected));
    }

    #[test]
    fn any_bytes_in_a_pickle(
        all in prop::collection::vec(value(), 1..5),
        changes in prop::collection::vec((0..200usize, any::<u8>()), 0..6),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let mut text = pickle(&List(all));
        let length = text.len();
        changes.into_iter().for_each(|(at, byte)| text[at % length] = byte);
        for parts in chunked(&text) {
            prop_assert_eq!(without(&parts, |_| false), text.clone());
            without(&parts, |at| choice[at % choice.len()]);
        }
    }
}

/// Returns the level with the items of the outermost list, and the first of them.
fn levels_of_items(text: &[u8], count: usize) -> Option<(Parts, usize)> {
    chunked(text).into_iter().find_map(|level| {
        let whole = level.len().checked_sub(count)?;
        let starts: Vec<u32> = (0..level.len()).map(|at| level.addresses(Delta(at as u32)).start).collect();
        // Behind the protocol, the frame, the list and the mark.
        let first = starts.iter().position(|start| *start == 2 + 9 + 2 + 1)?;
        (first <= whole).then_some((level, first))
    })
}

#[test]
fn frames_and_what_is_remembered_in_vain_go() {
    let value = List(vec![Text("ab".into()), Number(7), Text("cd".into()), Text("cd".into())]);
    let text = pickle(&value);
    let mut left = text.clone();
    for level in 0..3 {
        let Some(parts) = chunked(&left).into_iter().nth(level) else { break };
        for at in (0..parts.len()).rev() {
            let parts = chunked(&left).remove(level);
            let less = without(&parts, |part| part == at);
            if read(&less).as_ref() == Some(&value) {
                left = less;
            }
        }
    }
    assert_eq!(left, b"\x80\x04](\x8c\x02abK\x07\x8c\x02cd\x94h\0e.");
}

#[test]
fn what_is_remembered_by_a_number_in_vain_goes() {
    let text = b"\x80\x02]q\0(U\x02abr\x01\0\0\0K\x07p2\nU\x02cdq\x03h\x03g3\ne.";
    let vain: [&[u8]; 3] = [b"q\0", b"r\x01\0\0\0", b"p2\n"];
    let parts: Vec<&[u8]> = chunked(text)
        .iter()
        .flat_map(|level| (0..level.len()).map(|at| level.addresses(Delta(at as u32))).collect::<Vec<_>>())
        .map(|at| &text[at.start as usize..at.end as usize])
        .collect();
    assert!(vain.iter().all(|put| parts.contains(put)), "{parts:?}");
    assert!(!parts.contains(&&b"q\x03"[..]), "{parts:?}");
}
