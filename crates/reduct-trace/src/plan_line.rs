//! A line of a plan: `file:line_time text`, after a blank for each event that it belongs to. With several statements on a line of the
//! file, `file:line.2_time` is an execution of the second one.
//!
//! It is read without a regular expression: `reduct step` reads one or two plans, and to compile the expression took a third of its time.

/// The parts of a line. Numbers are digits: they can be too large for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlanLine<'a> {
    /// How many blanks it begins with.
    pub(crate) blanks: usize,
    pub(crate) file: &'a str,
    pub(crate) line: &'a str,
    pub(crate) nth: Option<&'a str>,
    pub(crate) time: &'a str,
    pub(crate) text: &'a str,
}

impl PlanLine<'_> {
    /// Takes a line apart, if it is one of a plan. The file ends at the first colon behind which the rest of a line follows.
    pub(crate) fn of(line: &str) -> Option<PlanLine<'_>> {
        let rest = line.trim_start_matches(' ');
        let blanks = line.len() - rest.len();
        let colons = rest.match_indices(':').map(|(at, _)| at).skip_while(|at| *at == 0);
        colons.filter_map(|at| PlanLine::behind(blanks, &rest[..at], &rest[at + 1..])).next()
    }

    fn behind<'a>(blanks: usize, file: &'a str, rest: &'a str) -> Option<PlanLine<'a>> {
        let (line, rest) = digits(rest)?;
        let (nth, rest) = match rest.strip_prefix('.') {
            Some(rest) => digits(rest).map(|(nth, rest)| (Some(nth), rest))?,
            None => (None, rest),
        };
        let (time, rest) = digits(rest.strip_prefix('_')?)?;
        let text = if rest.is_empty() { "" } else { rest.strip_prefix(' ')? };
        Some(PlanLine { blanks, file, line, nth, time, text })
    }
}

/// Returns the digits that a text begins with, at least one, and the rest.
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    #[test]
    fn a_line_is_taken_apart_as_by_a_regular_expression() {
        let reference = Regex::new(r"^( *)([^ ].*?):([0-9]+)(?:\.([0-9]+))?_([0-9]+)(?: (.*))?$").unwrap();
        let pieces = [" ", "é", ":", "1", ".", "_1", ":1"];
        let mut read = 0;
        // All texts of up to six of these pieces.
        for length in 0..=6_u32 {
            for number in 0..pieces.len().pow(length) {
                let piece = |at| pieces[number / pieces.len().pow(at) % pieces.len()];
                let text: String = (0..length).map(piece).collect();
                let part = |found: &regex::Captures<'_>, n| found.get(n).map(|part| part.as_str().to_owned());
                let expected = reference.captures(&text).map(|it| (1..=6).map(|n| part(&it, n)).collect::<Vec<_>>());
                let found = PlanLine::of(&text);
                read += usize::from(found.is_some());
                let own = |it: &str| Some(it.to_owned());
                let found = found.map(|PlanLine { blanks, file, line, nth, time, text: rest }| {
                    let has_text = !rest.is_empty() || text.ends_with(' ');
                    let rest = own(rest).filter(|_| has_text);
                    vec![own(&" ".repeat(blanks)), own(file), own(line), nth.and_then(own), own(time), rest]
                });
                assert_eq!(found, expected, "{text:?}");
            }
        }
        assert!(read > 1000, "{read}");
    }
}
