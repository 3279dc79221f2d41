//! A search that begins again from a step of an earlier one, in which some of the input is to stay.
//!
//! The search itself knows nothing of it: what it asks that lacks something of that is answered `Unresolved` here,
//! and never asked outside.

use reduct_core::{Outcome, Search};
use reduct_input::{Artifact, Candidate, Extract, FirstPlaces, Lineage};
use std::sync::Arc;

/// A search with what must stay.
#[derive(Clone, Debug)]
pub struct Branched<S> {
    search: S,
    stays: Option<Stays>,
    /// A search that begins from something smaller, which goes on if this one ends at something larger.
    instead: Option<Arc<S>>,
}

/// What must stay of an input.
#[derive(Clone, Debug)]
struct Stays {
    /// In the addresses of the first artifact.
    extract: Arc<Extract>,
    lineage: Lineage,
    /// Whether a candidate was not asked about as nothing is known of where its bytes stood at first.
    has_lost_track: bool,
}

impl<S: Search<Question = Candidate>> Branched<S> {
    /// Returns a search that is no branch.
    pub fn plain(search: S) -> Branched<S> {
        Branched { search, stays: None, instead: None }
    }

    /// Returns a search that begins with all of `begin`, which comes from elsewhere as `origin` says, and leaves
    /// `extract` of it in place.
    pub fn keeping(search: S, begin: Arc<Artifact>, origin: FirstPlaces, extract: Extract) -> Branched<S> {
        let lineage = || Lineage::new(begin, origin);
        let stays =
            (!extract.is_empty()).then(|| Stays { extract: extract.into(), lineage: lineage(), has_lost_track: false });
        let mut branched = Branched { search, stays, instead: None };
        branched.pass_over();
        branched
    }

    /// Returns the same search, after which `search` goes on if this one ends at something larger than that begins with.
    pub fn or_else(self, search: S) -> Branched<S> {
        Branched { instead: Some(search.into()), ..self }
    }

    /// Returns the search as it is now.
    pub fn search(&self) -> &S {
        &self.search
    }

    /// Returns whether the search could not ask all that it may ask: then nothing is proved.
    pub fn has_lost_track(&self) -> bool {
        self.stays.as_ref().is_some_and(|stays| stays.has_lost_track)
    }

    /// Answers what may not be asked.
    fn pass_over(&mut self) {
        let Some(stays) = &mut self.stays else { return };
        while let Some(question) = self.search.ask() {
            if stays.is_kept_by(&question) {
                return;
            }
            self.search.tell(Outcome::Unresolved);
        }
    }

    /// Goes on from what is smaller, if this search has ended at something larger.
    fn go_on(&mut self) {
        if self.search.ask().is_some() {
            return;
        }
        let Some(instead) = self.instead.take() else { return };
        if instead.best().len() < self.search.best().len() {
            self.search = Arc::unwrap_or_clone(instead);
            // Where its bytes stood at first is not known, and nothing of them has to stay.
            self.stays = None;
        }
    }
}

impl Stays {
    /// Returns whether a candidate has all that must stay. One that comes from nothing that is known is taken not to.
    fn is_kept_by(&mut self, candidate: &Candidate) -> bool {
        let origin = self.lineage.of(candidate);
        self.has_lost_track |= origin.is_none();
        origin.is_some_and(|origin| origin.now(&self.extract).is_kept_by(candidate))
    }
}

impl<S: Search<Question = Candidate>> Search for Branched<S> {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.search.ask()
    }

    fn tell(&mut self, outcome: Outcome) {
        if let (Some(stays), Outcome::Fail) = (&mut self.stays, outcome)
            && let Some(question) = self.search.ask()
        {
            stays.lineage.note(&question);
        }
        self.search.tell(outcome);
        self.pass_over();
        self.go_on();
    }

    fn best(&self) -> Candidate {
        self.search.best()
    }

    fn odds(&self) -> Option<f32> {
        self.search.odds()
    }

    fn sharing(&self) -> Option<usize> {
        self.search.sharing()
    }

    fn shares(&self) -> Vec<Branched<S>> {
        let share = |search| {
            let mut share = Branched { search, stays: self.stays.clone(), instead: None };
            share.pass_over();
            share
        };
        self.search.shares().into_iter().map(share).collect()
    }

    fn skip(&mut self) {
        self.search.skip();
        self.pass_over();
        self.go_on();
    }

    fn disable(&mut self) {
        self.search.disable();
        self.pass_over();
        self.go_on();
    }
}
