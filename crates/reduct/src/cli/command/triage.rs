//! `reduct triage DIR -- COMMAND`.

use super::reduce::languages;
use crate::cli::common::{Common, Handing};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{LIMITS, OUTPUT, RESULT, SEARCH};
use crate::cli::kept::options_that_count;
use crate::cli::limits::hidden;
use crate::cli::{duration, usage, view};
use clap::builder::PossibleValuesParser;
use reduct_lib::{Comparison, Grouping, Job, ReductionOptions, Refusal, Triaged, as_typed, triage, triage_files};
use reduct_report::human;
use reduct_report::triage::TriageProgress;
use reduct_session::Stops;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<TriageArgs>("triage", Group::Inputs, "triage");

/// Group a folder of failing inputs by the cause of the failure
///
/// Each input in DIR is run. An input that fails is reduced, and grouped by the report of the failure and by what is
/// left of the input. Finished work is kept in DIR/.reduct and not repeated.
#[derive(clap::Args, Debug)]
#[command(mut_args(without_one_search))]
struct TriageArgs {
    /// The folder of failing inputs, which are files or folders
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    common: Common,

    /// Group the inputs as they are, without reducing them
    #[arg(long, help_heading = SEARCH)]
    no_reduce: bool,

    /// Reduce one input with at most N tests
    #[arg(long, help_heading = LIMITS, value_name = "N", default_value_t = 2000)]
    reduce_tests: u64,

    /// Reduce one input for at most this time; the result may then depend on the machine
    #[arg(long, help_heading = LIMITS, value_name = "TIME", value_parser = duration)]
    reduce_time: Option<Duration>,

    /// Use at most N tests to compare the reduced inputs with each other; 0 for none
    ///
    /// Such a test shows whether the part of one input that fails is also the part of another input that fails.
    #[arg(long, help_heading = LIMITS, hide_short_help = true, value_name = "N", default_value_t = 1000)]
    cross_tests: usize,

    /// Say why these two inputs are in one group, or why not
    #[arg(long, help_heading = OUTPUT, value_name = "NAME", num_args = 2)]
    why: Vec<String>,

    #[command(flatten)]
    handing: Handing,

    /// Parse the inputs as this language instead of the one that their names tell; `none` parses nothing
    #[arg(long, help_heading = SEARCH, hide_short_help = true, value_name = "NAME", hide_possible_values = true, ignore_case = true, value_parser = PossibleValuesParser::new(languages()))]
    language: Option<String>,

    /// Write the result, a folder, here [default: DIR/.reduct/triage]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

impl CommandArgs for TriageArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

/// Hides what is for one search: there is one for each input.
fn without_one_search(option: clap::Arg) -> clap::Arg {
    hidden(option, &["tests", "time", "stall", "until_granularity", "events", "stats", "view"])
}

/// Groups failures.
fn run(args: &TriageArgs) -> Result<ExitCode, Refusal> {
    let folder = args.folder.canonicalize().map_err(Refusal::io("read", &args.folder))?;
    let template = template(args)?;
    let out = out(args, &folder)?;
    let stops = Stops::default().with_tests(Some(args.reduce_tests.max(1))).with_time(args.reduce_time);
    let reducing = (!args.no_reduce).then_some(stops);
    let quiet = args.common.looks.is_quiet();
    let mut say = |progress: TriageProgress<'_>| {
        if !quiet {
            view::say(&progress.describe())
        }
    };
    args.common.looks.without_passes()?;
    let triaged = view::show(&args.common.looks.silent(), |mut audience| {
        triage(&template, &folder, (reducing, args.cross_tests), &mut audience, &mut say)
    });
    let triaged = match triaged {
        Err(stopped @ Refusal::Stopped(..)) => {
            view::say("Stopped. What was reduced so far is kept: the same command goes on.");
            return Ok(stopped.kind().status().into());
        }
        triaged => triaged?,
    };
    let grouping = triaged.grouping();
    let test = as_typed(&args.common.command().unwrap_or_default());
    let options = as_typed(&options_that_count("triage", &template.typed));
    write(&out, &triaged, (&grouping, &test, &options))?;
    if !quiet {
        conclude(&triaged, &grouping, &out);
    }
    for pair in args.why.chunks_exact(2) {
        view::say(&why(&triaged, &grouping, pair)?);
    }
    // As everywhere: 3 if no failure occurs.
    Ok(ExitCode::from(if triaged.failing.is_empty() { 3 } else { 0 }))
}

/// The files of a report.
const REPORT: [&str; 3] = ["triage.md", "triage.json", "triage.sarif"];

