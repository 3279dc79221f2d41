//! What a slot and its supervisor say to each other over their socket.
//!
//! A frame is three lengths, a head in JSON or [in short](short), and two blobs: of a report what the test wrote, of a run the arguments
//! and variables that it is given ([`super::given`]); of a question to a server, the first is that question.

mod short;

use crate::faults::Fault;
use crate::groups::Limited;

use crate::confine::order::Order;
use reduct_oracle::{Death, Exit, Limits, Serving, Used};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

/// So much of a frame is read at a time, at most.
const STEP: usize = 1 << 16;

/// Standard output and standard error.
pub(crate) type Blobs = [Vec<u8>; 2];

/// What a supervisor is told first: everything that is the same for all its runs.
///
/// Paths are `OsString`s here, because serde refuses a `PathBuf` that is not UTF-8.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// See [`reduct_oracle::Invocation::argv`].
    pub argv: Vec<OsString>,
    /// See [`reduct_oracle::Invocation::plain`].
    pub plain: usize,
    /// See [`reduct_oracle::Invocation::subject`].
    pub subject: OsString,
    /// See [`reduct_oracle::Invocation::path_argument`].
    pub path_argument: bool,
    /// See [`reduct_oracle::Invocation::stdin`].
    pub stdin: bool,
    /// See [`reduct_oracle::Invocation::build`].
    pub build: Option<Vec<OsString>>,
    /// See [`reduct_oracle::Invocation::inside`].
    pub inside: OsString,
    /// See [`reduct_oracle::Invocation::server`].
    pub server: Option<Serving>,
    /// See [`reduct_oracle::Invocation::forks`].
    pub forks: bool,
    /// See [`reduct_oracle::Invocation::without`].
    pub without: Vec<String>,
    /// See [`reduct_oracle::Invocation::env`].
    pub env: Vec<(String, OsString)>,
    /// See [`reduct_oracle::Afterwards::reference`].
    pub reference: Option<OsString>,
    /// What a test may use. The time limit comes with each run instead.
    pub limits: Limits,
    /// Whether the memory of a test may have other addresses in each run.
    pub random_addresses: bool,
    /// What tests may do outside of their folders; `None`: whatever they like.
    pub confinement: Option<Order>,
    /// What the kernel holds them to.
    pub limited: Limited,
    /// The folder of the whole session, by whose name its processes are known.
    pub root: OsString,
    /// The folder of the slot, to be removed at the end even if no run comes.
    pub slot: OsString,
}

/// Which of the commands is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Step {
    /// The build before the test.
    Build,
    /// The test.
    Test,
    /// The server that is asked test after test, whose folder that of the slot is then.
    Serve,
    /// What the test is compared with.
    Reference,
    /// The test under gdb, to see where it dies this death.
    Backtrace(Death),
}

/// What a supervisor is told after its orders. Runs go by the number in their `RunId`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Run this step in this slot folder, where the candidate stands already, for so long and with so much processor
    /// time at most. A test may be a process that a fork server forks, if that is said.
    Run {
        run: u64,
        step: Step,
        time: Option<Duration>,
        processor: Option<Duration>,
        #[serde(with = "reduct_system::os_path")]
        slot: PathBuf,
        forked: bool,
    },
    /// Ask the server the question in the first blob: the one that runs, or with a place a fresh one in that folder.
    Ask {
        run: u64,
        time: Option<Duration>,
        #[serde(with = "reduct_system::os_path")]
        slot: PathBuf,
        #[serde(with = "reduct_system::os_path::optional")]
        place: Option<PathBuf>,
    },
    /// End the server there is, and have a fresh one ready in this folder, if one is named.
    Prepare {
        #[serde(with = "reduct_system::os_path::optional")]
        place: Option<PathBuf>,
    },
    /// The outcome of this run is no longer wanted. If it is over already, nothing happens.
    Cancel { run: u64 },
}

/// What a supervisor says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// It has begun.
    Hello,
    /// The server there was has ended, and with `ready`, a fresh one has greeted.
    Prepared { ready: bool, survivors: bool },
    /// A run is over. The blobs are what the test wrote. It `serves` if there is a server that can be asked more.
    /// It is `full` if there is so little space left that what the test did in its folder means nothing.
    Report { verdict: Verdict, elapsed: Duration, used: Used, survivors: bool, serves: bool, full: bool },
}

/// What came of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Verdict {
    /// It ended.
    Exit(Exit),
    /// It was cancelled.
    Cancelled,
    /// There is no server any more that could be asked: the question was put to nobody.
    NoServer,
    /// See [`reduct_session::executor::Trouble::NoProcess`].
    NoProcess(String),
    /// See [`reduct_session::executor::Trouble::NoDescriptor`].
    NoDescriptor(String),
    /// See [`reduct_session::executor::Trouble::Other`].
    Other(String),
}

