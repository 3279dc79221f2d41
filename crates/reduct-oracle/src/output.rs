//! The part of an output that counts: programs that run others are told from the programs that they run, and of a program that
//! died only the last lines count.

use super::diagnostic;
use super::dying::last_words;
pub(super) use super::outputs::Output;
use super::reports::{self, FailureReport};
use super::runtime::runs_what_reports;
use super::survived::{self, Survival, standing};
use super::terminal::plain;
use super::wrappers::{self, is_end_by_xargs, part};
use crate::{Death, Exit, Observed};

/// What `timeout` exits with when the time was over.
pub(super) const TIMED_OUT: i32 = 124;

/// What `xargs` exits with when a child died.
pub(super) const DIED: i32 = 125;

/// Returns whether `xargs` says how a child ended.
pub(super) fn is_passed_on_by_xargs(observed: &Observed) -> bool {
    String::from_utf8_lossy(&observed.stderr).lines().any(is_end_by_xargs)
}

impl Output {
    /// Takes apart what a run that ended so has printed, of whatever command.
    pub(super) fn of(exit: &Exit, stderr: &[u8], stdout: &[u8]) -> Output {
        Output::run_by(&[], exit, stderr, stdout)
    }

    /// Takes apart what a run of this command that ended so has printed.
    pub(super) fn run_by(command: &[String], exit: &Exit, stderr: &[u8], stdout: &[u8]) -> Output {
        let texts = [plain(stderr), plain(stdout)];
        let parted = part([&texts[0], &texts[1]]);
        let mut output = Output { own: parted.own, ends: parted.ends, ..Output::default() };
        // What was printed until the time was over is chance.
        if *exit == Exit::Code(TIMED_OUT) && !output.ends.iter().any(|line| is_end_by_xargs(line)) {
            return Output { died: true, ..Output::default() };
        }
        output.leave_out_calls();
        output.hidden = output.hidden_death(exit, parted.last);
        if let Some(signal) = output.death(exit) {
            output.died = true;
            output.own = output.own.map(|text| last_words(&text, signal).to_owned());
            if matches!(exit, Exit::Signal(_)) {
                // It has run others that died, perhaps; that is not how it ended.
                output.ends.clear();
            }
        } else if let Exit::Code(1..) = exit {
            output.leave_out_survived(command, exit);
        }
        output
    }

    /// Leaves out an exception that the program has caught, printed and survived does not tell why it ended.
    fn leave_out_survived(&mut self, command: &[String], exit: &Exit) {
        let own = if let Exit::Code(code) = exit { Some(*code) } else { None };
        let statuses: Vec<i32> = self.ends.iter().filter_map(|line| wrappers::status(line)).chain(own).collect();
        for (at, beside) in [(0, 1), (1, 0)] {
            let Some(printed) = reports::exception(&self.own[at]) else { continue };
            self.survived.extend_from_slice(&printed.earlier);
            let is_known = !printed.ended_another && runs_what_reports(command, &printed.report);
            match standing(&printed, &self.own[beside], &statuses, is_known) {
                Survival::Survived => {
                    self.survived.push(printed.report.in_short());
                    self.own[at] = printed.rest.to_owned();
                }
                Survival::Either(line) => {
                    self.or = Some(line);
                    break;
                }
                Survival::Reason => {
                    self.beside = survived::beside(&printed, &self.own[beside], &statuses, is_known);
                    break;
                }
            }
        }
    }

    /// Returns the signal that the program died of, if it did: as it ended, or as the program reports that ran it.
    fn death(&self, exit: &Exit) -> Option<i32> {
        let told = || self.ends.iter().find_map(|line| wrappers::signal(line));
        match exit {
            Exit::Signal(signal) => Some(*signal),
            // A shell that says so and ends otherwise has gone on.
            Exit::Code(code @ 129..) => told().filter(|signal| code - 128 == *signal),
            Exit::Code(0) => None,
            Exit::Code(_) => {
                let is_outer = |line: &&String| !wrappers::is_of_shell(line);
                self.ends.iter().filter(is_outer).find_map(|line| wrappers::signal(line))
            }
            _ => None,
        }
    }

    /// Returns the death of a program that the test ran, if the program that ran it reports the death and ends otherwise. `last` is what a
    /// text ends with; a shell that goes on and says what is wrong has gone on from a death that does not matter.
    fn hidden_death(&self, exit: &Exit, last: Option<i32>) -> Option<Death> {
        let told = || {
            if diagnostic::tells(&self.own) { None } else { self.ends.iter().find_map(|line| wrappers::signal(line)) }
        };
        Death::hidden(exit, self.death(exit).or(last).or_else(told)?)
    }