/// Returns where the report goes.
fn out(args: &TriageArgs, folder: &Path) -> Result<PathBuf, Refusal> {
    let Some(out) = &args.out else { return Ok(folder.join(".reduct").join("triage")) };
    if out.canonicalize().is_ok_and(|out| folder.starts_with(out)) {
        let what = "the report would be written among the inputs";
        return Err(usage(what, "give --out a folder of its own"));
    }
    let names = match fs::read_dir(out) {
        Ok(names) => names.flatten().map(|entry| entry.file_name()).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => vec![],
        Err(error) => return Err(Refusal::io("read", out)(error)),
    };
    let is_a_report = names.iter().all(|name| name == "groups" || REPORT.iter().any(|report| name == report));
    if !is_a_report && !args.common.force {
        return Err(usage(
            format!("{} holds something else than an earlier report", out.display()),
            "give --out another folder, or --force to write there all the same",
        ));
    }
    Ok(out.clone())
}

fn template(args: &TriageArgs) -> Result<Job, Refusal> {
    let Some(command) = args.common.command() else {
        return Err(usage("there is no test", "give a command that shows the failures: reduct triage DIR -- COMMAND"));
    };
    if args.common.stopping != crate::cli::limits::Stopping::default() {
        let what = "--tests, --time, --stall and --until-granularity are for one search";
        return Err(usage(what, "use --reduce-tests or --reduce-time, which are for each input"));
    }
    if args.common.looks.events().is_some() {
        return Err(usage(
            "--events is for one run",
            "each input has a run of its own; triage.json has what came of all",
        ));
    }
    let job = args.common.job(command, vec![], PathBuf::new())?;
    // Each input is reduced in a folder of its own; what the command names is here.
    let words = job.command.iter().enumerate();
    let command =
        words.map(|(at, word)| if job.names_a_file(at) { job.in_full(Path::new(word)) } else { word.clone() });
    let command = command.collect();
    let search = ReductionOptions::standard().with_language(args.language.clone()).with_normalize(true);
    let handed = args.handing.handed();
    Ok(job.with_command(command).with_search(search).with_handed(handed))
}

/// Writes the report, and the smallest input of each group.
fn write(out: &Path, triaged: &Triaged, (grouping, test, options): (&Grouping<'_>, &str, &str)) -> Result<(), Refusal> {
    let mut files = triage_files(triaged, grouping);
    files.json["test"] = test.into();
    files.json["options"] = options.into();
    let pretty = |value| serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    let groups = out.join("groups");
    // What stands there is from an earlier triage.
    if groups.exists() {
        fs::remove_dir_all(&groups).map_err(Refusal::io("remove", &groups))?;
    }
    fs::create_dir_all(&groups).map_err(Refusal::io("make", &groups))?;
    let texts = [files.text, pretty(&files.json), pretty(&files.sarif)];
    for (name, text) in REPORT.into_iter().zip(texts) {
        let path = out.join(name);
        fs::write(&path, text).map_err(Refusal::io("write", &path))?;
    }
    for group in grouping.groups() {
        let smallest = group.members[0];
        let place = groups.join(&triaged.failing[smallest].name);
        fs::create_dir_all(&place).map_err(Refusal::io("make", &place))?;
        let from = &triaged.reductions[smallest].place;
        reduct_lib::copy_into(from, &place)?;
    }
    Ok(())
}

fn conclude(triaged: &Triaged, grouping: &Grouping<'_>, out: &Path) {
    for group in grouping.groups() {
        let smallest = group.members[0];
        let (name, left) = (&triaged.failing[smallest].name, triaged.reductions[smallest].after);
        let count = human::counted(group.members.len() as u64, "inputs");
        view::say(&format!("{count}: {}; the smallest is {name} ({})", group.signature, human::bytes(left)));
    }
    if triaged.known > 0 {
        let runs = human::counted((triaged.failing.len() + triaged.passing.len()) as u64, "inputs");
        view::say(&format!("{runs} run; {} known from before", human::counted(triaged.known as u64, "reductions")));
    }
    let fail = triaged.describe(grouping.groups().len());
    let others = match triaged.passing.len() {
        0 => String::new(),
        1 => "; 1 does not".into(),
        passing => format!("; {passing} do not"),
    };
    view::say(&format!("{fail}{others}; see {}", reduct_report::excerpt::path(&out.join("triage.md"))));
}

fn why(triaged: &Triaged, grouping: &Grouping<'_>, pair: &[String]) -> Result<String, Refusal> {
    let find = |name: &String| {
        let found = triaged.failing.iter().position(|failing| failing.name == *name);
        found.ok_or_else(|| usage(format!("no input called `{name}` fails"), "name two inputs that fail"))
    };
    let (one, other) = (find(&pair[0])?, find(&pair[1])?);
    Ok(match grouping.why(one, other) {
        Comparison::Same(why) => format!("{} and {} are the same: {}", pair[0], pair[1], why.describe()),
        Comparison::Different(why) => format!("{} and {} are not the same: {}", pair[0], pair[1], why.describe()),
    })
}
