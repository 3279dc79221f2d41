//! HTTP as far as a page on this machine needs it: one request on each connection, and one reply, or a stream of events.
//!
//! Any process that can reach the port is served, so none may hold the search up: each connection has a thread of its own,
//! a time and a size. They are few; a new one takes the place of the oldest that has not yet shown that it may be here.

pub(crate) mod browser;
pub(crate) mod gate;

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// No head is longer than this, and no body.
const MOST_HEAD: usize = 16 << 10;
const MOST_BODY: usize = 1 << 10;
const MOST_HEADERS: usize = 64;
/// So many are served at once.
const MOST_GUESTS: usize = 16;
/// A request has to be there within this time, and a reply has to move on.
const PATIENCE: Duration = Duration::from_secs(10);
/// What is still sent after the reply is read for so long, so that the reply is not lost with it.
const LINGERING: Duration = Duration::from_secs(1);

/// Of a stream, something is sent at least this often.
const ALIVE: Duration = Duration::from_secs(5);

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    length: usize,
}

/// What comes back. Nothing in the headers may come from elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

/// A whole request of somebody who may be here.
pub(crate) struct Request {
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
    reply: Sender<Reply>,
    done: Receiver<()>,
}

/// What is replied with.
enum Reply {
    Whole(Response),
    /// The head, and then whatever comes until nobody sends any more.
    Stream(Response, Receiver<Vec<u8>>),
}

impl Request {
    /// Replies; a connection that has gone misses nothing.
    pub(crate) fn reply(self, response: Response) {
        let _ = self.reply.send(Reply::Whole(response));
    }

    /// Replies with what is sent from now on. The sender is told when nobody reads any more: nothing can be sent then.
    pub(crate) fn stream(self, head: Response) -> Sender<Vec<u8>> {
        let (sender, receiver) = channel();
        let _ = self.reply.send(Reply::Stream(head, receiver));
        sender
    }

    /// Replies likewise, and waits until it is sent, at most this long.
    pub(crate) fn reply_at_last(self, response: Response, at_most: Duration) {
        let _ = self.reply.send(Reply::Whole(response));
        // Also if it cannot be sent.
        let _ = self.done.recv_timeout(at_most);
    }
}

/// Says who may not be here, and what they are told.
pub(crate) type Gate = Box<dyn Fn(&Head) -> Option<Response> + Send + Sync>;

/// Takes requests until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    inbox: Receiver<Request>,
    is_over: Arc<AtomicBool>,
}

impl Server {
    /// Begins at a free port of this machine.
    pub(crate) fn new(gate: Gate) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let (outbox, inbox) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        thread::Builder::new().spawn(move || accept(&listener, &Arc::new(gate), &outbox, &over))?;
        Ok(Server { address, inbox, is_over })
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns the next request, if there is one within this time.
    pub(crate) fn next(&self, at_most: Duration) -> Option<Request> {
        self.inbox.recv_timeout(at_most).ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect_timeout(&self.address, LINGERING);
    }
}

