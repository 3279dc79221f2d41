//! What a pass is.

use reduct_input::Spans;
use reduct_input::Subject;

/// One way of making an artifact smaller: it proposes what could go or change, and the test judges. What it proposes
/// are parts to leave out, or edits: *leaving out* part `i` is then making edit `i`. So whatever searches for parts
/// that can go searches for edits that can be made. A new one is a file and a line in the registry.
///
/// A pass is a pure function. It never runs a test, and need not be right. It only has to be plausible, to keep to the
/// order of results ([`reduct_input::Edit::shrinks`]), and to end.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name in `--by` and in events.
    pub name: &'static str,
    /// When it is tried, and for what.
    pub stage: Stage,
    /// What one part is, for a count of them.
    pub unit: &'static str,
    /// What its parts are in a claim, if it has parts in some places of a text only.
    pub narrowed: Option<Narrowed>,
    /// Returns the pass with larger parts by which it is proved that nothing of a text can go that has too many parts of its own; nothing if it
    /// has not. Each of them would take a test, of which nearly none fails.
    pub coarse: Option<fn(&Subject) -> Option<Pass>>,
    /// What its parts are, in a line of help.
    pub about: &'static str,
    /// Whether its parts are one list, with all contents in it; else they stand in levels, and only
    /// bytes can say how much is left.
    pub single_list: bool,
    /// Whether a candidate that follows its language less than the whole did is not tried: it is
    /// unresolved without a run.
    pub must_parse: bool,
    /// Whether it is for records of events alone. What is reduced by such passes only is counted in events.
    pub of_records: bool,
    /// What a file must be to have such parts.
    pub needs: Needs,
    /// Whether the largest of its edits come first, and what is large is needed more likely than what is small.
    pub is_largest_first: bool,
    /// Whether more of its edits can be made whenever other passes have removed much.
    pub follows_others: bool,
    /// Whether it has its turn only once a search of the tree gets on slowly. Then it finds what can go, and proves nothing.
    pub is_on_call: bool,
    /// Whether a pass that is on call has a turn in the order of the plan, too, before it is called.
    pub has_first_turn: bool,
    /// Whether its levels cut the same text in different ways, so that one in vain says nothing of the next.
    pub cuts_anew: bool,
    /// Of fewer bytes, what it would do early is soon done by others: then it has no turn.
    pub least_bytes: usize,
    /// What share of the parts is likely to go, before anything is known.
    pub success_prior: f64,
    /// Returns its parts or edits, coarsest level first. Levels without any are left out.
    pub propose: fn(&Subject) -> Proposals,
}

/// What the parts of a pass are, where it has parts in some places of a text only.
#[derive(Clone, Copy, Debug)]
pub struct Narrowed {
    /// All names that it gives, by which it is known again in a record.
    pub names: &'static [&'static str],
    /// Returns the name that is true of this text; nothing if the pass has parts everywhere in it.
    pub name: fn(&Subject) -> Option<&'static str>,
}

/// What a pass proposes, level by level, coarsest first. A pass with a single list has one level.
pub type Proposals = Vec<Spans>;

/// When a pass is tried, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Leaves out parts of one sort.
    Delete,
    /// Leaves out parts as one tree. It finds what can go; passes of [`Stage::Delete`] that have the same parts level
    /// by level prove that nothing more can.
    Tree,
    /// Leaves out stretches of such a tree as long as that removes much. It finds what can go, as a search of the tree does.
    Stretches,
    /// Leaves out many parts of a tree at once, where a search of the tree gets on slowly. It finds what can go, as that does.
    Group,
    /// Leaves out some parts of such a group at a time, where it cannot go as a whole and nothing else removes much. It finds what can go.
    GroupParts,
    /// Leaves out what a command is given, each thing as a whole. Only what a command is given has such parts.
    Given,
    /// Makes edits that make the input smaller.
    Rewrite,
    /// Leaves out events that only go together, as far as tests have shown some.
    PairedEvents,
    /// Makes the pauses of records shorter.
    Timing,
    /// Makes edits that make the input larger before other things make it smaller. They are tried one at a time, in
    /// bounded trials, when nothing else finds anything more.
    Grow,
    /// Makes two results alike that differ in names and layout only: no way to get smaller, and tried once, at the
    /// very end, if it is asked for. Each level is meant to go as a whole.
    Normalise,
}

