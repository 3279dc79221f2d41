//! Which failures are the same: pure, and the same in whatever order they come.
//!
//! Two failures look the same if they end alike, say the same (the names in both inputs aside), and happen in the same
//! function of the program, whoever called it. They *are* the same if the same text is left of both, if they happen in one
//! line of the program ([`Place`]), or if an experiment says so ([`Crossing`]); and if at least half of the tokens are in
//! both, unless an experiment says that they
//! are not, or they happen in two lines of it. Who is the same as somebody of a group belongs to it. Each verdict on two
//! has a reason in words.

mod collect;
mod compare;

use super::evidence::Crossing;
use super::place::Place;
use super::tokens::counted;
use reduct_run::executor::Observed;
use reduct_run::oracle::signature::{Signature, Words};
use std::collections::{BTreeMap, HashSet};

/// An input that fails.
#[derive(Clone, Debug)]
pub struct Failing {
    /// What it is called; of no two the same.
    pub name: String,
    /// What its test shows.
    pub observed: Observed,
    /// What is left of it.
    pub text: Vec<u8>,
    /// Whether that was reduced: else what is in it says little about why it fails.
    pub reduced: bool,
    /// Whose the files are that its report names.
    pub words: Words,
}

impl Failing {
    /// What a message may say of it: what is left of it, and what it is called, as compilers do.
    fn says(&self) -> Vec<u8> {
        [&self.text[..], b" ", self.name.as_bytes(), b" "].concat()
    }

    /// The words of that and of another text, with the command of its test.
    fn says_with(&self, text: &[u8]) -> Words {
        Words::of(&[&self.says()[..], text].concat()).run_by(self.words.command())
    }
}

/// Those that are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its members, by place in the list they came in, the smallest first.
    pub members: Vec<usize>,
    /// What the failure looks like.
    pub signature: String,
}

/// Whether two are the same, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are.
    Same(String),
    /// They are not.
    Different(String),
}

/// A pair, and why it is one.
type Link = (usize, usize, String);

/// Of each, its partners, and why.
type Links = Vec<Vec<(usize, String)>>;

/// Failures, and what is known of each.
pub struct Grouping<'a> {
    all: &'a [Failing],
    signatures: Vec<Signature>,
    /// Where each happened.
    places: Vec<Place>,
    tokens: Vec<BTreeMap<String, usize>>,
    /// By size, then text, then name: an order that does not depend on how they came.
    order: Vec<usize>,
    groups: Vec<Group>,
    /// Those that belong together without what only looks so, as members in order.
    sure: Vec<Vec<usize>>,
    /// Pairs that are the same, and why.
    known: Vec<Link>,
    /// Pairs that look the same, and why: an experiment may say otherwise.
    likely: Vec<Link>,
    /// Of each, those it is the same as: all that is known, and what is likely and was not denied.
    links: Links,
    crossings: Vec<Crossing>,
    /// One of each text and signature; of those, the pairs that fail alike.
    alike: HashSet<(usize, usize)>,
}

