//! A program at a terminal of its own.

use super::quiet::Quiet;
use super::{Action, Doing, GaveUp, Impossible, PlayError, Played, Playing, Script, keys, pid_of};
use reduct_system::signals::restore_file_size_limit;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, ioctl_tiocsctty, set_parent_process_death_signal, setsid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::ffi::{CString, OsString};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The size of a terminal of which nothing else is said.
pub(super) const SIZE: (u16, u16) = (80, 24);

/// How often a program is looked at that does nothing.
const LOOK: Duration = Duration::from_millis(2);
/// So many bytes are looked at for what is expected, the last ones.
const MOST: usize = 1 << 20;
/// A program that sleeps for this long waits for the next key.
const STEADY: Duration = Duration::from_millis(4);

/// Returns the moment this much later than now, or in a year, if that is beyond what can be counted.
pub(super) fn later(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or_else(|| now + Duration::from_secs(365 * 24 * 60 * 60))
}

/// A terminal, and the program at it.
pub(super) struct Terminal {
    pub(super) master: OwnedFd,
    /// The side of the program, by name.
    path: CString,
    pub(super) child: Child,
    pub(super) pid: Pid,
}

impl Terminal {
    /// Starts a program at a new terminal of this many columns and rows.
    pub(super) fn start(program: &[OsString], size: (u16, u16), term: Option<&str>) -> Result<Terminal, PlayError> {
        let (master, slave, path) = open().map_err(PlayError::trouble(Doing::OpenTerminal))?;
        resize(&master, size).map_err(PlayError::trouble(Doing::SetSize))?;
        let [name, arguments @ ..] = program else {
            return Err(PlayError::NoProgram);
        };
        let mut command = Command::new(name);
        command.args(arguments);
        if let Some(term) = term {
            command.env("TERM", term);
        }
        let side = || slave.try_clone().map(Stdio::from).map_err(PlayError::trouble(Doing::OpenTerminal));
        command.stdin(side()?).stdout(side()?).stderr(side()?);
        let prepare = || {
            restore_file_size_limit();
            setsid()?;
            ioctl_tiocsctty(rustix::stdio::stdin())?;
            Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
        };
        // SAFETY: the closure only makes system calls, all of them async-signal-safe; it allocates nothing and takes
        // no lock.
        unsafe { command.pre_exec(prepare) };
        let child = command.spawn().map_err(PlayError::trouble(Doing::StartProgram(name.clone())))?;
        let pid = pid_of(&child).ok_or(PlayError::NoProcess)?;
        Ok(Terminal { master, path, child, pid })
    }

    /// Returns what it writes within this time; nothing if that is nothing, `None` if all processes that could write are gone.
    pub(super) fn read(&self, within: Duration) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = vec![0; 1 << 16];
        match wait(&self.master, PollFlags::IN, within)? {
            false => return Ok(Some(vec![])),
            true => match rustix::io::read(&self.master, &mut bytes[..]) {
                Ok(0) | Err(rustix::io::Errno::IO) => return Ok(None),
                Ok(count) => bytes.truncate(count),
                Err(error) => return Err(error.into()),
            },
        }
        Ok(Some(bytes))
    }

    /// Returns whether something lies there that nobody has read.
    fn is_unread(&self) -> bool {
        let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let side = rustix::fs::open(&*self.path, flags, Mode::empty());
        side.is_ok_and(|side| rustix::io::ioctl_fionread(side).is_ok_and(|count| count > 0))
    }

    /// Gives it bytes, as many as it takes now.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match rustix::io::write(&self.master, bytes) {
            // Nobody is there to read.
            Err(rustix::io::Errno::IO) => Ok(bytes.len()),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
            other => Ok(other?),
        }
    }
}

/// Returns whether something can be done with a descriptor within this time.
fn wait(fd: &OwnedFd, what: PollFlags, within: Duration) -> io::Result<bool> {
    let time = Timespec::try_from(within).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 });
    match poll(&mut [PollFd::new(fd, what)], Some(&time)) {
        Err(rustix::io::Errno::INTR) => Ok(false),
        count => Ok(count? > 0),
    }
}

