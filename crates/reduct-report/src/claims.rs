//! What is known of a result, in words. Nothing else in the project puts a claim into words.

use crate::human::{counted, list, singular};
use reduct_strategies::{Caveat, Claim, End, Evidence, Minimal, Others, Refuted, Unproved};
use serde_json::{Value, json};

/// Returns what is proved of a result and on what that rests, in words. Begins with `it fails; ` where nothing more
/// than that is claimed; empty where not even that is to be said.
///
/// ```
/// use reduct_strategies::{Claim, Minimal};
///
/// let evidence = Claim::OneMinimal(Minimal::of(vec!["lines"])).into();
/// assert_eq!(
///     reduct_report::claims::describe(&evidence),
///     "1-minimal in lines: if any one line is removed, the failure no longer occurs"
/// );
/// ```
pub fn describe(evidence: &Evidence) -> String {
    let mut words = claim(&evidence.claim);
    for caveat in &evidence.caveats {
        words = match caveat {
            Caveat::ByPersonsWord { unresolved } => by_answers(&words, *unresolved),
            Caveat::Stays { steps } => {
                let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
                let steps = format!("step{} {}", if steps.len() == 1 { "" } else { "s" }, list(&steps));
                format!("{words}; but what {steps} removed was kept, and its removal was not tested (--never)")
            }
            Caveat::Disabled { passes } => {
                let (pass, was, it) =
                    if passes.len() == 1 { ("pass", "was", "it") } else { ("passes", "were", "them") };
                format!("{words}; the {pass} {} {was} switched off, so nothing is claimed about {it}", list(passes))
            }
            Caveat::DoesNotParse => {
                format!(
                    "{words}; as far as reduct's grammar knows, the input follows its language, and the result does not"
                )
            }
            Caveat::PrintsOther { changes } => {
                let changes = counted(*changes as u64, "changes");
                format!(
                    "{words}; with {changes}, it prints something else than the passing run, which may be wrong, too"
                )
            }
            Caveat::TriedForShare(share) => format!(
                "{words}, for candidates that fail in a share of {share} of their runs or more; the result itself fails \
                 less often"
            ),
            _ => words,
        };
    }
    words
}

fn by_answers(proved: &str, unresolved: u64) -> String {
    let unclear = if unresolved > 0 { ", and that candidates of which you could not tell do not fail" } else { "" };
    format!(
        "by your answers, assuming that the whole input fails and that the empty or passing one passes{unclear}: {proved}"
    )
}

fn claim(claim: &Claim) -> String {
    match claim {
        Claim::Fails(why) => unproved(why),
        Claim::OneMinimal(minimal) => one_minimal(minimal),
        Claim::OneMinimalDifference { units } => {
            format!("the difference from the passing side is 1-minimal in {}", listed(units))
        }
        Claim::Difference { places, unit, end } => difference(*places, unit, *end),
        Claim::Causes { end: End::Skipped, .. } => "phases were skipped, so nothing more is proved".into(),
        Claim::Causes { count, lines, in_last, end: End::Finished } => causes(*count, *lines, *in_last),
        Claim::Causes { .. } => "the search was not finished: a change to blame is among those left".into(),
        Claim::Minima { count, unit, others } => minima(*count, unit, *others),
        Claim::Values { turns: 0, .. } => "no cause was found in plain values".into(),
        Claim::Values { turns, values } => {
            let (places, values) = (counted(*turns as u64, "places"), counted(*values as u64, "values"));
            format!(
                "in each of {places}, the failing run passes with other values ({values} in all); with any one of them left out, it does not"
            )
        }
        Claim::PassesWith { count, unit, end } => {
            let rest = match end {
                End::Finished => "with any one of them left out, it does not",
                End::Skipped => "phases were skipped, so fewer may do",
                _ => "the search was not finished, so fewer may do",
            };
            format!("the program fails, but with {} it passes; {rest}", counted(*count as u64, unit))
        }
        Claim::Explained => "it fails; for each part, what was tried in its place, and with which outcome".into(),
        Claim::Refuted(Refuted::DidNotFail) => "nothing: run again, the result did not fail".into(),
        Claim::Refuted(Refuted::DidNotPass) => "nothing: run again, the result did not pass".into(),
        Claim::Refuted(Refuted::Replaced) => "nothing: something else stands at its place".into(),
        Claim::Refuted(Refuted::NothingFailed) => "nothing: of all that was tried, nothing failed".into(),
        Claim::Refuted(Refuted::NothingPassed) => "nothing: of all that was tried, nothing passed".into(),
        _ => String::new(),
    }
}

