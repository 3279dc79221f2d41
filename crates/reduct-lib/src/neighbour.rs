//! What passes beside the result of a run.

use crate::errors::Refusal;
use crate::replay::Replay;
use crate::runs::Run;
use reduct_core::Outcome;
use reduct_session::journal;
use reduct_sources::write_below;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// What a run has left that others can begin with.
#[non_exhaustive]
pub struct ReducedBy {
    /// Where its result is.
    pub out: PathBuf,
    /// What passes beside it, if that is not a part of the result: one file.
    pub passing: Option<PathBuf>,
    /// Its test.
    pub command: Vec<OsString>,
}

/// Returns what a run has left. Of the candidates of a reduction that pass, the one that differs least from its result is written
/// into the folder of the run.
///
/// ```standalone_crate
/// use reduct_lib::{Run, Test};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("reduced-by-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "a\nb\nc\nd\n")?;
///     let test = Test::shell("grep -q c {}").exit_zero();
///     reduct_lib::reduce("list").folder(&folder).test(test).out("small").keep_runs(true).run()?;
///
///     // Later, perhaps in another process:
///     let run = Run::find(&folder)?;
///     let left = reduct_lib::reduced_by(&run)?;
///     assert_eq!(std::fs::read(left.out)?, b"c");
///     // What passes has no c.
///     assert!(left.passing.is_some_and(|passing| std::fs::read(passing).is_ok_and(|text| !text.contains(&b'c'))));
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If the run cannot be read, or what passes not be written.
pub fn reduced_by(run: &Run) -> Result<ReducedBy, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    let passing = if job.goal.is_reduction() { neighbour(run)? } else { None };
    Ok(ReducedBy { out: job.out, passing, command: job.command })
}

fn neighbour(run: &Run) -> Result<Option<PathBuf>, Refusal> {
    let mut replay = Replay::of(run)?;
    let passing: Vec<_> = replay.by_ref().filter(|step| step.outcome == Outcome::Pass).collect();
    let result = replay.best().0.artifact();
    // Of those that differ as little, the last one: it was asked when the result was nearly found.
    let by_difference =
        passing.into_iter().map(|step| (apart(step.candidate.artifact().bytes(), result.bytes()), step));
    let nearest = by_difference.rev().min_by_key(|(apart, _)| *apart);
    let Some((_, nearest)) = nearest.filter(|(_, step)| step.candidate.entry_count() == 1) else { return Ok(None) };
    let folder = run.folder.join("neighbour");
    let write = || {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir(&folder)?;
        write_below(&nearest.candidate, &folder)
    };
    write().map_err(Refusal::io("write", &folder))?;
    let name = nearest.candidate.artifact().files().next().map(|(path, ..)| path.to_owned());
    Ok(name.map(|name| folder.join(name)))
}

/// Returns how many bytes lie between the first and the last difference of two texts, in the one where these are more.
fn apart(one: &[u8], other: &[u8]) -> usize {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    one.len().max(other.len()) - same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_apart_by_what_is_between_their_ends() {
        let all = [
            (&b"abc"[..], &b"abc"[..], 0),
            (b"abc", b"ac", 1),
            (b"aXc", b"aYYc", 2),
            (b"", b"ab", 2),
            (b"aa", b"a", 1),
        ];
        for (one, other, expected) in all {
            assert_eq!(apart(one, other), expected);
            assert_eq!(apart(other, one), expected);
        }
    }
}
