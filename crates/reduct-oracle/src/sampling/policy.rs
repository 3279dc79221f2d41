//! Wald's sequential test of two rates.

use super::operating_characteristic::{self, OperatingCharacteristic};
use reduct_core::Outcome;
use serde::{Deserialize, Serialize};

/// When a candidate has been run often enough, and what it is then.
///
/// With `r0` = 0, one firing is proof, and as many silent runs in a row reject as make it unlikely enough that
/// what fails at `r1` is silent for so long.
///
/// The thresholds are ln (1/alpha) and ln beta, a little farther out than Wald's ln ((1 - beta)/alpha) and
/// ln (beta/(1 - alpha)): with those only the sum of the two errors is kept, with these each is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Terms", into = "Terms")]
pub struct Policy {
    terms: Terms,
    /// The evidence of one firing, and of one silent run, as logarithms of likelihood ratios.
    firing: f64,
    silence: f64,
    /// From this evidence on it fails; down from this it passes.
    accept: f64,
    reject: f64,
    most: u32,
    hasty: Option<Hasty>,
}

/// When it is enough for a start that what passes hardly ever fires so often.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hasty {
    firing: f64,
    silence: f64,
}

/// What makes a policy: the rest follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Terms {
    r1: f64,
    r0: f64,
    alpha: f64,
    beta: f64,
    /// About how often what passes fires, if that is less than `r0`. Policies of the first versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    passing: Option<f64>,
}

/// Why there is no policy.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Unsuitable {
    /// Too few runs said anything.
    #[error("only {0} runs could tell whether the failure occurs")]
    CannotTell(u32),
    /// The failure occurs too seldom to be told from what is not accepted any more.
    #[error("the failure may occur in as few as {} of 100 runs, which is too few to be looked for", percent(*.0))]
    TooRare(f64),
    /// What passes may fire as often as what fails.
    #[error(
        "what passes may show the failure in {} of 100 runs, what fails in no more than {}",
        percent(*passing),
        percent(*failing)
    )]
    TooAlike {
        /// How often the failure may occur where it should not.
        passing: f64,
        /// How often it may occur at least where it should.
        failing: f64,
    },
    /// A single candidate might have to be run too often.
    #[error("some candidates would have to be run more than {0} times")]
    TooManyRuns(u32),
    /// It is no share of runs.
    #[error("{0} is no share of runs: it is not between 0 and 1")]
    NoShare(f64),
    /// It is no error rate.
    #[error("{0} is no error rate: it is not between 0 and 0.5")]
    NoErrorRate(f64),
}

fn percent(share: f64) -> f64 {
    (share * 1e3).round() / 10.0
}

/// How fine shares are. They are rounded to it, towards the safe side, so that they are the same numbers after
/// having been written down and read again.
const GRAIN: f64 = 1e9;

/// Past so many runs of one candidate, nobody waits for the answer.
const MOST: u32 = 5_000;

/// How often a reduction may take for passing what fails. It costs size only, until the audit finds it; and to be
/// sure of each candidate costs more than to look again at the few that stay.
const MISSED: f64 = 0.1;

/// How often what fires as often as it does where the failure is not may be taken for failing hastily.
const HASTILY_WRONG: f64 = 0.01;

/// What fires in so many times `r0` of its runs is told from it in some hundreds of runs.
const NEAREST: f64 = 1.5;

/// What share of the error rates may be left undecided at the bound, of what fails at `r1` and of what fires at `r0`.
const UNDECIDED: f64 = 0.1;

