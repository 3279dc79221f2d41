//! Tests that are confined: hostile ones change nothing, and those that need more are told what.
//!
//! The script tries each attack of the list and reduces on; what it did is looked for from outside.

use crate::workshop::Workshop;
use rustix::fs::OFlags;
use rustix::process::{Signal, geteuid};
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::PathBuf;
use std::process::Command;

/// What a hostile test tries, each on its own, so that one that is refused keeps none of the others from being tried. `V`
/// is a folder of the user with files to be harmed.
const ATTACKS: &str = r#"
import ctypes, os, resource, signal, socket, sys
V, VICTIM, PORT, ABSTRACT = os.environ['V'], int(os.environ['VICTIM']), int(os.environ['PORT']), os.environ['ABSTRACT']
f, d, SUPERVISOR = V + '/file', V + '/folder', os.getppid()
libc = ctypes.CDLL(None, use_errno=True)
def check(result):
    if result != 0: raise OSError(ctypes.get_errno(), 'refused')
def write(path, mode='w'):
    with open(path, mode) as to: to.write('harm')
def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(1); s.connect(address)
def through_link():
    os.symlink(f, 'link'); write('link')
def through_hard_link():
    os.link(f, 'hard'); write('hard')
def by_descriptor():
    fd = os.open(V, os.O_PATH); write('/proc/self/fd/%d/new' % fd)
def into_own():
    os.rename(f, 'mine')
def by_number():
    class Handle(ctypes.Structure): _fields_ = [('size', ctypes.c_uint), ('kind', ctypes.c_int), ('bytes', ctypes.c_char * 128)]
    handle, mount = Handle(128, 0, b''), ctypes.c_int()
    check(libc.name_to_handle_at(-100, f.encode(), ctypes.byref(handle), ctypes.byref(mount), 0))
    fd = libc.open_by_handle_at(os.open('.', os.O_RDONLY), ctypes.byref(handle), os.O_WRONLY | os.O_TRUNC)
    os.write(fd, b'harm')
def renice_all():
    check(libc.setpriority(2, os.getuid(), 5))
def add_key():
    number = 248 if os.uname().machine == 'x86_64' else 217
    if libc.syscall(number, b'user', ABSTRACT.encode(), b'x', 1, -4) < 0: raise OSError()
def victims_memory():
    with open('/proc/%d/mem' % VICTIM, 'r+b', 0) as m: m.read(0)
ATTACKS = {
    'write': lambda: write(f), 'append': lambda: write(f, 'a'), 'truncate': lambda: os.truncate(f, 0),
    'create': lambda: write(V + '/new'), 'remove': lambda: os.unlink(f), 'rename': lambda: os.rename(f, V + '/other'),
    'take away': into_own, 'replace': lambda: (write('own'), os.rename('own', f)),
    'make folder': lambda: os.mkdir(V + '/new-folder'), 'remove folder': lambda: os.rmdir(d),
    'make link': lambda: os.symlink('/', V + '/new-link'), 'make hard link': lambda: os.link(f, V + '/new-hard'),
    'make fifo': lambda: os.mkfifo(V + '/new-fifo'), 'make device': lambda: os.mknod(V + '/new-null', 0o20666, os.makedev(1, 3)),
    'own device': lambda: os.mknod('disk', 0o60666, os.makedev(254, 0)),
    'mode': lambda: os.chmod(f, 0o777), 'mode of folder': lambda: os.chmod(V, 0o777), 'owner': lambda: os.chown(f, 12, 12),
    'times': lambda: os.utime(f, (1, 1)), 'attribute': lambda: os.setxattr(f, 'user.harm', b'x'),
    'through link': through_link, 'through hard link': through_hard_link, 'by descriptor': by_descriptor,
    'home': lambda: write(os.path.expanduser('~/new')), 'system': lambda: write('/etc/reduct-harm'),
    'kernel': lambda: write('/proc/sys/kernel/core_pattern'), 'cgroup': lambda: os.mkdir('/sys/fs/cgroup/reduct-harm'),
    'remount': lambda: check(libc.mount(None, V.encode(), None, 32 | 4096, None)),
    'mount': lambda: check(libc.mount(b'none', V.encode(), b'tmpfs', 0, None)),
    'unmount': lambda: check(libc.umount2(b'/tmp', 2)),
    'new namespace': lambda: (check(libc.unshare(0x10020000)), check(libc.mount(None, V.encode(), None, 32 | 4096, None))),
    'root': lambda: (os.chroot(V), write('/new')),
    'kill': lambda: os.kill(VICTIM, signal.SIGKILL), 'stop its parent': lambda: os.kill(SUPERVISOR, signal.SIGSTOP),
    'by a process': lambda: write('/proc/%d/root' % VICTIM + f),
    'mode by a process': lambda: os.chmod('/proc/%d/root' % SUPERVISOR + f, 0o777),
    'by a descriptor of the supervisor': lambda: [os.chmod(g + V[V.index('/', 1):], 0o777) for n in range(3, 20) for g in ['/proc/%d/fd/%d' % (SUPERVISOR, n)]],
    'by its number': by_number, 'terminal': lambda: write(os.environ['TERMINAL']),
    'limits': lambda: resource.prlimit(VICTIM, resource.RLIMIT_CORE, (0, 0)), 'priorities': renice_all, 'key': add_key,
    'shared memory': lambda: check(libc.shmctl(int(os.environ['SHARED']), 0, None)),
    'queue': lambda: check(libc.mq_unlink(b'/reduct-of-the-user')),
    'host of the machine': lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).connect((2, 1)),
    'memory': victims_memory, 'trace': lambda: check(libc.ptrace(16, VICTIM, None, None)),
    'internet': lambda: connect(socket.AF_INET, ('8.8.8.8', 53)), 'server of the user': lambda: connect(socket.AF_INET, ('127.0.0.1', PORT)),
    'socket by path': lambda: connect(socket.AF_UNIX, V + '/socket'),
    'abstract socket': lambda: connect(socket.AF_UNIX, '\0' + ABSTRACT),
    'raw socket': lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).sendto(b'x', ('8.8.8.8', 0)),
}
for name, attack in ATTACKS.items():
    child = os.fork()
    if child == 0:
        try: attack()
        except BaseException: os._exit(1)
        os._exit(0)
    os.waitpid(child, 0)
