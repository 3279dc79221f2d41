//! What a test may do outside of its folder.

use super::headings::CONFINEMENT;
use super::values::usage;
use clap::builder::PossibleValuesParser;
use reduct_lib::{Refusal, standard_confinement};
use reduct_session::confinement::Confinement;
use std::path::{Path, PathBuf};

/// A variable that names more places that tests may change, with `:` between them.
const WRITABLE: &str = "REDUCT_ALLOW_WRITE";

/// What a test may do outside of its folder.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = CONFINEMENT)]
pub(super) struct Confining {
    /// Confine tests: each one writes in its own folder only, and uses no network
    ///
    /// A test can read everything. It has a /tmp and a /dev/shm of its own, a loopback device of its own, and sees copies of
    /// folders such as ~/.cache. A line says what is confined; with `--confine=strict`, nothing is run where the system
    /// cannot confine all of it (docs/CONFINEMENT.md).
    #[arg(long, value_name = "HOW", hide_short_help = true, num_args = 0..=1, require_equals = true,
          default_missing_value = "auto", value_parser = PossibleValuesParser::new(["auto", "strict"]))]
    confine: Option<String>,

    /// With --confine: let tests change this file or folder (may be given several times)
    ///
    /// The variable REDUCT_ALLOW_WRITE names more of them, with `:` between them.
    #[arg(long, value_name = "PATH", hide_short_help = true, requires = "confine")]
    allow_write: Vec<PathBuf>,

    /// With --confine: let tests use the network
    #[arg(long, hide_short_help = true, requires = "confine")]
    allow_network: bool,

    /// With --confine: hide this file or folder from tests (may be given several times)
    #[arg(long, value_name = "PATH", hide_short_help = true, requires = "confine")]
    hide: Vec<PathBuf>,

    /// Do not confine tests, which is what happens without any of these options
    #[arg(long, hide_short_help = true, conflicts_with = "confine")]
    unconfined: bool,
}

impl Confining {
    /// Returns how tests are confined; `None` if they are not.
    pub(super) fn confinement(&self) -> Result<Option<Confinement>, Refusal> {
        let Some(how) = self.confine.as_deref().filter(|_| !self.unconfined) else { return Ok(None) };
        let named = std::env::var_os(WRITABLE).unwrap_or_default();
        let named: Vec<PathBuf> = std::env::split_paths(&named).filter(|path| path.is_absolute()).collect();
        let writable = self.allow_write.iter().map(|path| found(path, "--allow-write"));
        let writable = writable.chain(named.into_iter().filter(|path| path.exists()).map(Ok));
        let hidden = self.hide.iter().map(|path| found(path, "--hide")).collect::<Result<_, _>>()?;
        let standard = standard_confinement(writable.collect::<Result<_, _>>()?);
        Ok(Some(Confinement { hidden, network: self.allow_network, strict: how == "strict", ..standard }))
    }
}

/// Returns the full path of something that is there.
fn found(path: &Path, option: &str) -> Result<PathBuf, Refusal> {
    path.canonicalize().map_err(|error| {
        usage(format!("{option} {}: {error}", path.display()), "name a file or folder that is there, or make it first")
    })
}
