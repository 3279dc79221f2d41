//! What a session needs to know of a search: how it counts, where it is, what it proves.

use crate::event::Why;
use reduct_circumstances::{
    Audited, Candidate, Causes, Explanation, Grain, Isolation, Method, Minima, PARTNERS, Plan, Proof, Reduction, Spans,
    Stuck, Subject, Whereabouts,
};
use reduct_core::Search;
use std::sync::Arc;

/// A search for candidates that can be watched.
pub trait Inquiry: Search<Question = Candidate> {
    /// What sizes are counted in.
    fn unit(&self) -> &'static str;

    /// The size of what is tested, in that unit.
    fn size(&self, candidate: &Candidate) -> usize;

    /// The size of what is left, which the search makes smaller.
    fn left(&self) -> usize;

    /// What is being done now; `None` once all is done.
    fn whereabouts(&self) -> Option<Whereabouts>;

    /// What is published with the best. Of an isolation: what passes, and differs from the best in nothing but what
    /// is to blame. Of an enumeration: all that was found, in one folder.
    fn passing(&self) -> Option<Candidate>;

    /// Of an enumeration: how many answers were found.
    fn found(&self) -> usize {
        0
    }

    /// Why it ended, in its own terms.
    fn why(&self, why: Why) -> Why {
        why
    }

    /// What is proved of the best if it ended so, in words.
    fn proved(&self, why: &Why, best: &Candidate) -> String;
}

impl Inquiry for Reduction {
    fn unit(&self) -> &'static str {
        self.plan().unit()
    }

    fn size(&self, candidate: &Candidate) -> usize {
        Reduction::size(self, candidate)
    }

    fn left(&self) -> usize {
        Reduction::size(self, &self.best())
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        Reduction::whereabouts(self)
    }

    fn passing(&self) -> Option<Candidate> {
        Reduction::passing(self)
    }

    fn why(&self, why: Why) -> Why {
        let least = self.plan().least;
        if why == Why::Done && least > 1 { Why::Granularity(least) } else { why }
    }

    fn proved(&self, why: &Why, best: &Candidate) -> String {
        proved(self, why, best, true)
    }
}

impl Inquiry for Audited {
    fn unit(&self) -> &'static str {
        self.reduction().unit()
    }

    fn size(&self, candidate: &Candidate) -> usize {
        self.reduction().size(candidate)
    }

    fn left(&self) -> usize {
        self.reduction().left()
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        Audited::whereabouts(self)
    }

    fn passing(&self) -> Option<Candidate> {
        self.reduction().passing()
    }

    fn why(&self, why: Why) -> Why {
        self.reduction().why(why)
    }

    fn proved(&self, why: &Why, best: &Candidate) -> String {
        match why {
            Why::Done if self.is_given_up() => "it fails; the audit was skipped, so nothing more is proved".into(),
            _ => proved(self.reduction(), why, best, !self.has_audits()),
        }
    }
}

/// The word for what a difference is counted in.
fn counted_in(grain: Grain) -> &'static str {
    match grain {
        Grain::Lines => "changed lines",
        Grain::Words => "changed words",
        Grain::Chars => "changed characters",
    }
}

impl Inquiry for Isolation {
    fn unit(&self) -> &'static str {
        counted_in(self.grain())
    }

    fn size(&self, candidate: &Candidate) -> usize {
        candidate.deltas()
    }

    fn left(&self) -> usize {
        Isolation::left(self)
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        Isolation::whereabouts(self)
    }

    fn passing(&self) -> Option<Candidate> {
        Some(Isolation::passing(self))
    }

    fn proved(&self, why: &Why, _: &Candidate) -> String {
        match why {
            Why::Done if self.skipped() > 0 => "one side passes, the other fails; phases were skipped".into(),
            Why::Done if Isolation::left(self) == 1 => "one side passes, the other fails, and they differ in one \
                 place only, so nothing lies between them"
                .into(),
            Why::Done => format!(
                "one side passes, the other fails; with any single one of the {} {} moved from one side to the other, \
                 it was neither known to pass nor to fail as before",
                Isolation::left(self),
                self.unit()
            ),
            _ => "one side passes, the other fails; the search was not finished".into(),
        }
    }
}

