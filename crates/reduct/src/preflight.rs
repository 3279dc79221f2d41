//! Before the search: the whole input must fail, twice and alike; the empty one must not.
//!
//! If that is not so, nothing is begun, and it is found out why: whether the test depends on the
//! user's folder, wants the path or the contents of the input, or says something else every time.

mod hints;
mod repeated;
mod sides;

use crate::errors::Refusal;
use crate::job::{Against, Failure, Handed, Job};
use crate::program::{cannot_start, foreign_line_ends};
use crate::shell::{quoted, words_below_d};
use reduct_circumstances::Candidate;
use reduct_core::Outcome;
use reduct_run::event::{Event, Why};
use reduct_run::executor::{Also, Executor, Exit, Limit, Observed};
use reduct_run::flaky::Policy;
use reduct_run::load::{RUNS, load_published};
use reduct_run::oracle::signature::{Signature, Words, describe};
use reduct_run::oracle::{Oracle, Reading};
use reduct_run::session::Session;
use repeated::settle_repeated;
pub use sides::{Sides, settle_sides};
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the preflight settled.
pub struct Settled {
    /// What counts as the failure.
    pub reading: Reading,
    /// The time limit of a test.
    pub time_limit: Duration,
    /// What the failure is, in words; if it was read off the first run, with how to say otherwise.
    pub failure: String,
    /// When a candidate has been run often enough. `None`: one run decides.
    pub policy: Option<Policy>,
}

/// A time limit must leave room for a machine that is busier later: ten times the slowest run.
const TIMES_SLOWEST: u32 = 10;
const SHORTEST_LIMIT: Duration = Duration::from_secs(2);

/// So many times what fails now and then is run to see it fail once.
const FIRST_RUNS: usize = 100;

/// Gives a place to run the test with the candidate handed over otherwise.
pub type Elsewhere<'a> = dyn Fn(Handed) -> Result<Box<dyn Executor>, Refusal> + 'a;

/// Runs the whole input twice and the empty one once. Returns also what the test said of the latter.
///
/// `elsewhere` gives a place to run the test otherwise.
///
/// # Errors
/// If the whole input does not fail, or the empty one does.
pub fn settle(
    session: &mut Session<'_>,
    job: &Job,
    whole: &Candidate,
    words: &Words,
    elsewhere: &Elsewhere<'_>,
) -> Result<(Settled, Outcome), Refusal> {
    let doctor = Doctor { job, whole, words, elsewhere };
    if job.repeat {
        return settle_repeated(session, &doctor);
    }
    session.tell(&Event::Checking { what: "the whole input" }).map_err(stopped)?;
    // One after the other, as the time limit is made from how long they take: the same at any number of jobs.
    let mut seen = observe(session, std::slice::from_ref(whole))?;
    if let Some(Observed { exit: Exit::NotStarted(why), .. }) = seen.first() {
        return Err(cannot_start(job, why, doctor.recipe()));
    }
    seen.extend(observe(session, std::slice::from_ref(whole))?);
    let [first, second] = &seen[..] else { return Err(Refusal::Executor("a run is missing".into())) };
    let reading = match &job.failure {
        Failure::ExitZero => Reading::ExitZero,
        Failure::Conditions(all) => Reading::Conditions(all.clone()),
        Failure::Observed if job.persistent.is_some() && first.exit == Exit::Code(0) => return Err(doctor.passes()),
        Failure::Like(signature) => Reading::Same(signature.clone()),
        Failure::Observed => match Oracle::read_first(first, words) {
            Some(reading) => agree(reading, second, words),
            None => return Err(doctor.cannot_tell(session, first)),
        },
    };
    let oracle = Oracle::new(reading.clone(), words.clone());
    let outcomes: Vec<Outcome> = seen.iter().map(|observed| oracle.verdict(observed).outcome).collect();
    for (observed, outcome) in seen.iter().zip(&outcomes) {
        tell(session, "the whole input", observed, *outcome)?;
    }
    if outcomes.iter().any(|outcome| *outcome != Outcome::Fail) {
        return Err(doctor.does_not_fail(session, &oracle, &seen));
    }
    let slowest = seen.iter().map(took).max().unwrap_or_default();
    // A failure that is a hang shows at the limit that it has reached already.
    let hangs = first.exit == Exit::Limit(Limit::Time);
    let derived = if hangs { slowest } else { slowest.saturating_mul(TIMES_SLOWEST).max(SHORTEST_LIMIT) };
    let derived = derived.max(job.least_time_limit());
    let time_limit = job.limits.time.unwrap_or(derived);
    session.tell(&Event::Checking { what: "the empty input" }).map_err(stopped)?;
    let empty = observe(session, &[Candidate::nothing(whole.base().clone())])?;
    let mut of_empty = Outcome::Unresolved;
    for observed in &empty {
        of_empty = oracle.verdict(observed).outcome;
        tell(session, "the empty input", observed, of_empty)?;
        // That nothing of what a command is given matters is an answer.
        if of_empty == Outcome::Fail && !matches!(job.against, Against::Situation(_)) {
            return Err(doctor.empty_fails(first, observed));
        }
    }
    let failure = describe_first(job, &reading, first);
    Ok((Settled { failure, reading, time_limit, policy: None }, of_empty))
}

