//! One tool on one case: started, watched, stopped at the limit, ended with all its processes, and measured.

use super::bound;
use super::case::Case;
use super::machine::{self, Pid};
use super::oracle::{self, Calls, Step};
use super::scratch::Scratch;
use super::tokens;
use super::tool::{Call, Site, Tool};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long a tool may take to stop when it is asked to.
const GRACE: Duration = Duration::from_secs(10);
/// How often the tool's memory is looked at.
const GLANCE: Duration = Duration::from_millis(100);

/// What came out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) case: String,
    pub(crate) tool: String,
    /// `done`, `limit`, or how it ended otherwise.
    pub(crate) status: String,
    /// Whose the result is: the tool's own, the smallest candidate seen, or, as there was none, the input.
    pub(crate) from: &'static str,
    pub(crate) bytes: (usize, usize),
    pub(crate) tokens: (usize, usize),
    pub(crate) runs: usize,
    pub(crate) duplicates: usize,
    pub(crate) tail: usize,
    /// The fewest tests that can do, in tokens.
    pub(crate) bound: Option<usize>,
    pub(crate) jobs: usize,
    pub(crate) wall: Duration,
    /// The most memory of the tool's own processes together, and of any one process with the tests.
    pub(crate) memory: (u64, u64),
    /// What the tool wrote, tests apart, and how much of it to a disk.
    pub(crate) written: (u64, u64),
    /// Whether the result fails when it is run once more.
    pub(crate) fails: bool,
    /// What reduct says of itself.
    pub(crate) said: Option<Said>,
    pub(crate) steps: Vec<Step>,
    /// How long the tool might take.
    pub(crate) limit: Duration,
    /// The last lines that the tool printed, if it did not end well.
    pub(crate) last_words: String,
}

/// What reduct's events say: questions, repeats, runs of the search, and runs before and after it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) asked: u64,
    pub(crate) repeated: u64,
    pub(crate) runs: u64,
    pub(crate) around: u64,
}

/// How a tool ended.
struct End {
    status: String,
    wall: Duration,
    memory: (u64, u64),
}

/// Runs a tool on a case.
pub(crate) fn run(tool: &Tool, case: &Case, jobs: usize, limit: Duration) -> Result<Row, String> {
    let scratch = Scratch::new()?;
    let folder = scratch.path();
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (work, temporary) = (folder.join("work"), folder.join("tmp"));
    fs::create_dir(&work).and_then(|()| fs::create_dir(&temporary)).map_err(failed)?;
    fs::write(work.join(&case.file), &case.input).map_err(failed)?;
    let (by_path, by_stdin) = oracle::set_up(folder, case)?;
    let site = Site { case, work: &work, folder, by_path: &by_path, by_stdin: &by_stdin, jobs };
    let call = tool.call(&site)?;
    let before = machine::written();
    let start = oracle::nanoseconds();
    let end = watch(tool, &call, &work, folder, limit)?;
    let after = machine::written();
    let calls = Calls::read(folder);
    let tests = calls.written();
    let (result, from) = result(&call.result, folder, case, &end.status);
    let fresh = folder.join("once-more");
    fs::create_dir(&fresh).map_err(failed)?;
    let fails = oracle::in_folder(&fresh, &case.file, &case.test, &result)?;
    machine::end_all();
    let tokens = (tokens::count(&case.input), tokens::count(&result));
    let log = fs::read(folder.join("log")).unwrap_or_default();
    Ok(Row {
        case: case.name.clone(),
        tool: tool.name.clone(),
        last_words: if end.status == "done" { String::new() } else { last_words(&log) },
        status: end.status,
        from,
        bytes: (case.input.len(), result.len()),
        tokens,
        runs: calls.0.len(),
        duplicates: calls.duplicates(),
        tail: calls.tail(),
        bound: bound::fewest(tokens.0, tokens.1),
        jobs,
        wall: end.wall,
        memory: end.memory,
        written: ((after.0 - before.0).saturating_sub(tests.0), (after.1 - before.1).saturating_sub(tests.1)),
        fails,
        said: tool.is_reduct().then(|| said(&fs::read_to_string(folder.join("events")).unwrap_or_default())),
        steps: calls.steps(start),
        limit,
    })
}