sys.exit(3 if b'needle' in open('input', 'rb').read() else 0)
"#;

/// What a file is like, as far as an attack could change it.
fn state(path: &std::path::Path) -> (Vec<u8>, u32, u32, i64, u64) {
    let it = fs::metadata(path).unwrap();
    let bytes = if it.is_file() { fs::read(path).unwrap() } else { vec![] };
    (bytes, it.mode(), it.uid(), it.mtime(), it.nlink())
}

/// A terminal of the user.
struct Terminal {
    master: OwnedFd,
    path: PathBuf,
    /// Keeps it open.
    _open: fs::File,
}

impl Terminal {
    fn new() -> Terminal {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let path = PathBuf::from(ptsname(&master, vec![]).unwrap().into_string().unwrap());
        let _open = fs::OpenOptions::new().read(true).custom_flags(OFlags::NOCTTY.bits() as i32).open(&path).unwrap();
        Terminal { master, path, _open }
    }

    fn was_written_to(&self) -> bool {
        rustix::fs::fcntl_setfl(&self.master, OFlags::NONBLOCK).unwrap();
        rustix::io::read(&self.master, &mut [0; 10][..]).is_ok()
    }
}

/// Memory of System V, by its number.
struct SharedMemory(String);

impl SharedMemory {
    fn new() -> SharedMemory {
        let made = Command::new("ipcmk").args(["-M", "4096"]).output().unwrap();
        let said = String::from_utf8(made.stdout).unwrap();
        SharedMemory(said.split_whitespace().next_back().expect("ipcmk says its number").to_owned())
    }

    fn is_there(&self) -> bool {
        Command::new("ipcs")
            .args(["-m", "-i", &self.0])
            .output()
            .unwrap()
            .stdout
            .windows(5)
            .any(|part| part == b"bytes")
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        let _ = Command::new("ipcrm").args(["-m", &self.0]).status();
    }
}

/// Has a queue of POSIX, named by the first argument, made or removed, or looks for it.
const QUEUE: &str = "import ctypes, sys
rt = ctypes.CDLL(None, use_errno=True)
how, name = sys.argv[1], b'/reduct-of-the-user'
done = rt.mq_unlink(name) if how == 'remove' else rt.mq_open(name, 64 if how == 'make' else 0, 0o600, None)
sys.exit(int(done < 0))";

/// A queue of POSIX.
struct Queue;

impl Queue {
    fn new() -> Queue {
        assert!(Queue::does("make"));
        Queue
    }

    fn does(what: &str) -> bool {
        Command::new("python3").args(["-c", QUEUE, what]).status().unwrap().success()
    }

    fn is_there(&self) -> bool {
        Queue::does("look")
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        Queue::does("remove");
    }
}