/// Returns both ends of a new terminal. That of the program is closed by its starter, so that its end can be seen.
fn open() -> io::Result<(OwnedFd, OwnedFd, CString)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&master, OFlags::NONBLOCK)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, vec![])?;
    let slave = rustix::fs::open(&*name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    Ok((master, slave, name))
}

/// Sets columns and rows.
pub(super) fn resize(terminal: &OwnedFd, (columns, rows): (u16, u16)) -> io::Result<()> {
    Ok(tcsetwinsize(terminal, Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 })?)
}

/// A play under way.
struct Scene<'a> {
    terminal: Terminal,
    playing: &'a Playing,
    quiet: Quiet,
    /// The end of what was written, from where the last expectation was met. Nothing once none comes any more.
    output: Vec<u8>,
    /// How many expectations are still to come.
    expected: usize,
    /// Whether all processes that could write are gone.
    closed: bool,
}

/// Why a wait is over.
#[derive(PartialEq, Eq)]
enum Over {
    Met,
    Ended,
    Idle,
    Late,
}

pub(super) fn play(script: &Script, playing: &Playing) -> Result<Played, PlayError> {
    let first = script.0.first().and_then(|(_, action)| match action {
        Action::Size(columns, rows) => Some((*columns, *rows)),
        _ => None,
    });
    let terminal = Terminal::start(&playing.program, first.unwrap_or(SIZE), Some("xterm"))?;
    let expected = script.0.iter().filter(|(_, action)| matches!(action, Action::Expect(..))).count();
    let mut scene = Scene { terminal, playing, quiet: Quiet::default(), output: vec![], expected, closed: false };
    for (line, action) in &script.0 {
        if scene.do_it(*line, action)? == Over::Ended {
            break;
        }
    }
    // A program of which all is closed has nothing more to get, but may have something to do.
    let over = scene.wait(playing.idle, playing.patience, |_| false)?;
    if over == Over::Ended {
        let status = scene.terminal.child.wait().map_err(PlayError::trouble(Doing::Wait))?;
        return Ok(Played::Ended(status));
    }
    Ok(Played::Survived)
}

