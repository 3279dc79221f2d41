//! Starts a program: where it is looked for, what it is given, the pipes to it.

use super::beginning::Beginning;
use crate::confine::rules::Rules;
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Pid;
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Where programs are looked for without `PATH`, as the C library does it.
const USUAL_PATH: &[u8] = b"/bin:/usr/bin";

/// Reserved for standard input and the outputs.
const FIRST_FREE: i32 = 3;

/// A program, and how it begins.
pub(super) struct Program {
    /// The files that it may be, in the order in which they are tried.
    places: Vec<CString>,
    /// Its name and its arguments.
    words: Vec<CString>,
    /// Its variables, `NAME=value` each.
    variables: Vec<CString>,
    /// Its working folder.
    folder: CString,
}

/// Where a program reads.
pub(super) enum Input<'a> {
    /// From this file.
    Shared(BorrowedFd<'a>),
    /// From this file, which nobody else needs.
    Own(File),
    /// From the supervisor.
    Pipe,
}

/// What a program has of its supervisor.
pub(super) struct Inherited<'a> {
    pub(super) stdin: Input<'a>,
    /// A descriptor that stays open.
    pub(super) socket: Option<BorrowedFd<'a>>,
    pub(super) rules: Option<&'a Rules>,
    /// The supervisor: see [`Beginning::me`].
    pub(super) me: Option<Pid>,
}

/// A program that runs, in a group of processes of its own.
pub(super) struct Child {
    pub(super) pid: Pid,
    /// `None` if the system gives none with a new process.
    pub(super) pidfd: Option<OwnedFd>,
    /// The other end of its standard input, if that is a pipe.
    pub(super) stdin: Option<File>,
    pub(super) stdout: File,
    pub(super) stderr: File,
}

impl Program {
    /// Returns the program of this name. If that is no path, it is looked for as the shell does it.
    ///
    /// # Errors
    /// If something of it has a NUL, which no process can be given.
    pub(super) fn new(
        words: &[OsString],
        variables: &BTreeMap<OsString, OsString>,
        folder: &Path,
    ) -> io::Result<Program> {
        let name = words.first().map_or(&b""[..], |name| name.as_bytes());
        let path = variables.get(OsStr::new("PATH")).map_or(USUAL_PATH, |path| path.as_bytes());
        let pair =
            |(name, value): (&OsString, &OsString)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat());
        Ok(Program {
            places: places(name, path).into_iter().map(CString::new).collect::<Result<_, _>>()?,
            words: words.iter().map(|word| CString::new(word.as_bytes())).collect::<Result<_, _>>()?,
            variables: variables.iter().map(pair).collect::<Result<_, _>>()?,
            folder: CString::new(folder.as_os_str().as_bytes())?,
        })
    }

    /// Returns its name.
    pub(super) fn name(&self) -> &OsStr {
        OsStr::from_bytes(self.words.first().map_or(b"", |name| name.to_bytes()))
    }

    /// Starts it. A script that does not name its shell is one for `/bin/sh`.
    ///
    /// # Errors
    /// If the system refuses it, or the program is not there.
    pub(super) fn start(&self, inherited: &Inherited<'_>) -> io::Result<Child> {
        match self.start_as_it_is(inherited) {
            Err((error, place)) if error.raw_os_error() == Some(libc::ENOEXEC) => {
                let file = self.places.get(place).cloned();
                let words = [c"/bin/sh".to_owned()].into_iter().chain(file);
                let words = words.chain(self.words.iter().skip(1).cloned()).collect();
                let Program { variables, folder, .. } = self;
                let (variables, folder) = (variables.clone(), folder.clone());
                let shell = Program { places: vec![c"/bin/sh".to_owned()], words, variables, folder };
                shell.start_as_it_is(inherited).map_err(|(error, _)| error)
            }
            started => started.map_err(|(error, _)| error),
        }
    }

    /// Starts it, or says why not, and which of its places was tried last.
    fn start_as_it_is(&self, inherited: &Inherited<'_>) -> Result<Child, (io::Error, usize)> {
        let prepare = || -> io::Result<_> {
            let (theirs, ours) = match &inherited.stdin {
                Input::Shared(file) => (above(*file)?, None),
                Input::Own(file) => (above(file.as_fd())?, None),
                Input::Pipe => {
                    let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
                    (Descriptor::Own(above_own(theirs)?), Some(File::from(ours)))
                }
            };
            let [(stdout, out), (stderr, err)] = [pipe_with(PipeFlags::CLOEXEC)?, pipe_with(PipeFlags::CLOEXEC)?];
            Ok((theirs, ours, [stdout, stderr], [above_own(out)?, above_own(err)?]))
        };
        let (stdin, ours, [stdout, stderr], [out, err]) = prepare().map_err(|error| (error, 0))?;
        let beginning = Beginning {
            places: &self.places,
            words: &self.words,
            variables: &self.variables,
            folder: &self.folder,
            stdio: [stdin.as_fd(), out.as_fd(), err.as_fd()],
            socket: inherited.socket,
            rules: inherited.rules,
            me: inherited.me,
        };
        let (pid, pidfd) = beginning.begin()?;
        Ok(Child { pid, pidfd, stdin: ours, stdout: File::from(stdout), stderr: File::from(stderr) })
    }
}