/// Starts the tool and stays with it until it and all its processes are gone.
fn watch(tool: &Tool, call: &Call, work: &Path, folder: &Path, limit: Duration) -> Result<End, String> {
    let log = fs::File::create(folder.join("log")).map_err(|error| format!("{}: {error}", folder.display()))?;
    let errors = log.try_clone().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut command = Command::new(&call.argv[0]);
    command.args(&call.argv[1..]).current_dir(work).stdin(Stdio::null()).stdout(log).stderr(errors);
    command.env("TMPDIR", folder.join("tmp")).env("PYTHONDONTWRITEBYTECODE", "1").envs(call.env.iter().cloned());
    // A group of its own, which can be asked to stop as a whole.
    command.process_group(0);
    let begin = Instant::now();
    let child = command.spawn().map_err(|error| format!("{}: {error}", tool.name))?;
    let child = child.id() as Pid;
    let (mut own, mut largest, mut asked) = (0, 0, None);
    let mut glance = begin;
    let me = std::process::id() as Pid;
    let status = loop {
        let mut ended = None;
        while let Some((pid, status, memory)) = machine::reap(-1) {
            largest = largest.max(memory);
            ended = ended.or((pid == child).then_some(status));
        }
        if let Some(status) = ended {
            break if asked.is_some() { "limit".to_owned() } else { ending(status) };
        }
        if glance <= Instant::now() {
            let all = machine::descendants(me, &machine::is_oracle);
            own = own.max(all.into_iter().map(machine::memory).sum());
            glance = Instant::now() + GLANCE;
        }
        match asked {
            None if machine::is_stopped() || begin.elapsed() >= limit => {
                machine::signal(-child, libc::SIGINT);
                asked = Some(Instant::now());
            }
            Some(asked) if Instant::now() >= asked + GRACE => break "limit".to_owned(),
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let wall = begin.elapsed();
    largest = largest.max(machine::end_all());
    if machine::is_stopped() {
        return Err("stopped".into());
    }
    Ok(End { status, wall, memory: (own, largest) })
}

/// Returns a status as `wait` gives it, in words.
fn ending(status: i32) -> String {
    match (libc::WIFEXITED(status), libc::WEXITSTATUS(status)) {
        (true, 0) => "done".into(),
        (true, code) => format!("exit {code}"),
        (false, _) => format!("signal {}", libc::WTERMSIG(status)),
    }
}

/// Returns the tool's result, or the smallest candidate that was seen if the tool did not end by itself.
fn result(place: &Path, folder: &Path, case: &Case, status: &str) -> (Vec<u8>, &'static str) {
    let file = match fs::read_dir(place) {
        Ok(mut entries) => entries.find_map(|entry| entry.ok().map(|entry| entry.path()).filter(|path| path.is_file())),
        Err(_) => Some(place.to_owned()),
    };
    let own = file.and_then(|file| fs::read(file).ok());
    let best = fs::read(folder.join("best")).ok();
    match (own, best) {
        (Some(own), _) if status == "done" => (own, "tool"),
        (_, Some(best)) => (best, "best seen"),
        (_, None) => (case.input.clone(), "input"),
    }
}

/// Returns the numbers in the last line of reduct's events, and how many runs there were before and after the search.
fn said(events: &str) -> Said {
    let mut said = Said::default();
    for event in events.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()) {
        let number = |key: &str| event[key].as_u64().unwrap_or(0);
        match event["type"].as_str() {
            Some("preflight") => said.around += 1,
            Some("ended") => {
                (said.asked, said.repeated, said.runs) = (number("asked"), number("repeated"), number("runs"));
                let once = u64::from(!event["confirmed"].is_null());
                said.around += event["again"]["runs"].as_u64().unwrap_or(once);
            }
            _ => {}
        }
    }
    said
}

fn last_words(log: &[u8]) -> String {
    let log = String::from_utf8_lossy(log);
    let lines: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join(" / ")
}

#[cfg(test)]
mod tests {
    use super::{Said, last_words, said};

    #[test]
    fn what_reduct_says_is_read_from_its_events() {
        let events = "{\"v\":1,\"type\":\"preflight\"}\n{\"v\":1,\"type\":\"preflight\"}\n{\"v\":1,\"type\":\"test\",\"n\":1}\n\
                      {\"v\":1,\"type\":\"ended\",\"asked\":36,\"repeated\":9,\"runs\":26,\"confirmed\":true}\n";
        assert_eq!(said(events), Said { asked: 36, repeated: 9, runs: 26, around: 3 });
        assert_eq!(said("half a li"), Said::default());
    }

    #[test]
    fn the_last_words_are_the_last_three_lines() {
        assert_eq!(last_words(b"a\nb\n\nc\nd\n"), "b / c / d");
        assert_eq!(last_words(b""), "");
    }
}