impl Inquiry for Causes {
    fn unit(&self) -> &'static str {
        "changed lines"
    }

    fn size(&self, candidate: &Candidate) -> usize {
        candidate.deltas()
    }

    fn left(&self) -> usize {
        Causes::left(self)
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        Causes::whereabouts(self)
    }

    fn passing(&self) -> Option<Candidate> {
        Some(Causes::passing(self))
    }

    fn proved(&self, why: &Why, _: &Candidate) -> String {
        match why {
            Why::Done if self.skipped() > 0 => "phases were skipped, so nothing more is proved".into(),
            Why::Done => "each cause: one version passes, another fails, and they differ in it alone".into(),
            _ => "the search was not finished: a change to blame is among those left".into(),
        }
    }
}

impl Inquiry for Minima {
    fn unit(&self) -> &'static str {
        Minima::unit(self)
    }

    fn size(&self, candidate: &Candidate) -> usize {
        candidate.deltas()
    }

    fn left(&self) -> usize {
        self.best().deltas()
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        Minima::whereabouts(self)
    }

    fn passing(&self) -> Option<Candidate> {
        Some(self.shelf(&[]))
    }

    fn found(&self) -> usize {
        Minima::found(self).len()
    }

    fn proved(&self, why: &Why, _: &Candidate) -> String {
        let (count, unit) = (Minima::found(self).len(), self.unit());
        let each = match count {
            0 => return "it fails; the search was not finished, so nothing more is proved".to_owned(),
            1 => format!("one minimum, 1-minimal in {unit}: no single one can go from it"),
            _ => format!("{count} minima, 1-minimal in {unit}: no single one can go from any of them"),
        };
        let others = match (why, self.is_monotone(), self.is_complete()) {
            (Why::Done, true, true) if self.unclear() > 0 => {
                let seeds = match self.unclear() {
                    1 => "1 seed".to_owned(),
                    many => format!("{many} seeds"),
                };
                return format!("{each}; there may be others among what could not be told ({seeds})");
            }
            (Why::Done, true, true) => "there is no other one, as far as parts of what passes pass too",
            (Why::Done, false, true) => {
                "they are distinct local minima: a part of something that does not fail was seen to fail, so there \
                 may be others"
            }
            (Why::Done, ..) => "no more were asked for: there may be others",
            _ => "the search was not finished: there may be others",
        };
        format!("{each}; {others}")
    }
}

impl Inquiry for Explanation {
    fn unit(&self) -> &'static str {
        "bytes"
    }

    fn size(&self, candidate: &Candidate) -> usize {
        candidate.len()
    }

    fn left(&self) -> usize {
        self.best().len()
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        None
    }

    fn passing(&self) -> Option<Candidate> {
        self.neighbour().map(|(.., candidate)| candidate)
    }

    fn proved(&self, _: &Why, _: &Candidate) -> String {
        "it fails; of each part, what was tried in its place and what came of it".into()
    }
}

/// In what a result of this plan is minimal.
pub struct Minimal {
    /// The units of the kinds of parts that it has parts of: no single part can go.
    pub units: Vec<&'static str>,
    /// Those of them that were only tried where the text still parses.
    pub checked: Vec<&'static str>,
    /// How many edits of passes were left to make: none of them can be made.
    pub edits: usize,
    /// How many pairs and groups of events the tests pointed to: none of them can go together.
    pub together: usize,
}

