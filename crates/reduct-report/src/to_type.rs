//! What can be typed about a run: to find its result again, to see the failure, and to ask more of the run. Lines name what they
//! need from the folder in which the run was asked for, so that they can be used elsewhere.

use crate::excerpt::path;
use crate::inquiries::InquiryAnswer;
use crate::schedules;
use crate::schedules::Sought;
use crate::story::{Story, StoryQuestion};
use crate::turns::{self, ResultPlace};

/// What can be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToType {
    /// What it does.
    pub what: &'static str,
    /// The line for a shell.
    pub line: String,
    /// Whether it reads the folder of the run: else it needs the program only, and the inputs or the result.
    pub needs_run: bool,
}

/// Returns what can be typed about a run.
pub(crate) fn commands(story: &Story) -> Vec<ToType> {
    let of_run =
        |what, command: &str| ToType { what, line: format!("reduct {command} {}", story.run_quoted), needs_run: true };
    let anywhere = |(what, line)| ToType { what, line, needs_run: false };
    let mut commands = vec![];
    let plain = story.plain.clone().map(|line| ("See the failure", line));
    let whole = if plain.is_some() { "The same as a test runs it, in a new folder" } else { "See the failure" };
    commands.extend(plain.into_iter().chain(story.repeat.clone().map(|line| (whole, line))).map(anywhere));
    commands.extend(story.inquiry.as_ref().and_then(|found| again(found, story)).map(anywhere));
    commands.extend(
        Some(story.typed.clone()).filter(|typed| !typed.is_empty()).map(|typed| anywhere((find_again(&typed), typed))),
    );
    if !story.question.is_inquiry() || story.inquiry.as_ref().is_some_and(InquiryAnswer::is_result) {
        commands.push(of_run("Check the claim again", "verify"));
    }
    if story.end.as_ref().is_none_or(|end| !end.is_done) {
        commands.push(of_run("Go on with the run", "resume"));
    }
    if story.question == StoryQuestion::Reduce && story.explanation.is_none() {
        commands.push(of_run("Find which parts may vary", "explain"));
    }
    commands.push(of_run("List all tests", "log"));
    commands
}

/// Returns what the line does with which a run was begun. Values of variables were left out of it, as they may be secret.
fn find_again(typed: &str) -> &'static str {
    if typed.contains("=…") {
        "Find the result again, with the values in place of …"
    } else {
        "Find the result again"
    }
}

/// Returns where the lines are typed that need no run, and what those need that do.
pub(crate) fn needs(story: &Story) -> [String; 2] {
    let (folder, run) = (path(&story.folder), path(story.seen(&story.run)));
    let result = match story.plain.as_ref().or(story.repeat.as_ref()) {
        Some(_) => format!(", and the result, saved as {}", path(story.seen(&story.out))),
        None => String::new(),
    };
    [
        format!(
            "Type these in the folder where reduct was called: {folder}. Elsewhere they need the same program{result}."
        ),
        format!(
            "These read the folder of the run, {run}, which is no part of this report. It can be copied to another machine; then name the copy."
        ),
    ]
}

/// Returns what can be typed to see what an inquiry has found: what that does, and the line.
fn again(found: &InquiryAnswer, story: &Story) -> Option<(&'static str, String)> {
    let out = story.seen(&story.out);
    Some(match found {
        InquiryAnswer::Values(found) if found.turns.is_empty() => return None,
        InquiryAnswer::Values(found) => {
            let place = ResultPlace { folder: out, command: &story.program };
            ("See it pass with the first change", turns::again(found, &place))
        }
        InquiryAnswer::Switches(found) => {
            let what = match found.sought() {
                Sought::Failure => "See the failure",
                Sought::Pass => "See it pass",
            };
            (what, schedules::found::again(out, &story.program))
        }
        InquiryAnswer::NoFailure(_) | InquiryAnswer::NoPass(_) => return None,
    })
}
