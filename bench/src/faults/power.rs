//! A simulated power cut: what a run writes is recorded, the state of the disk at any flush is built, and the run is taken up
//! from each of them. What was announced as a result is there, and in the end the result is that of a run that nobody
//! disturbs.

mod disk;
mod trace;

use super::kinds::{KINDS, Kind};
use super::{Bench, PATIENCE, Undisturbed, undisturbed, wait};
use disk::{Cut, Disk};
use reduct_core::laws::Chance;
use std::fs;
use std::path::Path;
use std::process::Command;
use trace::Op;

/// What is said when a result is there.
const ANNOUNCED: &str = "the result is ";

/// What was seen.
#[derive(Default)]
pub(super) struct Seen {
    pub states: u64,
    /// After so many the run could not go on, and was made anew.
    pub anew: u64,
    /// In so many the result was not whole when nobody had announced it yet.
    pub torn: u64,
    pub lost: Vec<String>,
    pub wrong: Vec<String>,
}

/// Records a run of each kind that writes the same each time, and takes it up from so many states of the disk.
///
/// # Errors
/// If a run cannot be made or recorded.
pub(super) fn run(program: &Path, only: Option<&str>, states: u64, seed: u64) -> Result<Seen, String> {
    let kinds: Vec<&'static Kind> = KINDS
        .iter()
        .filter(|kind| kind.is_certain && kind.resume == ["resume"] && only.is_none_or(|only| kind.name == only))
        .collect();
    if kinds.is_empty() {
        return Err(format!("{}: no kind that writes the same each time is called so", only.unwrap_or_default()));
    }
    let (mut seen, mut chance) = (Seen::default(), Chance(seed));
    for (at, kind) in (0..).zip(&kinds) {
        let share = states / kinds.len() as u64 + u64::from(at < states % kinds.len() as u64);
        if share > 0 {
            one_kind(program, kind, share, &mut chance, &mut seen)?;
        }
    }
    Ok(seen)
}

fn one_kind(
    program: &Path,
    kind: &'static Kind,
    states: u64,
    chance: &mut Chance,
    seen: &mut Seen,
) -> Result<(), String> {
    let known = undisturbed(program, kind)?;
    let bench = Bench::new(program, kind, 2_000_000)?;
    let begin = Disk::read(&bench.home()).map_err(|error| error.to_string())?;
    let ops = record(&bench)?;
    let flushes: Vec<usize> = (0..ops.len()).filter(|at| matches!(ops[*at], Op::Flush(_) | Op::FlushAll)).collect();
    if flushes.is_empty() || !ops.iter().any(|op| matches!(op, Op::Said(_))) {
        return Err(format!("{}: nothing was recorded of it ({} operations)", kind.name, ops.len()));
    }
    for number in 0..states {
        // Each flush is looked at right before and right after it, then any moment.
        let at = match number as usize {
            number if number < 2 * flushes.len() => flushes[number / 2] + number % 2,
            _ => chance.below(ops.len() + 1),
        };
        let cut = Cut::of_number(number);
        let disk = begin.after(&ops[..at], &cut, chance);
        let what = format!("{} at {at} of {}, {cut:?}", kind.name, ops.len());
        disk.write(&bench.home()).map_err(|error| format!("{what}: {error}"))?;
        let _ = fs::remove_dir_all(bench.scratch());
        fs::create_dir_all(bench.scratch()).map_err(|error| error.to_string())?;
        seen.states += 1;
        let holds = |holds: fn(&Kind, &Op) -> bool| ops[..at].iter().any(|op| holds(kind, op));
        let promised = Promised {
            result: holds(|_, op| matches!(op, Op::Said(text) if text.contains(ANNOUNCED))),
            journal: holds(|kind, op| *op == Op::Flush(kind.state.into()) || *op == Op::FlushAll),
        };
        let problem = go_on(&bench, &known, promised, seen)?;
        seen.wrong.extend(problem.map(|problem| format!("{what}: {problem}")));
    }
    let _ = fs::remove_dir_all(&bench.folder);
    Ok(())
}

/// What has to be there after the power cut.
#[derive(Clone, Copy)]
struct Promised {
    /// The result was announced.
    result: bool,
    /// The journal was flushed: the run can go on.
    journal: bool,
}

/// Goes on from a state of the disk, or begins anew if there is nothing to go on with. Returns what is wrong.
fn go_on(
    bench: &Bench<'_>,
    known: &Undisturbed,
    promised: Promised,
    seen: &mut Seen,
) -> Result<Option<String>, String> {
    let is_right = || bench.result().as_ref() == Some(&known.result);
    if promised.result && !is_right() {
        seen.lost.push(format!("{}: what was announced is not there", bench.kind.name));
    }
    seen.torn += u64::from(bench.result().is_some_and(|result| !(bench.kind.fails)(&result)));
    // What stands at the place of the result may be of the run that is lost.
    let mut forced = bench.words();
    forced.insert(1, "--force");
    let mut said = vec![];
    for (at, words) in [bench.kind.resume.to_vec(), bench.words(), forced].iter().enumerate() {
        let mut child = bench.start(words)?;
        let Some(status) = wait(&mut child, PATIENCE) else {
            let _ = child.kill();
            return Ok(Some("it hangs".into()));
        };
        if status.code() == Some(0) {
            seen.anew += u64::from(at > 0);
            return Ok((!is_right()).then(|| "the result is another one".into()));
        }
        said.push(format!("{status}: {}", bench.said()));
        if promised.journal || status.code() != Some(2) {
            break;
        }
    }
    Ok(Some(format!("it does not go on: {}", said.join("; "))))
}

/// Runs the program under strace(1). Returns what it did in its folder, in order.
fn record(bench: &Bench<'_>) -> Result<Vec<Op>, String> {
    let log = bench.folder.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "--seccomp-bpf", "-qq", "-y", "-xx", "-s", "1000000"]).arg("-o").arg(&log);
    command.args(["-e", &format!("trace={}", trace::CALLS.join(","))]).arg(bench.program).args(bench.words());
    let mut child = bench.start_as(&mut command).map_err(|error| format!("{error} (power cuts need strace)"))?;
    let ended = wait(&mut child, PATIENCE).and_then(|status| status.code());
    if ended != Some(0) {
        let _ = child.kill();
        return Err(format!("the recorded run ends with {ended:?}: {}", bench.said()));
    }
    let text = fs::read_to_string(&log).map_err(|error| error.to_string())?;
    let home = bench.home().canonicalize().map_err(|error| error.to_string())?;
    trace::read(&text, &home)
}

impl Seen {
    /// Returns the figures in words.
    pub(super) fn told(&self) -> String {
        let Seen { states, anew, torn, lost, wrong } = self;
        let (lost, wrong) = (lost.len(), wrong.len());
        format!(
            "{states} states after a power cut, lost {lost}, wrong {wrong} (begun anew {anew}, not whole before {torn})"
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::built::program;

    /// The short form. With `cargo xtask bench faults --power`, it takes as long as it is let.
    #[test]
    fn a_power_cut_loses_nothing_that_was_announced() {
        let seen = super::run(&program().unwrap(), Some("reduce"), 3, 3).unwrap();
        assert_eq!((seen.states, seen.lost, seen.wrong), (3, vec![], vec![]));
    }
}
