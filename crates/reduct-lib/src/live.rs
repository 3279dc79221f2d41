//! A run that is watched and steered from another process: by a socket in its folder.
//!
//! Each connection is sent what is known of the run as a line of JSON, and another one whenever that has changed; a line that
//! is sent back is a request. The socket is for its user alone.

use reduct_report::{SessionState, live};
use reduct_session::event::{Event, Observer};
use reduct_session::executor::{Control, Request};
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The name of the socket in the folder of a run.
const NAME: &str = "control";
/// So many are served at once.
const MOST: usize = 32;
/// What is known is sent at most this often.
const PAUSE: Duration = Duration::from_millis(200);
/// A connection that does not read for so long is given up.
const PATIENCE: Duration = Duration::from_secs(2);

/// The words of requests.
const REQUESTS: [(&str, Request); 4] =
    [("pause", Request::Pause), ("skip", Request::Skip), ("disable", Request::Disable), ("stop", Request::Stop)];

/// Returns whether this is the word of a request.
#[cfg(feature = "page")]
pub(crate) fn is_request(word: &str) -> bool {
    REQUESTS.iter().any(|(known, _)| *known == word)
}

/// A run that can be watched, until it is dropped.
pub(crate) struct Live {
    shared: Arc<Mutex<Shared>>,
    begin: Instant,
    socket: PathBuf,
}

struct Shared {
    state: SessionState,
    /// How often it has changed.
    version: u64,
    is_over: bool,
}

fn locked(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    /// Listens in the folder of a run, of which nobody else can be writing the journal. `None` if that cannot be done: then it
    /// is watched at its terminal only. What tests print is kept back if that may hold secrets.
    pub(crate) fn of(folder: &Path, control: Control, discreet: bool) -> Option<Live> {
        let socket = folder.join(NAME);
        // Of a process that was killed.
        let _ = fs::remove_file(&socket);
        let listener = at(folder, |place| UnixListener::bind(place)).ok()?;
        fs::set_permissions(&socket, Permissions::from_mode(0o600)).ok()?;
        let shared = Shared { state: SessionState::default(), version: 0, is_over: false };
        let (shared, begin) = (Arc::new(Mutex::new(shared)), Instant::now());
        let there = shared.clone();
        let accept = move || {
            let guests = Arc::new(AtomicUsize::new(0));
            for stream in listener.incoming() {
                if locked(&there).is_over {
                    return;
                }
                let Ok(stream) = stream else { continue };
                if guests.load(Ordering::SeqCst) >= MOST {
                    continue;
                }
                let (shared, control, counted) = (there.clone(), control.clone(), guests.clone());
                counted.fetch_add(1, Ordering::SeqCst);
                let serve = move || {
                    let _ = serve(&stream, &shared, &control, (begin, discreet));
                    counted.fetch_sub(1, Ordering::SeqCst);
                };
                if thread::Builder::new().spawn(serve).is_err() {
                    guests.fetch_sub(1, Ordering::SeqCst);
                }
            }
        };
        thread::Builder::new().name("control".to_owned()).spawn(accept).ok()?;
        Some(Live { shared, begin, socket })
    }
}

impl Observer for Live {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        let mut shared = locked(&self.shared);
        shared.state.take(event, self.begin.elapsed());
        shared.version += 1;
        Ok(())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        locked(&self.shared).is_over = true;
        // Wakes the thread that accepts.
        drop(self.socket.parent().map(connect));
        let _ = fs::remove_file(&self.socket);
    }
}

/// Takes requests, and sends what is known whenever it has changed.
fn serve(
    stream: &UnixStream,
    shared: &Mutex<Shared>,
    control: &Control,
    (begin, discreet): (Instant, bool),
) -> io::Result<()> {
    stream.set_read_timeout(Some(PAUSE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let (mut reader, mut line, mut sent) = (BufReader::new(stream), String::new(), None);
    loop {
        let (is_over, version, snapshot) = {
            let known = locked(shared);
            let is_new = sent != Some(known.version);
            let snapshot = is_new.then(|| live::snapshot(&known.state, begin.elapsed(), discreet));
            (known.is_over, known.version, snapshot)
        };
        if let Some(snapshot) = snapshot {
            (&mut &*stream).write_all(format!("{snapshot}\n").as_bytes())?;
            sent = Some(version);
        }
        if is_over {
            return Ok(());
        }
        match reader.read_line(&mut line) {
            Ok(0) => return Ok(()),
            Ok(_) => {
                let asked = REQUESTS.iter().find(|(word, _)| *word == line.trim());
                asked.into_iter().for_each(|(_, request)| control.send(*request));
                line.clear();
            }
            // What came of a line so far stays in it.
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(error) => return Err(error),
        }
        if line.len() > 64 {
            return Ok(());
        }
    }
}

/// Removes the socket of a run that was killed, of which nobody listens to it.
pub(crate) fn sweep(folder: &Path) {
    if connect(folder).is_err() {
        let _ = fs::remove_file(folder.join(NAME));
    }
}

/// Connects to a run that is under way.
pub(crate) fn connect(folder: &Path) -> io::Result<UnixStream> {
    at(folder, |place| UnixStream::connect(place))
}

/// Does something with the socket of a folder, whose path may be longer than addresses of sockets can be.
fn at<T>(folder: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let open = File::open(folder)?;
    act(&Path::new("/proc/self/fd").join(open.as_raw_fd().to_string()).join(NAME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_run_is_watched_and_steered_in_a_folder_of_any_depth() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("deep".repeat(30)).join("deeper".repeat(30));
        fs::create_dir_all(&folder).unwrap();
        let (sender, asked) = channel();
        let control = Control::new(move |request| sender.send(request).expect("it is waited for"));
        let mut live = Live::of(&folder, control, false).expect("it can listen");
        assert_eq!(fs::metadata(folder.join(NAME)).unwrap().permissions().mode() & 0o777, 0o600);
        let stream = connect(&folder).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut next = || serde_json::from_str::<serde_json::Value>(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(next()["paused"], false);
        (&stream).write_all(b"pause\nnonsense\nstop\n").unwrap();
        assert_eq!([asked.recv().unwrap(), asked.recv().unwrap()], [Request::Pause, Request::Stop]);
        live.on(&Event::Paused(true)).unwrap();
        assert_eq!(next()["paused"], true);
        sweep(&folder);
        assert!(folder.join(NAME).exists(), "it is under way");
        drop(live);
        assert!(lines.next().is_none(), "the end is seen");
        assert!(connect(&folder).is_err() && !folder.join(NAME).exists());
        // A process that was killed removes nothing.
        drop(at(&folder, |place| UnixListener::bind(place)).unwrap());
        assert!(folder.join(NAME).exists());
        sweep(&folder);
        assert!(!folder.join(NAME).exists());
    }
}
