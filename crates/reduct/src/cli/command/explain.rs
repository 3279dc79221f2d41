//! `reduct explain [RUN]`.

use super::trace::again::{build_if_gone, refuse_if_changed};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::keeping::Chosen;
use crate::cli::view;
use reduct_core::Outcome;
use reduct_lib::{Explained, Refusal, Run, RunReport, explain};
use reduct_report::{excerpt, human};
use reduct_session::Stops;
use reduct_session::event::Why;
use reduct_strategies::{Constraint, ExplainedPart, Explanation};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ExplainArgs>("explain", Group::Runs, "runs")
    .listed("Continue a run; check its result; show which parts may vary");

/// Show which parts of a result may vary, and which must not
#[derive(clap::Args, Debug)]
struct ExplainArgs {
    #[command(flatten)]
    chosen: Chosen,

    /// Stop after N tests; the parts that are left stay unexplained
    #[arg(long, help_heading = crate::cli::headings::LIMITS, value_name = "N", default_value_t = TESTS)]
    tests: u64,

    #[command(flatten)]
    looks: view::Looks,
}

impl CommandArgs for ExplainArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn looks(&self) -> Option<&view::Looks> {
        Some(&self.looks)
    }
}

/// Explains a result.
fn run(args: &ExplainArgs) -> Result<ExitCode, Refusal> {
    let run = Run::find(&args.chosen.place())?;
    refuse_if_changed(&run)?;
    let _held = build_if_gone(&run)?;
    let stops = Stops::default().with_tests(Some(args.tests));
    args.looks.without_passes()?;
    let explained = view::show(&args.looks, |audience| explain(&run, stops, audience))?;
    let colored = args.looks.is_colored(io::stdout().is_terminal());
    keep(&run, &explained)?;
    let lines = report(&explained, colored);
    // Nobody listens: then nobody misses it.
    lines.iter().for_each(|line| drop(writeln!(io::stdout(), "{line}")));
    Ok(ExitCode::from(match explained.why {
        Why::Done | Why::Tests(_) => 0,
        Why::Interrupted => 130,
        _ => 4,
    }))
}

/// So many tests explain a result if nothing else is said.
const TESTS: u64 = 200;

/// Explains what was just reduced, in the last lines of that.
pub(super) fn afterwards(report: &RunReport, looks: &view::Looks) -> Vec<String> {
    if report.ended.confirmed == Some(false) {
        return vec!["Not explained, as the result did not fail again".into()];
    }
    if report.ended.why != Why::Done {
        return vec!["Not explained, as it is not done: reduct resume, then reduct explain".into()];
    }
    let run = Run::at(report.run.clone());
    let stops = Stops::default().with_tests(Some(TESTS));
    let explained = view::hear(|audience| explain(&run, stops, audience));
    match explained.and_then(|explained| keep(&run, &explained).map(|()| explained)) {
        Ok(explained) => self::report(&explained, false).into_iter().filter(|_| !looks.is_quiet()).collect(),
        Err(refusal) => vec![format!("Not explained: {refusal}")],
    }
}

/// Keeps what is shown beside the rest of a run.
fn keep(run: &Run, explained: &Explained) -> Result<(), Refusal> {
    let place = run.folder.join("explain.txt");
    let lines = report(explained, false).join("\n") + "\n";
    std::fs::write(&place, lines).map_err(Refusal::io("write", &place))
}

/// So many lines of a result are shown, and so many parts.
const MOST_LINES: usize = 60;
const MOST_PARTS: usize = 60;

/// So many parts of which nothing is known are named.
const SHOWN: usize = 3;

fn report(explained: &Explained, colored: bool) -> Vec<String> {
    let Explained { result, explanation, tests: (asked, runs), why, json, .. } = explained;
    let base = result.base();
    let findings = explanation.findings();
    let mut marks = vec![b' '; base.bytes().len()];
    for finding in &findings {
        for place in &finding.result_part.places {
            marks[place.start as usize..place.end as usize].fill(mark(finding.constraint));
        }
    }
    let mut lines = marked(base.bytes(), &marks, colored);
    lines.push(String::new());
    if !colored {
        lines.push(
            "^ must be exactly so   ~ may vary, but not freely   . may be anything of its sort   ? not known".into(),
        );
    }
    lines.extend(legend(&findings));
    lines.extend(cause(explanation));
    let stopped = match why {
        Why::Tests(_) => "; the number of tests is reached, so more may be found with a larger --tests",
        Why::Done => "",
        _ => "; it was stopped, and goes on where it was if asked again",
    };
    let (tests, runs) = (human::counted(*asked, "tests"), human::counted(*runs, "runs"));
    lines.push(format!("{tests} ({runs}){stopped}. All of it: {}", excerpt::path(json)));
    lines
}

fn mark(constraint: Constraint) -> u8 {
    match constraint {
        Constraint::Exactly => b'^',
        Constraint::Partly => b'~',
        Constraint::Anything => b'.',
        _ => b'?',
    }
}

/// Returns the colour of a mark.
fn color(mark: u8) -> &'static str {
    match mark {
        b'^' => "\x1b[1;31m",
        b'~' => "\x1b[33m",
        b'.' => "\x1b[2m",
        _ => "\x1b[4m",
    }
}

