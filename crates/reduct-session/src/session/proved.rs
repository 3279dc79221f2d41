//! What is proved of the result of a reduction.

use crate::event::Why;
use reduct_input::parts::{Edits, ItemSets, Roots};
use reduct_input::{Candidate, Spans, UnmetNeeds};
use reduct_passes::{Pass, Stage};
use reduct_strategies::{Claim, Method, Minimal, Plan, Proof, Reduction, Unproved};

/// Returns in what a result of this plan is minimal, once the search is over; `unmet_needs` are the events that others seemed
/// to need.
pub fn minimal(plan: &Plan, result: &Candidate, unmet_needs: &UnmetNeeds) -> Minimal {
    minimal_without(plan, result, unmet_needs, &[])
}

/// Returns the same where these passes of the plan were not tried to the end.
fn minimal_without(plan: &Plan, result: &Candidate, unmet_needs: &UnmetNeeds, disabled: &[usize]) -> Minimal {
    let subject = plan.subject(result.artifact()).with_unmet_needs(unmet_needs.clone());
    let reads = subject.knows_a_language();
    let mut minimal = Minimal::default();
    minimal.edits_checked = reads;
    for at in (0..plan.passes.len()).filter(|at| !disabled.contains(at)) {
        let (pass, proposals) = (plan.proving(at, &subject), plan.propose_for_proof(at, &subject));
        let edits: usize = proposals.iter().map(edits).sum();
        // What was searched as a tree is proved level by level, by passes of their own; so are shells of a nest.
        let is_proved = plan.is_proved(at);
        if is_proved {
            *if pass.stage == Stage::PairedEvents { &mut minimal.together } else { &mut minimal.edits } += edits;
        }
        // A plan of one list says what it is about even if nothing of it is left.
        if edits == 0 && is_proved && (!proposals.is_empty() || plan.counts_parts()) {
            let unit = pass.unit_in(&subject);
            minimal.units.push(unit);
            if pass.must_parse && reads {
                minimal.checked.push(unit);
            }
        }
    }
    let unproved: Vec<&Pass> = disabled.iter().filter_map(|at| plan.passes.get(*at)).collect();
    minimal.units.retain(|unit| !unproved.iter().any(|pass| pass.is_of_unit(unit)));
    minimal
}

/// Returns how many edits there are: a set of parts that goes as a whole is one, and so is what goes with a root.
fn edits(spans: &Spans) -> usize {
    let sets = spans.get::<ItemSets>().map(|sets| sets.sets.len());
    let roots = || spans.get::<Roots>().map(|roots| roots.roots.len());
    let edits = || spans.get::<Edits>().map(|Edits(edits)| edits.len());
    sets.or_else(roots).or_else(edits).unwrap_or(0)
}

/// Returns what a finished run of a plan proves of this result. ddmin takes it that nothing at all passes, which says
/// nothing of several files whose contents are gone.
pub fn proves(plan: &Plan, result: &Candidate) -> Proof {
    let is_ddmin = matches!(plan.method, Method::Ddmin | Method::DdminSubsets | Method::Hdd | Method::Perses);
    let is_unsure = is_ddmin && !plan.repeats() && result.entry_count() > 1;
    if is_unsure { Proof::Nothing } else { plan.proves() }
}

/// Returns what is shown of a result. Looks for what is left to try only where that is claimed: in a large result that
/// is not finished it would take a while. Groups of events are in no audit: without `groups`, nothing is claimed of
/// them.
pub(super) fn claim(reduction: &Reduction, why: &Why, best: &Candidate, groups: bool) -> Claim {
    let plan = reduction.plan();
    Claim::Fails(match (why, proves(plan, best)) {
        (_, Proof::Nothing) => Unproved::ByMethod,
        (Why::Done, _) if reduction.skipped() > 0 => Unproved::PhasesSkipped,
        (Why::Done, _) if plan.monotone => Unproved::AssumesMonotone,
        (Why::Done, Proof::MinimalDifference) if reduction.disabled().next().is_some() => Unproved::PhasesSkipped,
        (Why::Done, _) if reduction.is_normalised() => Unproved::Normalized,
        // The empty side of the first list is not the one that was tested.
        (Why::Done, Proof::MinimalDifference) if best.entry_count() > 1 => Unproved::PassingSideUntested,
        (Why::Done, Proof::OneMinimal) => {
            let disabled: Vec<usize> = reduction.disabled().collect();
            let mut minimal = minimal_without(&reduction.tried_plan(), best, reduction.unmet_needs(), &disabled);
            if !disabled.is_empty() && minimal.units.is_empty() && minimal.edits == 0 {
                return Claim::Fails(Unproved::PhasesSkipped);
            }
            minimal.together = if groups { minimal.together } else { 0 };
            return Claim::OneMinimal(minimal);
        }
        (Why::Done, Proof::MinimalDifference) => {
            return Claim::OneMinimalDifference { units: minimal(plan, best, reduction.unmet_needs()).units };
        }
        (Why::Granularity(least), _) => Unproved::MinRemoval { least: *least, unit: plan.unit() },
        _ => Unproved::Unfinished,
    })
}
