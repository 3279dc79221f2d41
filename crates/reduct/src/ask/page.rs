//! Talks to a person by a page: a small server on this machine, for whoever knows the token in its address.
//!
//! One thread: requests wait until the search listens, which it does whenever a question is open. A posted answer is
//! not replied to before it is known what comes next, another question or the end.
//!
//! Whoever can make a browser send something could answer, so the token is part of each address; other hosts
//! (a name that was made to point here) and other origins are refused; and what is shown of a candidate runs no
//! scripts and loads nothing from elsewhere.

mod shown;
mod view;

use super::standing::Standing;
use crate::errors::Refusal;
use reduct_circumstances::Candidate;
use reduct_report::excerpt;
use reduct_run::event::Event;
use reduct_run::executor::person::{Talk, Word};
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tiny_http::{Header, Method, Request, Response, Server};

/// A server, and the question that is open.
pub(super) struct Page {
    server: Server,
    /// The path below which everything is, with slashes around it.
    root: String,
    /// What our own script and style are known by.
    nonce: String,
    standing: Standing,
    candidate: Option<Candidate>,
    /// The number of the open question among all that were put here, so that an answer to an older one is known.
    asked: u64,
    /// Who has answered, and waits for what comes next.
    waiting: Option<Request>,
    note: &'static str,
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

/// No answer is longer than this.
const MOST_POSTED: u64 = 1 << 10;

impl Page {
    /// Begins to serve, and says where.
    pub(super) fn new(standing: Standing, opens: bool) -> Result<Page, Refusal> {
        let cannot = |why: String| Refusal::Executor(format!("no page can be served: {why}"));
        let server = Server::http("127.0.0.1:0").map_err(|error| cannot(error.to_string()))?;
        let port = server.server_addr().to_ip().map(|address| address.port());
        let port = port.ok_or_else(|| cannot("there is no port".into()))?;
        let [root, nonce] = [token(), token()];
        let root = format!("/{}/", root.map_err(|error| cannot(error.to_string()))?);
        let nonce = nonce.map_err(|error| cannot(error.to_string()))?;
        let address = format!("http://127.0.0.1:{port}{root}");
        let _ = writeln!(io::stderr(), "The questions are asked at {address}");
        if opens {
            open(&address);
        }
        Ok(Page { server, root, nonce, standing, candidate: None, asked: 0, waiting: None, note: "" })
    }

    /// What a request comes to, and the answer that is in it.
    fn reply(&self, request: &mut Request) -> (Reply, Option<Word>) {
        let refused = |status, why: &str| (Reply::Text(status, why.to_owned()), None);
        let Some(host) = header(request, "Host").filter(|host| is_here(host)) else {
            return refused(403, "this is served to 127.0.0.1 and localhost only\n");
        };
        let url = request.url().to_owned();
        let Some(path) = url.strip_prefix(&self.root) else { return refused(404, "there is nothing here\n") };
        let method = request.method().clone();
        match (method, path) {
            (Method::Post, "answer") => {
                if header(request, "Origin").is_some_and(|origin| origin != format!("http://{host}")) {
                    return refused(403, "answers are taken from this page only\n");
                }
                let mut posted = String::new();
                if request.as_reader().take(MOST_POSTED).read_to_string(&mut posted).is_err() {
                    return refused(400, "that is no answer\n");
                }
                match self.answer(&posted) {
                    Some(word) => (Reply::There, word),
                    None => refused(400, "that is no answer\n"),
                }
            }
            (Method::Get, "") => (Reply::Page(self.page()), None),
            (Method::Get, "now") => (Reply::Text(200, self.asked.to_string()), None),
            (Method::Get, path) => match path.strip_prefix("raw/").and_then(|path| self.raw(path)) {
                Some((bytes, sort)) => (Reply::Raw(bytes, sort), None),
                None => refused(404, "there is nothing here\n"),
            },
            _ => refused(405, "a page is read, and an answer is posted\n"),
        }
    }

    /// The word in what was posted: `Some(None)` if it is for an older question, `None` if it is nothing at all.
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

    fn page(&self) -> String {
        match &self.candidate {
            Some(candidate) => view::question(candidate, &self.standing, (self.asked, self.note), &self.nonce),
            None => view::over(&self.standing, &self.nonce),
        }
    }

