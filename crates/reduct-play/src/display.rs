//! A program on a display of its own: Xvfb, and the extension XTEST to press keys and buttons.

use super::quiet::Quiet;
use super::terminal::later;
use super::{Action, Doing, Impossible, PlayError, Played, Playing, Script, keys, pid_of};
use reduct_system::signals::restore_file_size_limit;
use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, InputFocus,
    KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// How often programs are looked at that do nothing.
const LOOK: Duration = Duration::from_millis(1);
/// A program that sleeps for this long has dealt with an event.
const STEADY: Duration = Duration::from_millis(2);

/// A server of X, which ends with this value.
struct Server(Child);

impl Server {
    /// Starts one on a display that nobody uses; returns its name, too.
    fn start() -> Result<(Server, String), PlayError> {
        let mut command = Command::new("Xvfb");
        // It writes the number of its display when it is ready.
        command.args(["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        die_with_parent(&mut command);
        let mut child = command.spawn().map_err(PlayError::trouble(Doing::StartServer))?;
        let output = child.stdout.take();
        let server = Server(child);
        let mut line = String::new();
        let read = output.map(|output| BufReader::new(output).read_line(&mut line));
        let number = read.and_then(Result::ok).and_then(|_| line.trim().parse::<u32>().ok());
        Ok((server, format!(":{}", number.ok_or(PlayError::NoDisplay)?)))
    }
}

impl Drop for Server {
    /// Lets it remove its lock and its socket.
    fn drop(&mut self) {
        if let Some(pid) = pid_of(&self.0) {
            let _ = kill_process(pid, Signal::TERM);
        }
        let _ = self.0.wait();
    }
}

fn die_with_parent(command: &mut Command) {
    let prepare = || {
        restore_file_size_limit();
        Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
    };
    // SAFETY: the closure makes system calls, all of them async-signal-safe; it allocates nothing and takes no lock.
    unsafe { command.pre_exec(prepare) };
}

/// A play under way.
struct Scene<'a> {
    connection: RustConnection,
    root: Window,
    child: Child,
    /// The server and the program.
    pids: [Pid; 2],
    quiet: Quiet,
    playing: &'a Playing,
    keyboard: Keyboard,
}

pub(super) fn play(script: &Script, playing: &Playing) -> Result<Played, PlayError> {
    let (server, display) = Server::start()?;
    let (connection, screen) = x11rb::connect(Some(&display))?;
    let root = connection.setup().roots[screen].root;
    let mapped = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
    connection.change_window_attributes(root, &mapped)?;
    let keyboard = Keyboard::of(&connection)?;
    let [name, arguments @ ..] = &playing.program[..] else {
        return Err(PlayError::NoProgram);
    };
    let mut command = Command::new(name);
    command.args(arguments).env("DISPLAY", &display).stdin(Stdio::null());
    die_with_parent(&mut command);
    let child = command.spawn().map_err(PlayError::trouble(Doing::StartProgram(name.clone())))?;
    let (Some(of_server), Some(of_child)) = (pid_of(&server.0), pid_of(&child)) else {
        return Err(PlayError::NoWindow);
    };
    let (pids, quiet) = ([of_server, of_child], Quiet::default());
    let mut scene = Scene { connection, root, child, pids, quiet, playing, keyboard };
    let played = scene.play(script);
    // The program goes before its display does: what it does without one would be no answer.
    let _ = scene.child.kill();
    let _ = scene.child.wait();
    played
}

impl Scene<'_> {
    fn play(&mut self, script: &Script) -> Result<Played, PlayError> {
        if let Some(ended) = self.wait_for_window()? {
            return Ok(ended);
        }
        for (line, action) in &script.0 {
            if let Action::Sleep(time) = action {
                if let Some(ended) = self.wait(*time, *time, false)? {
                    return Ok(ended);
                }
                continue;
            }
            self.do_it(*line, action)?;
            if let Some(ended) = self.wait(STEADY, self.playing.patience, true)? {
                return Ok(ended);
            }
        }
        Ok(self.wait(self.playing.idle, self.playing.patience, true)?.unwrap_or(Played::Survived))
    }

    /// Waits until the program has opened a window, which gets the keys from then on.
    fn wait_for_window(&mut self) -> Result<Option<Played>, PlayError> {
        let until = later(self.playing.patience);
        let window = loop {
            match self.connection.poll_for_event()? {
                Some(Event::MapNotify(event)) if event.event == self.root => break event.window,
                Some(_) => {}
                None if Instant::now() >= until => return Err(PlayError::NoWindow),
                None => {
                    if let Some(ended) = self.ended()? {
                        return Ok(Some(ended));
                    }
                    std::thread::sleep(LOOK);
                }
            }
        };
        if let Some(ended) = self.wait(STEADY, self.playing.patience, true)? {
            return Ok(Some(ended));
        }
        // Without a window manager nobody else gives it the keyboard. It may be gone again.
        let focus = self.connection.set_input_focus(InputFocus::POINTER_ROOT, window, x11rb::CURRENT_TIME);
        let _ = focus?.check();
        self.wait(STEADY, self.playing.patience, true)
    }

    fn ended(&mut self) -> Result<Option<Played>, PlayError> {
        let status = self.child.try_wait().map_err(PlayError::trouble(Doing::Wait))?;
        Ok(status.map(Played::Ended))
    }

