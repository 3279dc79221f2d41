//! The page of a run while it goes on: served on this machine, to people who know the token in its address.

mod watched;

use crate::errors::Refusal;
use crate::http::gate::{OURS, TurnedAway, is_from_here, refused, response, token};
use crate::http::{Request, Response, Server};
use crate::live;
use crate::runs::Run;
use crate::story::story;
use reduct_report::live::{NO_WAY_BACK, NOT_UNDER_WAY};
use reduct_report::page::live as page;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use watched::Watched;

/// Goes on with a run from one of its steps, once it is not under way any more.
pub type Back = Box<dyn Fn(&Path, usize) -> io::Result<()> + Send>;

/// A server that shows a run, until it is dropped.
///
/// ```no_run
/// # use reduct_lib::Viewer;
/// let viewer = Viewer::start(None)?;
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
    /// Begins to serve at a free port of this machine, nothing yet. With `back`, steps can be gone back to.
    ///
    /// # Errors
    /// If no port can be had.
    pub fn start(back: Option<Back>) -> Result<Viewer, Refusal> {
        let cannot = Refusal::io("serve", "the page");
        let begin = || {
            let root = format!("/{}/", token()?);
            let known = root.clone();
            let server = Server::new(Box::new(move |head| refused(head, &known)))?;
            let address = format!("http://127.0.0.1:{}{root}", server.port());
            let shared =
                Arc::new(Shared { run: Mutex::new(None), watched: Watched::start()?, is_over: AtomicBool::new(false) });
            let handler = Handler { shared: shared.clone(), root, back };
            let thread = thread::Builder::new().name("view".to_owned()).spawn(move || handler.serve(&server))?;
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
}

impl Handler {
    fn serve(&self, server: &Server) {
        while !self.shared.is_over.load(Ordering::SeqCst) {
            let Some(request) = server.next(PAUSE) else { continue };
            let path = request.head.target.strip_prefix(&self.root).unwrap_or_default().to_owned();
            match (&*request.head.method, &*path) {
                ("GET", "") => {
                    let page = self.page();
                    self.shared.watched.note_page();
                    request.reply(page);
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
    fn page(&self) -> Response {
        let page = match self.run().map(|folder| story(&Run::at(folder))) {
            Some(Ok(story)) => page::live(&story, self.back.is_some()),
            // Its journal may have but its first record.
            Some(Err(_)) | None => page::waiting(),
        };
        of("text/html; charset=utf-8", page.into_bytes(), 200)
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
