//! What is to be said of a run first, the same on the page, in Markdown and in JSON: what fails, how small it is, what is
//! proved, on what that rests, and what to type.

use crate::excerpt::{clean, path};
use crate::human::{self, count, counted, duration};
use crate::inquiries::InquiryAnswer;
use crate::schedules::Sought;
use crate::story::{Story, StoryEnd, StoryGap, StoryQuestion};
use crate::to_type::{self, ToType};
use crate::{claims, words};
use reduct_strategies::{Caveat, Claim, Evidence, Refuted, Unproved};
use std::time::Duration;

/// What is to be said first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// What it was asked for, and how small that is: `41,958 → 8 bytes`.
    pub title: String,
    /// What was reduced or compared: names of inputs.
    pub subject: String,
    /// The question, as a sentence.
    pub question: &'static str,
    /// What fails.
    pub failure: String,
    /// How the run stands.
    pub state: String,
    /// What is proved, and whether it was confirmed.
    pub evidence: Vec<String>,
    /// What limits that.
    pub caveats: Vec<String>,
    /// What it took, as names and values.
    pub effort: Vec<(&'static str, String)>,
    /// What runs as the test, if the subject does not say it: what is said before it, and the command.
    pub test: Option<(&'static str, String)>,
    /// What to type.
    pub commands: Vec<ToType>,
    /// What is not told, and why.
    pub missing: Vec<String>,
}

impl Facts {
    /// Returns those of a run.
    pub fn of(story: &Story) -> Facts {
        Facts {
            title: title(story),
            subject: subject(story),
            question: question(story),
            failure: failure(story),
            state: state(story),
            evidence: proved(story),
            caveats: caveats(story),
            effort: effort(story),
            test: test(story),
            commands: to_type::commands(story),
            missing: story.missing.iter().map(missing).collect(),
        }
    }
}

fn failure(story: &Story) -> String {
    match &story.inquiry {
        Some(InquiryAnswer::Switches(found)) => clean(&found.failure),
        _ => story.failure.as_deref().map_or_else(|| "not known yet".into(), clean),
    }
}

fn title(story: &Story) -> String {
    if story.question.is_inquiry() {
        return story.inquiry.as_ref().map_or_else(|| "nothing was found yet".into(), InquiryAnswer::title);
    }
    if let Some(search) = &story.search {
        return human::sizes(search.branch.map_or(search.before, |branch| branch.whole), search.after);
    }
    match (story.improved.first(), story.improved.last()) {
        (_, Some((_, bytes))) => format!("{} left", human::bytes(*bytes)),
        _ => "nothing smaller was found".into(),
    }
}

fn subject(story: &Story) -> String {
    if story.question.is_inquiry() || story.question == StoryQuestion::Executions {
        return clean(&story.program);
    }
    let version = |name: &str| story.answer.as_ref()?.get(name)?.as_str().map(clean);
    if let (Some(passing), Some(failing)) = (version("passing"), version("failing")) {
        return format!("{passing} → {failing}");
    }
    let names: Vec<String> = story.inputs.iter().map(|input| path(input)).collect();
    let is_command = names.is_empty() || story.question == StoryQuestion::Situation;
    if is_command { clean(&story.test) } else { names.join(", ") }
}

/// Returns what runs as the test, if the subject does not say it.
fn test(story: &Story) -> Option<(&'static str, String)> {
    let is_said = story.question.is_inquiry()
        || matches!(story.question, StoryQuestion::Executions | StoryQuestion::Situation)
        || story.inputs.is_empty() && story.question != StoryQuestion::Changes;
    match (story.by_person, story.test.is_empty()) {
        (true, true) => Some(("A person said of each candidate whether it fails.", String::new())),
        (true, false) => {
            Some(("A person said of each candidate whether it fails; it was shown by", story.test.clone()))
        }
        (false, _) => Some(("The test:", story.test.clone())).filter(|(_, test)| !is_said && !test.is_empty()),
    }
}

fn question(story: &Story) -> &'static str {
    match story.question {
        StoryQuestion::Reduce => "The smallest input that still fails",
        StoryQuestion::Executions => "The statement executions that the failure needs",
        StoryQuestion::Isolate => "The smallest difference between the passing and the failing side",
        StoryQuestion::Minima => "All minimal inputs that fail",
        StoryQuestion::Changes => "The changes that broke it",
        StoryQuestion::Situation => "What matters of what the command is given",
        StoryQuestion::Values => "The values that cause the failure, from the input to the end",
        StoryQuestion::Switches => match sought(story) {
            Some(Sought::Failure) => "The thread switches with which it fails",
            Some(Sought::Pass) => "The thread switches with which it passes",
            // It is not known before the program ran once.
            None => "The thread switches that decide whether it fails",
        },
    }
}

