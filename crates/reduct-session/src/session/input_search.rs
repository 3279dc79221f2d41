//! What a session needs to know of a search: how it counts, where it is, what it shows.

use crate::event::Why;
use crate::session::proved::claim;
use reduct_core::{Config, Outcome, Search};
use reduct_input::Candidate;
use reduct_strategies::{
    AllMinima, Audited, Branched, Causes, Caveat, Claim, End, Evidence, Explanation, Grain, Isolation, Others, Phase,
    Reduction, Unproved, Weave,
};
use std::sync::Arc;

/// What a search among differences asks about.
#[derive(Clone, Debug)]
pub struct Differences {
    /// All differences.
    pub weave: Arc<Weave>,
    /// Those that are in what is asked.
    pub taken: Config,
    /// What they are counted in.
    pub unit: &'static str,
}

impl Differences {
    fn of((weave, taken): (&Arc<Weave>, &Config), unit: &'static str) -> Differences {
        Differences { weave: weave.clone(), taken: taken.clone(), unit }
    }
}

/// A search for candidates that can be watched, and is worked on by several threads.
pub trait InputSearch: Search<Question = Candidate> + Send + Sync + 'static {
    /// Returns what sizes are counted in.
    fn unit(&self) -> &'static str;

    /// Returns the size of what is tested, in that unit.
    fn size(&self, candidate: &Candidate) -> usize;

    /// Returns the size of what is left, which the search makes smaller.
    fn left(&self) -> usize;

    /// Returns what is being done now; `None` once all is done.
    fn phase(&self) -> Option<Phase>;

    /// Returns how many parts of this phase are decided, and of how many, if the search decides one after the other.
    fn decided(&self) -> Option<(usize, usize)> {
        None
    }

    /// Returns the names of the passes that were given up for good.
    fn disabled(&self) -> Vec<&'static str> {
        vec![]
    }

    /// Returns whether the input follows its language, and this does not.
    fn loses_syntax(&self, _: &Candidate) -> bool {
        false
    }

    /// Returns what is shown of the best if it ended so, and what has to be said beside it.
    fn evidence(&self, why: &Why, best: &Candidate) -> Evidence {
        let passes = self.disabled();
        let mut evidence = Evidence::from(self.claim(why, best));
        evidence.caveats.extend((!passes.is_empty()).then_some(Caveat::Disabled { passes }));
        evidence.caveats.extend(self.loses_syntax(best).then_some(Caveat::DoesNotParse));
        evidence
    }

    /// Returns what is published with the best. Of an isolation: what passes, and differs from the best in nothing but
    /// what is to blame. Of an enumeration: all that was found, in one folder.
    fn passing(&self) -> Option<Candidate>;

    /// Returns, of a search among differences, all of them, and which are in what is asked.
    fn differences(&self) -> Option<Differences> {
        None
    }

    /// Returns, of an enumeration, how many answers were found.
    fn found(&self) -> usize {
        0
    }

    /// Returns why it ended, in its own terms.
    fn why(&self, why: Why) -> Why {
        why
    }

    /// Returns what is shown of the best if it ended so.
    fn claim(&self, why: &Why, best: &Candidate) -> Claim;
}

impl<S: InputSearch> InputSearch for Branched<S> {
    fn unit(&self) -> &'static str {
        self.search().unit()
    }

    fn size(&self, candidate: &Candidate) -> usize {
        self.search().size(candidate)
    }

    fn left(&self) -> usize {
        self.search().left()
    }

    fn phase(&self) -> Option<Phase> {
        self.search().phase()
    }

    fn decided(&self) -> Option<(usize, usize)> {
        self.search().decided()
    }

    fn disabled(&self) -> Vec<&'static str> {
        self.search().disabled()
    }

    fn loses_syntax(&self, candidate: &Candidate) -> bool {
        self.search().loses_syntax(candidate)
    }

    fn passing(&self) -> Option<Candidate> {
        self.search().passing()
    }

    fn found(&self) -> usize {
        self.search().found()
    }

    fn why(&self, why: Why) -> Why {
        self.search().why(why)
    }

    fn claim(&self, why: &Why, best: &Candidate) -> Claim {
        if self.has_lost_track() {
            return Claim::Fails(Unproved::PhasesSkipped);
        }
        self.search().claim(why, best)
    }
}

impl InputSearch for Reduction {
    fn unit(&self) -> &'static str {
        self.plan().unit()
    }

    fn size(&self, candidate: &Candidate) -> usize {
        Reduction::size(self, candidate)
    }

    fn left(&self) -> usize {
        Reduction::size(self, &self.best())
    }

    fn phase(&self) -> Option<Phase> {
        Reduction::phase(self)
    }

    fn decided(&self) -> Option<(usize, usize)> {
        Reduction::decided(self)
    }

    fn disabled(&self) -> Vec<&'static str> {
        self.disabled_names()
    }

    fn loses_syntax(&self, candidate: &Candidate) -> bool {
        Reduction::loses_syntax(self, candidate)
    }

    fn passing(&self) -> Option<Candidate> {
        Reduction::passing(self)
    }

    fn why(&self, why: Why) -> Why {
        let least = self.plan().min_removal;
        if why == Why::Done && least > 1 { Why::Granularity(least) } else { why }
    }

    fn claim(&self, why: &Why, best: &Candidate) -> Claim {
        claim(self, why, best, true)
    }
}

