//! The page of a run while it goes on: served on this machine, to people who know the token in its address.

mod watched;

use crate::errors::Refusal;
use crate::http::gate::{OURS, TurnedAway, is_from_here, refused, response, token};
use crate::http::{Request, Response, Server};
use crate::live;
use crate::runs::Run;
use crate::story::Growing;
use reduct_report::live::{NO_WAY_BACK, NOT_UNDER_WAY};
use reduct_report::page::live::{self as page, Since};
use reduct_report::story::Story;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use watched::Watched;

/// Goes on with a run from one of its steps, once it is not under way any more.
pub type Back = Box<dyn Fn(&Path, usize) -> io::Result<()> + Send>;

/// Reads a run of several searches (an [inquiry](crate::inquiry)), whose story this library cannot tell by itself. `None` if it is
/// none.
pub type InquiryReader = fn(&Run) -> Result<Option<Story>, Refusal>;

/// A server that shows a run, until it is dropped.
///
/// ```no_run
/// # use reduct_lib::Viewer;
/// let viewer = Viewer::start(|_| Ok(None), None)?;
/// viewer.show(".reduct/0001-page.html".as_ref());
/// println!("{}", viewer.address());
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
pub struct Viewer {
    address: String,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the viewer and the thread of its server share.
struct Shared {
    run: Mutex<Option<PathBuf>>,
    watched: Watched,
    is_over: AtomicBool,
}

/// The page is read once more, after the run has ended, within this time.
const LAST_READ: Duration = Duration::from_secs(3);
/// How often the server looks whether it is to end.
const PAUSE: Duration = Duration::from_millis(200);

impl Viewer {
    /// Begins to serve at a free port of this machine, nothing yet. Runs of several searches are read by `inquiries`. With `back`,
    /// steps can be gone back to.
    ///
    /// # Errors
    /// If no port can be had.
    pub fn start(inquiries: InquiryReader, back: Option<Back>) -> Result<Viewer, Refusal> {
        let cannot = Refusal::io("serve", "the page");
        let begin = || {
            let root = format!("/{}/", token()?);
            let known = root.clone();
            let server = Server::new(Box::new(move |head| refused(head, &known)))?;
            let address = format!("http://127.0.0.1:{}{root}", server.port());
            let shared =
                Arc::new(Shared { run: Mutex::new(None), watched: Watched::start()?, is_over: AtomicBool::new(false) });
            let seen = shared.clone();
            let thread = thread::Builder::new().name("view".to_owned()).spawn(move || {
                // What it has read of the run stays in its thread.
                let shown = Shown { inquiries, growing: Growing::default(), is_inquiry: None };
                Handler { shared: seen, root, back, shown }.serve(&server);
            })?;
            Ok(Viewer { address, shared, thread: Some(thread) })
        };
        begin().map_err(cannot)
    }

    /// Returns the address of the page, which is a secret.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Shows this run from now on.
    pub fn show(&self, run: &Path) {
        *self.shared.run.lock().unwrap_or_else(PoisonError::into_inner) = Some(run.to_owned());
        self.shared.watched.watch(run);
    }
}

impl Drop for Viewer {
    /// Lets the page show how the run ended.
    fn drop(&mut self) {
        let until = Instant::now() + LAST_READ;
        self.shared.watched.end();
        while self.shared.watched.is_awaited() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
        }
        self.shared.is_over.store(true, Ordering::SeqCst);
        self.thread.take().map(JoinHandle::join);
    }
}

/// Replies to requests.
struct Handler {
    shared: Arc<Shared>,
    root: String,
    back: Option<Back>,
    shown: Shown,
}

/// What is read of the run.
struct Shown {
    inquiries: InquiryReader,
    growing: Growing,
    /// Whether the run in this folder is one of several searches, once that is known.
    is_inquiry: Option<(PathBuf, bool)>,
}

impl Shown {
    /// Reads what is new of a run, and shows all of it with the number of its beginnings; one of several searches is read anew.
    fn show<T>(&mut self, folder: &Path, show: impl FnOnce(&Story, u64) -> T) -> Result<T, Refusal> {
        let run = Run::at(folder.to_owned());
        let known = self.is_inquiry.as_ref().filter(|(of, _)| of == folder).map(|(_, is_inquiry)| *is_inquiry);
        if known != Some(false) {
            let story = (self.inquiries)(&run)?;
            self.is_inquiry = Some((folder.to_owned(), story.is_some()));
            if let Some(story) = story {
                return Ok(show(&story, 0));
            }
        }
        self.growing.show(&run, show)
    }
}

