//! Which pass is tried next: the one that is expected to remove most for a test.
//!
//! Every pass is tried once in the order of the plan, from coarse to fine, but the last ones, which ask
//! most in vain, only when the coarser ones find nothing more. After that, of those that something
//! has changed for since they last found nothing, the one that lately removed most a test (C-Vise and
//! Shrink Ray draw by chance; here the best comes first, so that every run is the same); those that have
//! never changed anything in 8 tests or more come after the others. When nothing has changed
//! for any of them, the result is certified: every single part of every pass was tried on it.

/// What is known of the passes of a plan.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    passes: Vec<PassProgress>,
    /// How many changes there were.
    epoch: u64,
    /// The pass that is about what the tests of others have shown, and how often that was something new.
    learning: Option<usize>,
    lessons: u64,
    /// Whether passes are tried again at all.
    repeats: bool,
    /// How many of the passes make the result smaller; those after them bring it into normal form.
    reducing: usize,
    /// How many of those, at their end, are tried only where the others find nothing more.
    lasts: usize,
    /// The pass that changed something last.
    latest: usize,
    /// The pass of the last ones that has an early turn, and the pass after whose first turn it comes.
    early: Option<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct PassProgress {
    visits: usize,
    /// Whether it is tried when it is called only.
    is_on_call: bool,
    /// Whether it was called: its turn comes as if it were new. And whether it was for this visit.
    is_called: bool,
    is_anew: bool,
    /// Whether the turn it was called for is to be a short one, and whether this one is.
    is_called_briefly: bool,
    is_brief: bool,
    /// The pass whose first turn it waits for.
    waits_for: Option<usize>,
    /// How many visits came to their end.
    whole_visits: usize,
    /// After so many tests in vain in a row it waits, if others can be tried.
    slice: usize,
    /// Whether it has ever changed anything.
    changed: bool,
    /// Whether it is not to be tried any more.
    disabled: bool,
    /// Whether the last visit left something out that was never tried.
    is_unfinished: bool,
    /// When this visit began.
    began: Moment,
    /// When it was found to have nothing to go, but for what was believed to be needed.
    barren_at: Option<Moment>,
    /// When everything of it was tried, and nothing could go.
    proved_at: Option<Moment>,
    /// How many turns in a row were not worth their tests, if it follows others.
    tired: u32,
    /// How many bytes were left when the last visit ended.
    left: usize,
    /// About how many bytes one of its parts has.
    size: usize,
    /// How many tests there were in all.
    questions: usize,
    /// Tests and bytes that went, the earlier the less.
    asked: f64,
    gained: f64,
    /// What these were when its trial began, and when this visit began.
    before: (f64, f64),
    at_visit: (f64, f64),
}

impl PassProgress {
    /// Returns whether its first turn is still to come, or one as if it were.
    fn is_new(&self) -> bool {
        !self.disabled && (self.is_called || self.visits == 0 && !self.is_on_call)
    }

    /// Returns whether it was asked often enough to be known to change nothing here.
    fn is_in_vain(&self) -> bool {
        self.questions >= SLICE && !self.changed
    }

    /// Returns whether this visit has removed enough, with so many bytes left: something, and a good share for each test if it had some. `None` if it has asked
    /// nothing.
    fn was_worth_it(&self, left: usize) -> Option<bool> {
        let (asked, gained) = (self.asked - self.at_visit.0, self.gained - self.at_visit.1);
        let is_enough = || gained > 0.0 && (asked < FEW || gained >= asked * left as f64 * WORTH);
        (asked > 0.0).then(is_enough)
    }

    /// Returns whether it lately removed more a test than another one, or was asked less in vain.
    fn promises_more(&self, other: &PassProgress) -> bool {
        if self.is_in_vain() != other.is_in_vain() {
            return other.is_in_vain();
        }
        let hope = |pass: &PassProgress| if pass.is_unfinished { HOPE * pass.size as f64 } else { 0.0 };
        let rate = |pass: &PassProgress| (pass.gained + hope(pass)) / (pass.asked + 1.0);
        rate(self) > rate(other) || rate(self) == rate(other) && self.asked < other.asked
    }
}

/// What a pass has to do with, for one: after how many changes, and after how many lessons if it learns.
type Moment = (u64, u64);

/// What a visit counts for when the next one begins. Halved, so that what was rich at first and is
/// exhausted is soon seen to be.
const FADING: f64 = 0.5;

/// However often it was in vain, what follows others has a turn when so much has gone as after so many turns in vain.
const MOST_TIRED: u32 = 5;

/// What share of the bytes a turn of a pass that follows others has to remove a test, if it has more tests than this.
const WORTH: f64 = 0.005;
const FEW: f64 = 3.0;