#[test]
fn a_hostile_test_changes_nothing_outside_of_its_folder() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    workshop.write("attack.py", ATTACKS);
    let (user, home) = (workshop.beside("user"), workshop.beside("of-the-user"));
    fs::create_dir_all(user.join("folder")).unwrap();
    fs::create_dir(&home).unwrap();
    fs::write(user.join("file"), "precious").unwrap();
    fs::set_permissions(user.join("file"), Permissions::from_mode(0o640)).unwrap();
    let by_path = UnixListener::bind(user.join("socket")).unwrap();
    by_path.set_nonblocking(true).unwrap();
    let before = [&user, &user.join("file"), &user.join("folder"), &home].map(|path| state(path));
    let victim = workshop.shell("exec sleep 1000").start();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let name = format!("reduct-{}", std::process::id());
    let abstracted = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    abstracted.set_nonblocking(true).unwrap();
    let terminal = Terminal::new();
    let (shared, queue) = (SharedMemory::new(), Queue::new());
    let limits = || fs::read(format!("/proc/{}/limits", victim.process().0)).unwrap();
    let limits_before = limits();
    let done = workshop
        .reduct(
            "input --by lines --bare --fails-if exit=3 -j2 -- python3"
                .split(' ')
                .chain([workshop.path("attack.py").to_str().unwrap()]),
        )
        .env("HOME", &home)
        .env("REDUCT_ALLOW_WRITE", "")
        .env("V", &user)
        .env("VICTIM", victim.process().0.to_string())
        .env("PORT", listener.local_addr().unwrap().port().to_string())
        .env("ABSTRACT", &name)
        .env("TERMINAL", &terminal.path)
        .env("SHARED", &shared.0)
        .run();
    let done = done.exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    assert_eq!([&user, &user.join("file"), &user.join("folder"), &home].map(|path| state(path)), before);
    assert_eq!(victim.process().name(), "sleep", "killed");
    assert!(listener.accept().is_err(), "the user's server was reached");
    assert!(by_path.accept().is_err(), "the user's socket was reached by its path");
    assert!(abstracted.accept().is_err(), "the user's socket was reached");
    assert!(!fs::exists("/etc/reduct-harm").unwrap());
    assert!(limits() == limits_before, "the limits of a process of the user were changed");
    assert!(!terminal.was_written_to(), "a terminal of the user was written to");
    assert!(shared.is_there() && queue.is_there(), "what processes of the user share was removed");
    let keys = fs::read("/proc/keys").unwrap_or_default();
    assert!(!keys.windows(name.len()).any(|part| part == name.as_bytes()), "a key was made");
    // Last: on a system that cannot confine all of this, all else tells what can happen there.
    done.says("Confined: writes only in its folder (what it writes elsewhere is thrown away), no network.");
    victim.process().kill(Signal::KILL);
    victim.wait();
    workshop.expect_no_process();
}

#[test]
fn each_test_finds_the_files_of_the_user_as_they_are() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let [log, tool] = ["log.txt", "of-the-user/tool"].map(|name| workshop.beside(name));
    fs::create_dir(tool.parent().unwrap()).unwrap();
    fs::write(&log, "kept\n").unwrap();
    fs::write(&tool, "#!/bin/sh\n").unwrap();
    let left = format!("/tmp/reduct-left-{}", std::process::id());
    workshop.script(
        "test.sh",
        &format!(
            "[ ! -e {left} ] || exit 5\necho x >{left} || exit 6\necho x >/dev/shm/left || exit 6\n\
             [ \"$(cat {log})\" = kept ] || exit 7\necho more >>{log} || exit 8\n\
             [ -e {tool} ] || exit 9\nrm -r {of_the_user} || exit 10\n\
             python3 -c 'import socket as s\nl = s.create_server((\"127.0.0.1\", 0))\ns.create_connection(l.getsockname())' || exit 11\n\
             ! grep -q needle input || exit 3",
            log = log.display(),
            tool = tool.display(),
            of_the_user = tool.parent().unwrap().display(),
        ),
    );
    let words = "input --by lines --bare --fails-if exit=3 -- ./test.sh".split(' ');
    let done = workshop.reduct(words).env("REDUCT_ALLOW_WRITE", "").run().exits_with(0);
    done.says("The test writes to /").says("is thrown away after each test, unless --allow-write names it");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    assert_eq!(fs::read(&log).unwrap(), b"kept\n");
    assert!(tool.exists() && !fs::exists(&left).unwrap());
}

#[test]
fn what_a_test_may_change_stays_changed() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let there = workshop.beside("there");
    fs::write(&there, "").unwrap();
    let line = format!("echo x >{} || exit 0; grep -q needle input && exit 3; exit 0", there.display());
    let words = ["input", "--bare", "--by", "lines", "--force", "--fails-if", "exit=3"];
    let run = |more: &[&str]| {
        let words = [&words[..], more, &["-c", &line]].concat();
        workshop.reduct(words).env("REDUCT_ALLOW_WRITE", "").run().exits_with(0)
    };
    for how in [&[][..], &["--confine"], &["--confine=strict"]] {
        run(how);
        assert_eq!(fs::read(&there).unwrap(), b"");
    }
    run(&["--allow-write", there.to_str().unwrap()]).says("writes only in its folder and in ");
    assert_eq!(fs::read(&there).unwrap(), b"x\n");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}