/// Returns which schedules are looked for: those with which the program fails; or, if it fails without a switch, those with which it passes.
pub(crate) fn sought(story: &Story) -> Option<Sought> {
    match &story.inquiry {
        Some(InquiryAnswer::Switches(found)) => Some(found.sought()),
        Some(InquiryAnswer::NoFailure(_)) => Some(Sought::Failure),
        Some(InquiryAnswer::NoPass(_)) => Some(Sought::Pass),
        Some(InquiryAnswer::Values(_)) | None => story.sought,
    }
}

fn state(story: &Story) -> String {
    match &story.end {
        Some(StoryEnd { is_done: true, .. }) => "Finished: the search has come to its end.".into(),
        Some(StoryEnd { why, .. }) => {
            let why = match why.as_str() {
                "interrupted" => "interrupted",
                "time" => "the time was up",
                "tests" => "the number of tests was reached",
                "stall" => "the last tests brought too little",
                "stopped" => "stopped by key",
                "trouble" => "something outside the tests went wrong",
                _ => "stopped",
            };
            let rest = if story.question.is_inquiry() { "it is not finished" } else { "smaller may be possible" };
            format!("Stopped early ({why}): {rest}.")
        }
        None => "Not ended: it goes on, or was killed. This is how far it had come.".into(),
    }
}

/// Returns what is proved of the result, as data.
pub fn evidence(story: &Story) -> Option<Evidence> {
    if story.question.is_inquiry() {
        return story.inquiry.as_ref().map(|found| found.shown());
    }
    let search = story.search.as_ref()?;
    let seen = story.end.as_ref().and_then(|end| end.seen.as_ref());
    let claim = match &story.end {
        Some(end) if end.went_back => Claim::Fails(Unproved::WentBack),
        _ if seen.is_some_and(|seen| seen.confirmed == Some(false)) => Claim::Refuted(Refuted::DidNotFail),
        _ => search.claim.clone(),
    };
    let unresolved = seen.map_or(0, |seen| seen.unresolved);
    let person = story.by_person.then_some(Caveat::ByPersonsWord { unresolved });
    let share = seen.and_then(|seen| seen.share).map(Caveat::TriedForShare);
    let mut evidence = Evidence::from(claim);
    evidence.caveats = search.caveats.iter().cloned().chain(person).chain(share).collect();
    Some(evidence)
}

fn proved(story: &Story) -> Vec<String> {
    if story.question.is_inquiry() {
        return story.inquiry.as_ref().map_or_else(Vec::new, InquiryAnswer::evidence);
    }
    let mut lines = vec![];
    match evidence(story) {
        Some(evidence) => {
            let proved = claims::describe(&evidence);
            lines.push(match proved.trim_end_matches('.') {
                "" => "Nothing is proved of the result but that it failed.".to_owned(),
                proved => format!("Proved: {proved}."),
            });
        }
        None => lines.extend(story.answer.as_ref().and_then(|answer| {
            let proved = answer.get("proved")?.as_str()?;
            Some(format!("Proved, as the answer of the run says: {}.", clean(proved).trim_end_matches('.')))
        })),
    }
    let seen = story.end.as_ref().and_then(|end| end.seen.as_ref());
    lines.extend(match seen.map(|seen| (seen.confirmed, seen.again)) {
        Some((Some(true), Some((runs, failed)))) => {
            Some(format!("Confirmed: it failed in {} of {} more runs at the end.", count(failed), count(runs)))
        }
        Some((Some(true), None)) => Some("Confirmed: it was so when it was run again at the end.".into()),
        Some((Some(false), _)) => Some("NOT confirmed: run again at the end, it was not so.".into()),
        Some((None, Some(_))) => Some("Not confirmed: stopped before the result was run again.".into()),
        // Of changes, the claim is what was tested; there is nothing to run again.
        Some((None, None)) => None,
        None => Some("Whether the result was run again is not in the journal: check the claim again, below.".into()),
    });
    lines
}