impl Policy {
    /// Tells what fires in `r1` of its runs or more from what fires in `r0` or fewer. The latter is taken for
    /// failing with a probability of at most `alpha`, the former for passing with one of at most `beta`. An error rate
    /// below one in a thousand million counts as that.
    ///
    /// # Errors
    /// If the rates are no rates, are too close to each other, or would take too many runs.
    pub fn new(r1: f64, r0: f64, alpha: f64, beta: f64) -> Result<Policy, Unsuitable> {
        let down = |share: f64| (share * GRAIN).floor() / GRAIN;
        // Nothing fires always for certain, and no decision is sure.
        let sure = |r1: f64| if r1 == 1.0 { 1.0 - 1.0 / GRAIN } else { r1 };
        let error = |rate: f64| if rate >= 0.0 { down(rate).max(1.0 / GRAIN) } else { rate };
        let terms = Terms {
            r1: sure(down(r1)),
            r0: (r0 * GRAIN).ceil() / GRAIN,
            alpha: error(alpha),
            beta: error(beta),
            passing: None,
        };
        Policy::of(terms)
    }

    fn of(terms: Terms) -> Result<Policy, Unsuitable> {
        let Terms { r1, r0, alpha, beta, .. } = terms;
        if let Some(no) = [r1, r0].into_iter().chain(terms.passing).find(|share| !(0.0..=1.0).contains(share)) {
            return Err(Unsuitable::NoShare(no));
        }
        if let Some(no) = [alpha, beta].into_iter().find(|rate| !(1.0 / GRAIN..0.5).contains(rate)) {
            return Err(Unsuitable::NoErrorRate(no));
        }
        if r0 >= r1 {
            return Err(Unsuitable::TooAlike { passing: r0, failing: r1 });
        }
        let unbounded = Policy::unbounded(terms);
        let most = unbounded.bound(UNDECIDED * alpha.min(beta));
        Ok(Policy { most: most.ok_or(Unsuitable::TooManyRuns(MOST))?, ..unbounded })
    }

    fn unbounded(terms: Terms) -> Policy {
        let Terms { r1, r0, alpha, beta, .. } = terms;
        let (firing, silence) = ((r1 / r0).ln(), ((1.0 - r1) / (1.0 - r0)).ln());
        Policy { terms, firing, silence, accept: -alpha.ln(), reject: beta.ln(), most: u32::MAX, hasty: None }
    }

    /// Returns the same for the way of a reduction, in the end of which what was taken for passing is audited: one in
    /// ten that fire at `r1` may be taken for it.
    pub fn provisional(&self) -> Policy {
        let terms = Terms { beta: MISSED, ..self.terms };
        Policy::of(terms).unwrap_or(*self)
    }

    /// Returns the same where what passes fires in about so large a share of its runs, which may be less than `r0`.
    pub fn where_passing_fires(&self, share: f64) -> Policy {
        let share = (share.max(1.0 / GRAIN) * GRAIN).ceil() / GRAIN;
        Policy { terms: Terms { passing: Some(share).filter(|share| *share < self.terms.r0), ..self.terms }, ..*self }
    }

    /// Returns the same for what is checked later: it is accepted as soon as what passes would hardly have fired so often.
    /// Then what fires less often than `r0`, but now and then, is accepted, too.
    pub fn hasty(&self) -> Policy {
        let r1 = self.terms.r1;
        let hasty = |share: f64| Hasty { firing: (r1 / share).ln(), silence: ((1.0 - r1) / (1.0 - share)).ln() };
        Policy { hasty: self.terms.passing.map(hasty), ..*self }
    }

    /// Returns the same, but for what fires in this share of its runs or more, if that is less. Too near to `r0` it
    /// cannot be told from that in any number of runs that somebody waits for: then it is for what can.
    pub fn for_rate(&self, rate: f64) -> Policy {
        let r1 = (rate.max(self.terms.r0 * NEAREST) * GRAIN).floor() / GRAIN;
        if r1 >= self.terms.r1 {
            return *self;
        }
        let terms = Terms { r1, ..self.terms };
        Policy::of(terms).unwrap_or(Policy { most: MOST, ..Policy::unbounded(terms) })
    }