impl Stage {
    /// Returns whether `--by` takes the names of its passes.
    pub fn is_selectable(self) -> bool {
        matches!(self, Stage::Delete | Stage::Rewrite | Stage::PairedEvents | Stage::Timing)
    }
}

/// What a file must be to have what a pass proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Any bytes have it.
    Nothing,
    /// Only texts have it. In other files it would be arbitrary, and cost as many tests.
    Text,
    /// Only a grammar sees it.
    Grammar,
}

/// Of what is in an input most has nothing to do with its failure. What share it is is learned soon, and a
/// wrong start costs no more than the bisection of one group (docs/ALGORITHMS.md, 4.2, begins with 6 to ½).
const MOST: f64 = 12.0 / 13.0;

impl Pass {
    /// Returns a pass that leaves out parts of any bytes, in levels.
    pub const fn deleting(
        name: &'static str,
        unit: &'static str,
        about: &'static str,
        propose: fn(&Subject) -> Proposals,
    ) -> Pass {
        Pass {
            name,
            stage: Stage::Delete,
            unit,
            narrowed: None,
            coarse: None,
            about,
            single_list: false,
            must_parse: false,
            of_records: false,
            needs: Needs::Nothing,
            is_largest_first: false,
            follows_others: false,
            is_on_call: false,
            has_first_turn: false,
            cuts_anew: false,
            least_bytes: 0,
            success_prior: MOST,
            propose,
        }
    }

    /// Returns a pass that makes edits of what a grammar sees, tried only where the text still follows it.
    pub const fn rewriting(
        name: &'static str,
        about: &'static str,
        success_prior: f64,
        propose: fn(&Subject) -> Proposals,
    ) -> Pass {
        Pass {
            stage: Stage::Rewrite,
            must_parse: true,
            needs: Needs::Grammar,
            success_prior,
            ..Pass::deleting(name, "edits", about, propose)
        }
    }

    /// Returns the same pass, for so many bytes or more.
    pub(crate) const fn of_at_least(self, least_bytes: usize) -> Pass {
        Pass { least_bytes, ..self }
    }

    /// Returns the same pass, whose levels cut the same text in different ways.
    pub(crate) const fn cutting_anew(self) -> Pass {
        Pass { cuts_anew: true, ..self }
    }

    /// Returns the same pass, of whose edits the largest come first and are needed most likely.
    pub(crate) const fn largest_first(self) -> Pass {
        Pass { is_largest_first: true, ..self }
    }

    /// Returns the same pass, of whose edits more can be made whenever other passes have removed much.
    pub(crate) const fn following_others(self) -> Pass {
        Pass { follows_others: true, ..self }
    }

    /// Returns the same pass, which waits until a search of the tree gets on slowly.
    pub(crate) const fn on_call(self) -> Pass {
        Pass { is_on_call: true, ..self }
    }

    /// Returns the same pass, which waits until a search of the tree gets on slowly, but for a first turn.
    pub(crate) const fn on_call_after_first_turn(self) -> Pass {
        Pass { is_on_call: true, has_first_turn: true, ..self }
    }

    /// Returns the pass for the same edits where they make the text longer, which is tried when nothing else helps.
    pub(crate) const fn growing(
        self,
        name: &'static str,
        about: &'static str,
        propose: fn(&Subject) -> Proposals,
    ) -> Pass {
        Pass { name, about, stage: Stage::Grow, success_prior: 0.2, propose, ..self }
    }
}

impl Pass {
    /// Returns what its parts in this text are.
    pub fn unit_in(&self, subject: &Subject) -> &'static str {
        self.narrowed.and_then(|narrowed| (narrowed.name)(subject)).unwrap_or(self.unit)
    }

    /// Returns whether its parts were called this, in this text or another.
    pub fn is_of_unit(&self, unit: &str) -> bool {
        self.unit == unit || self.narrowed.is_some_and(|narrowed| narrowed.names.contains(&unit))
    }

    /// Returns the same pass, tried only where the text still parses if that is so.
    pub fn parsing_only(self, is_so: bool) -> Pass {
        Pass { must_parse: self.must_parse || is_so, ..self }
    }
}

impl PartialEq for Pass {
    fn eq(&self, other: &Pass) -> bool {
        self.name == other.name
    }
}
