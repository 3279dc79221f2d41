//! The texts that an output must have for a failure to be the one in question: what they name may be put in the place of
//! what is computed.

use crate::Criterion;
use crate::condition::What;

impl Criterion {
    /// Returns the texts that count of what a failure says, without what may differ from candidate to candidate.
    pub fn said(&self) -> Vec<String> {
        match self {
            Criterion::ExitZero | Criterion::Bisect | Criterion::BisectLike(_) => vec![],
            Criterion::Same(signature) => {
                let reported = signature.report.as_ref().map(|report| report.message.clone());
                reported.unwrap_or_else(|| signature.text.clone()).into_iter().collect()
            }
            Criterion::Conditions(all) => {
                let pattern = |(negated, what): (bool, &What)| match what {
                    What::Says(_, regex) if !negated => Some(plain(regex.as_str())),
                    _ => None,
                };
                all.iter().filter_map(|condition| pattern(condition.parts())).collect()
            }
        }
    }
}

/// Returns a regular expression with a blank in the place of all that stands for no text.
pub fn plain(pattern: &str) -> String {
    let mut chars = pattern.chars().peekable();
    let mut text = String::new();
    while let Some(char) = chars.next() {
        match char {
            '\\' => text.extend(chars.next().map(|next| if next.is_ascii_alphanumeric() { ' ' } else { next })),
            '[' => {
                // A bracket that comes first does not close it.
                chars.next_if_eq(&'^');
                chars.next_if_eq(&']');
                chars.by_ref().take_while(|next| *next != ']').for_each(drop);
                text.push(' ');
            }
            '{' if chars.peek().is_some_and(char::is_ascii_digit) => {
                chars.by_ref().take_while(|next| *next != '}').for_each(drop);
                text.push(' ');
            }
            '^' | '$' | '*' | '+' | '?' | '(' | ')' | '|' => text.push(' '),
            '.' if chars.peek().is_some_and(|next| "*+?{".contains(*next)) => text.push(' '),
            char => text.push(char),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_printed_is_left_of_a_pattern() {
        let cases = [
            ("^total=42$", " total=42 "),
            (r"sum: \d+ of 1\.5", "sum:    of 1.5"),
            ("KeyError: '[^']*' x[]a]{2}y", "KeyError: '  ' x  y"),
            ("a.*b|(c)", "a  b  c "),
            ("ends with \\", "ends with "),
            ("[never closed", " "),
        ];
        for (pattern, left) in cases {
            assert_eq!(plain(pattern), left, "{pattern}");
        }
    }

    #[test]
    fn only_what_an_output_has_is_said() {
        let conditions = ["exit=1", "stdout~total=42", "!stderr~99", "frame~77"];
        let all = conditions.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(Criterion::Conditions(all).said(), ["total=42"]);
        assert!(Criterion::ExitZero.said().is_empty());
    }
}