/// What can be said in a frame: in JSON, or in fewer bytes where it has such a form.
pub(crate) trait Said: Serialize + DeserializeOwned {
    /// Returns it in short, if it has a short form.
    fn short(&self) -> Option<Vec<u8>> {
        None
    }

    /// Returns what was said in short. `None` if these bytes say nothing.
    fn of_short(_: &[u8]) -> Option<Self> {
        None
    }
}

impl Said for Orders {}

/// How a head begins that is not in JSON.
const SHORT: u8 = 0;

/// Sends a frame.
pub(crate) fn send<T: Said>(mut socket: &UnixStream, head: &T, blobs: [&[u8]; 2]) -> io::Result<()> {
    let head = match head.short() {
        Some(mut short) => {
            short.insert(0, SHORT);
            short
        }
        None => serde_json::to_vec(head)?,
    };
    let parts = [&head, blobs[0], blobs[1]];
    let mut frame = Vec::with_capacity(12 + parts.iter().map(|part| part.len()).sum::<usize>());
    for part in parts {
        let length = u32::try_from(part.len()).map_err(|_| io::Error::other(Fault::FrameTooLong))?;
        frame.extend_from_slice(&length.to_le_bytes());
    }
    parts.iter().for_each(|part| frame.extend_from_slice(part));
    socket.write_all(&frame)
}

/// Returns whether this begins with a whole frame.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    let Some((lengths, rest)) = bytes.split_first_chunk::<12>() else { return false };
    let length =
        |at: usize| u32::from_le_bytes([lengths[at], lengths[at + 1], lengths[at + 2], lengths[at + 3]]) as usize;
    rest.len() >= length(0).saturating_add(length(4)).saturating_add(length(8))
}

/// Receives a frame; `None` if the other side is gone.
pub(crate) fn receive<T: Said>(mut socket: impl Read) -> io::Result<Option<(T, Blobs)>> {
    let mut lengths = [[0; 4]; 3];
    if let Err(error) = socket.read_exact(lengths.as_flattened_mut()) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    let mut parts = [vec![], vec![], vec![]];
    for (part, length) in parts.iter_mut().zip(lengths.map(u32::from_le_bytes)) {
        receive_part(&mut socket, part, length as usize)?;
    }
    let [head, stdout, stderr] = parts;
    let said = match head.split_first() {
        Some((&SHORT, short)) => T::of_short(short).ok_or(io::ErrorKind::InvalidData)?,
        _ => serde_json::from_slice(&head)?,
    };
    Ok(Some((said, [stdout, stderr])))
}

/// Receives as many bytes as were said to come. A part that is not larger than one step takes one call.
fn receive_part(socket: &mut impl Read, part: &mut Vec<u8>, length: usize) -> io::Result<()> {
    while part.len() < length {
        // Only what comes takes memory, whatever length was said.
        let begin = part.len();
        part.resize(length.min(begin + STEP), 0);
        socket.read_exact(&mut part[begin..])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn frames_arrive_as_they_were_sent() {
        let (one, other) = UnixStream::pair().unwrap();
        let slot = PathBuf::from(OsString::from_vec(b"/a\xff".to_vec()));
        let time = Some(Duration::from_millis(1500));
        send(
            &one,
            &Request::Run { run: 7, step: Step::Build, time, processor: None, slot: slot.clone(), forked: false },
            [b"", b""],
        )
        .unwrap();
        send(&one, &Request::Cancel { run: 8 }, [b"out", b"err\n"]).unwrap();
        drop(one);
        let mut bytes = vec![];
        (&other).read_to_end(&mut bytes).unwrap();
        let length = 12
            + serde_json::to_vec(&Request::Run {
                run: 7,
                step: Step::Build,
                time,
                processor: None,
                slot: slot.clone(),
                forked: false,
            })
            .unwrap()
            .len();
        assert!((0..bytes.len()).all(|end| is_whole(&bytes[..end]) == (end >= length)));
        let mut other = &bytes[..];
        let (first, _) = receive::<Request>(&mut other).unwrap().unwrap();
        assert!(
            matches!(first, Request::Run { run: 7, step: Step::Build, time: t, processor: None, slot: s, forked: false } if t == time && s == slot)
        );
        let (second, blobs) = receive::<Request>(&mut other).unwrap().unwrap();
        assert!(matches!(second, Request::Cancel { run: 8 }));
        assert_eq!(blobs, [b"out".to_vec(), b"err\n".to_vec()]);
        assert!(receive::<Request>(&mut other).unwrap().is_none());
    }

    #[test]
    fn a_frame_that_is_cut_short_is_an_error() {
        let lengths = [u32::MAX, 0, 0].map(u32::to_le_bytes).concat();
        let error = receive::<Request>(&lengths[..]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
