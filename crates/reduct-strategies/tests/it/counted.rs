//! Texts in which digits say how long what follows is: without some of it, they are what whoever writes what is left would have written.

use crate::support::{chunked, comes_apart, fails_if, file, has, without};
use proptest::prelude::*;
use reduct_core::{Outcome, Search, run};
use reduct_input::{Candidate, Circumstances, Parts};
use reduct_strategies::{Plan, Reduction};

/// A message of HTTP with a length, as its definition has it.
fn message(path: &str, body: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

/// A message whose body comes in chunks.
fn chunks(path: &str, bodies: &[&str]) -> String {
    let chunk = |body: &&str| format!("{:x}\r\n{body}\r\n", body.len());
    let all: String = bodies.iter().map(chunk).collect();
    format!("POST {path} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n{all}0\r\n\r\n")
}

fn netstrings(all: &[&str]) -> String {
    all.iter().map(|text| format!("{}:{text},", text.len())).collect()
}

/// Returns the first level with so many parts.
fn level_of(text: &str, parts: usize) -> Parts {
    chunked(text.as_bytes()).into_iter().find(|level| level.len() == parts).unwrap()
}

const BODIES: [&str; 4] = [
    "{\"a\": [1, 2, 3], \"b\": \"some words that are long enough for it\", \"c\": \"and some more of them, as it has to be a hundred\"}",
    "{\"name\": \"somebody\"}",
    "a line\r\nand another one\r\n",
    "{\"is\": \"the last\"}",
];

#[test]
fn messages_go_with_their_bodies() {
    let all: Vec<String> =
        BODIES.iter().zip(["/a", "/b", "/c", "/d"]).map(|(body, path)| message(path, body)).collect();
    let level = level_of(&all.concat(), 4);
    assert_eq!(without(&level, |at| at % 2 == 0), [&all[1][..], &all[3]].concat().as_bytes());
}

/// The messages of commits end with a line, and the next command follows at once, as in a stream of `git fast-export`.
#[test]
fn a_length_counts_whole_lines() {
    let commit = |at: usize, message: &str| {
        format!("commit refs/heads/main\nmark :{at}\ndata {}\n{message}M 100644 :{at} file\n", message.len())
    };
    let messages: Vec<String> = (1..10).map(|at| "so it is\n".repeat(at)).collect();
    let text: String = messages.iter().enumerate().map(|(at, message)| commit(at, message)).collect();
    let rest: String = messages.iter().enumerate().skip(1).map(|(at, message)| commit(at, message)).collect();
    let levels = chunked(text.as_bytes());
    let left = format!("{}{rest}", commit(0, ""));
    assert!(levels.iter().any(|level| level.len() == 9 && without(level, |at| at == 0) == left.as_bytes()));
}

#[test]
fn a_length_follows_and_takes_fewer_digits() {
    assert!(BODIES[0].len() >= 100);
    let text: String = BODIES.iter().map(|body| message("/a", body)).collect();
    // The whole of each body.
    let level =
        chunked(text.as_bytes()).into_iter().find(|level| without(level, |_| true).ends_with(b": 0\r\n\r\n")).unwrap();
    let left = without(&level, |at| at == 0);
    assert_eq!(
        left,
        format!("{}{}", message("/a", ""), BODIES[1..].iter().map(|body| message("/a", body)).collect::<String>())
            .as_bytes()
    );
    // Bytes of it, at the end.
    let level = chunked(text.as_bytes()).pop().unwrap();
    assert_eq!(level.len(), BODIES.concat().len());
    let shorter: String = BODIES.concat().chars().skip(30).take(BODIES[0].len() - 30).collect();
    let expected = message("/a", &shorter) + &BODIES[1..].iter().map(|body| message("/a", body)).collect::<String>();
    assert_eq!(without(&level, |at| at < 30), expected.as_bytes());
}

#[test]
fn chunks_of_base_sixteen_go_and_are_joined() {
    let bodies = ["first of all there is this", "then", "a third one", "{\"at\": \"last\", \"four\": 5}"];
    let text = chunks("/a", &bodies) + &message("/b", BODIES[0]);
    let end = message("/b", BODIES[0]);
    let levels = chunked(text.as_bytes());
    let all = levels.iter().find(|level| level.len() == 4).unwrap();
    assert_eq!(without(all, |at| at == 1), (chunks("/a", &[bodies[0], bodies[2], bodies[3]]) + &end).as_bytes());
    let between = levels.iter().find(|level| level.len() == 3).unwrap();
    let joined = |sets: &[&[&str]]| {
        chunks(
            "/a",
            &sets.iter().map(|set| set.concat()).collect::<Vec<_>>().iter().map(|text| &text[..]).collect::<Vec<_>>(),
        ) + &end
    };
    assert_eq!(without(between, |at| at == 0), joined(&[&bodies[..2], &bodies[2..3], &bodies[3..]]).as_bytes());
    assert_eq!(without(between, |at| at > 0), joined(&[&bodies[..1], &bodies[1..]]).as_bytes());
    assert_eq!(without(between, |_| true), joined(&[&bodies]).as_bytes());
}

#[test]
fn numbers_that_count_nothing_are_no_lengths() {
    let texts = [
        // Times, and numbers at the ends of lines.
        "12:30:45 began with 20\n12:31:00 went on with 7\n13:00:11 ended with 9\n14:10:11 said 4\n",
        // Rows of numbers.
        "4\n2\n31\n17\n8\n12\n5\n6\n1\n19\n22\n3\n7\n40\n",
        "name: a\nlength: 300\n\nname: b\nlength: 500\n\n",
        // Sides of expressions, with what they would count behind a blank line.
        "while (number_of_characters_that_were_taken_so_far < buffer_size - 1\n       \
         && is_the_same_character_as(character_that_was_read, the_end_of_all_characters))\n  \
         take_the_next_character_from_the_buffer();\n\n}\n",
        "const bool is_longer_than_one_sign = position_of_the_sign_in_it > 0 || sign_size > 1\n    \
         || has_padding_before_the_first_sign_of_this_number_in_the_text();\n\n}\n",
        "{\"1\": 20, \"2\": 30, \"10\": \"x\", \"11\": \"y\", \"12\": \"z\"}\n",
    ];
    for text in texts {
        assert!(chunked(text.as_bytes()).is_empty(), "{text}");
    }
}

#[test]
fn what_counts_its_text_is_reduced() {
    // Reads netstrings; fails if one of them has both signs.
    let read = |mut text: &[u8]| -> Option<Vec<Vec<u8>>> {
        let mut all = vec![];
        while !text.is_empty() {
            let colon = text.iter().position(|byte| *byte == b':')?;
            let length: usize = std::str::from_utf8(&text[..colon]).ok()?.parse().ok()?;
            let end = colon + 1 + length;
            all.push(text.get(colon + 1..end)?.to_vec());
            text = text.get(end..)?.strip_prefix(b",")?;
        }
        Some(all)
    };
    let oracle = |candidate: &Candidate| -> Outcome {
        let all = read(candidate.artifact().bytes());
        fails_if(all.is_some_and(|all| all.iter().any(|one| has(one, b"<") && has(one, b">"))))
    };
    let texts: Vec<String> = (0..60)
        .map(|at| {
            format!("{} number {at} {}", "some words ".repeat(at % 7), ["of it", "<here> it is"][usize::from(at == 41)])
        })
        .collect();
    let text = netstrings(&texts.iter().map(|text| &text[..]).collect::<Vec<_>>());
    let end = run(Reduction::new(file(text.as_bytes()), Plan::standard()), oracle);
    assert_eq!(end.best().artifact().bytes(), b"2:<>,");
}

proptest! {
    #[test]
    fn any_such_text_comes_apart(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        missing in 0..40usize,
        choice in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        let text = chunks("/a", &["first of all there is this", "then", "and so on"]) + &message("/b", BODIES[0]) + &message("/c", BODIES[2]);
        comes_apart(text.into_bytes(), &changes, missing, &choice);
    }
}
