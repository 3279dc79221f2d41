//! Which failures are the same: pure, and the same in whatever order they come.
//!
//! Two failures are the same if they look the same ([`Signature`], the names in both inputs aside), and what is left
//! of their inputs looks alike: the same text, or at least half of the tokens in common. Who is the same as somebody
//! of a group belongs to it; so does who was shown to be by an experiment ([`Crossing`]). Each verdict on two has a
//! reason in words.

use super::tokens::{counted, shared};
use reduct_run::executor::Observed;
use reduct_run::oracle::signature::{Signature, Words};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

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
}

impl Failing {
    /// What a message may say of it: what is left of it, and what it is called, as compilers do.
    fn says(&self) -> Vec<u8> {
        [&self.text[..], b" ", self.name.as_bytes(), b" "].concat()
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

/// What an experiment said: what is left of one, less all but what another one is made of, was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The one of which less is left.
    pub small: usize,
    /// The one of which more was left out.
    pub large: usize,
    /// What was run.
    pub text: Vec<u8>,
    /// Whether it fails as the larger one does.
    pub same: bool,
}

/// Of two that look alike, at least this share of tokens is in both: half of them, so that what one has besides is
/// no more than what both have.
const ALIKE: (usize, usize) = (1, 2);

/// Failures, and what is known of each.
pub struct Grouping<'a> {
    all: &'a [Failing],
    signatures: Vec<Signature>,
    tokens: Vec<BTreeMap<String, usize>>,
    /// By size, then text, then name: an order that does not depend on how they came.
    order: Vec<usize>,
    groups: Vec<Group>,
    /// Of each, those it was found to be the same as.
    links: Vec<Vec<(usize, String)>>,
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
        crossings.iter().for_each(|crossing| grouping.join(crossing.clone()));
        grouping.collect();
        grouping
    }

    /// Adds what one more experiment said.
    pub fn add(&mut self, crossing: Crossing) {
        self.join(crossing);
        self.collect();
    }

    /// What experiments said.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Failures of which nothing is known yet.
    fn apart(all: &'a [Failing]) -> Grouping<'a> {
        let signatures = all.iter().map(|one| Signature::of(&one.observed, &Words::of(&one.says()))).collect();
        let tokens = all.iter().map(|one| counted(&one.text)).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|at| (all[*at].text.len(), &all[*at].text, &all[*at].name));
        let links = vec![vec![]; all.len()];
        let (crossings, alike) = (vec![], HashSet::new());
        Grouping { all, signatures, tokens, order, groups: vec![], links, crossings, alike }
    }

    /// The groups: the largest first, equally large ones by their smallest member.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether these two are the same, looked at alone.
    pub fn compare(&self, one: usize, other: usize) -> Verdict {
        match self.look_different(one, other) {
            Some((of_a, of_b)) => Verdict::Different(format!("the failures look different: {of_a} against {of_b}")),
            None => self.compare_alike(one, other),
        }
    }

    /// Whether these two are the same, which fail alike.
    fn compare_alike(&self, one: usize, other: usize) -> Verdict {
        let (a, b) = (&self.all[one], &self.all[other]);
        if a.text == b.text {
            return Verdict::Same("they fail alike, and the same is left of both".into());
        }
        if !(a.reduced && b.reduced) {
            return Verdict::Same("they fail alike; not both were reduced, so more cannot be told".into());
        }
        let (common, all) = shared(&self.tokens[one], &self.tokens[other]);
        let says = format!("{common} of the {all} tokens that are left are in both");
        if common * ALIKE.1 >= all * ALIKE.0 {
            return Verdict::Same(format!("they fail alike, and {says}"));
        }
        let tried = |crossing: &&Crossing| {
            [crossing.small, crossing.large] == [one, other] || [crossing.large, crossing.small] == [one, other]
        };
        match self.crossings.iter().rfind(tried) {
            Some(crossing) if crossing.same => Verdict::Same(self.told(crossing)),
            crossing => {
                let more = crossing.map(|crossing| format!("; {}", self.told(crossing))).unwrap_or_default();
                let why = "they fail alike, but what is left of them is not alike: only";
                Verdict::Different(format!("{why} {says}{more}"))
            }
        }
    }

    /// What an experiment said.
    fn told(&self, crossing: &Crossing) -> String {
        let [small, large] = [crossing.small, crossing.large].map(|at| &self.all[at].name);
        let text = String::from_utf8_lossy(&crossing.text);
        if crossing.same {
            format!("{large} still fails alike if only what {small} is made of is left of it: {text:?}")
        } else {
            format!("{large} does not fail alike if only what {small} is made of is left of it: {text:?}")
        }
    }

    /// What the failures of these two look like, if not the same.
    fn look_different(&self, one: usize, other: usize) -> Option<(Signature, Signature)> {
        let (a, b) = (&self.all[one], &self.all[other]);
        if self.signatures[one] == self.signatures[other] {
            return None;
        }
        // A message may name what only the other input is known to say.
        let both = Words::of(&[a.says(), b.says()].concat());
        let [of_a, of_b] = [a, b].map(|one| Signature::of(&one.observed, &both));
        (of_a != of_b).then_some((of_a, of_b))
    }

    /// Whether the failures of these two, each the smallest of its group, look the same.
    pub fn fail_alike(&self, one: usize, other: usize) -> bool {
        self.alike.contains(&(one.min(other), one.max(other)))
    }

    /// Whether what was seen with this text looks like the failure of one.
    pub fn looks_like(&self, at: usize, seen: &Observed, text: &[u8]) -> bool {
        let one = &self.all[at];
        let words = Words::of(&[&one.says()[..], text].concat());
        Signature::of(&one.observed, &words) == Signature::of(seen, &words)
    }

    /// Whether one was reduced.
    pub fn is_reduced(&self, at: usize) -> bool {
        self.all[at].reduced
    }

    /// All of them, the smallest first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Why these two are in one group or not: a chain of those in between, if they are not alike themselves.
    pub fn why(&self, one: usize, other: usize) -> Verdict {
        let direct = self.compare(one, other);
        let name = |at: usize| &self.all[at].name;
        if matches!(direct, Verdict::Same(_)) {
            return direct;
        }
        let mut from: BTreeMap<usize, (usize, &str)> = BTreeMap::from([(one, (one, ""))]);
        let mut todo = VecDeque::from([one]);
        while let Some(at) = todo.pop_front() {
            for (next, why) in &self.links[at] {
                if !from.contains_key(next) {
                    from.insert(*next, (at, why));
                    todo.push_back(*next);
                }
            }
        }
        let mut steps = vec![];
        let mut at = other;
        while let Some((before, why)) = from.get(&at).filter(|_| at != one) {
            steps.push(format!("{} and {}: {why}", name(*before), name(at)));
            at = *before;
        }
        steps.reverse();
        if steps.is_empty() { direct } else { Verdict::Same(format!("through others: {}", steps.join("; "))) }
    }

    /// What the failure of one looks like.
    pub fn signature(&self, at: usize) -> &Signature {
        &self.signatures[at]
    }

    /// Compares one of each text and signature with all others, and the rest with that one. `None` if it was to end.
    fn link(&mut self, ends: &dyn Fn() -> bool) -> Option<()> {
        let mut kinds: Vec<usize> = vec![];
        for at in self.order.clone() {
            if ends() {
                return None;
            }
            let same = |kind: &&usize| {
                let kind = **kind;
                self.all[kind].text == self.all[at].text && self.signatures[kind] == self.signatures[at]
            };
            let known = kinds.iter().find(same).copied();
            let partners = known.map_or_else(|| kinds.clone(), |kind| vec![kind]);
            if known.is_none() {
                kinds.push(at);
            }
            for partner in partners {
                if self.surely_different(partner, at) || self.look_different(partner, at).is_some() {
                    continue;
                }
                self.alike.insert((at.min(partner), at.max(partner)));
                if let Verdict::Same(why) = self.compare_alike(partner, at) {
                    self.links[partner].push((at, why.clone()));
                    self.links[at].push((partner, why));
                }
            }
        }
        Some(())
    }

    /// Whether the failures of these two differ in how they end, whatever their inputs say.
    fn surely_different(&self, one: usize, other: usize) -> bool {
        self.signatures[one].exit != self.signatures[other].exit
    }

    fn join(&mut self, crossing: Crossing) {
        if crossing.same {
            let (small, large, why) = (crossing.small, crossing.large, self.told(&crossing));
            self.links[small].push((large, why.clone()));
            self.links[large].push((small, why));
        }
        self.crossings.push(crossing);
    }

    fn collect(&mut self) {
        self.groups.clear();
        let mut rank = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(place, at)| rank[*at] = place);
        let mut seen = BTreeSet::new();
        for &first in &self.order {
            if !seen.insert(first) {
                continue;
            }
            let mut members = vec![first];
            let mut at = 0;
            while let Some(&member) = members.get(at) {
                members.extend(self.links[member].iter().map(|(other, _)| *other).filter(|other| seen.insert(*other)));
                at += 1;
            }
            members.sort_by_key(|member| rank[*member]);
            self.groups.push(Group { members, signature: self.signatures[first].to_string() });
        }
        // Stable: equally large ones stay in the order of their smallest members.
        self.groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_core::laws::Chance;
    use reduct_run::executor::{Also, Exit};
    use std::time::Duration;

    fn failing(name: &str, text: &str, exit: Exit, says: &str) -> Failing {
        let observed =
            Observed { exit, stdout: vec![], stderr: says.into(), elapsed: Duration::ZERO, also: Also::default() };
        Failing { name: name.into(), observed, text: text.into(), reduced: true }
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
        let crossing = |same| [Crossing { small: 0, large: 1, text: b".=".to_vec(), same }];
        let (yes, no) = (crossing(true), crossing(false));
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
