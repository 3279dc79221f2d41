//! Lexical tokens of any text: words, numbers, quoted strings, operators, each with the white space
//! after it. Knows no language; what most languages share is enough to keep tokens whole.

use super::{after_space, flat};
use crate::pass::{Needs, Pass, Proposals};
use crate::text::Strings;
use reduct_input::Subject;

pub(crate) const PASS: Pass = Pass {
    single_list: true,
    needs: Needs::Text,
    ..Pass::deleting("tokens", "tokens", "words, numbers, strings and operators of any text", propose)
};

fn propose(subject: &Subject) -> Proposals {
    let artifact = subject.artifact();
    let mut strings = Strings::default();
    flat(artifact, |text, at| {
        if at == 0 {
            strings = Strings::default();
        }
        after_space(text, at + token(text, at, &mut strings))
    })
}

/// Operators of more than one character, longest first.
const OPERATORS: &[&[u8]] = &[
    b"<<=", b">>=", b"...", b"===", b"!==", b"<=>", b"->*", b"**=", b"&&=", b"||=", b"??=", b"..=", b"->", b"=>",
    b"::", b"==", b"!=", b"<=", b">=", b"<<", b">>", b"&&", b"||", b"++", b"--", b"+=", b"-=", b"*=", b"/=", b"%=",
    b"&=", b"|=", b"^=", b"##", b"</", b"/>", b"/*", b"*/", b"//", b"**", b"??", b"?.", b"..", b":=",
];

/// Returns how long the token at `at` is; 0 if that is white space.
fn token(text: &[u8], at: usize, strings: &mut Strings) -> usize {
    let rest = &text[at..];
    match rest[0] {
        b if b.is_ascii_whitespace() => 0,
        b if b.is_ascii_digit() => count(rest, |b| is_word(b) || b == b'.'),
        // A `$` behind a letter begins another word, as in `echo$a`.
        b if is_word(b) => 1 + count(&rest[1..], |b| is_word(b) && b != b'$'),
        b'"' | b'\'' | b'`' => strings.length(text, at).unwrap_or(1),
        _ => OPERATORS.iter().find(|op| rest.starts_with(op)).map_or(1, |op| op.len()),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn count(rest: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    rest.iter().take_while(|&&b| belongs(b)).count()
}