impl Handler {
    fn serve(mut self, server: &Server) {
        while !self.shared.is_over.load(Ordering::SeqCst) {
            let Some(request) = server.next(PAUSE) else { continue };
            let path = request.head.target.strip_prefix(&self.root).unwrap_or_default().to_owned();
            match (&*request.head.method, &*path) {
                ("GET", "") => {
                    let page = self.page();
                    self.shared.watched.note_page();
                    request.reply(page);
                }
                ("GET", path) if path.starts_with("grown?") => {
                    let reply = self.grown(path.trim_start_matches("grown?"));
                    request.reply(reply);
                }
                ("GET", "events") => self.shared.watched.add(request.stream(of("text/event-stream", vec![], 200))),
                ("POST", "do") => {
                    let reply = self.act(&request);
                    request.reply(reply);
                }
                ("GET", _) => request.reply(away(TurnedAway::Nothing)),
                _ => request.reply(away(TurnedAway::OtherMethod)),
            }
        }
    }

    fn run(&self) -> Option<PathBuf> {
        self.shared.run.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the page of the run as it is now.
    fn page(&mut self) -> Response {
        let goes_back = self.back.is_some();
        let page = self
            .run()
            .map(|folder| self.shown.show(&folder, |story, beginnings| page::live(story, goes_back, beginnings)));
        // Its journal may have but its first record.
        let page = page.and_then(Result::ok).unwrap_or_else(page::waiting);
        of("text/html; charset=utf-8", page.into_bytes(), 200)
    }

    /// Returns what the page lacks that knows so much of the run.
    fn grown(&mut self, known: &str) -> Response {
        let field = |name: &str| known.split('&').find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
        let number = |name: &str| field(name).and_then(|value| value.parse::<u64>().ok()).unwrap_or(0);
        let since = Since {
            beginnings: number("beginnings"),
            tests: number("tests"),
            steps: number("steps") as usize,
            drawn: number("drawn"),
            answer: field("answer").unwrap_or_default().to_owned(),
        };
        let grown = self
            .run()
            .map(|folder| self.shown.show(&folder, |story, beginnings| page::grown(story, beginnings, &since)));
        let grown = grown.and_then(Result::ok).unwrap_or_else(page::anew);
        of("application/json", grown.to_string().into_bytes(), 200)
    }

    /// Does what is asked for, if it is asked by this page.
    fn act(&self, request: &Request) -> Response {
        if !is_from_here(&request.head) {
            return away(TurnedAway::OtherOrigin);
        }
        let posted = String::from_utf8_lossy(&request.body).into_owned();
        let field = |name: &str| posted.split('&').find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
        let (Some(what), Some(run)) = (field("what"), self.run()) else { return away(TurnedAway::NoAnswer) };
        let step = field("step").and_then(|step| step.parse::<usize>().ok());
        match (what, step, &self.back) {
            ("back", Some(_), None) => text(409, NO_WAY_BACK.to_owned()),
            ("back", Some(step), Some(back)) => match self.go_back(&run, step, back) {
                Ok(()) => text(200, String::new()),
                Err(error) => text(409, format!("{error}\n")),
            },
            (word, ..) if live::is_request(word) => match self.shared.watched.send(word) {
                true => text(200, String::new()),
                false => text(409, NOT_UNDER_WAY.to_owned()),
            },
            _ => away(TurnedAway::NoAnswer),
        }
    }

    /// Stops the run if it is under way, and has it go on from a step.
    fn go_back(&self, run: &Path, step: usize, back: &Back) -> io::Result<()> {
        self.shared.watched.send("stop");
        // Its result is written and run again before it has ended.
        while self.shared.watched.is_alive() && !self.shared.is_over.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(20));
        }
        back(run, step)
    }
}

fn of(sort: &str, body: Vec<u8>, status: u16) -> Response {
    // What the page itself may do, it says itself.
    response(status, body, sort, "frame-ancestors 'none'; base-uri 'none'; form-action 'none'", &OURS)
}

fn text(status: u16, text: String) -> Response {
    of("text/plain; charset=utf-8", text.into_bytes(), status)
}

fn away(why: TurnedAway) -> Response {
    text(why.status(), why.to_string())
}