impl<'a> Grouping<'a> {
    /// Groups failures by how they look.
    pub fn new(all: &'a [Failing]) -> Grouping<'a> {
        Grouping::crossed(all, &[])
    }

    /// Does so, unless somebody wants it to end: of many failures that takes a while.
    pub fn unless(all: &'a [Failing], ends: &dyn Fn() -> bool) -> Option<Grouping<'a>> {
        let mut grouping = Grouping::apart(all);
        grouping.link(ends)?;
        grouping.collect();
        Some(grouping)
    }

    /// Groups failures by how they look and by what experiments said.
    pub fn crossed(all: &'a [Failing], crossings: &[Crossing]) -> Grouping<'a> {
        let mut grouping = Grouping::apart(all);
        // Nobody wants it to end.
        let _ = grouping.link(&|| false);
        grouping.crossings = crossings.to_vec();
        grouping.collect();
        grouping
    }

    /// Adds what one more experiment said.
    pub fn add(&mut self, crossing: Crossing) {
        self.crossings.push(crossing);
        self.collect();
    }

    /// What experiments said.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Failures of which nothing is known yet.
    fn apart(all: &'a [Failing]) -> Grouping<'a> {
        let signatures = all.iter().map(|one| looks(&one.observed, &one.says_with(b""))).collect();
        let places = all.iter().map(|one| Place::of(&one.observed, &one.words)).collect();
        let tokens = all.iter().map(|one| counted(&one.text)).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|at| (all[*at].text.len(), &all[*at].text, &all[*at].name));
        let (links, crossings, alike) = (vec![], vec![], HashSet::new());
        let (groups, sure, known, likely) = (vec![], vec![], vec![], vec![]);
        Grouping { all, signatures, places, tokens, order, groups, sure, known, likely, links, crossings, alike }
    }

    /// The groups: the largest first, equally large ones by their smallest member.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Those that are surely the same as one that is the smallest of them, the smallest first.
    pub fn surely(&self, smallest: usize) -> &[usize] {
        self.sure.iter().find(|members| members[0] == smallest).map_or(&[], |members| members)
    }

    /// Whether the failures of these two, each the smallest of its group, look the same.
    pub fn fail_alike(&self, one: usize, other: usize) -> bool {
        self.alike.contains(&(one.min(other), one.max(other)))
    }

    /// Whether what was seen with this text looks like the failure of one.
    pub fn looks_like(&self, at: usize, seen: &Observed, text: &[u8]) -> bool {
        let one = &self.all[at];
        let words = one.says_with(text);
        looks(&one.observed, &words) == looks(seen, &words)
    }

    /// Whether one was reduced.
    pub fn is_reduced(&self, at: usize) -> bool {
        self.all[at].reduced
    }

    /// All of them, the smallest first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// What the failure of one looks like.
    pub fn signature(&self, at: usize) -> &Signature {
        &self.signatures[at]
    }

    /// The smallest of each group of those that are surely the same, smaller ones first: who is to be compared by
    /// experiments.
    pub fn smallest(&self) -> impl Iterator<Item = usize> + '_ {
        self.sure.iter().map(|members| members[0])
    }

    /// The pairs that look the same, though nothing shows that they are.
    pub fn likely(&self) -> HashSet<(usize, usize)> {
        self.likely.iter().map(|(one, other, _)| (*one.min(other), *one.max(other))).collect()
    }
}

/// What of a failure tells it from others: not who called the function it happened in.
fn looks(observed: &Observed, words: &Words) -> Signature {
    let signature = Signature::of(observed, words).without_callers();
    // Beside a report the line does not count: it may be one that names the place.
    if signature.report.is_some() { Signature { text: None, or: None, ..signature } } else { signature }
}

#[cfg(test)]
mod tests {
    use super::super::evidence::{How, Says};
    use super::*;
    use reduct_core::laws::Chance;
    use reduct_run::executor::{Also, Exit};
    use std::time::Duration;

    fn failing(name: &str, text: &str, exit: Exit, says: &str) -> Failing {
        let observed =
            Observed { exit, stdout: vec![], stderr: says.into(), elapsed: Duration::ZERO, also: Also::default() };
        Failing { name: name.into(), observed, text: text.into(), reduced: true, words: Words::default() }
    }

    fn names(all: &[Failing]) -> Vec<Vec<String>> {
        let grouping = Grouping::new(all);
        let named = |group: &Group| group.members.iter().map(|at| all[*at].name.clone()).collect();
        grouping.groups().iter().map(named).collect()
    }

    #[test]
    fn one_message_of_two_bugs_is_told_apart_by_what_is_left() {
        let says = "IndexError: list index out of range";
        let all = [
            failing("a", "x = [[", Exit::Code(1), says),
            failing("b", "y = [[1", Exit::Code(1), says),
            failing("c", "= \"\"\"", Exit::Code(1), says),
            failing("d", "x = [[", Exit::Code(1), "KeyError: 3"),
        ];
        assert_eq!(names(&all), [vec!["a", "b"], vec!["c"], vec!["d"]]);
        let grouping = Grouping::new(&all);
        let Verdict::Same(why) = grouping.why(0, 1) else { panic!("they are the same") };
        assert_eq!(why, "they fail alike, and 4 of the 5 tokens that are left are in both");
        let Verdict::Different(why) = grouping.why(0, 2) else { panic!("they are not") };
        assert!(why.starts_with("they fail alike, but"), "{why}");
        let Verdict::Different(why) = grouping.why(0, 3) else { panic!("they are not") };
        assert!(why.contains("IndexError") && why.contains("KeyError"), "{why}");
    }

    #[test]
    fn a_message_that_names_what_the_other_input_says_is_the_same() {
        // By its own words alone, the second one's message keeps the name.
        let says = "fatal: unknown name alpha here";
        let one = failing("one", "x(alpha)", Exit::Code(1), says);
        let other = failing("other", "x(b)", Exit::Code(1), says);
        assert_eq!(names(&[one, other]), [["other", "one"]]);
    }

    #[test]
    fn a_message_that_begins_with_the_name_of_the_file_is_the_same() {
        let says = |name: &str| format!("{name}:3:1: error: expected a semicolon");
        let [one, other] = ["one.c", "two.c"].map(|name| failing(name, "x y", Exit::Code(1), &says(name)));
        assert_eq!(names(&[one, other]), [["one.c", "two.c"]]);
    }

    #[test]
    fn who_is_alike_through_a_third_is_told_so() {
        let all = [
            failing("a", "if while for", Exit::Signal(11), ""),
            failing("b", "while for goto", Exit::Signal(11), ""),
            failing("c", "for goto case", Exit::Signal(11), ""),
        ];
        let grouping = Grouping::new(&all);
        assert_eq!(grouping.groups().len(), 1);
        assert!(matches!(grouping.compare(0, 2), Verdict::Different(_)));
        let Verdict::Same(why) = grouping.why(0, 2) else { panic!("through b") };
        assert!(why.starts_with("through others: a and b: "), "{why}");
    }

    #[test]
    fn an_experiment_brings_together_what_looks_apart_and_is_told() {
        let all = [failing("a", ".=", Exit::Code(1), "Oops: no"), failing("b", "[dev]\n.=", Exit::Code(1), "Oops: no")];
        assert_eq!(names(&all).len(), 2);
        let crossing = |says| [Crossing { small: 0, large: 1, how: How::LeftOut, text: b".=".to_vec(), says }];
        let (yes, no) = (crossing(Says::Same), crossing(Says::Nothing));
        let grouping = Grouping::crossed(&all, &yes);
        assert_eq!(grouping.groups().len(), 1);
        let Verdict::Same(why) = grouping.why(1, 0) else { panic!("they are the same") };
        assert_eq!(why, "b still fails alike if only what a is made of is left of it: \".=\"");
        let grouping = Grouping::crossed(&all, &no);
        assert_eq!(grouping.groups().len(), 2);
        let Verdict::Different(why) = grouping.why(0, 1) else { panic!("they are not") };
        assert!(why.contains("are in both; b does not fail alike if only what a is made of"), "{why}");
    }

    #[test]
    fn an_experiment_keeps_apart_what_looks_the_same() {
        let all =
            [failing("a", "put(5, wide)", Exit::Signal(11), ""), failing("b", "put(-5, long)", Exit::Signal(11), "")];
        assert_eq!(names(&all).len(), 1);
        let text = b"put(-5, wide)".to_vec();
        let crossings = [Crossing { small: 0, large: 1, how: How::Exchanged, text, says: Says::Different }];
        let grouping = Grouping::crossed(&all, &crossings);
        assert_eq!(grouping.groups().len(), 2);
        let Verdict::Different(why) = grouping.why(0, 1) else { panic!("they are not") };
        assert!(why.ends_with("the test passes with one of their pieces exchanged: \"put(-5, wide)\""), "{why}");
    }

    /// The report of a sanitizer, with these functions innermost.
    fn report(kind: &str, frames: &[&str]) -> String {
        let frame = |(at, name): (usize, &&str)| format!("    #{at} 0x4{at} in {name} prog.c:{at}\n");
        let frames: String = frames.iter().enumerate().map(frame).collect();
        format!("==1==ERROR: AddressSanitizer: {kind} on address 0x6\nREAD of size 1 at 0x6 thread T0\n{frames}")
    }

    #[test]
    fn who_called_the_function_does_not_matter() {
        let says = |frames: &[&str]| report("heap-buffer-overflow", frames);
        let one = failing("a", "cut(x, -1)", Exit::Code(1), &says(&["cut", "evaluate", "print_all"]));
        let other = failing("b", "y = cut(x, -1)", Exit::Code(1), &says(&["cut", "evaluate", "assign"]));
        let third = failing("c", "cut(x, -1)", Exit::Code(1), &says(&["copy", "evaluate", "print_all"]));
        let fourth = failing("d", "cut(x, -1)", Exit::Code(1), &report("heap-use-after-free", &["cut", "evaluate"]));
        // Where it is noticed may depend on a number; of another kind it is another one.
        assert_eq!(names(&[one, other, third, fourth]), [vec!["a", "c", "b"], vec!["d"]]);
    }

    #[test]
    fn in_which_memory_one_line_overflows_a_buffer_does_not_matter() {
        let all = |words: &Words| -> Vec<Failing> {
            let rows = [
                ("a", "match(x)", "stack-buffer-overflow", "start"),
                ("b", "y = gmatch(z, 5)", "heap-buffer-overflow", "start"),
                ("c", "for all do global()", "global-buffer-overflow", "start"),
                ("d", "z = cut", "heap-buffer-overflow", "cut"),
                ("e", "free = y", "heap-use-after-free", "start"),
            ];
            let failing = rows.map(|(name, text, kind, function)| {
                let one = failing(name, text, Exit::Code(1), &report(kind, &[function, "evaluate"]));
                Failing { words: words.clone(), ..one }
            });
            failing.into()
        };
        let known = Words::of_inputs(&[], ["prog.c".to_owned()]);
        assert_eq!(names(&all(&known)), [vec!["a", "b", "c"], vec!["d"], vec!["e"]]);
        assert_eq!(names(&all(&Words::default())).len(), 5, "in which line is not known");
    }

    #[test]
    fn the_order_in_which_they_come_does_not_matter() {
        let words = ["[", "]", "if", "while", "x", "=", "\"", "goto", "{"];
        let mut chance = Chance(14);
        for _ in 0..100 {
            let mut all: Vec<Failing> = (0..1 + chance.below(12))
                .map(|at| {
                    let text: Vec<&str> = (0..1 + chance.below(5)).map(|_| words[chance.below(words.len())]).collect();
                    let says = ["error: one thing", "error: another thing"][chance.below(2)];
                    failing(&format!("input-{at}"), &text.join(" "), Exit::Code(1), says)
                })
                .collect();
            let expected = names(&all);
            for at in (1..all.len()).rev() {
                all.swap(at, chance.below(at + 1));
            }
            assert_eq!(names(&all), expected);
        }
    }
}