impl InputSearch for Audited {
    fn unit(&self) -> &'static str {
        self.reduction().unit()
    }

    fn size(&self, candidate: &Candidate) -> usize {
        self.reduction().size(candidate)
    }

    fn left(&self) -> usize {
        Reduction::size(self.reduction(), &self.best())
    }

    fn phase(&self) -> Option<Phase> {
        Audited::phase(self)
    }

    fn decided(&self) -> Option<(usize, usize)> {
        if self.is_auditing() { None } else { self.reduction().decided() }
    }

    fn disabled(&self) -> Vec<&'static str> {
        InputSearch::disabled(self.reduction())
    }

    fn loses_syntax(&self, candidate: &Candidate) -> bool {
        self.reduction().loses_syntax(candidate)
    }

    fn passing(&self) -> Option<Candidate> {
        self.reduction().passing()
    }

    fn why(&self, why: Why) -> Why {
        self.reduction().why(why)
    }

    fn claim(&self, why: &Why, best: &Candidate) -> Claim {
        match why {
            Why::Done if self.is_given_up() || self.has_audits() && !self.disabled().is_empty() => {
                Claim::Fails(Unproved::AuditSkipped)
            }
            _ => claim(self.reduction(), why, best, !self.has_audits()),
        }
    }
}

/// Returns the word for what a difference is counted in.
fn counted_in(grain: Grain) -> &'static str {
    match grain {
        Grain::Lines => "changed lines",
        Grain::Words => "changed words",
        Grain::Chars => "changed characters",
    }
}

impl InputSearch for Isolation {
    fn unit(&self) -> &'static str {
        counted_in(self.grain())
    }

    fn size(&self, candidate: &Candidate) -> usize {
        candidate.deltas()
    }

    fn left(&self) -> usize {
        Isolation::left(self)
    }

    fn phase(&self) -> Option<Phase> {
        Isolation::phase(self)
    }

    fn passing(&self) -> Option<Candidate> {
        Some(Isolation::passing(self))
    }

    fn differences(&self) -> Option<Differences> {
        self.asked().map(|asked| Differences::of(asked, self.unit()))
    }

    fn claim(&self, why: &Why, _: &Candidate) -> Claim {
        Claim::Difference { places: Isolation::left(self), unit: self.unit(), end: end(why, self.skipped()) }
    }
}

/// Returns how far a search came that ended so, of which so many phases were skipped.
fn end(why: &Why, skipped: u64) -> End {
    match why {
        Why::Done if skipped > 0 => End::Skipped,
        Why::Done => End::Finished,
        _ => End::Unfinished,
    }
}

impl InputSearch for Causes {
    fn unit(&self) -> &'static str {
        "changed lines"
    }

    fn size(&self, candidate: &Candidate) -> usize {
        candidate.deltas()
    }

    fn left(&self) -> usize {
        Causes::left(self)
    }

    fn phase(&self) -> Option<Phase> {
        Causes::phase(self)
    }

    fn passing(&self) -> Option<Candidate> {
        Some(Causes::passing(self))
    }

    fn differences(&self) -> Option<Differences> {
        self.asked().map(|asked| Differences::of(asked, self.unit()))
    }

    fn claim(&self, why: &Why, _: &Candidate) -> Claim {
        let causes = Causes::found(self);
        // Of several parts that fail only with more around them, two versions differ in the last one.
        let in_last = causes.iter().any(|cause| cause.alone != Outcome::Fail && cause.parts.len() > 1);
        Claim::Causes { count: causes.len(), lines: Causes::left(self), in_last, end: end(why, self.skipped()) }
    }
}

impl InputSearch for AllMinima {
    fn unit(&self) -> &'static str {
        AllMinima::unit(self)
    }

    fn size(&self, candidate: &Candidate) -> usize {
        candidate.deltas()
    }

    fn left(&self) -> usize {
        self.best().deltas()
    }

    fn phase(&self) -> Option<Phase> {
        AllMinima::phase(self)
    }

    fn passing(&self) -> Option<Candidate> {
        Some(self.in_one_folder(&[]))
    }

    fn found(&self) -> usize {
        AllMinima::found(self).len()
    }

    fn claim(&self, why: &Why, _: &Candidate) -> Claim {
        let others = match (why, self.is_monotone(), self.is_complete()) {
            (Why::Done, true, true) if self.unclear() > 0 => Others::Unclear(self.unclear()),
            (Why::Done, true, true) => Others::None,
            (Why::Done, false, true) => Others::NotMonotone,
            (Why::Done, ..) => Others::NotAsked,
            _ => Others::Unfinished,
        };
        match AllMinima::found(self).len() {
            0 => Claim::Fails(Unproved::Unfinished),
            count => Claim::Minima { count, unit: self.unit(), others },
        }
    }
}

impl InputSearch for Explanation {
    fn unit(&self) -> &'static str {
        "bytes"
    }

    fn size(&self, candidate: &Candidate) -> usize {
        candidate.len()
    }

    fn left(&self) -> usize {
        self.best().len()
    }

    fn phase(&self) -> Option<Phase> {
        None
    }

    fn passing(&self) -> Option<Candidate> {
        self.neighbour().map(|(.., candidate)| candidate)
    }

    fn claim(&self, _: &Why, _: &Candidate) -> Claim {
        Claim::Explained
    }
}