    /// Returns the same, but what fires at `r1` is taken for passing at most once in 2 to the power of `bits`. 0
    /// changes nothing.
    pub fn surely(&self, bits: u8) -> Policy {
        let beta = self.missed(bits);
        if beta >= self.terms.beta {
            return *self;
        }
        // Too many runs: what is not clear by then is unresolved.
        let unbounded = Policy::unbounded(Terms { beta, ..self.terms });
        let most = unbounded.bound(UNDECIDED * self.terms.alpha.min(beta)).unwrap_or(MOST);
        Policy { most, ..unbounded }
    }

    /// Returns how likely what fires at `r1` is taken for passing, at most, at this level of confidence. The bound of the runs,
    /// which takes a while, is not computed for it.
    pub(crate) fn missed(&self, bits: u8) -> f64 {
        0.5f64.powi(i32::from(bits)).max(1.0 / GRAIN).min(self.terms.beta)
    }

    /// Returns what fires in so large a share of its runs fails.
    pub fn r1(&self) -> f64 {
        self.terms.r1
    }

    /// Returns what fires in no more than so large a share of its runs does not fail.
    pub fn r0(&self) -> f64 {
        self.terms.r0
    }

    /// Returns how likely what fires at `r1` is taken for passing, at most.
    pub fn beta(&self) -> f64 {
        self.terms.beta
    }

    /// Returns whether it is [`Policy::provisional`].
    pub fn is_provisional(&self) -> bool {
        self.terms.beta >= MISSED
    }

    /// Returns how likely a single decision is wrong, at most: what is decided was either the one or the other.
    pub fn error(&self) -> f64 {
        self.terms.alpha.max(self.terms.beta)
    }

    /// Returns after how many runs a candidate is unresolved, if it is still not clear. What fires as often as `r1` or as
    /// seldom as `r0` is clear by then, up to a tenth of the error rates. What is in between is neither, and
    /// unresolved is the one answer that accepts nothing and claims nothing, so it spends nothing of the error rates.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Returns what a candidate is that fired in so many runs and was silent in so many; `None` if it is to be run
    /// again.
    pub fn decide(&self, fired: u32, silent: u32) -> Option<Outcome> {
        // Nothing fired is no evidence, also where one firing is proof: infinitely much.
        let firing = if fired == 0 { 0.0 } else { self.firing * f64::from(fired) };
        let evidence = firing + self.silence * f64::from(silent);
        let seems_to_fail =
            |hasty: Hasty| f64::from(fired) * hasty.firing + f64::from(silent) * hasty.silence >= -HASTILY_WRONG.ln();
        match () {
            () if evidence >= self.accept => Some(Outcome::Fail),
            () if self.hasty.is_some_and(seems_to_fail) => Some(Outcome::Fail),
            () if evidence <= self.reject => Some(Outcome::Pass),
            () => (fired + silent >= self.most).then_some(Outcome::Unresolved),
        }
    }

    /// Returns how many more runs it takes to reject what stays silent from now on.
    pub fn silent_to_go(&self, fired: u32, silent: u32) -> u32 {
        (0..self.most).find(|more| self.decide(fired, silent + more).is_some()).unwrap_or(self.most)
    }

    /// Returns after how many runs no more than `left` is undecided, of what fires at `r1` or at `r0`.
    fn bound(&self, left: f64) -> Option<u32> {
        operating_characteristic::bound(&|fired, silent| self.decide(fired, silent), [self.r1(), self.r0()], left, MOST)
    }

    /// Returns what comes of a candidate that fires in this share of its runs, exactly.
    pub fn operating_characteristic(&self, rate: f64) -> OperatingCharacteristic {
        operating_characteristic::operating_characteristic(&|fired, silent| self.decide(fired, silent), rate)
    }
}

impl TryFrom<Terms> for Policy {
    type Error = Unsuitable;

    fn try_from(terms: Terms) -> Result<Policy, Unsuitable> {
        Policy::of(terms)
    }
}

impl From<Policy> for Terms {
    fn from(policy: Policy) -> Terms {
        policy.terms
    }
}