/// In what a result of this plan is minimal, once the search is over; `stuck` are the events that others seemed to need.
pub fn minimal(plan: &Plan, result: &Candidate, stuck: &Stuck) -> Minimal {
    let subject = Subject::new(Arc::new(result.artifact()), plan.grammars.clone()).with_stuck(stuck.clone());
    let mut minimal = Minimal { units: vec![], checked: vec![], edits: 0, together: 0 };
    let reads = subject.knows_a_language();
    for (at, kind) in plan.kinds.iter().enumerate() {
        let outline = plan.outline(at, &subject);
        let edits = outline.iter().map(|spans| if let Spans::Edits(edits) = spans { edits.len() } else { 0 });
        let edits: usize = edits.sum();
        *if *kind == PARTNERS { &mut minimal.together } else { &mut minimal.edits } += edits;
        // What was searched as a tree is proved level by level, by kinds of their own.
        let is_tree = matches!(outline[..], [Spans::Tree(_)]);
        // A plan of one list says what it is about even if nothing of it is left.
        if edits == 0 && !is_tree && (!outline.is_empty() || plan.counts_parts()) {
            minimal.units.push(kind.unit);
            if kind.checked && reads {
                minimal.checked.push(kind.unit);
            }
        }
    }
    minimal
}

/// What a finished run of a plan proves of this result. ddmin takes it that nothing at all passes, which
/// says nothing of several files whose contents are gone.
pub fn proves(plan: &Plan, result: &Candidate) -> Proof {
    let is_ddmin = matches!(plan.method, Method::Ddmin | Method::DdminSubsets | Method::Hdd | Method::Perses);
    let is_unsure = is_ddmin && !plan.repeats() && result.entry_count() > 1;
    if is_unsure { Proof::Nothing } else { plan.proves() }
}

/// Several things in words.
fn listed(units: &[&str]) -> String {
    match units {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn none_can_be_made(edits: usize) -> String {
    match edits {
        0 => "no edit is offered: no pass has anything to try on it".into(),
        1 => "the one edit that is offered cannot be made".into(),
        _ => format!("none of the {edits} edits that are offered can be made"),
    }
}

/// In words, that nothing can go.
fn one_minimal(Minimal { units, checked, edits, together }: &Minimal) -> String {
    if units.is_empty() {
        return format!("it fails, and {}", none_can_be_made(*edits));
    }
    let mut words = format!("1-minimal in {}: no single one can go", listed(units));
    if !checked.is_empty() {
        words += &format!(" (of {}: none that leaves a text that parses)", listed(checked));
    }
    match together {
        0 => {}
        1 => words += ", nor the one group of events that the tests point to",
        more => words += &format!(", nor any of the {more} groups of events that the tests point to"),
    }
    if *edits > 0 {
        words += &format!(", and {}", none_can_be_made(*edits));
    }
    words
}

/// What is proved of a result, in words. Looks for what is left to try only where that is claimed: in a large
/// result that is not finished it would take a while. Groups of events are in no audit: without `groups`, nothing is
/// said of them.
fn proved(reduction: &Reduction, why: &Why, best: &Candidate, groups: bool) -> String {
    let plan = reduction.plan();
    match (why, proves(plan, best)) {
        (_, Proof::Nothing) => "it fails; nothing is proved about its size".into(),
        (Why::Done, _) if reduction.skipped() > 0 => "it fails; phases were skipped, so nothing more is proved".into(),
        (Why::Done, _) if plan.monotone => {
            "it fails; that nothing more can go holds as far as parts of what passes pass too".into()
        }
        (Why::Done, _) if reduction.is_normalised() => {
            "it fails; no single part could go before its normal form, after which nothing was tried again".into()
        }
        // The empty side of the first list is not the one that was tested.
        (Why::Done, Proof::MinimalDifference) if best.entry_count() > 1 => {
            "it fails; the passing side was not tested".into()
        }
        (Why::Done, Proof::OneMinimal) => {
            let minimal = minimal(plan, best, reduction.stuck());
            one_minimal(&Minimal { together: if groups { minimal.together } else { 0 }, ..minimal })
        }
        (Why::Done, Proof::MinimalDifference) => {
            format!(
                "the difference to what passes is 1-minimal in {}",
                listed(&minimal(plan, best, reduction.stuck()).units)
            )
        }
        (Why::Granularity(least), _) => {
            format!("it fails; removing fewer than {least} {} at once was not tried", plan.unit())
        }
        _ => "it fails; the search was not finished, so nothing more is proved".into(),
    }
}
