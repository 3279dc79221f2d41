//! What was seen before a search that cannot begin, and what to do, a line each.

use super::failure::shortened;
use super::place::{WhyCopy, because};
use crate::measured;
use reduct_oracle::condition::Measured;
use reduct_oracle::signature::describe;
use reduct_oracle::{Also, Criterion, Observed};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Of what a test printed, so many last lines are shown, and of each so many characters.
const LINES: usize = 4;
const CHARS: usize = 160;

/// What was seen, or can be done.
pub enum Advice<'a> {
    /// What was looked for.
    LookedFor(&'a Criterion),
    /// The same, where it was seen now and then.
    FailureLookedFor(&'a Criterion),
    /// What a run showed.
    Seen(&'a Observed),
    /// What the first run showed.
    SeenAtFirst(Option<&'a Observed>),
    /// What was measured.
    Measured(Measured),
    /// Which exit statuses say that it cannot be told.
    StatusesThatCannotTell,
    /// What the exit statuses of a test of versions mean.
    StatusesOfVersions,
    /// An exit status of 0 counts as the failure.
    StatusZeroIsTheFailure,
    /// What a server has to answer.
    ServerAnswers,
    /// The script has line ends of Windows.
    LineEnds(PathBuf),
    /// The command does not say where the input is, which is called so in quotes.
    NamesNoInput(String),
    /// Its output shows this line, and this option takes it for the failure.
    Behind {
        /// The line.
        line: String,
        /// The condition, as a shell takes it.
        condition: String,
    },
    /// The test should check for the failure.
    CheckForTheFailure,
    /// Nobody knows what the failure is.
    SayWhatItIs,
    /// Candidates can be run until it is clear.
    RepeatCandidates,
    /// Versions can be run until it is clear.
    RepeatVersions,
    /// It fails too seldom.
    FailMoreOften,
    /// The test ends so whatever the input is, and with 0 if it is run as follows.
    SameOnAll(&'a Observed),
    /// Give the path as an argument.
    AddArgument,
    /// Give the input on standard input.
    AddStdin,
    /// Run it in a copy of its folder.
    LeaveOutBare,
    /// The command may hold the path of the original.
    ReadsTheOriginal,
    /// Another version should be given.
    GiveOneThatPasses,
    /// It fails only in a bare folder, so.
    MakeItFail(String),
    /// Whether it runs bare or in a copy has to be said, as the bare folder may lack something.
    ChooseFolder,
    /// The same, as either shows something else.
    ChooseFailure,
    /// It was run in a copy of this folder, and why.
    RanInACopy(&'a Path, &'a WhyCopy),
    /// The original was changed meanwhile.
    OriginalChanged(String),
    /// Each side can be run by hand.
    RunEachByHand,
    /// More lines, how to see it by hand among them.
    Lines(&'a str),
}

/// Returns what was seen and what to do, a line each.
pub fn advise<'a>(lines: impl IntoIterator<Item = Advice<'a>>) -> String {
    let lines: Vec<String> = lines.into_iter().map(|line| line.words()).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

impl Advice<'_> {
    fn words(&self) -> String {
        match self {
            Advice::LookedFor(criterion) => format!("looked for: {}", criterion.describe()),
            Advice::FailureLookedFor(criterion) => format!("the failure looked for: {}", criterion.describe()),
            Advice::Seen(observed) => format!("seen: {}", shown(observed)),
            Advice::SeenAtFirst(observed) => format!("seen at first: {}", observed.map(shown).unwrap_or_default()),
            Advice::Measured(measured) => format!("measured: {}", measured::describe(measured)),
            Advice::LineEnds(script) => {
                let name = script.display();
                format!("line 1 of {name} ends with a carriage return, as on Windows: sed -i 's/\\r$//' {name}")
            }
            Advice::NamesNoInput(name) => format!(
                "the command does not name the input, {name}: write {{}} where its path belongs, or add --arg (the path becomes \
                 the last argument) or --stdin (the contents go to standard input)"
            ),
            Advice::Behind { line, condition } => format!(
                "on the whole input, its output shows “{}”: --fails-if {condition} takes that as the failure",
                shortened(line)
            ),
            Advice::SameOnAll(observed) => format!(
                "as you run it, the test ends with {} on every input; run as follows, it exits with 0",
                describe(&observed.exit)
            ),
            Advice::MakeItFail(as_bare) => format!(
                "it fails in a bare folder only ({as_bare}), where something is missing\n\
                 run it so that it fails, or define the failure with --fails-if"
            ),
            Advice::RanInACopy(top, reason) => {
                format!("it was run in a copy of {}, {} (--bare: without it)", top.display(), because(reason))
            }
            Advice::OriginalChanged(changed) => format!("THE ORIGINAL WAS CHANGED while the test ran: {changed}"),
            Advice::Lines(lines) => (*lines).to_owned(),
            fixed => fixed.fixed().to_owned(),
        }
    }

    /// Returns the words of what has always the same.
    fn fixed(&self) -> &'static str {
        match self {
            Advice::StatusesThatCannotTell => {
                "125 and 77 mean “cannot tell”, 126 that a program cannot be run, 127 that it is missing"
            }
            Advice::StatusesOfVersions => {
                "0 means that it works, 1 to 124 that it fails, 125 that it is unresolved; --fails-if defines another failure"
            }
            Advice::StatusZeroIsTheFailure => {
                "exit status 0 counts as the failure, as in scripts for other reducers; if it means success in this test, the \
                 failure did not occur"
            }
            Advice::ServerAnswers => {
                "a failure is the answer `fail`, another exit status than 0, or a signal\n\
                 if exit status 0 is the failure: --fails-if exit=0"
            }
            Advice::CheckForTheFailure => {
                "make the test check for the failure itself, or define the failure, e.g. --fails-if 'stderr~REGEX'"
            }
            Advice::SayWhatItIs => "define the failure, e.g. --fails-if 'stderr~REGEX'",
            Advice::RepeatCandidates => {
                "give --repeat: then each candidate is run until it is clear whether it fails; or make the test \
                 repeatable (fixed seeds, one thread)"
            }
            Advice::RepeatVersions => {
                "make it repeatable, or give --repeat: then each version is run until it is clear"
            }
            Advice::FailMoreOften => "make the test fail more often",
            Advice::AddArgument => "add --arg, or put {} where the path belongs in the command",
            Advice::AddStdin => "add --stdin",
            Advice::LeaveOutBare => "leave out --bare, or have the test name the files that it needs by full paths",
            Advice::ReadsTheOriginal => "if it reads the original by a full path, put {} in place of that path",
            Advice::GiveOneThatPasses => "give a version in which the test exits with 0",
            Advice::ChooseFolder => {
                "--in DIR runs the test in copies of a folder that holds the input and all that the test needs, however large \
                 (--in . names the current folder); with --bare, the failure is what the test shows in a bare folder"
            }
            Advice::ChooseFailure => {
                "with --bare, exit status 0 is the failure, as in scripts for other reducers; with --in ., the failure is what \
                 the test shows in the copy\n--fails-if defines the failure"
            }
            Advice::RunEachByHand => "run the test by hand on a copy of each to see it",
            _ => "",
        }
    }
}

/// Returns that it is found out why, for so long.
pub fn looking_for_why(refusal: &str, longest: Duration) -> String {
    format!("{refusal}. Looking for why, for {} s at most.", longest.as_secs())
}

/// Returns how a run ended, and the end of what it printed.
fn shown(observed: &Observed) -> String {
    let text = [&observed.stdout[..], &observed.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let tail = &lines[lines.len().saturating_sub(LINES)..];
    let shown: String = tail
        .iter()
        .map(|line| line.chars().filter(|c| !c.is_control()).take(CHARS).collect::<String>())
        .fold(String::new(), |all, line| all + "\n  | " + &line);
    let shown =
        if shown.is_empty() { ", and nothing was printed".into() } else { format!(", and these last lines:{shown}") };
    let unknown = match &observed.also {
        Also { backtrace: Some(Err(why)), .. } => format!("\nwhere it died is not known: {why}"),
        Also { reference: Some(ran), .. } => format!("\nthe other command: {}", describe(&ran.exit)),
        _ => String::new(),
    };
    format!("{}{shown}{unknown}", describe(&observed.exit))
}