    /// Waits until program and server have slept for `idle`, if that is asked for, or for so long. How the program
    /// ended, if it did.
    fn wait(&mut self, idle: Duration, patience: Duration, until_idle: bool) -> Result<Option<Played>, PlayError> {
        let until = later(patience);
        self.quiet.disturb();
        loop {
            if let Some(ended) = self.ended()? {
                return Ok(Some(ended));
            }
            let now = Instant::now();
            if now >= until || until_idle && self.quiet.since(&self.pids) >= idle {
                return Ok(None);
            }
            std::thread::sleep(LOOK.min(until - now));
        }
    }

    fn do_it(&mut self, line: usize, action: &Action) -> Result<(), PlayError> {
        let steps = self.steps(line, action)?;
        for XEvent(event, detail, x, y) in steps {
            let sent = self.connection.xtest_fake_input(event, detail, x11rb::CURRENT_TIME, self.root, x, y, 0);
            sent?.check()?;
        }
        Ok(())
    }

    /// Returns what XTEST is told for an event.
    fn steps(&self, line: usize, action: &Action) -> Result<Vec<XEvent>, PlayError> {
        let impossible = |what| PlayError::Impossible { line, what };
        let code = |name: &str| {
            let found = keys::symbol(name).and_then(|symbol| self.keyboard.find(symbol));
            found.ok_or_else(|| impossible(Impossible::Key(name.to_owned())))
        };
        let press = |code| XEvent(KEY_PRESS_EVENT, code, 0, 0);
        let release = |code| XEvent(KEY_RELEASE_EVENT, code, 0, 0);
        let mut steps = vec![];
        match action {
            Action::Key(chords) => {
                for chord in chords {
                    let codes = chord.iter().map(|name| code(name)).collect::<Result<Vec<_>, _>>()?;
                    let codes: Vec<u8> = codes.into_iter().flat_map(|found| self.keyboard.pressed(found)).collect();
                    steps.extend(codes.iter().map(|code| press(*code)));
                    steps.extend(codes.iter().rev().map(|code| release(*code)));
                }
            }
            Action::KeyDown(chord) => {
                for name in chord {
                    steps.extend(self.keyboard.pressed(code(name)?).into_iter().map(press));
                }
            }
            Action::KeyUp(chord) => {
                for name in chord.iter().rev() {
                    steps.extend(self.keyboard.pressed(code(name)?).into_iter().rev().map(release));
                }
            }
            Action::Type(text) => {
                for character in String::from_utf8_lossy(text).chars() {
                    let found = self.keyboard.find(keys::symbol_of(character));
                    let found = found.ok_or_else(|| impossible(Impossible::Character(character)))?;
                    let codes = self.keyboard.pressed(found);
                    steps.extend(codes.iter().map(|code| press(*code)));
                    steps.extend(codes.iter().rev().map(|code| release(*code)));
                }
            }
            Action::Move { x, y, relative } => steps.push(XEvent(MOTION_NOTIFY_EVENT, u8::from(*relative), *x, *y)),
            Action::ButtonDown(button) => steps.push(XEvent(BUTTON_PRESS_EVENT, *button, 0, 0)),
            Action::ButtonUp(button) => steps.push(XEvent(BUTTON_RELEASE_EVENT, *button, 0, 0)),
            Action::Click(button, times) => {
                for _ in 0..*times {
                    steps.push(XEvent(BUTTON_PRESS_EVENT, *button, 0, 0));
                    steps.push(XEvent(BUTTON_RELEASE_EVENT, *button, 0, 0));
                }
            }
            Action::Sleep(_) | Action::Size(..) => {}
            Action::Expect(..) => return Err(impossible(Impossible::Expectation)),
        }
        Ok(steps)
    }
}

/// The kind of an event, its key, button or mode, and where.
struct XEvent(u8, u8, i16, i16);

/// Which key is where.
struct Keyboard {
    first: u8,
    width: usize,
    symbols: Vec<u32>,
    shift: u8,
}

impl Keyboard {
    fn of(connection: &RustConnection) -> Result<Keyboard, PlayError> {
        let (first, last) = (connection.setup().min_keycode, connection.setup().max_keycode);
        let reply = connection.get_keyboard_mapping(first, last - first + 1)?.reply()?;
        let width = usize::from(reply.keysyms_per_keycode).max(1);
        let mut keyboard = Keyboard { first, width, symbols: reply.keysyms, shift: 0 };
        keyboard.shift = keys::symbol("shift").and_then(|shift| keyboard.find(shift)).map_or(0, |(code, _)| code);
        Ok(keyboard)
    }

    /// Returns the key of a symbol, and whether it needs Shift.
    fn find(&self, symbol: u32) -> Option<(u8, bool)> {
        let at_level = |level: usize| {
            let mut keys = self.symbols.chunks(self.width);
            keys.position(|symbols| symbols.get(level) == Some(&symbol)).map(|at| (self.first + at as u8, level == 1))
        };
        at_level(0).or_else(|| at_level(1))
    }

    /// Returns the keys to press for one, in their order.
    fn pressed(&self, (code, shifted): (u8, bool)) -> Vec<u8> {
        if shifted { vec![self.shift, code] } else { vec![code] }
    }
}