/// After so many tests it is seen whether a pass is worth being tried before the tree.
const TRIAL: f64 = 12.0;

/// What share of the bytes a pass has to remove a test before the tree, with one more in vain, to come before stretches.
const SLOWER: f64 = 0.1;

/// After so many tests in vain in a row a pass waits for the first time; then after twice as many each time, until something goes.
pub(super) const SLICE: usize = 8;

/// In a short turn it waits after so many each time, however long the list is.
const BRIEF: usize = 8;

/// One of the last passes waits after so many times more: whatever it waits for has just found nothing.
const LAST_SLICES: usize = 4;

/// Of a list of many parts it is at least this fraction: what comes in between goes through the whole input.
const SLICES: usize = 32;

/// What is hoped of a pass whose last visit left something out that was never tried: so many more hits.
const HOPE: f64 = 0.5;

/// When other passes have removed more than this leaves, what was needed for that may go in groups too.
const STILL_THERE: f64 = 0.75;

impl Schedule {
    pub(super) fn new(
        reducing: usize,
        normalising: usize,
        repeats: bool,
        learning: Option<usize>,
        lasts: usize,
    ) -> Schedule {
        let passes = vec![PassProgress { slice: SLICE, ..PassProgress::default() }; reducing + normalising];
        Schedule { passes, epoch: 0, learning, lessons: 0, repeats, reducing, lasts, latest: 0, early: None }
    }

    /// Gives one of the last passes an early turn, after the first one of another.
    pub(super) fn begin_early(&mut self, early: Option<(usize, usize)>) {
        self.early = early;
    }

    /// Returns whether a pass has its early turn.
    pub(super) fn is_early(&self, pass: usize) -> bool {
        self.passes[pass].visits == 1 && self.early.is_some_and(|(early, _)| early == pass)
    }

    fn now(&self, pass: usize) -> Moment {
        (self.epoch, if self.learning == Some(pass) { self.lessons } else { 0 })
    }

    /// Returns the pass to try next that makes the result smaller; `None` if nothing is left to try.
    pub(super) fn next(&self) -> Option<usize> {
        if self.is_normalising() {
            return None;
        }
        let last = self.reducing - self.lasts;
        let waits = |at: &usize| self.passes[*at].waits_for.is_some_and(|other| self.passes[other].is_new());
        let new = (0..last).find(|at| self.passes[*at].is_new() && !waits(at));
        let early =
            self.early.filter(|(pass, after)| self.passes[*pass].is_new() && new.is_none_or(|new| new > *after));
        if let Some(new) = early.map(|(pass, _)| pass).or(new) {
            return Some(new);
        }
        let mut best: Option<usize> = None;
        for at in (0..last).filter(|at| self.is_open(*at)) {
            if best.is_none_or(|best| self.passes[at].promises_more(&self.passes[best])) {
                best = Some(at);
            }
        }
        best.or_else(|| (last..self.reducing).find(|at| self.passes[*at].is_new() || self.is_open(*at)))
    }

    /// Returns whether a pass is to be tried again.
    fn is_open(&self, at: usize) -> bool {
        let pass = &self.passes[at];
        self.repeats && !pass.disabled && !pass.is_on_call && pass.barren_at != Some(self.now(at))
    }

    /// Returns whether a pass waits that has asked so many questions in vain in a row about a list of so many parts: others can be tried, which may make it
    /// unnecessary to ask the rest of its questions.
    pub(super) fn waits(&self, pass: usize, in_vain: usize, parts: usize) -> bool {
        let is_last = pass >= self.reducing - self.lasts;
        let slice = match self.passes[pass].is_brief {
            true => BRIEF,
            false => (self.passes[pass].slice * if is_last { LAST_SLICES } else { 1 }).max(parts / SLICES),
        };
        in_vain >= slice
            && (0..self.reducing - self.lasts).any(|at| at != pass && (self.passes[at].is_new() || self.is_open(at)))
    }

    /// Notes that a part of a pass has about so many bytes.
    pub(super) fn expect(&mut self, pass: usize, size: usize) {
        self.passes[pass].size = size;
    }

    /// Notes that a pass waits for others.
    pub(super) fn wait(&mut self, pass: usize, left: usize) {
        self.put_off(pass, left);
        if !self.passes[pass].is_brief {
            self.passes[pass].slice *= 2;
        }
    }

    /// Notes that a pass has not had its turn in this visit.
    pub(super) fn put_off(&mut self, pass: usize, left: usize) {
        self.leave(pass, false, false, left);
        self.passes[pass].whole_visits -= 1;
    }

