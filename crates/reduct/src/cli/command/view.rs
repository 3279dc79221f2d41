//! `reduct view [RUN]`: the page about a run, while it goes on.

use super::inquiry::story_of;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::keeping::Chosen;
use crate::cli::live_page::open_in_browser;
use crate::cli::usage;
use crate::cli::view::say;
use reduct_lib::{Back, Refusal, Run, Viewer, findings};
use reduct_report::live::seen_at;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ViewArgs>("view", Group::Runs, "report").listed(super::report::LISTED);

/// Serve the page about a run while it goes on, with controls
///
/// The page is that of `reduct report`. It follows the run, and can pause it, skip a phase, switch a pass off, stop, and go back
/// to a step. It is served on this machine only, at an address that cannot be guessed, until Ctrl-C; the run does not end with
/// it. `--view` on a run does the same for as long as the run goes on.
#[derive(clap::Args, Debug)]
struct ViewArgs {
    #[command(flatten)]
    chosen: Chosen,

    /// Open the page in $BROWSER, else by xdg-open
    #[arg(long, help_heading = crate::cli::headings::OUTPUT)]
    open: bool,
}

impl CommandArgs for ViewArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        let place = self.chosen.place();
        if findings(&place)?.is_some() {
            let help = "reduct report writes a page about all of them; reduct view, with the folder of one of the runs, shows that one";
            return Err(usage("this is a folder of many runs, and one can be followed at a time", help));
        }
        let run = Run::find(&place)?;
        let signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(Refusal::io("wait for", "signals"));
        let back: Back = Box::new(go_back);
        let viewer = Viewer::start(story_of, Some(back))?;
        viewer.show(&run.folder);
        say(&seen_at(viewer.address()));
        let page = if self.open { open_in_browser(&run.folder, viewer.address()) } else { None };
        signals?.forever().next();
        drop((page, viewer));
        Ok(ExitCode::SUCCESS)
    }
}

/// Goes on from a step, as `reduct resume --from` does.
fn go_back(run: &Path, step: usize) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["resume", "--quiet", "--from", &step.to_string()]).arg(run);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    std::thread::Builder::new().spawn(move || child.wait())?;
    Ok(())
}