    /// A file of the open question: its number, and the path in the candidate.
    fn raw(&self, path: &str) -> Option<(Vec<u8>, &'static str)> {
        let (number, path) = path.split_once('/')?;
        let candidate = self.candidate.as_ref().filter(|_| number.parse() == Ok(self.asked))?;
        let path = path.split('?').next().unwrap_or(path);
        let wanted = shown::decoded(path);
        let artifact = candidate.artifact();
        let (_, _, bytes) = artifact.files().find(|(path, ..)| path.as_os_str().as_encoded_bytes() == wanted)?;
        let sort = shown::sort_of(&wanted, bytes).media();
        Some((bytes.to_vec(), sort))
    }

    /// Replies to who waits for what comes next.
    fn reply_to_waiting(&mut self) {
        if let Some(request) = self.waiting.take() {
            let reply = if self.candidate.is_some() { Reply::There } else { Reply::Page(self.page()) };
            self.send(request, reply);
        }
    }

    fn send(&self, request: Request, reply: Reply) {
        let (plain, nothing) = ("text/plain; charset=utf-8", "default-src 'none'".to_owned());
        let (status, bytes, sort, policy) = match reply {
            Reply::Page(text) => (200, text.into_bytes(), "text/html; charset=utf-8", view::policy(&self.nonce)),
            Reply::Text(status, text) => (status, text.into_bytes(), plain, nothing),
            Reply::Raw(bytes, sort) => (200, bytes, sort, RAW.to_owned()),
            Reply::There => (303, vec![], plain, nothing),
        };
        let headers = [
            ("Content-Type", sort),
            ("Content-Security-Policy", policy.as_str()),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cache-Control", "no-store"),
        ];
        let mut response = Response::from_data(bytes).with_status_code(status);
        let location = (status == 303).then_some(("Location", &*self.root));
        for (name, value) in headers.into_iter().chain(location) {
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        // Who has gone misses nothing.
        let _ = request.respond(response);
    }
}

impl Talk for Page {
    fn ask(&mut self, candidate: &Candidate) -> io::Result<()> {
        self.candidate = Some(candidate.clone());
        self.asked += 1;
        self.note = "";
        self.reply_to_waiting();
        Ok(())
    }

    fn listen(&mut self, at_most: Duration) -> Option<Word> {
        let until = Instant::now() + at_most;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let mut request = self.server.recv_timeout(left).ok().flatten()?;
            let (reply, word) = self.reply(&mut request);
            match word {
                Some(word) => {
                    self.candidate.take_if(|_| word != Word::Undo);
                    self.waiting = Some(request);
                    return Some(word);
                }
                None => self.send(request, reply),
            }
        }
    }

    fn nothing_to_undo(&mut self) {
        self.note = "There is no answer to take back.";
        self.reply_to_waiting();
    }

    fn told(&mut self, event: &Event) {
        self.standing.take(event);
    }
}

impl Drop for Page {
    /// Who has given the last answer is told so.
    fn drop(&mut self) {
        self.candidate = None;
        self.reply_to_waiting();
    }
}

/// What cannot be guessed.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Opens the page as the user would have it opened.
fn open(address: &str) {
    let browser = std::env::var_os("BROWSER").filter(|browser| !browser.is_empty());
    let program = browser.unwrap_or_else(|| "xdg-open".into());
    let mut command = Command::new(&program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        // It may stay as long as it likes.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => {
            let program = excerpt::clean(&program.to_string_lossy());
            let _ = writeln!(io::stderr(), "{program} cannot be started: {error}");
        }
    }
}

fn header(request: &Request, name: &'static str) -> Option<String> {
    request.headers().iter().find(|header| header.field.equiv(name)).map(|header| header.value.as_str().to_owned())
}

/// Whether a host is this machine by its own name, at whatever port (it may be forwarded from another machine).
fn is_here(host: &str) -> bool {
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|c| c.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name);
    ["127.0.0.1", "localhost", "[::1]"].contains(&name)
}

/// What a candidate consists of is not trusted: it is kept from running anything and from loading anything.
const RAW: &str = "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self' data:; font-src 'self' data:; \
                   style-src 'self' 'unsafe-inline'; frame-ancestors 'self'";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_by_its_own_names_is_here() {
        for host in ["127.0.0.1:4000", "localhost:1", "localhost", "[::1]:80", "[::1]"] {
            assert!(is_here(host), "{host}");
        }
        for host in ["evil.example:4000", "127.0.0.1.evil.example", "localhost:80@evil", "", "127.0.0.1:80:80"] {
            assert!(!is_here(host), "{host}");
        }
    }
}