impl Child {
    /// Has neither side wait for the other one to read.
    pub(super) fn never_waits(&self) -> io::Result<()> {
        for pipe in [self.stdin.as_ref(), Some(&self.stdout)].into_iter().flatten() {
            fcntl_setfl(pipe, OFlags::NONBLOCK)?;
        }
        Ok(())
    }
}

/// Returns the paths at which a program of this name may stand, as execvp(3) tries them.
fn places(name: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    if name.is_empty() || name.contains(&b'/') {
        return vec![name.to_vec()];
    }
    let folders = path.split(|byte| *byte == b':');
    folders.map(|folder| if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() }).collect()
}

/// A descriptor that a child gets as one of the first three.
enum Descriptor<'a> {
    Shared(BorrowedFd<'a>),
    Own(OwnedFd),
}

impl AsFd for Descriptor<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Descriptor::Shared(file) => *file,
            Descriptor::Own(file) => file.as_fd(),
        }
    }
}

/// Returns it under a number that is none of the first three, which would be overwritten.
fn above(file: BorrowedFd<'_>) -> io::Result<Descriptor<'_>> {
    if file.as_raw_fd() >= FIRST_FREE {
        return Ok(Descriptor::Shared(file));
    }
    Ok(Descriptor::Own(fcntl_dupfd_cloexec(file, FIRST_FREE)?))
}

fn above_own(file: OwnedFd) -> io::Result<OwnedFd> {
    if file.as_raw_fd() >= FIRST_FREE { Ok(file) } else { Ok(fcntl_dupfd_cloexec(file, FIRST_FREE)?) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervisor::life::disregard_signals;
    use reduct_system::signals::SIGNALS;
    use rustix::process::{WaitOptions, getpid, waitpid};
    use std::fs::{self, Permissions};
    use std::io::{Read, Write};
    use std::os::unix::fs::PermissionsExt;

    /// Starts a program in a folder, and returns the child.
    fn started(words: &[&str], path: &str, folder: &Path, stdin: Input<'_>) -> io::Result<Child> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let variables = BTreeMap::from([("PATH".into(), path.into()), ("A".into(), "b=c".into())]);
        Program::new(&words, &variables, folder)?.start(&Inherited {
            stdin,
            socket: None,
            rules: None,
            me: Some(getpid()),
        })
    }

    /// Returns what a program writes that reads nothing.
    fn says(words: &[&str], path: &str, folder: &Path) -> io::Result<String> {
        let nothing = File::open("/dev/null")?;
        let mut child = started(words, path, folder, Input::Shared(nothing.as_fd()))?;
        let mut said = String::new();
        child.stdout.read_to_string(&mut said)?;
        waitpid(Some(child.pid), WaitOptions::empty())?;
        Ok(said)
    }

    const USUAL: &str = "/usr/bin:/bin";

    #[test]
    fn a_program_is_looked_for_as_execvp_does_it() {
        let texts = |name: &[u8], path: &[u8]| {
            places(name, path).into_iter().map(|place| String::from_utf8(place).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(texts(b"cc", b"/a:/b/:"), ["/a/cc", "/b//cc", "cc"]);
        assert_eq!(texts(b"./cc", b"/a"), ["./cc"]);
        let home = tempfile::tempdir().unwrap();
        let folders = ["refused", "good"].map(|name| home.path().join(name));
        for (folder, mode) in folders.iter().zip([0o600, 0o700]) {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("tool"), "#!/bin/sh\necho \"$0 $1\"\n").unwrap();
            fs::set_permissions(folder.join("tool"), Permissions::from_mode(mode)).unwrap();
        }
        let [refused, good] = folders.each_ref().map(|folder| folder.to_str().unwrap());
        let says = |path: &str| says(&["tool", "x"], path, home.path());
        assert_eq!(says(&format!("/missing:{refused}:{good}")).unwrap(), format!("{good}/tool x\n"));
        let error = |path: &str| says(path).unwrap_err().raw_os_error();
        assert_eq!(error(&format!("{refused}:/missing")), Some(libc::EACCES));
        assert_eq!(error("/missing"), Some(libc::ENOENT));
    }

    #[test]
    fn a_script_that_does_not_name_its_shell_is_one_for_sh() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("script"), "echo \"$0 $1 $A\"\n").unwrap();
        fs::set_permissions(home.path().join("script"), Permissions::from_mode(0o700)).unwrap();
        assert_eq!(says(&["./script", "x"], USUAL, home.path()).unwrap(), "./script x b=c\n");
        let path = home.path().to_str().unwrap();
        assert_eq!(says(&["script", "x"], path, home.path()).unwrap(), format!("{path}/script x b=c\n"));
    }

    #[test]
    fn a_program_begins_in_its_folder_with_its_variables_and_signals() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().canonicalize().unwrap();
        let script = "pwd; env | sort | grep -v -e ^PWD= -e ^SHLVL= -e ^_=";
        let said = says(&["sh", "-c", script], USUAL, &folder).unwrap();
        assert_eq!(said, format!("{}\nA=b=c\nPATH={USUAL}\n", folder.display()));
        // The runtime ignores SIGPIPE in this process until then.
        disregard_signals();
        let status = says(&["cat", "/proc/self/status"], USUAL, &folder).unwrap();
        let mask = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            u64::from_str_radix(line.trim(), 16).unwrap()
        };
        let others = [libc::SIGPIPE, libc::SIGXFSZ, libc::SIGSEGV, libc::SIGBUS];
        let set_back = SIGNALS.iter().chain(&others).fold(0, |mask, signal| mask | 1u64 << (signal - 1));
        assert_eq!((mask("SigBlk:"), mask("SigIgn:") & set_back, mask("SigCgt:")), (0, 0, 0));
        let stat = says(&["cat", "/proc/self/stat"], USUAL, &folder).unwrap();
        let fields: Vec<&str> = stat.split(' ').collect();
        assert_eq!(fields[0], fields[4], "it leads a group of its own");
    }

    #[test]
    fn what_does_not_begin_is_told_of_and_leaves_nothing() {
        let home = tempfile::tempdir().unwrap();
        let missing = home.path().join("missing");
        assert_eq!(says(&["true"], USUAL, &missing).unwrap_err().raw_os_error(), Some(libc::ENOENT));
        fs::write(home.path().join("file"), "x").unwrap();
        assert_eq!(says(&["./file"], USUAL, home.path()).unwrap_err().raw_os_error(), Some(libc::EACCES));
        let long = "x".repeat(1 << 21);
        assert_eq!(says(&["true", &long], USUAL, home.path()).unwrap_err().raw_os_error(), Some(libc::E2BIG));
        assert_eq!(says(&["a\0b"], USUAL, home.path()).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        // Signals are as they were.
        let status = fs::read_to_string("/proc/thread-self/status").unwrap();
        assert!(status.lines().any(|line| line == "SigBlk:\t0000000000000000"), "{status}");
    }

    #[test]
    fn a_pipe_leads_to_standard_input() {
        let mut child = started(&["cat"], USUAL, Path::new("/"), Input::Pipe).unwrap();
        child.stdin.take().unwrap().write_all(b"text").unwrap();
        let mut said = String::new();
        child.stdout.read_to_string(&mut said).unwrap();
        assert_eq!(said, "text");
        assert!(child.pidfd.is_some());
        waitpid(Some(child.pid), WaitOptions::empty()).unwrap();
    }
}
