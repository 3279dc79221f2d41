//! Talks to a person: single keys on a terminal, lines anywhere else.

use super::question_folder::QuestionFolder;
use super::showing::showing;
use reduct_input::Candidate;
use reduct_report::asking::{self, QuestionScreen};
use reduct_report::{excerpt, keys};
use reduct_session::executor::person::{Talk, Word};
use reduct_sources::write_below;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Standard input and standard error, and a folder in which candidates are shown.
pub(super) struct Console {
    folder: QuestionFolder,
    /// The name of the candidate in it.
    subject: PathBuf,
    /// What shows it, if anything.
    viewer: Vec<OsString>,
    shown: Option<Child>,
    screen: QuestionScreen,
    /// Single keys, if there is a terminal.
    keys: Option<keys::Single>,
    /// What was read and not yet understood.
    typed: Vec<u8>,
    is_over: bool,
}

/// What an answer is, and what else can be said.
enum Typed {
    Word(Word),
    Again,
    Nothing,
    /// This, which is no answer.
    Unknown(String),
}

const ESCAPE: u8 = 0x1b;

impl Console {
    pub(super) fn new(
        folder: QuestionFolder,
        subject: PathBuf,
        viewer: Vec<OsString>,
        screen: QuestionScreen,
    ) -> Console {
        let keys = if io::stderr().is_terminal() { keys::single() } else { None };
        Console { folder, subject, viewer, shown: None, screen, keys, typed: vec![], is_over: false }
    }

    fn place(&self) -> PathBuf {
        self.folder.folder().join(&self.subject)
    }

    /// Starts what shows the candidate, in the place of what showed the last one.
    fn open(&mut self) {
        self.close();
        let words = showing(&self.viewer, &self.place());
        let (Some((program, arguments)), false) = (words.split_first(), self.viewer.is_empty()) else { return };
        let mut command = Command::new(program);
        // What it prints is for the person; a group of its own, so that it can be closed with all it started.
        command
            .args(arguments)
            .current_dir(self.folder.folder())
            .stdin(Stdio::null())
            .stdout(io::stderr())
            .process_group(0);
        match command.spawn() {
            Ok(child) => self.shown = Some(child),
            Err(error) => say(&asking::not_started(program, &error)),
        }
    }

    fn close(&mut self) {
        let Some(mut child) = self.shown.take() else { return };
        if matches!(child.try_wait(), Ok(None)) {
            let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
            // It may have ended just now.
            let _ = group.map(|group| rustix::process::kill_process_group(group, rustix::process::Signal::TERM));
        }
        std::thread::spawn(move || child.wait());
    }

    fn prompt(&self) {
        let _ = write!(io::stderr(), "{}", asking::CHOICES);
        let _ = io::stderr().flush();
    }

    fn understand(&mut self, said: Typed) -> Option<Word> {
        // On a terminal, the line end was shown when it was typed.
        if !io::stdin().is_terminal() {
            say("");
        }
        match said {
            Typed::Word(word) => {
                self.close();
                return Some(word);
            }
            Typed::Again => {
                self.open();
                say(&asking::opened_again(&self.place()));
            }
            Typed::Nothing => {}
            Typed::Unknown(typed) => say(&asking::no_answer(&typed)),
        }
        self.prompt();
        None
    }

    /// Returns the next thing that was typed, if it is whole.
    fn take(&mut self) -> Option<Typed> {
        if self.keys.is_some() {
            let key = (!self.typed.is_empty()).then(|| self.typed.remove(0))?;
            // An arrow or a function key comes as a sequence, which holds letters.
            if key == ESCAPE {
                self.typed.clear();
                return Some(Typed::Nothing);
            }
            let said = meaning(&[key]);
            // Single keys are not shown by the terminal.
            say(&excerpt::clean(&char::from(key).to_string()));
            return Some(said);
        }
        let end = self.typed.iter().position(|byte| *byte == b'\n');
        let end = end.or_else(|| (self.is_over && !self.typed.is_empty()).then(|| self.typed.len() - 1))?;
        let line: Vec<u8> = self.typed.drain(..=end).collect();
        Some(meaning(&line))
    }

    /// Reads what there is, waiting for it at most this long.
    fn read(&mut self, at_most: Duration) {
        let input = rustix::stdio::stdin();
        let wait = Timespec { tv_sec: at_most.as_secs() as i64, tv_nsec: i64::from(at_most.subsec_nanos()) };
        let mut ready = [PollFd::new(&input, PollFlags::IN)];
        if !matches!(poll(&mut ready, Some(&wait)), Ok(1..)) {
            return;
        }
        let mut bytes = [0; 256];
        match rustix::io::read(input, &mut bytes) {
            Ok(0) => self.is_over = true,
            Ok(count) => self.typed.extend_from_slice(&bytes[..count]),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
            // A terminal that is gone.
            Err(_) => self.is_over = true,
        }
    }
}

impl Talk for Console {
    fn ask(&mut self, candidate: &Candidate) -> io::Result<()> {
        for entry in fs::read_dir(self.folder.folder())? {
            let entry = entry?;
            if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
        }
        write_below(candidate, self.folder.folder())?;
        say("");
        self.screen.now().lines(&self.place()).iter().for_each(|line| say(line));
        asking::describe(candidate).iter().for_each(|line| say(line));
        self.open();
        self.prompt();
        Ok(())
    }

    fn listen(&mut self, at_most: Duration) -> Option<Word> {
        loop {
            if let Some(said) = self.take() {
                match self.understand(said) {
                    Some(word) => return Some(word),
                    None => continue,
                }
            }
            if self.is_over {
                say("");
                say(asking::INPUT_ENDED);
                return Some(Word::Stop);
            }
            let before = (self.typed.len(), self.is_over);
            self.read(at_most);
            if (self.typed.len(), self.is_over) == before {
                return None;
            }
        }
    }

    fn nothing_to_undo(&mut self) {
        say(asking::NOTHING_TO_UNDO);
        self.prompt();
    }

    fn heard(&mut self, word: Word) {
        say(&asking::said_on_the_page(word));
        self.close();
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        self.close();
    }
}

/// Returns what was typed means.
fn meaning(typed: &[u8]) -> Typed {
    match &typed.trim_ascii().to_ascii_lowercase()[..] {
        b"f" | b"fail" | b"fails" => Typed::Word(Word::Fails),
        b"p" | b"pass" | b"passes" => Typed::Word(Word::Passes),
        b"c" | b"cannot tell" => Typed::Word(Word::CannotTell),
        b"u" | b"undo" => Typed::Word(Word::Undo),
        b"q" | b"quit" => Typed::Word(Word::Stop),
        b"o" | b"open" | b"open again" => Typed::Again,
        b"" => Typed::Nothing,
        other => Typed::Unknown(excerpt::shorten(&excerpt::clean_bytes(&other[..other.len().min(80)]), 20)),
    }
}

/// Writes a line to the person, wherever the results go.
fn say(line: &str) {
    // Without a listener, nothing is lost.
    let _ = writeln!(io::stderr(), "{}", excerpt::clean(line));
}
