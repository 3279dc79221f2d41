//! `reduct report [RUN]`: a page about a run, in one file.

use super::inquiry;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::OUTPUT;
use crate::cli::keeping::Chosen;
use crate::cli::usage;
use reduct_lib::{Findings, Refusal, Run, findings, story};
use reduct_report::picture::Picture;
use reduct_report::story::Story;
use reduct_report::{excerpt, findings as several, markdown, page, report_json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ReportArgs>("report", Group::Runs, "report").listed(LISTED);

/// The line for the commands that make a page.
pub(super) const LISTED: &str = "Write a page about a run; serve it while the run goes on";

/// Write a page about a run, to look at and to send
///
/// The page is one HTML file that loads nothing: the result and what is proved of it, the size over the tests, the grid of
/// configurations, the accepted steps with what went in each, all tests, and what to type. It is made from the run's folder
/// alone, also where that was copied to. For what `reduct fuzz` and `reduct triage` leave, it shows the findings and the
/// groups.
#[derive(clap::Args, Debug)]
struct ReportArgs {
    #[command(flatten)]
    chosen: Chosen,

    /// Write to FILE, `-` for the standard output [default: report.html in the run's folder]
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    out: Option<PathBuf>,

    /// Write Markdown, for a bug tracker, to the standard output
    #[arg(long, help_heading = OUTPUT, conflicts_with_all = ["json", "svg"])]
    markdown: bool,

    /// Write one JSON object to the standard output
    #[arg(long, help_heading = OUTPUT, conflicts_with = "svg")]
    json: bool,

    /// Write one picture as SVG to the standard output
    #[arg(long, value_name = "PICTURE", help_heading = OUTPUT, value_parser = picture)]
    svg: Option<Picture>,
}

impl CommandArgs for ReportArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        let place = self.chosen.place();
        if let Some(found) = findings(&place)? {
            return self.of_findings(&found);
        }
        let run = Run::find(&place)?;
        let story = match inquiry::story_of(&run)? {
            Some(story) => story,
            None => story(&run)?,
        };
        let text = match self.svg {
            Some(_) if story.question.is_inquiry() => {
                let what = "the tests of this run are no parts of one input, so there is no picture of them";
                return Err(usage(what, "reduct report, without --svg, shows each test"));
            }
            Some(picture) => svg(&story, picture)?,
            None if self.markdown => markdown::markdown(&story),
            None if self.json => report_json::object(&story).to_string() + "\n",
            None => page::page(&story),
        };
        self.write(&text, &run.folder.join("report.html"))
    }
}

impl ReportArgs {
    /// Writes the page of findings or groups, or another form of it.
    fn of_findings(&self, found: &Findings) -> Result<ExitCode, Refusal> {
        if self.svg.is_some() {
            let has = "the runs of its findings have some: reduct report, with the folder of one";
            return Err(usage("of several failures there is no picture", has));
        }
        let text = match () {
            () if self.markdown => several::markdown(&found.page),
            () if self.json => several::object(&found.page).to_string() + "\n",
            () => found.page.page(),
        };
        self.write(&text, &found.folder.join("report.html"))
    }

    /// Writes the text where it should go: a page into a file, anything else to the standard output.
    fn write(&self, text: &str, page: &Path) -> Result<ExitCode, Refusal> {
        let is_page = !(self.markdown || self.json || self.svg.is_some());
        let file = match self.out.as_deref() {
            Some(out) if out == Path::new("-") => None,
            Some(out) => Some(out),
            None => is_page.then_some(page),
        };
        let Some(file) = file else {
            let written = io::stdout().write_all(text.as_bytes());
            return match written {
                // The reader of the pipe has closed it.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(Refusal::io("write", "the report")(error))
                }
                _ => Ok(ExitCode::SUCCESS),
            };
        };
        write_whole(text, file)?;
        // Nobody listens: then nobody misses it.
        drop(writeln!(io::stdout(), "The report is {}", excerpt::path(file)));
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the picture of this name.
fn picture(name: &str) -> Result<Picture, String> {
    let found = Picture::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, picture)| *picture).ok_or_else(|| "it is grid, curve or table".into())
}

/// Writes a file, whole or not at all.
fn write_whole(text: &str, file: &Path) -> Result<(), Refusal> {
    // A device, say, is written to as it is.
    if fs::metadata(file).is_ok_and(|meta| !meta.is_file()) {
        return fs::write(file, text).map_err(Refusal::io("write", file));
    }
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = file.with_file_name(name);
    fs::write(&new, text).and_then(|()| fs::rename(&new, file)).map_err(Refusal::io("write", file))
}

/// Returns a picture of a run whose search can be walked through.
fn svg(story: &Story, picture: Picture) -> Result<String, Refusal> {
    match &story.search {
        Some(search) => Ok(picture.svg(search) + "\n"),
        None => Err(usage(
            "the search of this run cannot be walked through again, so there is no picture of it",
            "reduct report says why, and shows what the run has left",
        )),
    }
}