fn unproved(why: &Unproved) -> String {
    let rest = match why {
        Unproved::ByMethod => "nothing is proved about its size",
        Unproved::PhasesSkipped => "phases were skipped, so nothing more is proved",
        Unproved::AuditSkipped => "the audit was skipped, so nothing more is proved",
        Unproved::AssumesMonotone => {
            "it is minimal if each part of a passing input passes too, which was assumed and not tested"
        }
        Unproved::Normalized => {
            "no single part could be removed before the result was brought into normal form; after that, nothing was tested again"
        }
        Unproved::PassingSideUntested => "the passing side was not tested",
        Unproved::MinRemoval { least, unit } => {
            return format!("it fails; removing fewer than {least} {unit} at once was not tried");
        }
        Unproved::Unfinished => "the search was not finished, so nothing more is proved",
        // Not even that it fails is to be said.
        Unproved::WentBack => return String::new(),
        _ => return String::new(),
    };
    format!("it fails; {rest}")
}

/// Says in what a result is 1-minimal, and what that means.
pub fn one_minimal(Minimal { units, checked, edits, edits_checked, together, .. }: &Minimal) -> String {
    if units.is_empty() {
        return format!("it fails, and {}", no_edit_keeps_it(*edits, *edits_checked));
    }
    let free: Vec<&str> = units.iter().copied().filter(|unit| !checked.contains(unit)).collect();
    let removals: Vec<String> = [(&free[..], " is removed"), (&checked[..], " that leaves a text that parses")]
        .into_iter()
        .filter(|(units, _)| !units.is_empty())
        .map(|(units, how)| format!("any one {}{how}", one_of(units)))
        .collect();
    let is_removed = if free.is_empty() { " is removed" } else { "" };
    let mut words = format!(
        "1-minimal in {}: if {}{is_removed}, the failure no longer occurs",
        listed(units),
        removals.join(", or ")
    );
    match together {
        0 => {}
        1 => words += ", nor without the one group of events that the tests point to",
        more => words += &format!(", nor without any of the {more} groups of events that the tests point to"),
    }
    if *edits > 0 {
        words += &format!(", and {}", no_edit_keeps_it(*edits, *edits_checked));
    }
    words
}

/// Says that no edit makes a result smaller or simpler. Where a grammar reads the input, an edit after which it does not parse was not run.
fn no_edit_keeps_it(edits: usize, is_checked: bool) -> String {
    match (edits, is_checked) {
        (0, _) => "the passes know no edit".into(),
        (1, true) => "the one edit that the passes know leaves no text that parses and fails".into(),
        (_, true) => format!("none of {edits} edits that the passes know leaves a text that parses and fails"),
        (1, false) => "the one edit that the passes know leaves nothing that fails".into(),
        (_, false) => format!("none of {edits} edits that the passes know leaves something that fails"),
    }
}

fn difference(places: usize, unit: &str, end: End) -> String {
    match (end, places) {
        (End::Skipped, _) => "one side passes, the other fails; phases were skipped".into(),
        (End::Finished, 1) => "one side passes, the other fails, and they differ in one place only, so nothing lies \
                               between them"
            .into(),
        (End::Finished, _) => format!(
            "one side passes, the other fails; with any single one of the {places} {unit} moved from one side to the \
             other, it was neither known to pass nor to fail as before"
        ),
        _ => "one side passes, the other fails; the search was not finished".into(),
    }
}

fn causes(count: usize, lines: usize, in_last: bool) -> String {
    let each = match count {
        0 | 1 => "each cause".to_owned(),
        all => format!("each of {all} causes ({lines} changed lines together)"),
    };
    let it = if in_last { "it, or the last part of it, alone" } else { "it alone" };
    format!("{each}: one version passes, another fails, and they differ in {it}")
}

