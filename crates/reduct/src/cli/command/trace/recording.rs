//! The recording of an execution.

use crate::cli::{usage, view};
use reduct_lib::{Job, Refusal, run_once};
use reduct_oracle::signature::describe;
use reduct_oracle::{Exit, Observed};
use reduct_report::listing;
use reduct_report::turns::{self, ComparedAt};
use reduct_trace::{
    BuiltTree, ControlFlow, Execution, ExecutionPlan, Program, Provenance, RecordingError, keep_made, read_fault,
    read_often, read_recording,
};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The kind of the segment of a program that names its loader.
const INTERPRETER: usize = 3;

/// So many executions are recorded at most.
pub(in crate::cli::command) const MOST: usize = 200_000;

/// A recorded run may take so long if nothing else is said.
pub(super) const LONGEST_RUN: Duration = Duration::from_secs(600);

/// Records a program as its tests will run it.
pub(in crate::cli::command) struct Recorder<'a> {
    /// How it is run.
    pub(in crate::cli::command) job: &'a Job,
    pub(in crate::cli::command) program: &'a Program,
    /// What was compiled for the program.
    pub(in crate::cli::command) prepared: Option<&'a Path>,
    /// The folders that are looked into, if they were named.
    pub(in crate::cli::command) only: &'a [PathBuf],
    /// The variables that are otherwise than here: see `reduct step --env`.
    pub(in crate::cli::command) variables: &'a [OsString],
    /// With which input, if there are several.
    pub(in crate::cli::command) input: Option<&'a str>,
    pub(in crate::cli::command) quiet: bool,
    /// So many executions are recorded at most.
    pub(in crate::cli::command) most: usize,
    /// How it is recorded.
    pub(in crate::cli::command) also: Provenance,
}

/// What was recorded.
pub(in crate::cli::command) struct Recorded {
    pub(in crate::cli::command) plan: ExecutionPlan,
    pub(in crate::cli::command) observed: Observed,
    /// The code that was made of the program, if some was and it could be kept.
    pub(in crate::cli::command) made: Option<PathBuf>,
    /// The functions of a native program whose later calls were not recorded.
    often: Vec<String>,
}

/// Returns at what runs of a program are compared.
pub(in crate::cli::command) fn compared_at(program: &Program) -> ComparedAt {
    if program.is_native() { ComparedAt::Functions } else { ComparedAt::Statements }
}