/// Returns the text with its marks: in colours, or as a line below each line.
fn marked(text: &[u8], marks: &[u8], colored: bool) -> Vec<String> {
    let (mut lines, mut at) = (vec![], 0);
    for line in text.split_inclusive(|byte| *byte == b'\n').take(MOST_LINES) {
        let (mut shown, mut below, mut last) = (String::new(), String::new(), b' ');
        let mut offset = at;
        for chunk in line.strip_suffix(b"\n").unwrap_or(line).utf8_chunks() {
            let invalid = if chunk.invalid().is_empty() { None } else { Some(('\u{fffd}', chunk.invalid().len())) };
            for (character, length) in chunk.valid().chars().map(|c| (c, c.len_utf8())).chain(invalid) {
                if colored && marks[offset] != last {
                    last = marks[offset];
                    shown += "\x1b[0m";
                    shown += color(last);
                }
                let visible = if character == '\t' { ' ' } else { excerpt::visible(character) };
                shown.push(visible);
                let columns = excerpt::width(visible.encode_utf8(&mut [0; 4]));
                below.extend(std::iter::repeat_n(char::from(marks[offset]), columns));
                offset += length;
            }
        }
        at += line.len();
        if colored {
            lines.push(format!("{shown}\x1b[0m"));
        } else {
            lines.extend([shown, below]);
        }
    }
    let more = text.iter().skip(at).filter(|byte| **byte == b'\n').count();
    lines.extend((at < text.len()).then(|| format!("… {} more", human::counted(more.max(1) as u64, "lines"))));
    lines
}

/// Returns what may stand in the place of each part, in words. White space is not worth a line unless it matters.
fn legend(findings: &[ExplainedPart<'_>]) -> Vec<String> {
    let mut lines: Vec<(String, u64)> = vec![];
    for constraint in [Constraint::Exactly, Constraint::Partly, Constraint::Anything] {
        let is_blank = |finding: &&ExplainedPart<'_>| finding.result_part.text.iter().all(u8::is_ascii_whitespace);
        let of = |finding: &&ExplainedPart<'_>| {
            finding.constraint == constraint && !(constraint == Constraint::Anything && is_blank(finding))
        };
        for finding in findings.iter().filter(of).take(MOST_PARTS) {
            let text = quoted(&finding.result_part.text);
            let sort = finding.result_part.sort.name();
            let tried = |is: fn(Option<Outcome>) -> bool| {
                let all = finding.tried.iter().filter(|(_, outcome)| is(*outcome));
                all.map(|(with, _)| if with.is_empty() { "nothing".into() } else { quoted(with) }).collect::<Vec<_>>()
            };
            let (fails, passes) = (tried(|o| o == Some(Outcome::Fail)), tried(|o| o == Some(Outcome::Pass)));
            let line = match constraint {
                Constraint::Exactly => format!("{text} must be exactly so, not {}", passes.join(", ")),
                Constraint::Partly if passes.is_empty() => {
                    format!("{text} may be {}; more is not known", fails.join(", "))
                }
                Constraint::Partly => format!("{text} may be {}, but not {}", fails.join(", "), passes.join(", ")),
                _ => format!("{text} may be any {sort}: {}", fails.join(", ")),
            };
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, times)) => *times += 1,
                None => lines.push((line, 1)),
            }
        }
    }
    let shown = |(line, times): (String, u64)| if times == 1 { line } else { format!("{line} ({times} of them)") };
    lines.into_iter().map(shown).chain(unknown(findings)).collect()
}

/// Returns how many parts are not known, and why.
fn unknown(findings: &[ExplainedPart<'_>]) -> Option<String> {
    let unknown = findings.iter().filter(|it| !is_known(it.constraint));
    let is_asked = |it: &&ExplainedPart<'_>| it.tried.iter().all(|(_, outcome)| outcome.is_some());
    let (asked, not_asked): (Vec<_>, Vec<_>) = unknown.partition(is_asked);
    let told_nothing = (!asked.is_empty()).then(|| {
        let of: Vec<String> = asked.iter().take(SHOWN).map(|it| quoted(&it.result_part.text)).collect();
        let more = if asked.len() > SHOWN { ", …" } else { "" };
        let parts = human::counted(asked.len() as u64, "parts");
        format!(
            "in the place of {parts} ({}{more}), all that was tried failed in another way or was unresolved",
            of.join(", ")
        )
    });
    let not_asked = (!not_asked.is_empty()).then(|| {
        format!("{} not asked about", with_were(human::counted(not_asked.len() as u64, "parts"), not_asked.len()))
    });
    let why: Vec<String> = told_nothing.into_iter().chain(not_asked).collect();
    (!why.is_empty()).then(|| format!("Not known: {}", why.join("; ")))
}

fn with_were(parts: String, number: usize) -> String {
    format!("{parts} {}", if number == 1 { "was" } else { "were" })
}

fn is_known(constraint: Constraint) -> bool {
    matches!(constraint, Constraint::Exactly | Constraint::Partly | Constraint::Anything)
}

/// Returns the passing neighbour: the difference is the cause.
fn cause(explanation: &Explanation) -> Option<String> {
    let (result_part, with, _) = explanation.neighbour()?;
    let text = quoted(&result_part.text);
    Some(match with {
        [] => format!("The passing neighbour: the same without {text}. So {text} is a cause"),
        with => format!(
            "The passing neighbour: the same with {} instead of {text}. That difference is a cause",
            quoted(with)
        ),
    })
}

fn quoted(text: &[u8]) -> String {
    format!("“{}”", excerpt::shorten(&excerpt::clean_bytes(&text[..text.len().min(400)]), 40))
}