fn minima(count: usize, unit: &str, others: Others) -> String {
    let one = singular(unit);
    let each = match count {
        1 => format!("one minimum, 1-minimal in {unit}: if any one {one} is removed, the failure no longer occurs"),
        _ => format!(
            "{count} minima, 1-minimal in {unit}: if any one {one} is removed from one of them, the failure no longer occurs \
             in it"
        ),
    };
    let others = match others {
        Others::None => "there is no other one if each part of a passing input passes too, which was not tested",
        Others::Unclear(seeds) => {
            let seeds = counted(seeds, "seeds");
            return format!("{each}; there may be others among the unresolved candidates ({seeds})");
        }
        Others::NotMonotone => {
            "they are distinct local minima: a part of a candidate that does not fail was seen to fail, so there may be \
             others"
        }
        Others::NotAsked => "no more were asked for: there may be others",
        Others::Unfinished => "the search was not finished: there may be others",
        _ => "",
    };
    format!("{each}; {others}")
}

/// Returns one of several units: `line, node or token`.
fn one_of(units: &[&str]) -> String {
    let ones: Vec<String> = units.iter().map(|unit| singular(unit)).collect();
    joined(&ones.iter().map(String::as_str).collect::<Vec<_>>(), "or")
}

/// Returns several units as words.
fn listed(units: &[&str]) -> String {
    joined(units, "and")
}

/// Joins units by commas and a word, with a comma before the word where one of them has parts of its own, so that it is seen what these are of:
/// `nodes, tokens, and characters of strings`.
fn joined(units: &[&str], word: &str) -> String {
    let comma = if units.iter().any(|unit| unit.contains(" of ")) { "," } else { "" };
    match units {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{}{comma} {word} {last}", first.join(", ")),
    }
}

/// Returns the same as data: an object whose `kind` says what is claimed, with the units and numbers of that.
pub fn data(evidence: &Evidence) -> Value {
    let mut value = match &evidence.claim {
        Claim::Fails(why) => json!({ "kind": "fails", "why_no_more": reason(why) }),
        Claim::OneMinimal(Minimal { units, checked, edits, together, .. }) => json!({
            "kind": "one-minimal", "units": units, "only_where_it_parses": checked, "edits_tried": edits,
            "groups_tried": together,
        }),
        Claim::OneMinimalDifference { units } => json!({ "kind": "one-minimal-difference", "units": units }),
        Claim::Difference { places, unit, end } => {
            json!({ "kind": "difference", "places": places, "unit": unit, "search": name(*end) })
        }
        Claim::Causes { count, lines, in_last, end } => json!({
            "kind": "causes", "count": count, "lines": lines, "in_last_part_only": in_last, "search": name(*end),
        }),
        Claim::Minima { count, unit, others } => {
            json!({ "kind": "minima", "count": count, "unit": unit, "others": others_name(*others) })
        }
        Claim::Values { turns, values } => json!({ "kind": "values", "places": turns, "values": values }),
        Claim::PassesWith { count, unit, end } => {
            json!({ "kind": "passes-with", "count": count, "unit": unit, "search": name(*end) })
        }
        Claim::Explained => json!({ "kind": "explained" }),
        Claim::Refuted(Refuted::DidNotFail) => json!({ "kind": "refuted", "why": "did-not-fail" }),
        Claim::Refuted(Refuted::DidNotPass) => json!({ "kind": "refuted", "why": "did-not-pass" }),
        Claim::Refuted(Refuted::Replaced) => json!({ "kind": "refuted", "why": "replaced" }),
        Claim::Refuted(Refuted::NothingFailed) => json!({ "kind": "refuted", "why": "nothing-failed" }),
        Claim::Refuted(Refuted::NothingPassed) => json!({ "kind": "refuted", "why": "nothing-passed" }),
        _ => json!({ "kind": UNNAMED }),
    };
    let caveat = |caveat: &Caveat| match caveat {
        Caveat::ByPersonsWord { unresolved } => json!({ "kind": "by-persons-word", "unresolved": unresolved }),
        Caveat::Stays { steps } => json!({ "kind": "stays", "steps": steps }),
        Caveat::Disabled { passes } => json!({ "kind": "passes-disabled", "passes": passes }),
        Caveat::PrintsOther { changes } => json!({ "kind": "prints-other", "changes": changes }),
        Caveat::DoesNotParse => json!({ "kind": "does-not-parse" }),
        Caveat::TriedForShare(share) => json!({ "kind": "tried-for-share", "share": share }),
        _ => json!({ "kind": UNNAMED }),
    };
    value["caveats"] = evidence.caveats.iter().map(caveat).collect();
    value
}