/// If the second run says something else with the same exit, what it says does not count.
fn agree(reading: Reading, second: &Observed, words: &Words) -> Reading {
    match reading {
        Reading::Same(signature) => Reading::Same(signature.common(&Signature::of(second, words))),
        settled => settled,
    }
}

/// What the failure is, in words, and how to say otherwise if nobody said it.
pub fn describe_failure(job: &Job, reading: &Reading) -> String {
    if job.ask.is_some() {
        return crate::ask::FAILURE.into();
    }
    match (&job.failure, reading) {
        (Failure::Observed, Reading::ExitZero) => {
            "exit status 0, as reducer scripts have it (--fails-if says otherwise)".into()
        }
        (Failure::Observed, reading) => {
            let thin = if let Reading::Same(signature) = reading { hints::thin(signature) } else { "" };
            format!("{}, as the first run showed (--fails-if says otherwise){thin}", reading.describe())
        }
        (_, reading) => reading.describe(),
    }
}

/// Does so, with what the first run showed besides, and why it did not show more.
fn describe_first(job: &Job, reading: &Reading, first: &Observed) -> String {
    let failure = describe_failure(job, reading) + &hints::doubts(job, reading, first);
    match (&first.also.backtrace, reading.details(first)) {
        (_, Some(details)) => format!("{failure}: {details}"),
        (Some(Err(why)), _) if matches!(reading, Reading::Same(_)) => {
            format!("{failure}; where it dies does not count: {why} (--no-backtrace says that this is fine)")
        }
        _ => failure,
    }
}

/// How long a run took: where several of its processes shared the cores, that is how long the processor did.
fn took(observed: &Observed) -> Duration {
    observed.elapsed.max(observed.also.used.processor)
}

fn observe(session: &mut Session<'_>, candidates: &[Candidate]) -> Result<Vec<Observed>, Refusal> {
    session.observe(candidates).map_err(stopped)
}

pub(crate) fn stopped(why: Why) -> Refusal {
    let words = match &why {
        Why::Trouble(what) => what.clone(),
        Why::Interrupted => "interrupted".into(),
        _ => "stopped".into(),
    };
    Refusal::Stopped(words, why)
}

fn tell(session: &mut Session<'_>, what: &'static str, observed: &Observed, outcome: Outcome) -> Result<(), Refusal> {
    let (exit, elapsed) = (observed.exit.clone(), observed.elapsed);
    session.tell(&Event::Preflight { what, outcome, exit, elapsed }).map_err(stopped)
}

/// Finds out why a test does not do what a reduction needs.
struct Doctor<'a> {
    job: &'a Job,
    whole: &'a Candidate,
    words: &'a Words,
    elsewhere: &'a Elsewhere<'a>,
}

