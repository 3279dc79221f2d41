//! What is proved of large files that are no text: by blocks of bytes, unless single ones are asked for.

use crate::support::{fails_if, file};
use reduct_core::Search;
use reduct_input::Artifact;
use reduct_passes::Pass;
use reduct_strategies::{Method, Plan, Reduction};
use std::collections::HashSet;

/// Returns bytes of no format, as many as are asked for.
fn noise(bytes: u32) -> Vec<u8> {
    // A generator of numbers by multiplication, the high bits of which seem to be drawn.
    (0..bytes)
        .scan(1u32, |state, _| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some((*state >> 24) as u8)
        })
        .collect()
}

/// Returns how many questions it takes until nothing is left to ask about a file that fails as a whole only.
fn questions(text: &[u8], plan: Plan) -> usize {
    let mut reduction = Reduction::new(file(text), plan);
    let mut asked = 0;
    while let Some(candidate) = reduction.ask() {
        asked += 1;
        reduction.tell(fails_if(candidate.artifact().bytes() == text));
    }
    assert_eq!(reduction.best().len(), text.len());
    asked
}

/// Returns what the parts of `chars` are in the proof.
fn unit(text: &[u8], plan: &Plan) -> &'static str {
    let subject = plan.subject(Artifact::of_file("input", text).unwrap());
    let chars = plan.passes.iter().position(|pass| pass.name == "chars").unwrap();
    plan.proving(chars, &subject).unit_in(&subject)
}

#[test]
fn a_large_file_is_proved_by_blocks() {
    let text = noise(5000);
    // A block of 16 bytes would be one of 313, of more than 256; of 32 there are 157.
    assert_eq!(unit(&text, &Plan::standard()), "blocks of 32 bytes");
    let asked = questions(&text, Plan::standard());
    assert!((157..1000).contains(&asked), "{asked} questions");
}

#[test]
fn single_bytes_are_proved_where_they_are_few_or_asked_for() {
    let text = noise(5000);
    let proving = Plan { prove: true, ..Plan::standard() };
    assert_eq!(unit(&text, &proving), "characters");
    let asked = questions(&text, proving);
    // Three in a hundred bytes are the first of a character of two: one of 30 of 256, before one of 64.
    assert!(asked >= 4700, "{asked} questions");
    let of_chars = Plan::new(vec![Pass::named("chars").unwrap()], Method::Relevance);
    assert_eq!(unit(&text, &of_chars), "characters");
    assert_eq!(unit(&text[..2048], &Plan::standard()), "characters");
    assert_eq!(unit("word ".repeat(1000).as_bytes(), &Plan::standard()), "characters", "a text has no blocks");
}

/// A block that can go in the proof goes, and then what is few enough is proved byte by byte.
#[test]
fn what_is_left_of_blocks_is_proved_by_bytes() {
    let text = noise(2060);
    let mut reduction = Reduction::new(file(&text), Plan::standard());
    // Of 256 blocks at most, each has 16 bytes. The search for bytes does not find the one that can go as a whole only.
    let less = [&text[..1024], &text[1040..]].concat();
    let mut without_one = HashSet::new();
    while let Some(candidate) = reduction.ask() {
        let left = candidate.artifact();
        if left.bytes().len() + 1 == less.len() {
            without_one.insert(left.bytes().to_vec());
        }
        reduction.tell(fails_if(left.bytes() == text || left.bytes() == less));
    }
    assert!(reduction.best().artifact().bytes() == less);
    assert_eq!(unit(&less, &Plan::standard()), "characters");
    // Some sixty are the first of a character of two bytes, and of two equal ones in a row one is as good as the other.
    assert!(without_one.len() >= 1850, "{} of {}", without_one.len(), less.len());
}