fn name(end: End) -> &'static str {
    match end {
        End::Finished => "finished",
        End::Skipped => "phases-skipped",
        _ => "unfinished",
    }
}

fn others_name(others: Others) -> &'static str {
    match others {
        Others::None => "none-if-monotone",
        Others::Unclear(_) => "unclear",
        Others::NotMonotone => "not-monotone",
        Others::NotAsked => "not-asked",
        Others::Unfinished => "unfinished",
        _ => UNNAMED,
    }
}

fn reason(why: &Unproved) -> &'static str {
    match why {
        Unproved::ByMethod => "method",
        Unproved::PhasesSkipped => "phases-skipped",
        Unproved::AuditSkipped => "audit-skipped",
        Unproved::AssumesMonotone => "assumes-monotone",
        Unproved::Normalized => "normalized",
        Unproved::PassingSideUntested => "passing-side-untested",
        Unproved::MinRemoval { .. } => "min-removal",
        Unproved::Unfinished => "unfinished",
        Unproved::WentBack => "went-back",
        _ => UNNAMED,
    }
}

/// What stands for what has no name here. Nothing goes without one, as the tests see to.
const UNNAMED: &str = "unnamed";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_claim_goes_without_its_sentence_and_its_name() {
        let claims = Claim::of_each_kind();
        let mut seen = HashSet::new();
        for claim in claims {
            let evidence = Evidence::from(claim.clone());
            let words = describe(&evidence);
            assert_eq!(words.is_empty(), claim == Claim::Fails(Unproved::WentBack), "{claim:?}");
            assert!(!words.ends_with("; "), "{claim:?}: {words}");
            assert!(seen.insert(words), "{claim:?} is said as another one is");
            let data = data(&evidence).to_string();
            assert!(!data.contains(UNNAMED), "{claim:?}: {data}");
        }
    }

    #[test]
    fn what_characters_are_of_is_said_of_them_alone() {
        let mut minimal = Minimal::of(vec!["nodes", "tokens", "characters of strings"]);
        minimal.checked = vec!["nodes", "characters of strings"];
        let said = one_minimal(&minimal);
        let expected = "1-minimal in nodes, tokens, and characters of strings: if any one token is removed, or any one \
                        node, or character of strings that leaves a text that parses, the failure no longer occurs";
        assert_eq!(said, expected);
    }

    #[test]
    fn nothing_is_said_of_parsing_where_no_grammar_reads_the_input() {
        let mut minimal = Minimal::of(vec!["bytes"]);
        minimal.edits = 2;
        assert!(
            one_minimal(&minimal).ends_with(", and none of 2 edits that the passes know leaves something that fails")
        );
        minimal.edits_checked = true;
        assert!(one_minimal(&minimal).ends_with("leaves a text that parses and fails"));
    }

    #[test]
    fn no_caveat_goes_without_its_words_and_its_name() {
        for caveat in Caveat::of_each_kind() {
            let mut evidence = Evidence::from(Claim::Explained);
            let alone = describe(&evidence);
            evidence.caveats.push(caveat.clone());
            assert!(describe(&evidence).len() > alone.len(), "{caveat:?}");
            let data = data(&evidence).to_string();
            assert!(!data.contains(UNNAMED), "{caveat:?}: {data}");
        }
    }

    #[test]
    fn the_schema_has_every_claim_and_caveat() {
        let named = |value: &Value| value["kind"].as_str().unwrap_or_default().to_owned();
        for claim in Claim::of_each_kind() {
            let kind = named(&data(&claim.into()));
            assert!(crate::schema::CLAIMS.iter().any(|shape| shape.name == kind), "{kind}");
        }
        for caveat in Caveat::of_each_kind() {
            let mut evidence = Evidence::from(Claim::Explained);
            evidence.caveats.push(caveat);
            let kind = named(&data(&evidence)["caveats"][0]);
            assert!(crate::schema::CAVEATS.iter().any(|shape| shape.name == kind), "{kind}");
        }
    }
}
