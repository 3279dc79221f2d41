//! The commands that are disturbed, each on an input of which it is known what has to remain.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A command on an input.
pub(super) struct Kind {
    pub name: &'static str,
    /// Writes what it needs to a folder.
    pub prepare: fn(&Path) -> io::Result<()>,
    pub words: &'static [&'static str],
    /// How it goes on.
    pub resume: &'static [&'static str],
    /// What is there as soon as it can go on.
    pub state: &'static str,
    /// The file or folder of the result.
    pub result: &'static str,
    /// Whether the result is the same in each run.
    pub is_certain: bool,
    /// Whether what is on the disk fails.
    pub fails: fn(&[u8]) -> bool,
    /// Whether it is asked, and answered by what shows the candidates: through a pipe whose path is in `ANSWERS`.
    pub is_answered: bool,
}

pub(super) const KINDS: [Kind; 12] = [
    Kind {
        name: "reduce",
        prepare: |home| {
            lines(&home.join("input"), 200, &[13, 77, 150])?;
            script(home, "cksum <input >>\"$LOG\"\n[ $(grep -c needle input) = 3 ]")
        },
        words: &["reduce", "-j2", "--by", "lines,chars", "./test.sh", "input"],
        resume: &["resume"],
        state: ".reduct/0001-input/journal",
        result: "input.reduced",
        is_certain: true,
        fails: |best| occurrences(best, b"needle") == 3,
        is_answered: false,
    },
    Kind {
        name: "reduce a program",
        prepare: |home| {
            let functions = (0..40).map(|n| format!("int f{n}(int a) {{ int b = a + {n}; return b * 2; }}\n"));
            fs::write(home.join("input.c"), functions.collect::<String>() + "int main(void) { return f7(f31(1)); }\n")?;
            script(home, "cksum <input.c >>\"$LOG\"\ngrep -q 'f7(' input.c && grep -q 'f31(' input.c && exit 3; exit 0")
        },
        words: &["reduce", "-j2", "input.c", "--", "./test.sh"],
        resume: &["resume"],
        state: ".reduct/0001-input.c/journal",
        result: "input.reduced.c",
        is_certain: true,
        fails: |best| occurrences(best, b"f7(") > 0 && occurrences(best, b"f31(") > 0,
        is_answered: false,
    },
    Kind {
        name: "reduce a folder",
        prepare: |home| {
            for n in 0..30 {
                lines(&home.join(format!("d/{n:02}.txt")), 10, if n % 14 == 3 { &[4] } else { &[] })?;
            }
            script(
                home,
                "cat $(find d -type f | sort) | cksum >>\"$LOG\"\n[ $(cat $(find d -type f) /dev/null | grep -c needle) = 2 ]",
            )
        },
        words: &["reduce", "-j2", "./test.sh", "d"],
        resume: &["resume"],
        state: ".reduct/0001-d/journal",
        result: "d.reduced",
        is_certain: true,
        fails: |best| occurrences(best, b"needle") == 2,
        is_answered: false,
    },
    Kind {
        name: "isolate",
        prepare: |home| {
            lines(&home.join("good"), 100, &[])?;
            lines(&home.join("bad"), 100, &[40, 41])?;
            script(home, "cksum <bad >>\"$LOG\"\ngrep -q needle bad && exit 3; exit 0")
        },
        words: &["isolate", "-j2", "good", "bad", "--", "./test.sh"],
        resume: &["resume"],
        state: ".reduct/0001-bad/journal",
        result: "bad.isolated",
        is_certain: true,
        fails: |_| true,
        is_answered: false,
    },
    Kind {
        name: "minima",
        prepare: |home| {
            lines(&home.join("input"), 40, &[5, 20, 33])?;
            script(home, "cksum <input >>\"$LOG\"\ngrep -q needle input && exit 3; exit 0")
        },
        words: &["minima", "-j2", "input", "--", "./test.sh"],
        resume: &["resume"],
        state: ".reduct/0001-input/journal",
        result: "input.minima",
        is_certain: true,
        fails: |_| true,
        is_answered: false,
    },
    Kind {
        name: "changes",
        prepare: |home| {
            for (version, needles) in [("old", &[][..]), ("new", &[6, 22][..])] {
                lines(&home.join(version).join("a.txt"), 40, needles)?;
                lines(&home.join(version).join("b.txt"), 20, &[])?;
            }
            Ok(())
        },
        words: &[
            "changes",
            "-j2",
            "old",
            "new",
            // A run that is begun anew has another folder.
            "--out",
            "answer",
            "-c",
            "cat a.txt b.txt | cksum >>\"$LOG\"; ! [ $(grep -c needle a.txt) = 2 ]",
        ],
        resume: &["resume"],
        state: ".reduct/0001-changes/journal",
        result: "answer/cause-1.patch",
        is_certain: true,
        fails: |_| true,
        is_answered: false,
    },
    Kind {
        name: "--persistent",
        prepare: |home| {
            lines(&home.join("input"), 200, &[13, 77])?;
            fs::write(
                home.join("server.py"),
                "import sys\nprint('reduct 1', flush=True)\nwhile header := sys.stdin.buffer.readline():\n    \
                 text = sys.stdin.buffer.read(int(header.split()[1]))\n    \
                 print('fail' if text.count(b'needle') == 2 else 'pass', flush=True)\n",
            )
        },
        words: &["reduce", "-j2", "--persistent", "--by", "lines,chars", "input", "--", "python3", "server.py"],
        resume: &["resume"],
        state: ".reduct/0001-input/journal",
        result: "input.reduced",
        is_certain: true,
        fails: |best| occurrences(best, b"needle") == 2,
        is_answered: false,
    },
    Kind {
        name: "--repeat",
        prepare: |home| {
            lines(&home.join("input"), 30, &[13])?;
            script(home, "grep -q needle input && [ $(od -An -N1 -tu1 /dev/urandom) -lt 180 ] && exit 3; exit 0")
        },
        words: &["reduce", "-j2", "--repeat", "--by", "lines", "input", "--", "./test.sh"],
        resume: &["resume"],
        state: ".reduct/0001-input/journal",
        result: "input.reduced",
        is_certain: false,
        fails: |best| occurrences(best, b"needle") == 1,
        is_answered: false,
    },
    Kind {
        name: "fuzz",
        prepare: |home| script(home, "grep -q '[0-9]' && kill -SEGV $$\nexit 0"),
        words: &["fuzz", "-j2", "--no-backtrace", "--findings", "1", "--tests", "300", "--", "./test.sh"],
        resume: &["resume", "fuzz"],
        state: "fuzz",
        result: "fuzz/findings.jsonl",
        is_certain: false,
        fails: |found| occurrences(found, b"\n") >= 1,
        is_answered: false,
    },
    Kind {
        name: "--ask",
        prepare: |home| {
            lines(&home.join("input"), 100, &[13, 47])?;
            script(
                home,
                "cksum <\"$1\" >>\"$LOG\"\nif [ $(grep -c needle \"$1\") = 2 ]; then echo f; else echo p; fi 1<>\"$ANSWERS\"",
            )
        },
        words: &["reduce", "--ask", "input", "--", "./test.sh", "{}"],
        resume: &["resume"],
        state: ".reduct/0001-input/journal",
        result: "input.reduced",
        is_certain: true,
        fails: |best| occurrences(best, b"needle") == 2,
        is_answered: true,
    },
    Kind {
        name: "events",
        prepare: |home| {
            let event = |n: usize| match n {
                33 => "{\"event\":\"open\",\"makes\":\"w\"}\n".to_owned(),
                47 => "{\"event\":\"use\",\"needs\":[\"w\"],\"needle\":true}\n".to_owned(),
                _ => format!("{{\"event\":\"click\",\"n\":{n}}}\n"),
            };
            fs::write(home.join("record.jsonl"), (0..60).map(event).collect::<String>())?;
            let body = "cksum <record.jsonl >>\"$LOG\"\ngrep -q needle record.jsonl || exit 0\ngrep -q makes record.jsonl || exit 4\nexit 3";
            script(home, body)
        },
        words: &["events", "-j2", "record.jsonl", "--", "./test.sh"],
        resume: &["resume"],
        state: ".reduct/0001-record.jsonl/journal",
        result: "record.reduced.jsonl",
        is_certain: true,
        fails: |best| occurrences(best, b"needle") == 1 && occurrences(best, b"makes") == 1,
        is_answered: false,
    },
    Kind {
        name: "triage",
        prepare: |home| {
            for n in 0..4 {
                lines(&home.join(format!("inputs/{n}")), 20, if n % 2 == 0 { &[7] } else { &[] })?;
            }
            script(
                home,
                "if grep -q needle \"$1\"; then echo 'error: a needle' >&2; exit 1; fi\nif grep -q 'line 12' \"$1\"; then echo 'error: a dozen' >&2; exit 1; fi",
            )
        },
        words: &["triage", "-j2", "inputs", "--", "./test.sh", "{}"],
        // What is finished is not done again.
        resume: &["triage", "--scratch", "../scratch", "-j2", "inputs", "--", "./test.sh", "{}"],
        state: "inputs/.reduct/triage",
        result: "inputs/.reduct/triage/triage.md",
        is_certain: true,
        fails: |told| occurrences(told, b"4 inputs fail in 2 ways") == 1,
        is_answered: false,
    },
];

/// Writes a file of so many lines, of which some have a needle.
fn lines(path: &Path, count: usize, needles: &[usize]) -> io::Result<()> {
    let line = |n: usize| if needles.contains(&n) { format!("line {n} needle\n") } else { format!("line {n}\n") };
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, (0..count).map(line).collect::<String>())
}

fn script(home: &Path, body: &str) -> io::Result<()> {
    let path = home.join("test.sh");
    fs::write(&path, format!("#!/bin/sh\n{body}\n"))?;
    fs::set_permissions(path, Permissions::from_mode(0o755))
}

fn occurrences(text: &[u8], of: &[u8]) -> usize {
    text.windows(of.len()).filter(|window| *window == of).count()
}
