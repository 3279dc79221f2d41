//! What of an output counts: who runs others apart from who is run, and only the last words of who died.

use super::dying::last_words;
use super::reports::{self, Report};
use super::survived::{Standing, standing};
use super::telling;
use super::terminal::plain;
use super::wrappers::{self, is_end_by_xargs, part};
use crate::executor::{Exit, Observed};

/// An output, taken apart.
#[derive(Default)]
pub(super) struct Output {
    /// What the program itself says, on standard error and on standard output.
    pub(super) own: [String; 2],
    /// What programs that ran it say of how it ended, the innermost first.
    pub(super) ends: Vec<String>,
    /// Whether it died, itself or below another one.
    pub(super) died: bool,
    /// The exceptions that the program has printed and survived, by class and message.
    pub(super) survived: Vec<String>,
    /// A line that may be why it ended, as the report may.
    pub(super) or: Option<String>,
}

/// What `timeout` exits with when the time was over.
pub(super) const TIMED_OUT: i32 = 124;

/// What `xargs` exits with when a child died.
pub(super) const DIED: i32 = 125;

/// Whether `xargs` says how a child ended.
pub(super) fn is_passed_on_by_xargs(observed: &Observed) -> bool {
    String::from_utf8_lossy(&observed.stderr).lines().any(is_end_by_xargs)
}

impl Output {
    /// Takes apart what a run that ended so has printed.
    pub(super) fn of(exit: &Exit, stderr: &[u8], stdout: &[u8]) -> Output {
        let texts = [plain(stderr), plain(stdout)];
        let parted = part([&texts[0], &texts[1]]);
        let mut output = Output { own: parted.own, ends: parted.ends, ..Output::default() };
        // What was printed until the time was over is chance.
        if *exit == Exit::Code(TIMED_OUT) && !output.ends.iter().any(|line| is_end_by_xargs(line)) {
            return Output { died: true, ..Output::default() };
        }
        output.leave_out_calls();
        if let Some(signal) = output.death(exit) {
            output.died = true;
            output.own = output.own.map(|text| last_words(&text, signal).to_owned());
            if matches!(exit, Exit::Signal(_)) {
                // It has run others that died, perhaps; that is not how it ended.
                output.ends.clear();
            }
        } else if let Exit::Code(1..) = exit {
            output.leave_out_survived(exit);
        }
        output
    }

    /// An exception that the program has caught, printed and survived does not tell why it ended.
    fn leave_out_survived(&mut self, exit: &Exit) {
        let own = if let Exit::Code(code) = exit { Some(*code) } else { None };
        let statuses: Vec<i32> = self.ends.iter().filter_map(|line| wrappers::status(line)).chain(own).collect();
        for (at, beside) in [(0, 1), (1, 0)] {
            let Some(printed) = reports::exception(&self.own[at]) else { continue };
            match standing(&printed, &self.own[beside], &statuses) {
                Standing::Survived => {
                    self.survived.push(printed.report.in_short());
                    self.own[at] = printed.rest.to_owned();
                }
                Standing::Either(line) => {
                    self.or = Some(line);
                    break;
                }
                Standing::Reason => break,
            }
        }
    }

    /// The signal the program died of, if it did: so it ended, or so says who ran it.
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

    /// Python says of a program that it started and that failed where it was started: if that one says anything that
    /// tells, this does not.
    fn leave_out_calls(&mut self) {
        let [stderr, stdout] = &self.own;
        let Some((without, line)) = without_call(stderr) else { return };
        let without = [without, stdout.clone()];
        if report_in(&without).is_some() || telling::tells(&without) {
            self.ends.push(line);
            self.own = without;
        }
    }

    /// The report in it, if there is one.
    pub(super) fn report(&self) -> Option<Report> {
        report_in(&self.own)
    }
}

fn report_in([stderr, stdout]: &[String; 2]) -> Option<Report> {
    reports::read(stderr.as_bytes(), stdout.as_bytes())
}

const TRACEBACK: &str = "Traceback (most recent call last):";
const CALL: &str = "subprocess.CalledProcessError: ";

/// The text without the traceback that ends in a program that failed, and what it says of that.
fn without_call(text: &str) -> Option<(String, String)> {
    let end = text.rfind(&format!("\n{CALL}"))? + 1;
    let begin = text[..end].rfind(TRACEBACK)?;
    let line = text[end..].lines().next()?;
    Some((text[..begin].to_owned() + &text[end + line.len()..], line.to_owned()))
}
