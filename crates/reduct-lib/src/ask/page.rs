//! Talks to a person by a page: a small server on this machine, for people who know the token in its address.
//!
//! Requests with the token wait until the search listens, which it does whenever a question is open; all others are
//! turned away before. A posted answer is not replied to before it is known what comes next, another question or the
//! end.
//!
//! Any page that makes a browser send something could answer, so the token is part of each address; other hosts
//! (a name that was made to point here) and other origins are refused; and what is shown of a candidate runs no
//! scripts and loads nothing from elsewhere.

use super::question_folder::QuestionFolder;
use super::refused::PageError;
use super::stories::story;
use crate::errors::Refusal;
use crate::http::browser::open_in_browser;
use crate::http::gate::{NO_POLICY, OURS, TurnedAway, is_from_here, refused, response, token};
use crate::http::{Request, Response, Server};
use crate::job::Job;
use reduct_input::Candidate;
use reduct_report::asking::{self, QuestionScreen, html, page};
use reduct_report::page::asked;
use reduct_session::executor::person::{Talk, Word};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A server, and the question that is open.
pub(super) struct Page {
    server: Server,
    /// The path below which everything is, with slashes around it.
    root: String,
    screen: QuestionScreen,
    candidate: Option<Candidate>,
    /// The number of the open question among all that were put here, so that an answer to an older one is known.
    asked: u64,
    /// The connection that has answered, and waits for the next question.
    waiting: Option<Request>,
    note: &'static str,
    /// Where the result is.
    out: PathBuf,
    /// Where what leads a browser here is.
    place: Option<QuestionFolder>,
}

/// What a request comes to.
enum Reply {
    /// A page of our own.
    Page(String),
    /// Something short.
    Text(u16, String),
    /// A file of the candidate, of this type.
    Raw(Vec<u8>, &'static str),
    /// To the open question.
    There,
}

/// The connection that has given the last answer is waited for this long.
const FAREWELL: Duration = Duration::from_secs(1);

impl Page {
    /// Begins to serve.
    pub(super) fn new(job: &Job, opens: bool, screen: QuestionScreen) -> Result<Page, Refusal> {
        let cannot = |error: io::Error| Refusal::Executor(PageError::NotServed(error).to_string());
        let root = format!("/{}/", token().map_err(cannot)?);
        let known = root.clone();
        let server = Server::new(Box::new(move |head| refused(head, &known))).map_err(cannot)?;
        let place = if opens { Some(QuestionFolder::new(job)?) } else { None };
        Ok(Page {
            server,
            root,
            screen,
            candidate: None,
            asked: 0,
            waiting: None,
            note: "",
            out: job.out.clone(),
            place,
        })
    }

    /// Says where the questions are asked, and opens a browser there if one is wanted: with the first question, as
    /// the run that other pages show is there by then.
    fn invite(&self) -> io::Result<()> {
        let address = format!("http://127.0.0.1:{}{}", self.server.port(), self.root);
        let _ = writeln!(io::stderr(), "{}", asking::asked_at(&address));
        match &self.place {
            Some(place) => open_in_browser(&place.folder().join("open.html"), &address),
            None => Ok(()),
        }
    }

    /// Returns what a request comes to, and the answer that is in it.
    fn reply(&self, request: &Request) -> (Reply, Option<Word>) {
        let refused = |why: TurnedAway| (Reply::Text(why.status(), why.to_string()), None);
        let path = request.head.target.strip_prefix(&self.root).unwrap_or_default();
        match (&*request.head.method, path) {
            ("POST", "answer") => {
                if !is_from_here(&request.head) {
                    return refused(TurnedAway::OtherOrigin);
                }
                match std::str::from_utf8(&request.body).ok().and_then(|posted| self.answer(posted)) {
                    Some(word) => (Reply::There, word),
                    None => refused(TurnedAway::NoAnswer),
                }
            }
            ("GET", "") => (Reply::Page(self.page()), None),
            ("GET", "now") => (Reply::Text(200, self.asked.to_string()), None),
            ("GET", path) => match path.strip_prefix("raw/").and_then(|path| self.raw(path)) {
                Some((bytes, sort)) => (Reply::Raw(bytes, sort), None),
                None => refused(TurnedAway::Nothing),
            },
            _ => refused(TurnedAway::OtherMethod),
        }
    }