impl Scene<'_> {
    fn do_it(&mut self, line: usize, action: &Action) -> Result<Over, PlayError> {
        let impossible = |what| PlayError::Impossible { line, what };
        let unknown = |chord: &[String]| impossible(Impossible::TerminalKey(chord.to_vec()));
        match action {
            Action::Type(text) => self.send(text),
            Action::Key(chords) => {
                for chord in chords {
                    let bytes = keys::sent(chord).ok_or_else(|| unknown(chord))?;
                    if self.send(&bytes)? == Over::Ended {
                        return Ok(Over::Ended);
                    }
                }
                Ok(Over::Met)
            }
            Action::KeyDown(chord) => self.send(&keys::sent(chord).ok_or_else(|| unknown(chord))?),
            Action::KeyUp(_) => Ok(Over::Met),
            Action::Sleep(time) => self.wait(*time, *time, |_| false),
            Action::Expect(regex, patience) => {
                let found = |output: &mut Vec<u8>| {
                    let end = regex.find(output).map(|found| found.end());
                    end.map(|end| output.drain(..end)).is_some()
                };
                let why = match self.wait(self.playing.idle, patience.unwrap_or(self.playing.patience), found)? {
                    Over::Met => {
                        self.expected = self.expected.saturating_sub(1);
                        return Ok(Over::Met);
                    }
                    // That it ends is what may be looked for: how, its status says.
                    Over::Ended => return Ok(Over::Ended),
                    Over::Idle => GaveUp::Idle,
                    Over::Late => GaveUp::Late,
                };
                Err(PlayError::NotSeen { line, expected: regex.as_str().into(), why })
            }
            Action::Size(columns, rows) => {
                resize(&self.terminal.master, (*columns, *rows)).map_err(PlayError::trouble(Doing::SetSize))?;
                self.quiet.disturb();
                Ok(Over::Met)
            }
            _ => Err(impossible(Impossible::Pointer)),
        }
    }

    /// Types, once the program waits for it.
    fn send(&mut self, bytes: &[u8]) -> Result<Over, PlayError> {
        let over = self.wait(STEADY, self.playing.patience, |_| false)?;
        if over == Over::Ended {
            return Ok(Over::Ended);
        }
        let until = later(self.playing.patience);
        let mut rest = bytes;
        while !rest.is_empty() && Instant::now() < until {
            let count = self.terminal.write(rest).map_err(PlayError::trouble(Doing::Write))?;
            rest = &rest[count..];
            self.pump(if count == 0 { LOOK } else { Duration::ZERO })?;
            if self.has_ended()? {
                return Ok(Over::Ended);
            }
        }
        if over == Over::Idle {
            self.arrive(bytes.ends_with(b"\n") || bytes.ends_with(b"\r"))?;
        }
        self.quiet.disturb();
        Ok(Over::Met)
    }

    /// Waits until what was typed has woken somebody, or lies there unread. The kernel hands it over when it has time,
    /// and until then the program looks asleep.
    fn arrive(&mut self, is_line: bool) -> Result<(), PlayError> {
        let typed = Instant::now();
        let mut unread = None;
        while typed.elapsed() < self.playing.idle.saturating_mul(10) {
            if self.quiet.awoke(&[self.terminal.pid]) || self.has_ended()? {
                break;
            }
            if self.terminal.is_unread() {
                let since: &mut Instant = unread.get_or_insert_with(Instant::now);
                if since.elapsed() >= self.playing.idle {
                    break;
                }
            } else if !is_line && typed.elapsed() >= self.playing.idle {
                // Half a line wakes nobody.
                break;
            }
            self.pump(LOOK)?;
        }
        Ok(())
    }

    /// Waits until something holds of the output, the program has ended, sleeps for `idle`, or it is too late.
    fn wait(
        &mut self,
        idle: Duration,
        patience: Duration,
        mut met: impl FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Over, PlayError> {
        let until = later(patience);
        // What was written before may be what is waited for.
        let mut is_new = true;
        loop {
            let wrote = self.pump(LOOK)?;
            if std::mem::take(&mut is_new) | wrote && met(&mut self.output) {
                return Ok(Over::Met);
            }
            if self.has_ended()? {
                // What it wrote last may be what is waited for.
                while self.pump(Duration::ZERO)? {}
                return Ok(if met(&mut self.output) { Over::Met } else { Over::Ended });
            }
            if wrote {
                self.quiet.disturb();
            } else if self.quiet.since(&[self.terminal.pid]) >= idle {
                return Ok(Over::Idle);
            }
            if Instant::now() >= until {
                return Ok(Over::Late);
            }
        }
    }

    fn has_ended(&mut self) -> Result<bool, PlayError> {
        let status = self.terminal.child.try_wait().map_err(PlayError::trouble(Doing::Wait))?;
        Ok(status.is_some())
    }

    /// Takes what is written within this time, and passes it on. Whether it was anything.
    fn pump(&mut self, within: Duration) -> Result<bool, PlayError> {
        if self.closed {
            std::thread::sleep(within);
            return Ok(false);
        }
        let Some(bytes) = self.terminal.read(within).map_err(PlayError::trouble(Doing::Read))? else {
            self.closed = true;
            return Ok(false);
        };
        // The caller that does not want the output still wants to know how the program ends.
        let _ = io::stdout().write_all(&bytes).and_then(|()| io::stdout().flush());
        if self.expected > 0 {
            self.output.extend_from_slice(&bytes);
            self.output.drain(..self.output.len().saturating_sub(MOST));
        } else {
            self.output = vec![];
        }
        Ok(!bytes.is_empty())
    }
}