    /// Returns the pass to prove next, of which not everything was tried on what is left: round and round, from the one
    /// that changed something last, once all the way.
    pub(super) fn next_proof(&self) -> Option<usize> {
        let open = |at: &usize| {
            let pass = &self.passes[*at];
            !pass.disabled && !pass.is_on_call && pass.proved_at != Some(self.now(*at))
        };
        let mut round = (self.latest..self.reducing).chain(0..self.latest);
        if self.repeats && !self.is_normalising() { round.find(open) } else { None }
    }

    /// Returns the next pass that brings the result into normal form: each is tried once, and what makes the result
    /// smaller is not tried again after it, for it could undo it.
    pub(super) fn next_normal(&self) -> Option<usize> {
        (self.reducing..self.passes.len()).find(|at| self.passes[*at].visits == 0 && !self.passes[*at].disabled)
    }

    /// Returns whether it was changed for the sake of the normal form.
    pub(super) fn is_normalised(&self) -> bool {
        self.passes[self.reducing..].iter().any(|pass| pass.changed)
    }

    /// Returns whether the result is being brought into normal form.
    pub(super) fn is_normalising(&self) -> bool {
        self.passes.get(self.reducing).is_some_and(|pass| pass.visits > 0)
    }

    /// Has a pass not be tried any more.
    pub(super) fn disable(&mut self, pass: usize) {
        self.passes[pass].disabled = true;
    }

    /// Returns whether a pass is not tried any more.
    pub(super) fn is_disabled(&self, pass: usize) -> bool {
        self.passes[pass].disabled
    }

    /// Returns the passes that are not tried any more.
    pub(super) fn disabled(&self) -> impl Iterator<Item = usize> {
        self.passes.iter().enumerate().filter(|(_, pass)| pass.disabled).map(|(at, _)| at)
    }

    /// Begins to try a pass.
    pub(super) fn visit(&mut self, pass: usize) {
        let now = self.now(pass);
        let pass = &mut self.passes[pass];
        pass.visits += 1;
        pass.is_anew = std::mem::take(&mut pass.is_called);
        pass.is_brief = std::mem::take(&mut pass.is_called_briefly);
        pass.began = now;
        pass.asked *= FADING;
        pass.gained *= FADING;
        pass.before = (0.0, 0.0);
        pass.at_visit = (pass.asked, pass.gained);
    }

    /// Ends to try a pass; `whole` if nothing of it was left out but for what is believed to be needed, and `proved` if
    /// not even that.
    pub(super) fn leave(&mut self, pass: usize, whole: bool, proved: bool, left: usize) {
        let now = self.now(pass);
        let pass = &mut self.passes[pass];
        pass.left = left;
        if let Some(was_worth_it) = pass.was_worth_it(left) {
            pass.tired = if was_worth_it { 0 } else { (pass.tired + 1).min(MOST_TIRED) };
        }
        pass.whole_visits += 1;
        pass.is_unfinished = !whole;
        pass.barren_at = (whole && pass.began == now).then_some(now);
        pass.proved_at = pass.barren_at.filter(|_| proved);
    }

    /// Returns whether a pass was searched before, and there is so much left of what it left then that single parts are
    /// all that can be expected to go.
    pub(super) fn is_again(&self, pass: usize, size: usize) -> bool {
        let pass = &self.passes[pass];
        pass.visits > 1 && !pass.is_anew && size as f64 >= pass.left as f64 * STILL_THERE
    }

    /// Returns whether a pass was not tried, or at most half is left of what it left then.
    pub(super) fn has_shrunk(&self, pass: usize, left: usize) -> bool {
        self.passes[pass].visits == 0 || left * 2 <= self.passes[pass].left
    }

    /// Returns whether more than so many bytes have gone since a pass had its turn, and twice as many for each turn lately that was not worth it.
    pub(super) fn has_shrunk_by(&self, pass: usize, left: usize, bytes: usize) -> bool {
        let pass = &self.passes[pass];
        !pass.disabled && pass.visits > 0 && left + (bytes << pass.tired) < pass.left
    }

    /// Returns whether more than so many bytes have gone since a pass had its turn, whatever its turns were worth.
    pub(super) fn has_lost(&self, pass: usize, left: usize, bytes: usize) -> bool {
        let pass = &self.passes[pass];
        !pass.disabled && pass.visits > 0 && left + bytes < pass.left
    }

    /// Notes that a pass that could have had a turn has nothing to ask.
    pub(super) fn pass_over(&mut self, pass: usize, left: usize) {
        self.passes[pass].left = left;
    }

    /// Returns whether the last turn of a pass that follows others was not worth its tests.
    pub(super) fn is_tired(&self, pass: usize) -> bool {
        self.passes[pass].tired > 0
    }