impl Recorder<'_> {
    /// Records the program twice.
    ///
    /// # Errors
    /// If it cannot be run, or does not do the same twice.
    pub(in crate::cli::command) fn record(&self) -> Result<Recorded, Refusal> {
        if !self.quiet {
            view::say("Recording the program twice.");
        }
        let (first, deepest) = match self.once(None)? {
            Ok(recorded) => (recorded, None),
            Err(RecordingError::TooLong { fits: Some(deepest), .. }) => match self.once(Some(deepest))? {
                Ok(recorded) => (recorded, Some(deepest)),
                Err(error) => return Err(refused(&error)),
            },
            Err(error) => return Err(refused(&error)),
        };
        let second = self.once(deepest)?.map_err(|error| refused(&error))?;
        let has_threads = self.also.build.is_some();
        if let Some(event) = first_difference(&first.plan, &second.plan, has_threads) {
            let what = format!(
                "the program does not execute the same twice: the first difference is at {}:{}, {}",
                event.place.file, event.place.line, event.text
            );
            let help = "what it does must depend on its input only: not on time, random numbers, or threads";
            return Err(usage(what, help));
        }
        if !self.quiet {
            let input = self.input.map_or(String::new(), |input| format!("{input}: "));
            let at = compared_at(self.program);
            view::say(&format!("{input}{}", listing::recorded(first.plan.events(), at, deepest)));
            if !first.often.is_empty() {
                view::say(&turns::called_often(&first.often));
            }
        }
        Ok(first)
    }

    /// Records it once.
    fn once(&self, deepest: Option<usize>) -> Result<Result<Recorded, RecordingError>, Refusal> {
        let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for the record"))?;
        let (record, nothing) = (own.path().join("record"), own.path().join("nothing.txt"));
        std::fs::write(&nothing, "# nothing yet\n").map_err(Refusal::io("write", &nothing))?;
        let mut options: Vec<OsString> = vec!["--record".into(), record.clone().into()];
        options.extend([
            "--most".into(),
            self.most.to_string().into(),
            "--folder".into(),
            self.job.folder.clone().into(),
        ]);
        if self.also.control == ControlFlow::Recorded {
            options.push("--follow".into());
        }
        if let Some(value) = &self.also.unset {
            options.extend(["--unset".into(), value.into()]);
        }
        if let Some(deepest) = deepest {
            options.extend(["--deepest".into(), deepest.to_string().into()]);
        }
        let limits = self.job.limits.with_time(self.job.limits.time.or(Some(LONGEST_RUN)));
        let job = self.job.clone().with_inputs(vec![nothing]).with_command(self.stepping(&options)).with_limits(limits);
        let observed = view::hear(|mut audience| run_once(&job, own.path(), &mut audience))?;
        if let Exit::NotStarted(why) = &observed.exit {
            return Err(usage(format!("the program cannot be run: {why}"), "reduct trace -- python3 prog.py"));
        }
        if !record.exists() {
            let silent = || format!("the program printed no error: {}", describe(&observed.exit));
            let last = error_in(&String::from_utf8_lossy(&observed.stderr)).unwrap_or_else(silent);
            return Err(usage(format!("nothing was recorded: {last}"), self.why_nothing()));
        }
        let read = read_recording(&record, self.most);
        let said = String::from_utf8_lossy(&observed.stderr);
        if let (Err(RecordingError::Empty), Some(last)) = (&read, error_in(&said)) {
            let what = format!("{}; it says: {last}", RecordingError::Empty);
            return Err(usage(
                what,
                "the program must execute a statement of its own files; --only PATH names which files are recorded",
            ));
        }
        Ok(read.map(|mut plan| {
            plan.about = self.also.clone();
            plan.about.folder = Some(self.job.folder.display().to_string());
            plan.about.deepest = deepest;
            plan.about.fault = read_fault(&record);
            let made = keep_made(&record, self.program, &self.job.folder).ok().flatten();
            Recorded { plan, observed, made, often: read_often(&record) }
        }))
    }

    /// Returns what may be done about a program of which nothing was recorded.
    fn why_nothing(&self) -> String {
        let words = || self.program.words.iter().map(|word| word.to_string_lossy());
        let clears = |word: &str| matches!(word, "-i" | "-" | "--ignore-environment");
        if self.is_static() {
            "the program is linked statically, so nothing can be loaded into it: have --build link it without -static"
        } else if self.program.is_native() {
            "compile it with -g; --only DIR names the folder of its sources if they are not below this one"
        } else if self.also.build.is_none() {
            "Python must be 3.8 or later, Perl 5.26"
        } else if words().any(|word| word.contains(' ') && word.contains(&*self.job.folder.to_string_lossy())) {
            return format!(
                "--build builds a copy of {0}: in a line for the shell, name the program as ./prog, not as {0}/prog, which is without guards",
                self.job.folder.display()
            );
        } else if words().next().is_some_and(|it| it.rsplit('/').next() == Some("env")) && words().any(|it| clears(&it))
        {
            "with an empty environment, a program does not learn that it is recorded: have env take away single variables (-u NAME)"
        } else {
            "the program must be one that --build makes, of files with guards; in C, it must load shared libraries"
        }
        .to_owned()
    }

    /// Returns whether the program, as it was built, is linked statically.
    fn is_static(&self) -> bool {
        let built = self.prepared.map(BuiltTree::tree_in).zip(self.program.words.first());
        // Programs in Go need nothing that is loaded.
        self.program.language() == "c" && built.is_some_and(|(tree, word)| is_static(&tree.join(word)))
    }

    /// Returns the command that runs the program under a plan, `{}`, or as the options say.
    pub(in crate::cli::command) fn stepping(&self, options: &[OsString]) -> Vec<OsString> {
        let me = std::env::current_exe().unwrap_or_else(|_| Path::new("reduct").to_owned());
        let mut words: Vec<OsString> = vec![me.into(), "step".into(), "{}".into()];
        if let Some(line) = &self.also.build {
            words.extend(["--build".into(), line.into()]);
        }
        if let Some(prepared) = self.prepared {
            words.extend(["--prepared".into(), prepared.into()]);
        }
        words.extend(options.iter().cloned());
        words.extend(self.variables.iter().flat_map(|variable| ["--env".into(), variable.clone()]));
        for folder in self.only {
            words.extend(["--only".into(), self.job.folder.join(folder).into()]);
        }
        words.push("--".into());
        words.extend(self.program.interpreter.iter().chain(&self.program.words).cloned());
        words
    }
}

