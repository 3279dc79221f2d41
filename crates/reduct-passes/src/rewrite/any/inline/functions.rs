//! Functions of one statement, in texts that no grammar reads: Perl, Kotlin, Swift, Scala and others.

use crate::plain::{LONGEST, Plain, is_firm};
use crate::rewrite::MOST_COPIES;
use reduct_input::{Edit, Subject};
use std::ops::Range;

/// The words before the name of a function that is defined.
const WORDS: &[&str] = &["sub", "fun", "func", "def", "fn", "function"];

/// Returns the edits that put what a function does in the place of its calls, with the arguments for the parameters.
pub(super) fn inlined(subject: &Subject) -> Vec<Edit> {
    let mut edits = vec![];
    for plain in Plain::files(subject) {
        let by_text = plain.by_text();
        let functions =
            (1..plain.words.len()).filter(|name| plain.word(name - 1).is_some_and(|word| WORDS.contains(&word)));
        let edit = |name: usize| {
            let places =
                by_text.get(plain.word(name)?).filter(|places| (2..=MOST_COPIES + 1).contains(&places.len()))?;
            Function::new(&plain, name)?.edit(places)
        };
        edits.extend(functions.filter_map(edit));
    }
    edits
}

struct Function<'p> {
    plain: &'p Plain<'p>,
    at: Range<usize>,
    /// The number of the word that names it.
    name: usize,
    parameters: Vec<&'p str>,
    /// The statement, or the value that it returns.
    body: Range<usize>,
    is_value: bool,
}

