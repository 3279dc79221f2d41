//! Programs that run others: what they say of a child that failed, beside what the child says itself.

mod tables;

use super::regex;
use super::signals::signal_number;
use regex::Regex;
use std::sync::LazyLock;
use tables::{BY_XARGS, SAY_HOW, SAY_THAT};

static XARGS: LazyLock<Regex> = LazyLock::new(|| regex(&format!("^{BY_XARGS}")));

/// A table: one pattern for what is always theirs, and those that take other lines to be so.
struct Table {
    always: Regex,
    beside: Vec<(Regex, Regex)>,
}

impl Table {
    fn of(rows: &[(&str, &str)]) -> Table {
        let (always, beside): (Vec<_>, Vec<_>) = rows.iter().partition(|(_, beside)| beside.is_empty());
        let starts = |pattern: &str| regex(&format!("^(?:{pattern})"));
        let all: Vec<&str> = always.iter().map(|(pattern, _)| *pattern).collect();
        let beside = beside.iter().map(|(pattern, beside)| (regex(beside), starts(pattern))).collect();
        Table { always: starts(&all.join("|")), beside }
    }

    /// Returns the patterns that hold in these texts.
    fn within(&self, texts: [&str; 2]) -> Vec<&Regex> {
        let beside = self.beside.iter().filter(|(beside, _)| texts.iter().any(|text| beside.is_match(text)));
        [&self.always].into_iter().chain(beside.map(|(_, pattern)| pattern)).collect()
    }
}

static HOW: LazyLock<Table> = LazyLock::new(|| Table::of(SAY_HOW));
static THAT: LazyLock<Table> = LazyLock::new(|| Table::of(SAY_THAT));

/// What programs that run others have said in two texts, and what is left.
pub(super) struct Parted {
    /// The texts without it.
    pub(super) own: [String; 2],
    /// The lines that say how a child ended, the innermost first.
    pub(super) ends: Vec<String>,
    /// The signal of the last death in a text after which nothing more is said there.
    pub(super) last: Option<i32>,
}

/// Takes out what programs that run others say.
pub(super) fn part(texts: [&str; 2]) -> Parted {
    let (how, that) = (HOW.within(texts), THAT.within(texts));
    let (mut ends, mut last) = (vec![], None);
    let own = texts.map(|text| {
        let mut died = None;
        let mut own = String::with_capacity(text.len());
        let mut is_echoed = false;
        for line in text.split_inclusive('\n') {
            let bare = line.trim_end_matches('\n');
            let says_how = how.iter().any(|pattern| pattern.is_match(bare));
            if says_how {
                ends.push(bare.to_owned());
                died = signal(bare).map(|signal| (signal, own.len())).or(died);
            } else {
                let is_theirs = is_echoed && is_command(bare) || that.iter().any(|pattern| pattern.is_match(bare));
                own += if is_theirs { "" } else { line };
            }
            // ninja says the command after what has failed.
            is_echoed = says_how && bare.starts_with("FAILED: ");
        }
        last = last.or(died.filter(|(_, at)| own[*at..].trim().is_empty()).map(|(signal, _)| signal));
        own
    });
    // The outer program says less than the one that ran the program itself: `make: *** [all] Error 2`.
    let (inner, outer): (Vec<String>, Vec<String>) = ends.into_iter().partition(|line| signal(line).is_some());
    Parted { own, ends: inner.into_iter().chain(outer).collect(), last }
}

static SIGNAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"(?i)\b(?:(segmentation fault|segfault)|(abort(?:ed)?|subprocess aborted)|(killed)|(bus.error)",
        r"|(floating point exception|numerical)|(illegal(?: \w+)* instruction|illegal)|(trace/breakpoint trap)",
        r"|(bad system call)|(?-i:SIG([A-Z]+[0-9]?))|signal:? (\d+)|Error (?:128 \+ )?(1[2-9]\d))\b"
    ))
});
const NAMES: [&str; 8] = ["SEGV", "ABRT", "KILL", "BUS", "FPE", "ILL", "TRAP", "SYS"];

/// Returns the signal of which a child died, by such a line.
pub(super) fn signal(line: &str) -> Option<i32> {
    let found = SIGNAL.captures(line)?;
    let named = (1..=NAMES.len()).find(|at| found.get(*at).is_some()).and_then(|at| signal_number(NAMES[at - 1]));
    let by_name = || found.get(9).and_then(|name| signal_number(name.as_str()));
    let by_number = || found.get(10).and_then(|number| number.as_str().parse().ok());
    let by_status = || found.get(11).and_then(|status| status.as_str().parse().ok()).map(|status: i32| status - 128);
    named.or_else(by_name).or_else(by_number).or_else(by_status).filter(|number| (1..=64).contains(number))
}

/// Where such a line says how the child ended.
static HOW_IT_ENDED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:error|exit(?:ed)?(?: with)?(?: code| status| value)?|status|code|value|returned|signal)[:=]? ?-?\d+\b",
    )
});

/// Returns the status of a child, by such a line.
pub(super) fn status(line: &str) -> Option<i32> {
    let number = |found: &str| found.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    HOW_IT_ENDED.find_iter(line).filter_map(|found| number(found.as_str())).last().filter(|_| signal(line).is_none())
}