/// Returns the first event that is not the same in two records. Threads of a program in C may be interleaved in other ways, as long as each does
/// the same.
pub(super) fn first_difference<'a>(
    first: &'a ExecutionPlan,
    second: &'a ExecutionPlan,
    has_threads: bool,
) -> Option<&'a Execution> {
    let (one, other) = (first.events(), second.events());
    let is_other = |(one, other): &(&Execution, &Execution)| {
        let is_same = (&one.place, &one.text, one.depth) == (&other.place, &other.text, other.depth);
        if has_threads { !is_same } else { one != other }
    };
    let differs = one.iter().zip(other).find(is_other);
    differs.map(|(one, _)| one).or_else(|| one.get(other.len()).or(other.get(one.len())))
}

/// Returns whether a file is a program of 64 bits that loads no libraries: it names no loader.
fn is_static(path: &Path) -> bool {
    let bytes = std::fs::read(path).unwrap_or_default();
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = bytes.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    // The table of segments: where it is, how large an entry is, and how many there are; an entry begins with its kind.
    let table = || Some((number(32, 8)?, number(54, 2)?, number(56, 2)?));
    let Some((first, size, count)) = table().filter(|_| bytes.starts_with(b"\x7fELF\x02\x01")) else { return false };
    let kinds = (0..count).map(|at| number(first.saturating_add(at * size), 4));
    kinds.clone().all(|kind| kind.is_some()) && !kinds.flatten().any(|kind| kind == INTERPRETER)
}

/// Returns the line of what a program printed that says what is wrong: the last one if that names an error, or else the first one that does.
/// Below an error of syntax, some interpreters print the line with a mark, or more.
fn error_in(said: &str) -> Option<String> {
    let names_error = |line: &&str| line.contains("rror");
    let mut lines = said.lines().map(str::trim).filter(|line| line.contains(char::is_alphanumeric));
    let last = lines.clone().next_back()?;
    let found = Some(last).filter(names_error).or_else(|| lines.find(names_error));
    Some(found.unwrap_or(last).to_owned())
}

fn refused(error: &RecordingError) -> Refusal {
    usage(error.to_string(), "--only DIR records fewer files; a shorter input makes a shorter run")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_a_program_printed_the_line_about_the_error_is_shown() {
        let of = |said| error_in(said).unwrap();
        let ruby = "b.rb:3: syntax error, unexpected `end'\nb.rb:4: syntax error, unexpected end-of-input\nputs f(1)\n         ^\n";
        assert_eq!(of(ruby), "b.rb:3: syntax error, unexpected `end'");
        let node = "/x/a.js:2\n}\n^\n\nSyntaxError: Unexpected token '}'\n    at f (node:x:1)\n\nNode.js v20.20.2\n";
        assert_eq!(of(node), "SyntaxError: Unexpected token '}'");
        assert_eq!(of("  raise Error()\nValueError: x\n\n"), "ValueError: x");
        assert_eq!(of("one\ntwo \n"), "two");
        assert_eq!(error_in("\n ^\n"), None);
    }
}