    /// Returns the word in what was posted: `Some(None)` if it is for an older question, `None` if it is nothing at
    /// all.
    fn answer(&self, posted: &str) -> Option<Option<Word>> {
        let field = |name: &str| posted.split('&').find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
        let question: u64 = field("question")?.parse().ok()?;
        let word = match field("say")? {
            "fails" => Word::Fails,
            "passes" => Word::Passes,
            "cannot" => Word::CannotTell,
            "undo" => Word::Undo,
            "stop" => Word::Stop,
            _ => return None,
        };
        Some((question == self.asked && self.candidate.is_some()).then_some(word))
    }

    /// Returns the question, or the end, above the page of the run.
    fn page(&self) -> String {
        let now = self.screen.now();
        let (title, asked) = match &self.candidate {
            Some(candidate) => page::question(candidate, &now, (self.asked, self.note)),
            None => page::over(&now, &self.out),
        };
        // What cannot be read of the run is no reason not to ask.
        let mut story = now.folder().and_then(story);
        // It stands above.
        if let Some(search) = story.as_mut().and_then(|story| story.search.as_mut()) {
            search.asked = None;
        }
        asked::page(story.as_ref(), (&title, &asked))
    }

    /// Returns a file of the open question: its number, and the path in the candidate.
    fn raw(&self, path: &str) -> Option<(Vec<u8>, &'static str)> {
        let (number, path) = path.split_once('/')?;
        let open = self.candidate.as_ref()?;
        let now = self.screen.now();
        let candidate = match number {
            page::BEST => now.best().unwrap_or(open),
            number if number.parse() == Ok(self.asked) => open,
            _ => return None,
        };
        let path = path.split('?').next().unwrap_or(path);
        let wanted = html::decoded(path);
        let artifact = candidate.artifact();
        let (_, _, bytes) = artifact.files().find(|(path, ..)| path.as_os_str().as_encoded_bytes() == wanted)?;
        let sort = html::sort_of(&wanted, bytes).media();
        Some((bytes.to_vec(), sort))
    }

    /// Replies to the connection that waits for the next question.
    fn reply_to_waiting(&mut self) {
        if let Some(request) = self.waiting.take() {
            request.reply(self.response(Reply::There));
        }
    }

    fn response(&self, reply: Reply) -> Response {
        let plain = "text/plain; charset=utf-8";
        let mut response = match reply {
            Reply::Page(text) => response(200, text.into_bytes(), "text/html; charset=utf-8", &asked::policy(), &OURS),
            Reply::Text(status, text) => response(status, text.into_bytes(), plain, NO_POLICY, &OURS),
            Reply::Raw(bytes, sort) => response(200, bytes, sort, RAW, &THEIRS),
            Reply::There => response(303, vec![], plain, NO_POLICY, &OURS),
        };
        response.headers.extend((response.status == 303).then(|| ("Location", self.root.clone())));
        response
    }
}

/// What is shown in a sandbox is of no origin, and loads what belongs to it from another one. Its address is the key.
const THEIRS: [(&str, &str); 3] = [
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
    // Fonts are loaded so.
    ("Access-Control-Allow-Origin", "*"),
];

impl Talk for Page {
    fn ask(&mut self, candidate: &Candidate) -> io::Result<()> {
        self.candidate = Some(candidate.clone());
        self.asked += 1;
        self.note = "";
        if self.asked == 1 {
            self.invite()?;
        }
        self.reply_to_waiting();
        Ok(())
    }

    fn listen(&mut self, at_most: Duration) -> Option<Word> {
        let until = Instant::now() + at_most;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let request = self.server.next(left)?;
            let (reply, word) = self.reply(&request);
            match word {
                Some(word) => {
                    self.candidate.take_if(|_| word != Word::Undo);
                    self.reply_to_waiting();
                    self.waiting = Some(request);
                    return Some(word);
                }
                None => request.reply(self.response(reply)),
            }
        }
    }

    fn nothing_to_undo(&mut self) {
        self.note = asking::NOTHING_TO_UNDO;
        self.reply_to_waiting();
    }
}

impl Drop for Page {
    /// Tells the connection that has given the last answer so.
    fn drop(&mut self) {
        self.candidate = None;
        if let Some(request) = self.waiting.take() {
            request.reply_at_last(self.response(Reply::Page(self.page())), FAREWELL);
        }
    }
}

/// What a candidate consists of is not trusted: it is kept from running anything and from loading anything.
const RAW: &str = "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self' data:; font-src 'self' data:; \
                   style-src 'self' 'unsafe-inline'; frame-ancestors 'self'";
