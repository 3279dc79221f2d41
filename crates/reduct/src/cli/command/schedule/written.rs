//! The place of the schedule: whether it may be written there, and how.

use crate::cli::usage;
use reduct_lib::Refusal;
use reduct_lib::inquiry::{Begun, Inquiry};
use reduct_trace::Schedule;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Under this name, it is kept that the schedule may replace whatever stands at its place.
const FORCED: &str = "forced";

/// Checks whether the schedule may be written here: not over what is none.
pub(super) fn may_be_written(path: &Path, force: bool) -> Result<(), Refusal> {
    let is_schedule = || fs::read(path).is_ok_and(|it| Schedule::is_one(&String::from_utf8_lossy(&it)));
    if force || !path.exists() || is_schedule() {
        return Ok(());
    }
    let help = "name another place with --out, or replace it with --force";
    Err(usage(format!("{} is there, and is no schedule", path.display()), help))
}

/// Checks whether the schedule of a run that is gone on with may be written: also over nothing, which a crash can leave.
pub(super) fn may_be_written_again(begun: &Begun) -> Result<(), Refusal> {
    let out = begun.out();
    let is_empty = fs::metadata(&out).is_ok_and(|it| it.is_file() && it.len() == 0);
    may_be_written(&out, is_empty || begun.kept(FORCED).is_some())
}

/// Keeps with a run that its schedule may replace whatever stands at its place.
pub(super) fn force(inquiry: &Inquiry<'_>) -> Result<(), Refusal> {
    inquiry.keep(FORCED, "")
}

/// Writes a schedule: at each moment, it stands there as a whole, or the earlier one does.
pub(super) fn write(out: &Path, schedule: &Schedule) -> Result<(), Refusal> {
    // Not the link is replaced, but what it leads to.
    let place = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
    let text = schedule.to_text();
    let written = match replace(&place, &text) {
        // The file may be changed, and the folder may not.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => fs::write(&place, &text),
        written => written,
    };
    written.map_err(Refusal::io("write", out))
}

fn replace(place: &Path, text: &str) -> std::io::Result<()> {
    let there = fs::metadata(place).ok();
    if there.as_ref().is_some_and(|it| !it.is_file()) {
        return fs::write(place, text);
    }
    let permissions = there.map_or_else(|| Permissions::from_mode(0o666), |it| it.permissions());
    let folder = place.parent().unwrap_or(Path::new("."));
    let mut fresh =
        tempfile::Builder::new().prefix(".reduct-schedule-").permissions(permissions).tempfile_in(folder)?;
    fresh.write_all(text.as_bytes())?;
    fresh.as_file().sync_data()?;
    fresh.persist(place)?;
    Ok(())
}
