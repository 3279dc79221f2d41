//! What confined tests see where something is mounted, and what they find of the tests before them.

use crate::workshop::Workshop;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};

#[test]
fn what_is_only_readable_below_an_allowed_folder_stays_so() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let allowed = workshop.beside("allowed");
    fs::create_dir_all(allowed.join("only-readable")).unwrap();
    let line = "touch {}/own; touch {}/only-readable/harm 2>/dev/null; grep -q needle input && exit 3; exit 0";
    let line = line.replace("{}", allowed.to_str().unwrap());
    let mounted = format!(
        "cd ../allowed && mount --bind only-readable only-readable && mount -o remount,bind,ro only-readable && cd ../home && \
         exec \"$REDUCT\" input --confine --bare --by lines --fails-if exit=3 --allow-write ../allowed -c '{line}'"
    );
    let done = workshop.call("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", &mounted]);
    done.env("REDUCT_ALLOW_WRITE", "").run().exits_with(0).says("Confined: writes only in its folder and in ");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    assert!(allowed.join("own").exists(), "nothing could be written where it is allowed");
    assert!(!allowed.join("only-readable/harm").exists());
}

/// Users other than root cannot copy such a folder as a whole: its parts are copied.
#[test]
fn a_folder_below_which_something_is_mounted_is_copied_in_parts() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    workshop.write("kept", "precious\n");
    workshop.write("folder/kept", "precious\n");
    fs::create_dir(workshop.path("mounted")).unwrap();
    workshop.script(
        "test.sh",
        "cd \"$HOME\" || exit 9\n\
         [ \"$(cat kept folder/kept mounted/kept)\" = \"$(printf 'precious\\nprecious\\nprecious')\" ] || exit 8\n\
         [ ! -e new ] && [ ! -e folder/new ] || exit 7\n\
         echo harm | tee kept folder/kept new folder/new >/dev/null || exit 6\n\
         echo harm 2>/dev/null >mounted/kept && exit 5\n\
         cd - >/dev/null; ! grep -q needle input || exit 3",
    );
    let mounted = "mount -t tmpfs none mounted && echo precious >mounted/kept && \
                   unshare --user --map-user=1000 --map-group=1000 \"$REDUCT\" input --confine=strict --bare --by lines \
                   --fails-if exit=3 -- ./test.sh && cat mounted/kept";
    let done = workshop.call("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", mounted]);
    let done = done.env("REDUCT_ALLOW_WRITE", "").env("HOME", workshop.home()).run().exits_with(0);
    let done = done.says("Confined: writes only in its folder (what it writes elsewhere is thrown away), no network.");
    assert!(done.stdout.ends_with("precious\n"), "{}", done.stdout);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    assert_eq!(workshop.text("kept") + &workshop.text("folder/kept"), "precious\nprecious\n");
    assert!(!workshop.exists("new") && !workshop.exists("folder/new"));
}

#[test]
fn what_programs_share_without_files_is_not_left_to_the_next_test() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    workshop.script(
        "test.sh",
        "[ \"$(ipcs -m | grep -c '^0x')$(ipcs -q | grep -c '^0x')$(ipcs -s | grep -c '^0x')\" = 000 ] || exit 7\n\
         ipcmk -M 4096 -Q -S 1 >/dev/null || exit 8\n\
         [ \"$(stat -c %a /dev/shm)\" = 1777 ] && chmod 700 /dev/shm || exit 9\n\
         ! grep -q needle input || exit 3",
    );
    let words = "input --by lines --bare --fails-if exit=3 -- ./test.sh".split(' ');
    workshop.reduct(words).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}

#[test]
fn what_a_test_forbids_itself_in_a_folder_is_not_left_to_the_next_test() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    // Only root may set such a flag.
    workshop.script(
        "test.sh",
        "for folder in /tmp /var/tmp /dev/shm; do : >$folder/new && rm $folder/new || exit 7; chattr +i $folder 2>/dev/null; done\n\
         ! grep -q needle input || exit 3",
    );
    // Nothing runs where these folders are no copies.
    let words = "input --confine=strict --by lines --bare --fails-if exit=3 -- ./test.sh".split(' ');
    workshop.reduct(words).env("REDUCT_ALLOW_WRITE", "").run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}

/// It finds its file if it is started a second time. What it says then is wrong.
const FORGETFUL: &str = "import os, sys
left = '/var/tmp/' + os.environ['MARKER']
was_there = os.path.exists(left)
open(left, 'w').close()
print('reduct 1', flush=True)
contents = sys.stdin.buffer.read(int(sys.stdin.buffer.readline().split()[1]))
print('fail' if b'needle' in contents and not was_there else 'pass', flush=True)
";

#[test]
fn a_new_server_finds_the_files_of_the_user_as_they_are() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let server = workshop.write("server.py", FORGETFUL);
    let words = ["input", "--by", "lines", "--bare", "--persistent", "--", "python3", server.to_str().unwrap()];
    let marker = format!("reduct-marker-{}", std::process::id());
    workshop.reduct(words).env("REDUCT_ALLOW_WRITE", "").env("MARKER", &marker).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    assert!(!fs::exists(format!("/var/tmp/{marker}")).unwrap());
}