/// Returns the line without what may differ, but for how the child ended: `strip` takes it out of the rest.
pub(super) fn strip_end(line: &str, strip: impl Fn(&str) -> String) -> String {
    let line = line.replace("(core dumped)", "");
    let mut stripped = String::new();
    let mut at = 0;
    for found in HOW_IT_ENDED.find_iter(&line) {
        stripped += &strip(&line[at..found.start()]);
        stripped += found.as_str();
        at = found.end();
    }
    stripped += &strip(&line[at..]);
    stripped.split_whitespace().collect::<Vec<_>>().join(" ")
}

static SHELL: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:[A-Z][\w/ ]+(?:\(core dumped\))?$|\S+: (?:line \d+: +)?\d+ |zsh: )"));

/// Returns whether it is a shell that says how what it ran ended; it may have gone on.
pub(super) fn is_of_shell(line: &str) -> bool {
    SHELL.is_match(line)
}

/// Returns whether it is the end of a child that `xargs` passes on.
pub(super) fn is_end_by_xargs(line: &str) -> bool {
    XARGS.is_match(line)
}

/// What make and the like print before they run it: a program by its path or a name of one, and what it is given.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"^(?:\.{0,2}/\S+|(?:\S+-)?(?:cc|gcc|g\+\+|c\+\+|clang(?:\+\+)?|ld|ar|as|cpp|rustc|go|javac|java|python[\d.]*|node|npm",
        r"|perl|ruby|sh|bash|dash|cd|test|\[|set|env|exec|cat|grep|diff|cmp|awk|sed|make|gmake|cmake|ctest|ninja|cargo|mvn|tox",
        r"|pytest|timeout|xargs|valgrind|echo|printf|mkdir|rm|cp|mv|touch|ln)(?:-[\d.]+)?)(?: |$)"
    ))
});

/// Returns whether a line is a command that is run, as far as it can be told.
pub(super) fn is_command(line: &str) -> bool {
    COMMAND.is_match(line) || line.contains(" && ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_child_is_told_from_what_the_child_says() {
        let theirs = [
            "make[1]: *** [Makefile:2: x.o] Error 1",
            "gmake: *** [all] Error 2",
            "make: [Makefile:2: x] Segmentation fault (ignored)",
            "ninja: build stopped: subcommand failed.",
            "FAILED: a.o ",
            "FAILED: [code=4] a.o",
            "error: could not compile `x` (lib) due to 1 previous error",
            "error: test failed, to rerun pass `--lib`",
            "  process didn't exit successfully: `/x/y u` (signal: 6, SIGABRT: process abort signal)",
            "Segmentation fault (core dumped)",
            "t.sh: line 3: 12345 Aborted                 (core dumped) ./prog x",
            "bash: 11504 Segmentation fault      ./prog",
            "xargs: ./prog: terminated by signal 11",
            "timeout: the monitored command dumped core",
            "error Command failed with exit code 1.",
            " ELIFECYCLE  Command failed with exit code 1.",
            "npm warn Unknown user config",
            "1 failed in 0.01s",
            "============ 1 failed, 2 passed in 0.01s =============",
            "FAILED (failures=1)",
            "\t  1 - a (SEGFAULT)",
            "test result: FAILED. 0 passed; 1 failed; 0 ignored",
            "BUILD FAILED in 3s",
            "[ERROR] Failed to execute goal org.apache:x on project y",
        ];
        for line in theirs {
            assert_eq!(part([line, ""]).own[0], "", "{line}");
        }
        let own = [
            "make: *** No rule to make target 'x.c', needed by 'x.o'.  Stop.",
            "Makefile:3: *** missing separator.  Stop.",
            "FAILED: Error 7 in the engine",
            "FAILED tests/test_x.py::test_y - KeyError: 'z'",
            "Aborted: the tree is not balanced",
            "Killed by the dragon",
            "error: could not compile the shader",
            "exit status 2",
            "FAIL",
            "npm ERR! code E404",
            "[1/3] FAIL sort",
            "> quoted",
            "not ok 1 - sums",
            "1 - a (Failed)",
        ];
        for line in own {
            let text = format!("{line}\n");
            assert_eq!(part(["", &text]).own[1], text, "{line}");
        }
    }

    #[test]
    fn the_end_of_the_child_is_kept_from_what_is_stripped() {
        let masked = |text: &str| text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect::<String>();
        let rows = [
            ("make: *** [M:12: x] Error 139", "make: *** [M:##: x] Error 139", Some(11)),
            ("make: *** [M:2: x] Segmentation fault (core dumped)", "make: *** [M:#: x] Segmentation fault", Some(11)),
            ("make: *** [M:2: x] Error 1", "make: *** [M:#: x] Error 1", None),
            ("xargs: ./p2: terminated by signal 6", "xargs: ./p#: terminated by signal 6", Some(6)),
            ("s.sh: line 1: 11444 Aborted      ./crash", "s.sh: line #: ##### Aborted ./crash", Some(6)),
            (
                "  didn't exit (signal: 6, SIGABRT: process abort)",
                "didn't exit (signal: 6, SIGABRT: process abort)",
                Some(6),
            ),
            ("  didn't exit (exit status: 101)", "didn't exit (exit status: 101)", None),
            ("\t1 - a (SEGFAULT)", "# - a (SEGFAULT)", Some(11)),
        ];
        for (line, stripped, died) in rows {
            assert_eq!((strip_end(line, masked).as_str(), signal(line)), (stripped, died), "{line}");
        }
    }
}
