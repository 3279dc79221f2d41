//! All that reads bytes from outside, in one place: a name, what reads them, and real samples.

use reduct_input::record::line;
use reduct_oracle::condition::Condition;
use reduct_oracle::doubts::{also_seen, behind_success};
use reduct_oracle::reports;
use reduct_oracle::shell_line::{fill_in_line, quoted};
use reduct_oracle::signature::{InputVocabulary, Signature};
use reduct_oracle::{Also, Exit, Observed};
use reduct_session::journal;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Something that reads bytes from outside.
pub(super) struct Reader {
    pub name: &'static str,
    pub read: fn(&[u8]),
    pub samples: fn() -> Vec<Vec<u8>>,
}

pub(super) const READERS: &[Reader] = &[
    Reader { name: "journal", read: read_journal, samples: || kept("journal") },
    Reader { name: "job", read: reduct_lib::readers::job, samples: || kept("job") },
    Reader { name: "findings", read: reduct_lib::readers::findings, samples: || kept("findings") },
    Reader { name: "events", read: |bytes| drop(reduct_play::Script::read(bytes)), samples: || kept("events") },
    Reader { name: "records", read: read_record, samples: || [kept("records"), kept("events")].concat() },
    Reader { name: "patches", read: reduct_sources::readers::patches, samples: || kept("patches") },
    Reader { name: "git tree", read: reduct_sources::readers::git_tree, samples: git_tree },
    Reader { name: "HTTP heads", read: reduct_lib::readers::http_head, samples: || kept("http") },
    Reader { name: "frames of a supervisor", read: reduct_sandbox::readers::frames, samples: frames },
    Reader { name: "files opened", read: reduct_sandbox::readers::opened, samples: opened },
    Reader { name: "lines of a server", read: reduct_sandbox::readers::server_lines, samples: server_lines },
    Reader { name: "frames of a parser", read: reduct_lib::readers::parser_frames, samples: parser_frames },
    Reader { name: "node types", read: reduct_grammars::try_node_types, samples: || kept("node-types") },
    Reader { name: "reports", read: read_output, samples: reports_of_programs },
    Reader { name: "conditions", read: read_condition, samples: conditions },
    Reader { name: "command lines", read: read_line, samples: command_lines },
    Reader { name: "plans of executions", read: read_plan, samples: || kept("plans") },
    Reader { name: "schedules of threads", read: read_schedule, samples: || kept("schedules") },
    Reader { name: "states of programs", read: read_state, samples: || kept("states") },
];

/// Reads a journal as it is, and once more with sums that are right, so that what stands in its records is read, too.
fn read_journal(bytes: &[u8]) {
    let path = Path::new("journal");
    if let Ok((records, _)) = journal::read_from(bytes, path) {
        let _ = journal::votes(&records);
    }
    let mut summed = vec![];
    for line in bytes.split(|byte| *byte == b'\n') {
        let json = line.iter().rposition(|byte| *byte == b'\t').map_or(line, |tab| &line[..tab]);
        summed.extend([json, format!("\t{:08x}\n", crc32fast::hash(json)).as_bytes()].concat());
    }
    if let Ok((records, _)) = journal::read_from(&summed[..], path) {
        let _ = journal::votes(&records);
    }
}

fn read_record(bytes: &[u8]) {
    for range in line::lines(bytes) {
        let text = &bytes[range];
        let _ = (line::is_event(text), line::read(text), line::untimed(text), line::pause(text), line::line_of(text));
    }
}

/// Reads what a test has printed: what failed in it, and whether it is the same as something else.
fn read_output(bytes: &[u8]) {
    let words = InputVocabulary::of(b"input");
    let half = bytes.len() / 2;
    let _ = (reports::read(bytes, b""), reports::read(&bytes[half..], &bytes[..half]));
    for exit in [Exit::Code(1), Exit::Code(0), Exit::Signal(6), Exit::Code(139)] {
        let observed = printed(exit, bytes);
        let signature = Signature::of(&observed, &words);
        assert!(signature.matches(&signature.clone()), "a failure is the same as itself");
        let _ = (also_seen(&observed, &words), behind_success(&observed, &words), signature.in_full());
    }
    let text = String::from_utf8_lossy(bytes);
    let _ = reports::gdb::frames(&text);
}

fn printed(exit: Exit, bytes: &[u8]) -> Observed {
    Observed { exit, stdout: vec![], stderr: bytes.into(), elapsed: Duration::ZERO, also: Also::default() }
}