/// What listens on the loopback device is reached by its address there, and is heard to the end; nothing else is.
#[test]
fn a_test_reaches_what_listens_on_the_loopback_device_only() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    let [port, other] = [listener.local_addr(), datagrams.local_addr()].map(|address| address.unwrap().port());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut heard = vec![];
            let _ = stream.read_to_end(&mut heard);
            let _ = stream.write_all(&heard);
        }
    });
    workshop.write(
        "test.py",
        "import socket, sys\n\
         port, other = map(int, sys.argv[1:])\n\
         s = socket.create_connection(('127.0.0.1', port))\n\
         said = bytes(n % 251 for n in range(300000))\n\
         s.sendall(said); s.shutdown(1)\n\
         with s.makefile('rb') as back: assert back.read() == said\n\
         with socket.create_server(('127.0.0.1', 0)) as own: socket.create_connection(own.getsockname())\n\
         socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', other))\n\
         with socket.socket() as far:\n    assert far.connect_ex(('192.0.2.1', port)) != 0\n\
         sys.exit(3 if b'needle' in open('input', 'rb').read() else 0)\n",
    );
    let words =
        ["input", "--bare", "--by", "lines", "--fails-if", "exit=3", "--allow-network=loopback", "--", "python3"];
    let [script, port, other] = [workshop.path("test.py").display().to_string(), port.to_string(), other.to_string()];
    let done = workshop.reduct(words.into_iter().chain([&*script, &port, &other])).run().exits_with(0);
    done.says("no network but what listens on the loopback device of this machine.");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    datagrams.set_nonblocking(true).unwrap();
    assert!(datagrams.recv(&mut [0]).is_err(), "a datagram got out");
    workshop.expect_no_process();
}

#[test]
fn where_a_test_can_have_no_network_of_its_own_the_loopback_device_alone_is_refused() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let line = "echo 0 >/proc/sys/user/max_net_namespaces && \
                exec \"$REDUCT\" input --bare --allow-network=loopback -c 'grep -q needle input && exit 3; exit 0'";
    let done = workshop.call("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", line]).run();
    done.exits_with(2).says("--allow-network allows all of the network");
}

/// Has the kernel refuse the calls of Landlock, as one does that has none.
const WITHOUT_LANDLOCK: &str = "
import ctypes, os, struct, sys
op = lambda code, yes, no, value: struct.pack('HBBI', code, yes, no, value)
refuse = [op(0x20, 0, 0, 0), op(0x35, 0, 2, 444), op(0x35, 1, 0, 447), op(0x6, 0, 0, 0x50026), op(0x6, 0, 0, 0x7fff0000)]
bytes = ctypes.create_string_buffer(b''.join(refuse))
class Program(ctypes.Structure): _fields_ = [('length', ctypes.c_ushort), ('filter', ctypes.c_void_p)]
program = Program(len(refuse), ctypes.addressof(bytes))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])";

#[test]
fn without_landlock_a_test_opens_only_devices_that_do_no_harm() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    workshop.script(
        "test.sh",
        "for device in null zero full random urandom; do (: >/dev/$device) && [ -r /dev/$device ] || exit 9; done\n\
         script -qc 'echo terminal' /dev/null </dev/null | grep -q terminal || exit 8\n\
         for device in /dev/*; do\n\
         case $device in */null|*/zero|*/full|*/random|*/urandom|*/tty|*/ptmx) continue;; esac\n\
         [ -L $device ] && continue\n\
         if [ -b $device ] || [ -c $device ]; then (: >>$device) 2>/dev/null && exit 7; fi\n\
         done\n\
         ! grep -q needle input || exit 3",
    );
    let reduct =
        "exec python3 -c \"$FILTER\" \"$REDUCT\" input --confine --bare --by lines --fails-if exit=3 -- ./test.sh";
    let done = workshop.call("sh", ["-c", reduct]).env("FILTER", WITHOUT_LANDLOCK).env("REDUCT_ALLOW_WRITE", "").run();
    done.exits_with(0).says("Confined: writes only in its folder");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}

/// Starts a program that can leave no namespace, as in many containers: unshare(2) is refused by a filter.
const AS_IN_A_CONTAINER: &str = "import ctypes, os, struct, sys
libc = ctypes.CDLL(None)
number = 272 if os.uname().machine == 'x86_64' else 97
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in steps))
class Program(ctypes.Structure): _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]
program = Program(len(steps), ctypes.addressof(code))
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program), 0, 0): sys.exit(9)
os.execvp(sys.argv[1], sys.argv[1:])
";

#[test]
fn without_a_view_a_test_makes_no_file_immutable_and_what_stays_open_is_said() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    workshop.write("container.py", AS_IN_A_CONTAINER);
    let precious = workshop.beside("precious");
    fs::write(&precious, "kept").unwrap();
    let line = format!("chattr +i {0} 2>/dev/null; grep -q needle input && exit 3; exit 0", precious.display());
    let start = "exec python3 container.py \"$REDUCT\" input --confine --bare --by lines --fails-if exit=3 -c \"$1\"";
    let done = workshop.call("sh", ["-c", start, "sh", &line]).env("REDUCT_ALLOW_WRITE", "").run().exits_with(0);
    let done = done.says("it may change modes, owners, times and attributes of files elsewhere");
    done.says("it may ask programs that listen on Unix sockets");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    fs::write(&precious, "changed").unwrap();
}