impl<'p> Function<'p> {
    fn new(plain: &'p Plain<'p>, name: usize) -> Option<Function<'p>> {
        let (word, named) = (plain.words.get(name.checked_sub(1)?)?, plain.words.get(name)?);
        let is_beside = word.end < named.start && plain.past_blanks(word.end) == named.start;
        let mut at = plain.past_blanks(named.end);
        let mut parameters = vec![];
        if plain.byte(at).filter(|_| is_beside)? == b'(' {
            let close = plain.closing(at)?;
            parameters = plain.listed(at, close).into_iter().map(|at| parameter(&plain.text[at])).collect();
            at = close + 1;
        }
        at += plain.text[at..].len() - plain.text[at..].trim_start().len();
        let sign = plain.first_sign(at)?;
        let begins = plain.past_blanks(sign + 1);
        let has_block = plain.byte(sign) == Some(b'{') || plain.byte(begins) == Some(b'{');
        let (inner, end) = if has_block {
            let open = if plain.byte(sign) == Some(b'{') { sign } else { begins };
            let close = plain.closing(open)?;
            (plain.trimmed(open + 1..close), close + 1)
        } else {
            let value = plain.expression(begins);
            (value.clone(), value.end)
        };
        let mut function = Function { plain, at: word.start..end, name, parameters, body: inner, is_value: !has_block };
        if function.body.len() > LONGEST {
            return None;
        }
        function.without_assignments();
        function.without_return()?;
        Some(function)
    }

    /// Takes what assigns the parameters of Perl from the body.
    fn without_assignments(&mut self) {
        while self.plain.word(self.name - 1) == Some("sub") {
            let text = &self.plain.text[self.body.clone()];
            let Some((first, rest)) = text.split_once(';') else { return };
            let Some((left, right)) = first.split_once('=') else { return };
            let left = left.trim().strip_prefix("my").unwrap_or(left).trim();
            let listed = left.strip_prefix('(').and_then(|left| left.strip_suffix(')'));
            match (listed, right.trim()) {
                (Some(names), "@_") => self.parameters.extend(names.split(',').map(str::trim)),
                (None, "shift") if left.starts_with('$') => self.parameters.push(left),
                _ => return,
            }
            self.body = self.plain.trimmed(self.body.end - rest.len()..self.body.end);
        }
    }

    /// Takes `return` and the semicolon at the end from the body. `None` if it is no single statement.
    fn without_return(&mut self) -> Option<()> {
        let text =
            self.plain.text[self.body.clone()].trim_end_matches(|sign: char| sign == ';' || sign.is_whitespace());
        self.body.end = self.body.start + text.len();
        if let Some(value) = text.strip_prefix("return").filter(|value| value.starts_with([' ', '(', '"', '$'])) {
            self.body = self.plain.trimmed(self.body.end - value.len()..self.body.end);
            self.is_value = true;
        }
        let is_more = self.plain.first_of(b";\n", self.body.start).is_some_and(|at| at < self.body.end);
        let returns = self.plain.within(&self.body).any(|word| self.plain.word(word) == Some("return"));
        (!self.body.is_empty() && !is_more && !returns).then_some(())
    }

    fn edit(&self, places: &[usize]) -> Option<Edit> {
        let plain = self.plain;
        let mut splices = vec![];
        for place in places.iter().filter(|place| **place != self.name) {
            let named = &plain.words[*place];
            let is_defined =
                place.checked_sub(1).and_then(|before| plain.word(before)).is_some_and(|word| WORDS.contains(&word));
            if self.at.contains(&named.start) || is_defined || plain.before(named.start) == Some(b'.') {
                return None;
            }
            let open = plain.past_blanks(named.end);
            let (arguments, end) = match plain.byte(open) {
                Some(b'(') => {
                    let close = plain.closing(open).filter(|close| close - open <= LONGEST)?;
                    (plain.listed(open, close), close + 1)
                }
                _ => (vec![], named.end),
            };
            let arguments: Vec<&str> = arguments.into_iter().map(|at| argument(&plain.text[at])).collect();
            let text = self.with(&arguments)?;
            let call = named.start..end;
            let is_plain = !self.is_value || is_firm(&text) || plain.is_whole(&call);
            splices.push(plain.put(call, &if is_plain { text } else { format!("({text})") }));
        }
        splices.push(plain.put(plain.with_line_end(self.at.clone()), ""));
        splices.sort_by_key(|splice| splice.at.start);
        Edit::new(splices)
    }

    /// Returns the body with these arguments for the parameters.
    fn with(&self, arguments: &[&str]) -> Option<String> {
        let plain = self.plain;
        let is_perl = plain.word(self.name - 1) == Some("sub");
        if self.parameters.len() > arguments.len() || !is_perl && self.parameters.len() != arguments.len() {
            return None;
        }
        let (mut text, mut from) = (String::new(), self.body.start);
        for number in plain.within(&self.body) {
            let (mut at, word) = (plain.words[number].clone(), plain.word(number)?);
            // A word in the brackets of a parameter went with it.
            if at.start < from {
                continue;
            }
            let of_name = self.parameters.iter().position(|name| *name == word);
            let position = if let Some(position) = of_name.filter(|_| plain.before(at.start) != Some(b'.')) {
                position
            } else if is_perl && word == "$_" && plain.byte(at.end) == Some(b'[') {
                let close = plain.closing(at.end)?;
                let position = plain.text[at.end + 1..close].parse().ok()?;
                at.end = close + 1;
                position
            } else if is_perl && word == "_" && plain.before(at.start) == Some(b'@') {
                text.push_str(&plain.text[from..at.start - 1]);
                text.push_str(&arguments.join(","));
                from = at.end;
                continue;
            } else {
                continue;
            };
            let argument = arguments.get(position)?;
            text.push_str(&plain.text[from..at.start]);
            let is_plain = is_firm(argument) || plain.is_whole(&at);
            text.push_str(&if is_plain { (*argument).to_owned() } else { format!("({argument})") });
            from = at.end;
        }
        text.push_str(&plain.text[from..self.body.end]);
        Some(text)
    }
}

/// Returns the name of a parameter: the last word before its type.
fn parameter(text: &str) -> &str {
    let name = text.split_once(':').map_or(text, |(name, _)| name).trim_end();
    name.rsplit([' ', '\t']).next().unwrap_or(name)
}

/// Returns an argument without the name of its parameter, which Swift wants before it, and Kotlin and Scala allow.
fn argument(text: &str) -> &str {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let named = text
        .split_once([':', '='])
        .filter(|(name, value)| is_name(name.trim_end()) && !value.starts_with([':', '=', '~', '>']));
    named.map_or(text, |(_, value)| value.trim_start())
}
