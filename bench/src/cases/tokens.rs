//! One counter of tokens for all tools and languages: names, numbers, strings and signs, as C has them.
//!
//! Comments of C and white space do not count; bytes that are no UTF-8 count as one token each. For other
//! languages it is only a measure, but the same one on both sides of every comparison.

/// Returns how many tokens there are.
pub(crate) fn count(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let chars: Vec<char> = text.chars().collect();
    let (mut at, mut tokens) = (0, 0);
    while at < chars.len() {
        let rest = &chars[at..];
        let blank = blank(rest);
        if blank > 0 {
            at += blank;
        } else {
            at += token(rest);
            tokens += 1;
        }
    }
    tokens
}

/// Returns how many characters of white space and comments the text begins with, or 0.
fn blank(text: &[char]) -> usize {
    let spaces = text.iter().take_while(|char| is_space(**char)).count();
    match text {
        _ if spaces > 0 => spaces,
        ['\\', '\n', ..] => 2,
        ['/', '/', ..] => text.iter().take_while(|char| **char != '\n').count(),
        ['/', '*', inner @ ..] => {
            let end = inner.windows(2).position(|pair| pair == ['*', '/']);
            end.map_or(text.len(), |end| end + 4)
        }
        _ => 0,
    }
}

/// Returns how long the token is that the text begins with: always at least one character.
fn token(text: &[char]) -> usize {
    raw_string(text)
        .or_else(|| string(text))
        .or_else(|| name(text))
        .or_else(|| number(text))
        .unwrap_or_else(|| sign(text))
}

/// Returns the length of what may stand before a string: nothing, or `u8`, `u`, `U`, `L`.
fn prefixes(text: &[char]) -> impl Iterator<Item = usize> {
    let two = matches!(text, ['u', '8', ..]).then_some(2);
    let one = matches!(text, ['u' | 'U' | 'L', ..]).then_some(1);
    two.into_iter().chain(one).chain([0])
}

fn raw_string(text: &[char]) -> Option<usize> {
    prefixes(text).find_map(|prefix| {
        let ['R', '"', inner @ ..] = &text[prefix..] else { return None };
        let fits = |char: &&char| !matches!(**char, ' ' | '(' | ')' | '\\') && !is_space(**char);
        let word = inner.iter().take(16).take_while(fits).count();
        let (word, inner) = inner.split_at(word);
        let ['(', body @ ..] = inner else { return None };
        let end: Vec<char> = [')'].into_iter().chain(word.iter().copied()).chain(['"']).collect();
        let body = body.windows(end.len()).position(|window| window == end)?;
        Some(prefix + 2 + word.len() + 1 + body + end.len())
    })
}

/// Returns a string or character that ends on its line.
fn string(text: &[char]) -> Option<usize> {
    prefixes(text).find_map(|prefix| {
        let quote = *text.get(prefix).filter(|char| matches!(char, '"' | '\''))?;
        let mut at = prefix + 1;
        loop {
            match text.get(at)? {
                '\\' if at + 1 < text.len() => at += 2,
                '\\' | '\n' => return None,
                char if *char == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
    })
}

fn name(text: &[char]) -> Option<usize> {
    let first = *text.first()?;
    let begins = first.is_ascii_alphabetic() || matches!(first, '_' | '$' | '\u{80}'..='\u{ffff}');
    begins.then(|| 1 + text[1..].iter().take_while(|char| is_word(**char) || **char == '$').count())
}

fn number(text: &[char]) -> Option<usize> {
    let mut at = match text {
        ['.', digit, ..] if digit.is_ascii_digit() => 2,
        [digit, ..] if digit.is_ascii_digit() => 1,
        _ => return None,
    };
    loop {
        at += match &text[at..] {
            ['e' | 'E' | 'p' | 'P', '+' | '-', ..] => 2,
            ['\'', next, ..] if is_word(*next) => 1,
            [next, ..] if is_word(*next) || *next == '.' => 1,
            _ => return Some(at),
        };
    }
}

/// The signs of more than one character, the longest first where one begins with another.
const SIGNS: [&str; 28] = [
    "%:%:", "...", "<=>", "<<=", ">>=", "->*", "##", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "->",
    "::", ".*", "-=", "+=", "*=", "/=", "%=", "&=", "|=", "^=",
];

fn sign(text: &[char]) -> usize {
    let begins = |sign: &&&str| sign.chars().count() <= text.len() && sign.chars().zip(text).all(|(a, b)| a == *b);
    SIGNS.iter().find(begins).map_or(1, |sign| sign.chars().count())
}

fn is_space(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{1c}'..='\u{1f}')
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn names_numbers_strings_and_signs_count_one_each() {
        for (text, tokens) in [
            ("", 0),
            (" \t\n", 0),
            ("int main(void) { return 0; }", 10),
            ("a+++b", 4),
            ("x >>= 1; y <=> z; p->*q", 11),
            ("1.5e-3f + .5 + 0x1p+2 + 1'000", 7),
            ("L\"wide\" u8\"x\" 'c' '\\''", 4),
            ("R\"x(a ) \" b)x\" 1", 2),
            ("#include <a.h>", 7),
            ("b$c é π2", 3),
        ] {
            assert_eq!(count(text.as_bytes()), tokens, "{text}");
        }
    }

    #[test]
    fn comments_and_joined_lines_do_not_count() {
        assert_eq!(count(b"a // b c\nd /* e\nf */ g /* open"), 3);
        assert_eq!(count(b"a \\\n b \\\r\n c"), 3);
        assert_eq!(count(b"a / b"), 3);
    }

    #[test]
    fn an_open_string_is_a_sign_and_what_follows() {
        assert_eq!(count(b"\"ab\ncd\""), 4);
        assert_eq!(count(b"'"), 1);
        assert_eq!(count(b"R\"x(ab"), 5);
    }

    #[test]
    fn bytes_that_are_no_text_count_one_each() {
        assert_eq!(count(b"\xff\xfe\x00"), 3);
    }
}