impl Doctor<'_> {
    fn does_not_fail(&self, session: &mut Session<'_>, oracle: &Oracle, seen: &[Observed]) -> Refusal {
        let fails = |observed: &Observed| oracle.verdict(observed).outcome == Outcome::Fail;
        // More runs tell what happens now and then from what never happens.
        let more = match session.observe(&vec![self.whole.clone(); 6]) {
            Ok(more) => more,
            Err(why) => return stopped(why),
        };
        let all: Vec<&Observed> = seen.iter().chain(&more).collect();
        let failed = all.iter().filter(|observed| fails(observed)).count();
        if failed > 0 {
            let headline = format!(
                "the test is flaky: on the same whole input the failure occurred in {failed} of {} runs",
                all.len()
            );
            let advice = format!(
                "the failure looked for: {}\ngive --repeat: then each candidate is run until it is clear whether it fails; or make the test repeatable (fixed seeds, one thread)\n{}",
                oracle.reading().describe(),
                self.recipe()
            );
            return Refusal::DoesNotFail { headline, advice };
        }
        let mut advice = format!("looked for: {}\nseen: {}", oracle.reading().describe(), says(&seen[0]));
        for measured in self.job.conditions().iter().filter_map(|condition| condition.measured(&seen[0])) {
            let _ = write!(advice, "\nmeasured: {measured}");
        }
        let headline = match self.try_elsewhere(oracle) {
            Some((headline, what_to_do)) => {
                let _ = write!(advice, "\n{what_to_do}");
                headline
            }
            None => {
                advice.extend(foreign_line_ends(self.job).map(|line| format!("\n{line}")));
                advice += &self.unseen();
                "the failure does not occur on the whole input".into()
            }
        };
        let _ = write!(advice, "{}\n{}", hints::behind(&seen[0], None, self.words), self.recipe());
        Refusal::DoesNotFail { headline, advice }
    }

    /// A server is written for reduct: when it says that the whole input passes, it does not mean the convention of
    /// reducer scripts.
    fn passes(&self) -> Refusal {
        let advice = format!(
            "a failure is the answer `fail`, another exit status than 0, or a signal\n\
             if exit status 0 is the failure, say so: --fails-if exit=0\n{}",
            self.recipe()
        );
        Refusal::DoesNotFail { headline: "the server says that the whole input passes".into(), advice }
    }

    /// Whether the failure occurs if the test is run otherwise, and what to do then.
    fn try_elsewhere(&self, oracle: &Oracle) -> Option<(String, String)> {
        // A server is asked in one way only.
        if self.job.persistent.is_some() {
            return None;
        }
        let fails_as = |handed, candidate: &Candidate| {
            let mut lab = (self.elsewhere)(handed).ok()?;
            let mut session = Session::new(&mut *lab, vec![], Duration::ZERO);
            let seen = session.observe(std::slice::from_ref(candidate)).ok()?;
            seen.first().filter(|observed| oracle.verdict(observed).outcome == Outcome::Fail).map(|_| ())
        };
        let handed = self.job.handed;
        if !handed.as_argument && fails_as(Handed { as_argument: true, ..handed }, self.whole).is_some() {
            let what = "the failure occurs only if the test gets the path of the input as its argument";
            return Some((what.into(), "add --arg, or put {} where the path belongs in the command".into()));
        }
        if !handed.on_stdin && fails_as(Handed { on_stdin: true, ..handed }, self.whole).is_some() {
            let what = "the failure occurs only if the test gets the input on standard input";
            return Some((what.into(), "add --stdin".into()));
        }
        // In a copy of it: a test may do what it likes to the folder that it is run in.
        fails_as(handed, &copy_of(&self.job.folder)?)?;
        let what = "the failure occurs only in your own folder: in a fresh one the test misses something";
        let advice = "let the test name what it needs by full paths, or give those files as inputs too";
        Some((what.into(), advice.into()))
    }

    fn cannot_tell(&self, session: &mut Session<'_>, seen: &Observed) -> Refusal {
        let headline = "the test cannot tell on the whole input".to_owned();
        let oracle = Oracle::new(Reading::ExitZero, self.words.clone());
        let mut refusal = self.does_not_fail(session, &oracle, std::slice::from_ref(seen));
        if let Refusal::DoesNotFail { headline: found, advice } = &mut refusal
            && found == "the failure does not occur on the whole input"
        {
            *found = match seen.exit {
                Exit::Limit(Limit::Memory) => "the whole input needs more memory than allowed: raise --memory".into(),
                Exit::Limit(Limit::Processes) => {
                    "the whole input needs more processes than allowed: raise --processes".into()
                }
                _ => headline,
            };
            let line_ends = foreign_line_ends(self.job).map_or(String::new(), |line| line + "\n");
            *advice = format!(
                "seen: {}\n125 and 77 mean “cannot tell”, 126 and 127 that a program is missing\n{line_ends}{}",
                says(seen),
                self.recipe()
            );
        }
        refusal
    }

    fn empty_fails(&self, whole: &Observed, seen: &Observed) -> Refusal {
        let seen_words = describe(&seen.exit);
        // A reducer script that is not interesting here exits with 1 on everything: it should be told so.
        let convention = Oracle::new(Reading::ExitZero, self.words.clone());
        if self.job.failure == Failure::Observed
            && matches!(seen.exit, Exit::Code(1..))
            && let Some((headline, what_to_do)) = self.try_elsewhere(&convention)
        {
            let advice = format!(
                "in a fresh folder the test ends with {seen_words} whatever the input; there it exits with 0\n{what_to_do}\n{}",
                self.recipe()
            );
            return Refusal::DoesNotFail { headline, advice };
        }
        let advice = format!(
            "make the test check for the failure itself, or say what it is with --fails-if, e.g. --fails-if 'stderr~REGEX'{}\nseen: {}{}\n{}",
            hints::behind(whole, Some(seen), self.words),
            says(seen),
            self.unseen(),
            self.recipe()
        );
        Refusal::EmptyFails { seen: seen_words, advice }
    }

    /// What is to be said if nothing in the command says where the candidate is. A reducer script knows.
    fn unseen(&self) -> String {
        let is_input =
            matches!(self.job.against, Against::Empty | Against::Nothing | Against::Input(_) | Against::Minima(_));
        let Handed { as_argument, on_stdin } = self.job.handed;
        let is_handed =
            as_argument || on_stdin || self.job.persistent.is_some() || self.job.failure == Failure::ExitZero;
        let (Ok(invocation), true, false) = (self.job.invocation(), is_input, is_handed) else { return String::new() };
        let inputs = self.job.input_paths();
        let names: Vec<&OsStr> = inputs.iter().filter_map(|input| input.file_name()).collect();
        let is_in = |word: &OsString, name: &OsStr| {
            let (word, name) = (word.as_bytes(), name.as_bytes());
            word.windows(name.len()).any(|part| part == name)
        };
        let is_named =
            invocation.argv.iter().any(|word| names.iter().chain([&OsStr::new("{}")]).any(|name| is_in(word, name)));
        match names.first() {
            Some(name) if !is_named => format!(
                "\nthe command names no input, so all the test gets is a folder in which {} stands: put {{}} where its \
                 path belongs, add --arg to have it as the last argument, or --stdin to have it on standard input",
                quoted(name)
            ),
            _ => String::new(),
        }
    }

    /// One command to see by hand what the test does in a fresh folder.
    fn recipe(&self) -> String {
        if matches!(self.job.against, Against::Situation(_)) {
            return "the command was run in a fresh folder with copies of the files that it names; if it needs others \
                    from your folder, `reduct all` and `reduct files` take all of them"
                .into();
        }
        let Ok(invocation) = self.job.invocation() else { return String::new() };
        let full = |path: PathBuf| if path.file_name().is_some() { path } else { path.canonicalize().unwrap_or(path) };
        let inputs: Vec<String> =
            self.job.input_paths().into_iter().map(|path| quoted(full(path).as_os_str())).collect();
        let path = format!("\"$d\"/{}", quoted(invocation.subject.as_os_str()));
        let mut words = words_below_d(&invocation.argv, invocation.subject.as_os_str());
        if invocation.path_argument {
            words.push(path.clone());
        }
        if let Some(serving) = invocation.server {
            let input = inputs.first().map_or("", String::as_str);
            let question = if serving.paths {
                format!("printf 'path %s\\n%s' \"$(printf %s {input} | wc -c)\" {input}")
            } else {
                format!("printf 'contents %s\\n' \"$(wc -c <{input})\"; cat {input}")
            };
            return format!("to see it by hand:\n  ({question}) | {}", words.join(" "));
        }
        let stdin = if invocation.stdin { format!(" <{path}") } else { " </dev/null".into() };
        format!(
            "to see it by hand:\n  d=$(mktemp -d); cp -a {} \"$d\"; cd \"$d\"; {}{stdin}; echo \"exit status $?\"",
            inputs.join(" "),
            words.join(" ")
        )
    }
}

/// All of a folder as a candidate, unless it is too large to be copied for a look.
fn copy_of(folder: &Path) -> Option<Candidate> {
    const MOST_FILES: usize = 5_000;
    const MOST_BYTES: u64 = 256 << 20;
    let (mut files, mut bytes, mut todo) = (0, 0, vec![folder.to_owned()]);
    while let Some(below) = todo.pop() {
        for entry in std::fs::read_dir(below).ok()?.flatten() {
            let meta = entry.metadata().ok()?;
            (files, bytes) = (files + 1, bytes + meta.len());
            if files > MOST_FILES || bytes > MOST_BYTES {
                return None;
            }
            if meta.is_dir() && entry.file_name() != RUNS {
                todo.push(entry.path());
            }
        }
    }
    Some(Candidate::whole(load_published(folder, None).ok()?.into()))
}

/// How a run ended, and the end of what it said.
fn says(observed: &Observed) -> String {
    let text = [&observed.stdout[..], &observed.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let tail = &lines[lines.len().saturating_sub(4)..];
    let shown: String = tail
        .iter()
        .map(|line| line.chars().filter(|c| !c.is_control()).take(160).collect::<String>())
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