fn accept(listener: &TcpListener, gate: &Arc<Gate>, outbox: &Sender<Request>, is_over: &AtomicBool) {
    let crowd = Arc::new(Mutex::new(Crowd::default()));
    loop {
        let accepted = listener.accept();
        if is_over.load(Ordering::SeqCst) {
            return;
        }
        let Ok((stream, _)) = accepted else {
            // Too many files are open, say.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let Some(guest) = Guest::admit(&crowd, &stream) else { continue };
        let (gate, outbox) = (gate.clone(), outbox.clone());
        // Without a thread, it is closed; the client comes again.
        let _ = thread::Builder::new().spawn(move || {
            let _ = serve(stream, &guest, &gate, &outbox);
        });
    }
}

/// The open connections.
#[derive(Default)]
struct Crowd {
    next: u64,
    all: Vec<Present>,
}

struct Present {
    number: u64,
    stream: TcpStream,
    /// Whether it has come through the gate, and not been replied to.
    is_known: bool,
}

/// One of them, as long as it is served.
struct Guest {
    crowd: Arc<Mutex<Crowd>>,
    number: u64,
}

impl Guest {
    fn admit(crowd: &Arc<Mutex<Crowd>>, stream: &TcpStream) -> Option<Guest> {
        let stream = stream.try_clone().ok()?;
        let mut there = locked(crowd);
        if there.all.len() >= MOST_GUESTS {
            let at = there.all.iter().position(|guest| !guest.is_known)?;
            // Its thread ends with it.
            let _ = there.all.remove(at).stream.shutdown(Shutdown::Both);
        }
        let number = there.next;
        there.next += 1;
        there.all.push(Present { number, stream, is_known: false });
        drop(there);
        Some(Guest { crowd: crowd.clone(), number })
    }

    fn is_known(&self, is_known: bool) {
        let mut there = locked(&self.crowd);
        there.all.iter_mut().filter(|guest| guest.number == self.number).for_each(|guest| guest.is_known = is_known);
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        locked(&self.crowd).all.retain(|guest| guest.number != self.number);
    }
}

fn locked(crowd: &Mutex<Crowd>) -> MutexGuard<'_, Crowd> {
    crowd.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(mut stream: TcpStream, guest: &Guest, gate: &Gate, outbox: &Sender<Request>) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let deadline = Instant::now() + PATIENCE;
    let Some((head, mut body)) = read_head(&mut stream, deadline)? else {
        return respond(&mut stream, &bad());
    };
    if let Some(refused) = gate(&head) {
        return respond(&mut stream, &refused);
    }
    if head.length > MOST_BODY {
        return respond(&mut stream, &bad());
    }
    guest.is_known(true);
    while body.len() < head.length {
        read_more(&mut stream, deadline, &mut body)?;
    }
    body.truncate(head.length);
    let ((reply, replied), (sent, done)) = (channel(), channel());
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    outbox.send(Request { head, body, reply, done }).map_err(|_| gone(()))?;
    match replied.recv().map_err(|_| gone(()))? {
        Reply::Whole(response) => write_response(&mut stream, &response)?,
        Reply::Stream(head, parts) => write_stream(&mut stream, &head, &parts)?,
    }
    let _ = sent.send(());
    guest.is_known(false);
    linger(&mut stream)
}

fn bad() -> Response {
    let headers = vec![("Content-Type", "text/plain; charset=utf-8".into())];
    Response { status: 400, headers, body: b"that is no answer\n".into() }
}

/// Reads the head, and what came with it of the body. `None` if it is none.
fn read_head(stream: &mut TcpStream, deadline: Instant) -> io::Result<Option<(Head, Vec<u8>)>> {
    let mut all = vec![];
    loop {
        read_more(stream, deadline, &mut all)?;
        match parse(&all) {
            Ok(Some((head, end))) => return Ok(Some((head, all.split_off(end)))),
            Ok(None) if all.len() < MOST_HEAD => {}
            Ok(None) | Err(NoRequest) => return Ok(None),
        }
    }
}

/// Reads what there is, at least a byte.
fn read_more(stream: &mut TcpStream, deadline: Instant, all: &mut Vec<u8>) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut bytes = [0; 4096];
    match stream.read(&mut bytes)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        count => {
            all.extend_from_slice(&bytes[..count]);
            Ok(())
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct NoRequest;

/// Reads bytes as a head.
pub(crate) fn try_bytes(bytes: &[u8]) {
    let _ = parse(bytes);
}

/// Returns the head, and where it ends. `None` if more of it has to come.
fn parse(bytes: &[u8]) -> Result<Option<(Head, usize)>, NoRequest> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(end) = request.parse(bytes).map_err(|_| NoRequest)? else { return Ok(None) };
    // What is said twice may be understood in two ways.
    let header = |name: &str| {
        let mut named = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        match (named.next(), named.next()) {
            (one, None) => {
                one.map(|header| String::from_utf8(header.value.to_vec())).transpose().map_err(|_| NoRequest)
            }
            _ => Err(NoRequest),
        }
    };
    if header("Transfer-Encoding")?.is_some() {
        return Err(NoRequest);
    }
    let is_number = |text: &String| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let length = match header("Content-Length")? {
        None => 0,
        // More than can be counted is too long as well.
        Some(text) if is_number(&text) => text.parse().unwrap_or(usize::MAX),
        Some(_) => return Err(NoRequest),
    };
    let (method, target) = (request.method.unwrap_or_default().into(), request.path.unwrap_or_default().into());
    let head = Head { method, target, host: header("Host")?, origin: header("Origin")?, length };
    Ok(Some((head, end)))
}

