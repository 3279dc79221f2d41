//! What a test may do outside of its folder.

use super::headings::CONFINEMENT;
use super::values::usage;
use clap::builder::PossibleValuesParser;
use reduct_lib::Refusal;
use reduct_session::confinement::Confinement;
use std::path::{Path, PathBuf};

/// A variable that names more places that tests may change, with `:` between them.
const WRITABLE: &str = "REDUCT_ALLOW_WRITE";

/// A variable that says how tests are confined if no option does.
const HOW: &str = "REDUCT_CONFINE";

/// What a test may do outside of its folder.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = CONFINEMENT)]
pub(super) struct Confining {
    /// Confine tests fully, or run none (`--confine=strict`); else they are confined as far as the system can
    ///
    /// A test can read everything, and writes in its own folder only; what it writes elsewhere goes to copies that are
    /// thrown away after it. It uses no network, and reaches no process that is not its own. A line says what holds here.
    /// With `--confine=strict`, nothing is run where the system cannot confine all of it; with `--confine`, what a test does
    /// confined is taken for what it is to do, without a further look. The variable REDUCT_CONFINE (auto, strict, off) says
    /// what holds without an option (docs/CONFINEMENT.md).
    #[arg(long, value_name = "HOW", hide_short_help = true, num_args = 0..=1, require_equals = true,
          default_missing_value = "auto", value_parser = PossibleValuesParser::new(["auto", "strict"]))]
    confine: Option<String>,

    /// Let tests change this file or folder (may be given several times)
    ///
    /// The variable REDUCT_ALLOW_WRITE names more of them, with `:` between them.
    #[arg(long, value_name = "PATH", conflicts_with = "unconfined", hide_short_help = true)]
    allow_write: Vec<PathBuf>,

    /// Let tests use the network, or (`--allow-network=loopback`) what serves on this machine only
    ///
    /// With `=loopback`, a test can connect by TCP to what listens on the loopback device of this machine (127.0.0.1, ::1),
    /// such as a database, and to nothing else.
    #[arg(long, value_name = "WHICH", conflicts_with = "unconfined", hide_short_help = true, num_args = 0..=1,
          require_equals = true, default_missing_value = "all", value_parser = PossibleValuesParser::new(["all", "loopback"]))]
    allow_network: Option<String>,

    /// Hide this file or folder from tests (may be given several times)
    #[arg(long, value_name = "PATH", conflicts_with = "unconfined", hide_short_help = true)]
    hide: Vec<PathBuf>,

    /// Show this file or folder to tests although --hide names one above it (may be given several times)
    #[arg(long, value_name = "PATH", requires = "hide", hide_short_help = true)]
    allow_read: Vec<PathBuf>,

    /// Do not confine tests: they may do whatever you may do
    #[arg(long, hide_short_help = true, conflicts_with = "confine")]
    unconfined: bool,
}

impl Confining {
    /// Returns how tests are confined; `None` if they are not.
    pub(super) fn confinement(&self) -> Result<Option<Confinement>, Refusal> {
        let how = std::env::var(HOW).ok().filter(|how| !how.is_empty() && self.confine.is_none());
        match how.as_deref() {
            Some("off") => return Ok(None),
            _ if self.unconfined => return Ok(None),
            None | Some("auto" | "strict") => {}
            Some(other) => return Err(usage(format!("{HOW} is {other}"), "it can be auto, strict or off")),
        }
        let named = std::env::var_os(WRITABLE).unwrap_or_default();
        let named: Vec<PathBuf> = std::env::split_paths(&named).filter(|path| path.is_absolute()).collect();
        let writable = self.allow_write.iter().map(|path| found(path, "--allow-write"));
        let writable = writable.chain(named.iter().filter_map(|path| path.canonicalize().ok()).map(Ok));
        let writable = writable.collect::<Result<_, _>>()?;
        let hidden = self.hide.iter().map(|path| found(path, "--hide")).collect::<Result<_, _>>()?;
        let readable = self.allow_read.iter().map(|path| found(path, "--allow-read")).collect::<Result<_, _>>()?;
        let (asked, strict) =
            (self.confine.is_some(), self.confine.as_ref().or(how.as_ref()).is_some_and(|how| how == "strict"));
        let is_network = |which: &str| self.allow_network.as_deref() == Some(which);
        let (network, loopback) = (is_network("all"), is_network("loopback"));
        Ok(Some(
            Confinement::default()
                .with_writable(writable)
                .with_hidden(hidden)
                .with_readable(readable)
                .with_network(network)
                .with_loopback(loopback)
                .with_strict(strict)
                .with_asked(asked),
        ))
    }
}

/// Returns the full path of something that is there.
fn found(path: &Path, option: &str) -> Result<PathBuf, Refusal> {
    path.canonicalize().map_err(|error| {
        usage(format!("{option} {}: {error}", path.display()), "name a file or folder that is there, or make it first")
    })
}