fn caveats(story: &Story) -> Vec<String> {
    let notes = story.end.as_ref().and_then(|end| end.seen.as_ref()).map(|seen| seen.notes.clone());
    let mut caveats: Vec<String> = story.caveats.iter().chain(notes.iter().flatten()).map(|note| clean(note)).collect();
    caveats.extend(story.inquiry.iter().flat_map(InquiryAnswer::caveats));
    if story.is_repeated {
        caveats.push(
            "The failure comes and goes: each candidate was run until it was clear, and an outcome is right with the \
             confidence that the run was asked for."
                .into(),
        );
    }
    caveats
}

fn effort(story: &Story) -> Vec<(&'static str, String)> {
    let mut effort = story.inquiry.as_ref().map_or_else(Vec::new, InquiryAnswer::effort);
    if let Some(search) = story.search.as_ref().filter(|_| !story.question.is_inquiry()) {
        let repeats = search.tests.iter().filter(|test| test.cached).count();
        let again = if repeats > 0 {
            format!(" ({} with a known outcome, so not run again)", count(repeats))
        } else {
            String::new()
        };
        effort.push(("Tests", format!("{}{again}", count(search.tests.len()))));
        effort.push(("Accepted steps", count(search.steps.len())));
        if let Some(branch) = search.branch {
            let (size, unit) = search.before;
            let (what, by) = if branch.is_deeper { ("Recorded deeper", "at") } else { ("Began again", "from") };
            effort.push((what, format!("{by} step {}, {}", count(branch.from), counted(size, unit))));
        }
        let of = |outcome| count(search.tests.iter().filter(|test| test.outcome == outcome).count());
        use reduct_core::Outcome::{Fail, Pass, Unresolved};
        let unresolved = Some(of(Unresolved)).filter(|count| count != "0");
        let unresolved = unresolved.map_or(String::new(), |count| format!(" · ? {count} unresolved"));
        effort.push(("Outcomes", format!("✗ {} fail · ✓ {} pass{unresolved}", of(Fail), of(Pass))));
    }
    effort.push(("Runs that ended", count(story.runs)));
    if story.ms > 0 {
        effort.push(("Time in tests", duration(Duration::from_millis(story.ms))));
    }
    if let Some(seen) = story.end.as_ref().and_then(|end| end.seen.as_ref()) {
        // The terminal counts all that were begun.
        let begun = if seen.runs > story.runs {
            format!(", {} begun: those that were no longer needed were stopped", counted(seen.runs, "runs"))
        } else {
            String::new()
        };
        effort.push(("Last session", duration(Duration::from_millis(seen.ms)) + &begun));
    }
    effort.push(("Made by", clean(&story.tool)));
    effort
}

fn missing(gap: &StoryGap) -> String {
    match gap {
        StoryGap::Search(why) => format!(
            "The search could not be walked through again, so its table, its grid and its steps are missing: {}. On the \
             machine where it ran, with its inputs in place, the report has them.",
            clean(why).trim_end_matches('.')
        ),
        StoryGap::Outcomes { walked, had } => format!(
            "The journal has the outcomes of the first {}, but the run went on to test {} at least: it took outcomes \
             from other runs, or another version made it. What follows is as far as it can be walked.",
            counted(*walked, "tests"),
            count(*had)
        ),
        StoryGap::InquiryAnswer => {
            "What the run has found is not in its folder, as an earlier version made it; the result itself has it."
                .into()
        }
    }
}

/// Returns what a phase of a run is called.
pub fn phase(story: &Story, at: usize) -> String {
    let phase = story.search.as_ref().and_then(|search| search.phases.get(at)?.phase);
    phase.map_or_else(|| "search".into(), |phase| words::phase(&phase))
}