    /// Leaves out what Python says of a program that it started and that failed where it was started: if that one says anything that
    /// tells, this does not.
    fn leave_out_calls(&mut self) {
        let [stderr, stdout] = &self.own;
        let Some((without, line)) = without_call(stderr) else { return };
        let without = [without, stdout.clone()];
        if report_in(&without).is_some() || diagnostic::tells(&without) {
            self.ends.push(line);
            self.own = without;
        }
    }

    /// Returns the report in it, if there is one.
    pub(super) fn report(&self) -> Option<FailureReport> {
        report_in(&self.own)
    }
}

fn report_in([stderr, stdout]: &[String; 2]) -> Option<FailureReport> {
    reports::read(stderr.as_bytes(), stdout.as_bytes())
}

const TRACEBACK: &str = "Traceback (most recent call last):";
const CALL: &str = "subprocess.CalledProcessError: ";

/// Returns the text without the traceback that ends in a program that failed, and what it says of that.
fn without_call(text: &str) -> Option<(String, String)> {
    let end = text.rfind(&format!("\n{CALL}"))? + 1;
    let begin = text[..end].rfind(TRACEBACK)?;
    let line = text[end..].lines().next()?;
    Some((text[..begin].to_owned() + &text[end + line.len()..], line.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_death_behind_a_status_of_its_own_is_one_that_nothing_was_said_after() {
        let of = |code: i32, stderr: &str, stdout: &str| {
            Output::of(&Exit::Code(code), stderr.as_bytes(), stdout.as_bytes()).hidden.map(Death::signal)
        };
        let make = "make: *** [M:2: x] Segmentation fault\n";
        for (code, stderr, stdout, signal) in [
            (2, make, "", Some(11)),
            (2, "error: bad\nmake[1]: *** [M:2: x] Aborted\nmake: *** [M:3: y] Error 2\n", "", Some(6)),
            (2, "make: *** [M:2: x] Error 139\n", "", Some(11)),
            (1, "loading\nSegmentation fault\n", "", Some(11)),
            (1, "error: bad\nt.sh: line 3: 17 Aborted   ./p\n\n", "", Some(6)),
            (1, "", "error: bad\nSegmentation fault\n", Some(11)),
            (1, "Segmentation fault\ngoing on\n", "", Some(11)),
            // What tells was said after it.
            (1, "Segmentation fault\nerror: bad\n", "", None),
            (2, "make: [M:2: x] Segmentation fault (ignored)\nmake: *** [M:3: x] Error 1\n", "bad sum\n", None),
            // From outside; and a program that reports it by its status is known by that.
            (1, "Killed\n", "", None),
            (139, "Segmentation fault\n", "", None),
            (0, make, "", None),
        ] {
            assert_eq!(of(code, stderr, stdout), signal, "{code} {stderr}");
        }
    }

    #[test]
    fn what_ended_another_process_or_thread_counts_as_what_is_said_after_it_does() {
        let begin = "Traceback (most recent call last):\n";
        let own = "  File \"/u/x.py\", line 5, in work\n    a()\nKeyError: 'A'\n";
        let process =
            "  File \"/usr/lib/python3.11/multiprocessing/process.py\", line 314, in _bootstrap\n    self.run()\n";
        let thread = "  File \"/usr/lib/python3.11/threading.py\", line 1045, in _bootstrap_inner\n    self.run()\n";
        let java = "x.BadError: no\n\tat X.f(X.java:3)\n";
        let node = "TypeError: no\n    at f (/u/x.js:3:1)\n";
        let both = (vec![], Some("error: worker failed".to_owned()));
        let survived = |said: &str| (vec![said.to_owned()], None);
        for (command, text, wanted) in [
            ("python3 x.py", format!("{begin}{own}"), survived("KeyError: 'A'")),
            ("python3 x.py", format!("Process Process-1:\n{begin}{process}{own}"), both.clone()),
            ("python3 x.py", format!("Exception in thread Thread-1 (work):\n{begin}{thread}{own}"), both.clone()),
            ("python3 x.py", format!("Process SpawnPoolWorker-1:\n{begin}{own}"), both.clone()),
            ("java X", java.to_owned(), survived("x.BadError: no")),
            ("java X", format!("Exception in thread \"Thread-0\" {java}"), both.clone()),
            ("node x.js", node.to_owned(), survived("TypeError: no")),
            ("node x.js", format!("x.js:3\n  throw e;\n  ^\n\n{node}\nNode.js v20.20.2\n"), both.clone()),
        ] {
            let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let stderr = format!("{text}error: worker failed\n");
            let output = Output::run_by(&command, &Exit::Code(2), stderr.as_bytes(), b"");
            assert_eq!((output.survived, output.or), wanted, "{text}");
        }
    }
}