    /// Has the first turn of a pass come after that of another, if any.
    pub(super) fn put_after(&mut self, pass: usize, other: Option<usize>) {
        self.passes[pass].waits_for = other;
    }

    /// Returns whether a pass has had its trial, of so many tests at least, and removed less a test than this share of what is left.
    pub(super) fn is_slow(&self, pass: usize, left: usize, share: f64, trial: usize) -> bool {
        let pass = &self.passes[pass];
        let (asked, gained) = (pass.asked - pass.before.0, pass.gained - pass.before.1);
        asked >= TRIAL.max(trial as f64) && gained < asked * left as f64 * share
    }

    /// Has a pass begin its trial once more.
    pub(super) fn try_anew(&mut self, pass: usize) {
        self.passes[pass].before = (self.passes[pass].asked, self.passes[pass].gained);
    }

    /// Returns whether a pass has removed less a test than stretches are expected to at first.
    pub(super) fn promises_less(&self, pass: usize, left: usize) -> bool {
        let pass = &self.passes[pass];
        pass.gained < (pass.asked + 1.0) * left as f64 * SLOWER
    }

    /// Counts a test of a pass.
    pub(super) fn asked(&mut self, pass: usize) {
        self.passes[pass].asked += 1.0;
        self.passes[pass].questions += 1;
    }

    /// Counts that a test of a pass made it smaller by so many bytes.
    pub(super) fn gained(&mut self, pass: usize, bytes: usize) {
        self.epoch += 1;
        self.latest = pass.min(self.reducing - 1);
        let pass = &mut self.passes[pass];
        pass.gained += bytes as f64;
        pass.changed = true;
        pass.slice = SLICE;
    }

    /// Notes that the tests have shown something new to the pass that learns from them: what it then has is to be tried, even
    /// if nothing has changed.
    pub(super) fn learned(&mut self) {
        self.lessons += 1;
    }

    /// Notes that something else has changed it.
    pub(super) fn changed(&mut self) {
        self.epoch += 1;
    }

    /// Returns whether a pass was called for this visit.
    pub(super) fn is_called_again(&self, pass: usize) -> bool {
        self.passes[pass].is_anew
    }

    /// Has a pass be tried when it is called only.
    pub(super) fn put_on_call(&mut self, pass: usize) {
        self.passes[pass].is_on_call = true;
    }

    /// Calls a pass: its turn comes as if it had not been tried.
    pub(super) fn call(&mut self, pass: usize) {
        self.passes[pass].is_called = true;
    }

    /// Calls a pass for a short turn.
    pub(super) fn call_briefly(&mut self, pass: usize) {
        self.call(pass);
        self.passes[pass].is_called_briefly = true;
    }

    /// Returns whether this turn of a pass is to be a short one.
    pub(super) fn is_brief(&self, pass: usize) -> bool {
        self.passes[pass].is_brief
    }

    /// Calls a pass, whose turn comes after the first one of another.
    pub(super) fn call_after(&mut self, pass: usize, other: usize) {
        self.call(pass);
        self.passes[pass].waits_for = Some(other);
    }

    /// Returns whether the first turn of a pass is still to come.
    pub(super) fn is_new(&self, pass: usize) -> bool {
        self.passes[pass].is_new()
    }

    /// Returns the last pass before this one whose first turn is still to come.
    pub(super) fn last_new_before(&self, pass: usize) -> Option<usize> {
        (0..pass.min(self.reducing - self.lasts)).rfind(|at| self.passes[*at].visits == 0 && self.passes[*at].is_new())
    }

    /// Returns whether a pass is tried for the first time, or as if it were.
    pub(super) fn is_first_visit(&self, pass: usize) -> bool {
        self.passes[pass].visits == 1 || self.passes[pass].is_anew
    }

    /// Returns whether all tests of a pass were in vain in its only visit so far.
    pub(super) fn was_in_vain(&self, pass: usize) -> bool {
        let pass = &self.passes[pass];
        !pass.disabled && pass.visits == 1 && pass.asked > 0.0 && pass.gained == 0.0
    }

    /// Returns how many tests of a pass there were in its only visit so far.
    pub(super) fn tests_of_first_visit(&self, pass: usize) -> Option<usize> {
        let pass = &self.passes[pass];
        (pass.visits == 1).then_some(pass.asked as usize)
    }

    /// Returns how often a pass was tried to its end.
    pub(super) fn whole_visits(&self, pass: usize) -> usize {
        self.passes[pass].whole_visits
    }

    /// Returns how often a pass was tried, the present visit included.
    pub(super) fn visits(&self, pass: usize) -> usize {
        self.passes[pass].visits
    }
}