fn read_condition(bytes: &[u8]) {
    if let Ok(condition) = String::from_utf8_lossy(bytes).parse::<Condition>() {
        let observed = printed(Exit::Code(1), b"error: 42 of input.c\n");
        let _ = (condition.holds(&observed), condition.names(&observed), condition.can_tell(&observed));
    }
}

fn read_line(bytes: &[u8]) {
    let _ = (fill_in_line(OsStr::new("sh"), bytes, b"/tmp/it's"), quoted(bytes));
}

fn read_plan(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(plan) = reduct_trace::ExecutionPlan::parse(&text) {
        let _ = (plan.to_text("python"), plan.counts());
    }
}

fn read_schedule(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(schedule) = reduct_trace::Schedule::parse(&text) {
        let again = reduct_trace::Schedule::parse(&schedule.to_text());
        assert!(
            bytes.contains(&b'\r') || again.is_ok_and(|again| again.switches == schedule.switches),
            "what is written is read"
        );
    }
    let _ = reduct_trace::read_counts(bytes);
}

fn read_state(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = (reduct_trace::StateChange::parse(&text).map(|it| it.to_text("python")), reduct_trace::read_states(&text));
}

/// Returns the samples that are kept beside this crate.
fn kept(of: &str) -> Vec<Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    files(&here.join("fuzz/samples").join(of))
}

/// Returns the reports that the tests of the oracle read.
fn reports_of_programs() -> Vec<Vec<u8>> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/reduct-oracle/tests/reports"))
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let all: Vec<Vec<u8>> = paths.iter().filter_map(|path| fs::read(path).ok()).collect();
    assert!(!all.is_empty(), "samples in {}", folder.display());
    all
}

fn texts(all: &[&[u8]]) -> Vec<Vec<u8>> {
    all.iter().map(|text| text.to_vec()).collect()
}

fn git_tree() -> Vec<Vec<u8>> {
    texts(&[b"100644 blob 8baef1b4abc478178b004d62031cf7fe6db6f903\tsrc/a b.c\x00120000 blob 8baef1b4abc478178b004d62031cf7fe6db6f903\tlink\x00160000 commit 8baef1b4abc478178b004d62031cf7fe6db6f903\tmodule\x00"])
}

/// Returns frames, each of which is three lengths, a head, and two blobs.
fn frames() -> Vec<Vec<u8>> {
    let frame = |head: &str, blobs: [&[u8]; 2]| {
        let parts = [head.as_bytes(), blobs[0], blobs[1]];
        let lengths = parts.map(|part| (part.len() as u32).to_le_bytes()).concat();
        [lengths, parts.concat()].concat()
    };
    vec![
        frame(r#"{"Cancel":{"run":8}}"#, [b"out", b"err\n"]),
        frame(r#"{"Prepared":{"ready":true,"survivors":false}}"#, [b"", b""]),
    ]
}

fn opened() -> Vec<Vec<u8>> {
    texts(&[b"/etc/passwd\x00//tmp/x\x00/usr/lib/libc.so\x00\x00"])
}

fn server_lines() -> Vec<Vec<u8>> {
    texts(&[b"reduct 1\npass\nfail\nunresolved\nexit 255\nsignal 11\n"])
}

fn parser_frames() -> Vec<Vec<u8>> {
    let question = [&[0][..], &3u32.to_le_bytes(), &5u64.to_le_bytes(), b"a = 1"].concat();
    let nodes = [&[1][..], &2u64.to_le_bytes(), &[0; 42]].concat();
    vec![question, nodes]
}

fn conditions() -> Vec<Vec<u8>> {
    texts(&[
        b"exit=3",
        b"!exit=0",
        b"signal=SEGV",
        b"signal=11",
        b"timeout",
        b"output~error: \\d+",
        b"stderr~(a|b)*c{2,9}",
        b"stdout~(?i)\\bx[^y]+$",
        b"slower-than=2.5s",
        b"memory-over=100M",
        b"frame~main",
        b"differs-from ./old {}",
    ])
}

fn command_lines() -> Vec<Vec<u8>> {
    texts(&[
        b"grep -q 'it''s' {} && ./run \"$X\" `cat {}` $(echo \"{}\") >out 2>&1 # {}",
        b"cat <<'E' {}\nx\nE\nif [ -f \"{}\" ]; then exit 1; fi",
    ])
}
