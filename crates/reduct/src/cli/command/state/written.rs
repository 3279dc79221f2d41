//! The place of the changes: whether they may be written there, and how.

use crate::cli::usage;
use reduct_input::{ArtifactBuilder, Candidate, TooLarge};
use reduct_lib::Refusal;
use reduct_lib::inquiry::Inquiry;
use reduct_report::turns;
use reduct_session::publish::{ResultWriter, Stands};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The listing stands in this file of the result.
const LIST: &str = "list.txt";

/// Under this name, the listing is kept that a run has written last.
const WRITTEN: &str = "written.txt";

/// Checks whether the result may be written here: not over what is none.
pub(super) fn may_be_written(out: &Path, force: bool) -> Result<(), Refusal> {
    if force || !out.exists() || out.join(LIST).is_file() {
        return Ok(());
    }
    let help = "name another place with --out, or replace it with --force";
    Err(usage(format!("{} is there, and is no result of reduct state", out.display()), help))
}

/// The place of the result, and the earlier result there, which a whole one may replace.
pub(super) struct ChangesPlace {
    earlier: Option<Stands>,
}

impl ChangesPlace {
    /// Looks at what stands there now.
    pub(super) fn of(out: &Path) -> ChangesPlace {
        ChangesPlace { earlier: Stands::at(out).filter(|_| is_result(out)) }
    }

    /// Writes a listing and changes, and returns where what stood there is kept: all but an earlier result that this one replaces. A
    /// part of a result replaces only a part that the same run has written.
    pub(super) fn write(
        &self,
        inquiry: &Inquiry<'_>,
        list: &str,
        changes: &[String],
        is_whole: bool,
    ) -> Result<Option<PathBuf>, Refusal> {
        let out = &inquiry.job().out;
        let run = inquiry.folder().ok_or_else(|| Refusal::NoRun(inquiry.job().folder.clone()))?;
        let is_own = || fs::read_to_string(out.join(LIST)).ok().is_some_and(|it| inquiry.kept(WRITTEN) == Some(it));
        let earlier = self.earlier.filter(|_| is_whole || is_own());
        let cannot = Refusal::io("write", out);
        let mut writer = ResultWriter::new(out.clone(), None, run.to_owned()).replacing(earlier);
        let written = files(list, changes).map_err(io::Error::other).and_then(|files| writer.publish(&files, true));
        written.map_err(cannot)?;
        inquiry.keep(WRITTEN, list)?;
        Ok(writer.kept().first().cloned())
    }
}

fn files(list: &str, changes: &[String]) -> Result<Candidate, TooLarge> {
    let mut files = ArtifactBuilder::default();
    for (at, change) in changes.iter().enumerate() {
        files.file(turns::file(at), 0o644, change.as_bytes())?;
    }
    files.file(LIST, 0o644, list.as_bytes())?;
    Ok(Candidate::whole(files.finish().into()))
}

/// Returns whether a folder has what a run writes, and nothing else.
fn is_result(out: &Path) -> bool {
    let is_of_result = |name: &str| {
        let number = name.strip_suffix(".txt").unwrap_or_default();
        name == LIST || (number.len() > 1 && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let Ok(mut entries) = fs::read_dir(out) else { return false };
    out.join(LIST).is_file()
        && entries.all(|entry| entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(is_of_result)))
}