#[test]
fn a_test_that_changes_programs_is_told_what_it_needs() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let line = "touch /usr/reduct-of-nobody || exit 0; grep -q needle input && exit 3; exit 0";
    let words = ["input", "--bare", "--by", "lines", "--fails-if", "exit=3", "-c", line];
    let done = workshop.reduct(words).env("REDUCT_ALLOW_WRITE", "").run();
    assert!(!fs::exists("/usr/reduct-of-nobody").unwrap());
    let asked = [&["--confine=strict"], &words[..]].concat();
    let only = workshop.reduct(asked).env("REDUCT_ALLOW_WRITE", "").run();
    only.exits_with(3).says("Tests are confined, as you asked").says("the failure does not occur on the whole input");
    // As anybody else, it cannot be made there at all.
    if !geteuid().is_root() {
        done.exits_with(3).says("the failure does not occur");
        return;
    }
    let told = done.exits_with(3).says("it changes /usr/reduct-of-nobody").says("--allow-write /usr,");
    told.says("failed there: openat /usr/reduct-of-nobody (Read-only file system)");
    // Both at once.
    let line =
        format!("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {}))' || exit 0; {line}", {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            std::mem::forget(listener);
            port
        });
    let words = ["input", "--bare", "--by", "lines", "--fails-if", "exit=3", "-c", &line];
    let done = workshop.reduct(words).env("REDUCT_ALLOW_WRITE", "").run().exits_with(3);
    done.says("--allow-network=loopback --allow-write /usr,");
}

#[test]
fn a_run_goes_on_as_confined_as_it_began() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\nc\n");
    let harmed = workshop.beside("harmed");
    fs::write(&harmed, "").unwrap();
    let line = format!("echo x >{} 2>&-; grep -q needle input && exit 3; exit 0", harmed.display());
    let words = ["input", "--bare", "--by", "lines", "--tests", "1", "--fails-if", "exit=3", "-c", &line];
    workshop.reduct(words).env("REDUCT_ALLOW_WRITE", "").run().exits_with(4);
    workshop.reduct(["resume"]).run().exits_with(0);
    workshop.reduct(["verify"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    assert_eq!(fs::read(&harmed).unwrap(), b"");
}

#[test]
fn what_is_hidden_is_not_there() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let secret = workshop.beside("secret");
    fs::create_dir(&secret).unwrap();
    fs::write(secret.join("key"), "k").unwrap();
    fs::create_dir_all(secret.join("a/b")).unwrap();
    fs::write(secret.join("a/b/known"), "known").unwrap();
    let line = format!(
        "cd {} && [ ! -e key ] && [ \"$(cat a/b/known)\" = known ] && ! touch a/b/c && cd - && grep -q needle input && exit 3; \
         exit 0",
        secret.display()
    );
    let shown = secret.join("a/b");
    let hide = ["--hide", secret.to_str().unwrap(), "--allow-read", shown.to_str().unwrap()];
    let words = [&["input"][..], &hide, &["--bare", "--by", "lines", "--fails-if", "exit=3", "-c", &line]].concat();
    workshop.reduct(words).run().exits_with(0);
    assert!(workshop.text("input.reduced").contains("needle"));
}

#[test]
fn a_test_that_needs_the_network_gets_it_when_it_is_allowed() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let connect =
        format!("import socket; socket.create_connection({:?})", ("127.0.0.1", listener.local_addr().unwrap().port()));
    let line = format!("python3 -c '{}' || exit 0; grep -q needle input && exit 3; exit 0", connect);
    let run = |option: &[&str]| {
        let words = ["input", "--bare", "--by", "lines", "--force", "--fails-if", "exit=3"];
        workshop.reduct(words.iter().chain(option).chain(&["-c", &line])).run()
    };
    let told = run(&[]).exits_with(3).says("it needs a program that listens on the loopback device of this machine");
    told.says(&format!("failed there: connect {} (Connection refused)", listener.local_addr().unwrap()));
    run(&["--allow-network=loopback"]).exits_with(0).says("no network but what listens on the loopback device");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    workshop.reduct(["verify"]).run().exits_with(0);
    run(&["--allow-network"]).exits_with(0).says("any network");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    let plain = run(&["--unconfined"]).exits_with(0);
    assert!(!plain.stderr.contains("Confined"), "{}", plain.stderr);
    let by_variable = |how| {
        let words = ["input", "--bare", "--by", "lines", "--force", "--fails-if", "exit=3", "-c", &line];
        workshop.reduct(words).env("REDUCT_CONFINE", how).run()
    };
    by_variable("off").exits_with(0).does_not_say("Confined");
    by_variable("strict").exits_with(3);
    by_variable("on").exits_with(2).says("it can be auto, strict or off");
}