fn respond(stream: &mut TcpStream, response: &Response) -> io::Result<()> {
    write_response(stream, response)?;
    linger(stream)
}

/// Sends what comes, and a comment now and then, by which it is seen whether somebody still reads.
fn write_stream(stream: &mut TcpStream, head: &Response, parts: &Receiver<Vec<u8>>) -> io::Result<()> {
    stream.write_all(head_of(head, None).as_bytes())?;
    loop {
        match parts.recv_timeout(ALIVE) {
            Ok(part) => stream.write_all(&part)?,
            Err(RecvTimeoutError::Timeout) => stream.write_all(b":\n\n")?,
            Err(RecvTimeoutError::Disconnected) => return stream.shutdown(Shutdown::Write),
        }
    }
}

fn write_response(stream: &mut TcpStream, response: &Response) -> io::Result<()> {
    stream.write_all(head_of(response, Some(response.body.len())).as_bytes())?;
    stream.write_all(&response.body)?;
    stream.shutdown(Shutdown::Write)
}

/// Returns the head of a response, with the length of what follows if that is known.
fn head_of(response: &Response, length: Option<usize>) -> String {
    let Response { status, headers, .. } = response;
    let reason = match status {
        200 => "OK",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        409 => "Conflict",
        _ => "Method Not Allowed",
    };
    let mut head = format!("HTTP/1.1 {status} {reason}\r\nConnection: close\r\n");
    length.iter().for_each(|length| head += &format!("Content-Length: {length}\r\n"));
    headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
    head + "\r\n"
}

fn linger(stream: &mut TcpStream) -> io::Result<()> {
    let deadline = Instant::now() + LINGERING;
    let mut all = vec![];
    loop {
        read_more(stream, deadline, &mut all)?;
        all.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_understood_in_one_way_or_not_at_all() {
        let text = "POST /a?b HTTP/1.1\r\nhost: here:1\r\nORIGIN: http://here:1\r\nContent-Length: 3\r\n\r\n";
        let (host, origin) = (Some("here:1".into()), Some("http://here:1".into()));
        let head = Head { method: "POST".into(), target: "/a?b".into(), host, origin, length: 3 };
        assert_eq!(parse(format!("{text}abc").as_bytes()), Ok(Some((head, text.len()))));
        assert!((0..text.len()).all(|end| parse(&text.as_bytes()[..end]) == Ok(None)));
        for bad in [
            "Content-Length: -1",
            "Content-Length: +1",
            "Content-Length:",
            "Content-Length: 1\r\nContent-Length: 1",
            "Host: a\r\nhost: b",
            "Origin: a\r\nOrigin: a",
            "Transfer-Encoding: chunked",
            "Host: \u{e9}\u{0}",
            "\u{1}: x",
        ] {
            assert_eq!(parse(format!("GET / HTTP/1.1\r\n{bad}\r\n\r\n").as_bytes()), Err(NoRequest), "{bad}");
        }
        let many: String = (0..100).map(|n| format!("X{n}: x\r\n")).collect();
        assert_eq!(parse(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes()), Err(NoRequest));
        let long = format!("GET / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", "9".repeat(99));
        assert!(matches!(parse(long.as_bytes()), Ok(Some((Head { length: usize::MAX, .. }, _)))));
    }
}
