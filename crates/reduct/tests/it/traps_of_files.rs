//! The traps of `traps.rs` that are about files: originals, folders of tests, and contents of all sorts.

use crate::traps::with_needle;
use crate::workshop::{Workshop, files_below, listed};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

#[test]
fn trap_12_the_first_original_is_kept_for_good() {
    let workshop = Workshop::new();
    let original = "one\ntwo\nthree\nfour\n";
    workshop.write("input", original);
    fs::set_permissions(workshop.path("input"), Permissions::from_mode(0o640)).unwrap();
    workshop.script("first.sh", "grep -q one input && grep -q three input");
    workshop.script("second.sh", "grep -q one input");
    workshop.reduct("--by lines --in-place ./first.sh input".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input"), "one\nthree\n");
    assert_eq!(workshop.text("input.orig"), original);
    workshop.reduct("--by lines --in-place ./second.sh input".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input"), "one\n");
    assert_eq!(workshop.text("input.orig"), original);
    for name in ["input", "input.orig"] {
        assert_eq!(fs::metadata(workshop.path(name)).unwrap().mode() & 0o7777, 0o640, "{name}");
    }
    assert_eq!(workshop.names(), ["first.sh", "input", "input.orig", "second.sh"]);
}

fn project(workshop: &Workshop) {
    for n in 0..12 {
        workshop.write(format!("project/src/{n}.c"), format!("int f{n};\n"));
    }
    workshop.write("project/run.sh", "echo needle\nexit 0\n");
    workshop.write("project/secret", "s\n");
    fs::create_dir(workshop.path("project/empty")).unwrap();
    symlink("run.sh", workshop.path("project/link")).unwrap();
    symlink("nowhere", workshop.path("project/dangling")).unwrap();
    for (name, mode) in [("run.sh", 0o755), ("secret", 0o600), ("empty", 0o711)] {
        fs::set_permissions(workshop.path("project").join(name), Permissions::from_mode(mode)).unwrap();
    }
}

#[test]
fn trap_12_modes_links_and_empty_folders_survive() {
    let workshop = Workshop::new();
    project(&workshop);
    workshop.script(
        "test.sh",
        "cd project && [ -x run.sh ] && grep -q needle link && [ \"$(stat -c %a secret empty | tr '\\n' ' ')\" = '600 711 ' ]
         [ $? -eq 0 ] && [ \"$(readlink dangling)\" = nowhere ] && [ -L link ] && [ -d empty ]",
    );
    workshop.reduct(["./test.sh", "project"]).run().exits_with(0);
    let result = workshop.path("project.reduced");
    let mode = |name: &str| fs::symlink_metadata(result.join(name)).unwrap().mode() & 0o7777;
    assert_eq!((mode("run.sh"), mode("secret"), mode("empty")), (0o755, 0o600, 0o711));
    assert_eq!(fs::read_link(result.join("link")).unwrap().to_str(), Some("run.sh"));
    assert_eq!(fs::read_link(result.join("dangling")).unwrap().to_str(), Some("nowhere"));
    assert_eq!(fs::read_to_string(result.join("run.sh")).unwrap().trim(), "needle");
    assert_eq!(listed(&result), ["dangling", "empty", "link", "run.sh", "secret"]);
    assert_eq!(fs::read(result.join("secret")).unwrap(), b"");
}

#[test]
fn trap_12_a_folder_in_place_keeps_its_original_with_everything() {
    let workshop = Workshop::new();
    project(&workshop);
    let before = files_below(&workshop.path("project"));
    workshop.script("test.sh", "grep -q needle project/run.sh");
    workshop.reduct(["--in-place", "./test.sh", "project"]).run().exits_with(0);
    assert_eq!(listed(&workshop.path("project")), ["run.sh"]);
    assert_eq!(files_below(&workshop.path("project.orig")), before);
    assert_eq!(fs::read_link(workshop.path("project.orig/dangling")).unwrap().to_str(), Some("nowhere"));
    assert_eq!(fs::metadata(workshop.path("project.orig/empty")).unwrap().mode() & 0o7777, 0o711);
}

#[test]
fn trap_13_the_original_is_never_written() {
    for how in ["", "--tests 3", "--timeout 20s -j2"] {
        let workshop = with_needle("grep -q needle input; result=$?; echo changed >input; exit $result");
        let seen = || {
            let meta = fs::metadata(workshop.path("input")).unwrap();
            let times = (meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec());
            (workshop.read("input"), meta.ino(), meta.mode(), times)
        };
        let before = seen();
        let done = workshop.shell(&format!("\"$REDUCT\" {how} ./test.sh input")).run();
        assert!([0, 4].contains(&done.status), "{done:?}");
        assert_eq!(seen(), before, "{how}");
    }
}

#[test]
fn trap_19_a_process_that_still_writes_into_the_folder_is_no_obstacle() {
    let workshop = with_needle(
        "setsid sh -c 'i=0; while mkdir -p d && : >d/$i && : >$i; do i=$((i+1)); done' &
         grep -q needle input",
    );
    let words = ["--by", "lines", "--scratch", "../scratch", "./test.sh", "input"];
    workshop.reduct(words).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    assert_eq!(workshop.processes(), []);
    assert_eq!(listed(&workshop.scratch()), [""; 0]);
}

#[test]
fn trap_19_what_a_test_makes_of_its_folder_is_no_obstacle() {
    for mess in [
        "mkdir -p a/b; : >a/b/c; chmod 0 a/b a .",
        "rm -rf \"$PWD\"",
        "rm -f input; mkdir input; : >input/file",
        "ln -s / root; ln -sf /etc/passwd input",
        "mkfifo pipe; mkdir -p ./-rf/'*'/\"$(printf 'a\\nb')\"",
    ] {
        let workshop = with_needle(&format!("grep -q needle input; result=$?\n{mess}\nexit $result"));
        let words = ["--by", "lines", "--scratch", "../scratch", "./test.sh", "input"];
        workshop.reduct(words).run().exits_with(0);
        assert_eq!(workshop.text("input.reduced"), "needle\n", "{mess}");
        assert_eq!(listed(&workshop.scratch()), [""; 0], "{mess}");
    }
}

#[test]
fn trap_21_any_bytes() {
    let utf_16: Vec<u8> = "\u{feff}ein Käse\r\nnädel\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&str, &[u8], &[u8]); 9] = [
        ("latin-1", b"caf\xe9 \xfc\xe4\nn\xe4del\xff\nrest", b"n\xe4del"),
        ("utf-16", &utf_16, b"\xe4\0d\0e\0"),
        ("nul", b"a\0b\0\0needle\0\0c\n", b"\0needle\0"),
        ("crlf", b"one\r\ntwo\r\nthree\r\n", b"two\r\nthree"),
        ("mixed line ends", b"one\r\ntwo\rthree\nfour\n\rfive", b"o\rthree\nf"),
        ("bom", b"\xef\xbb\xbfone\ntwo\n", b"\xef\xbb\xbf"),
        ("no final newline", b"one\ntwo\nneedle", b"needle"),
        ("half a character", b"a\xe2\x82b\xe2\x82\xac", b"\x82b\xe2\x82\xac"),
        ("only line ends", b"\n\n\r\n\n", b"\r\n"),
    ];
    for (name, input, needed) in cases {
        let workshop = Workshop::new();
        workshop.write("input", input);
        let hex: String = needed.iter().map(|byte| format!(" {byte:02x}")).collect();
        workshop.script("test.sh", &format!("od -An -v -tx1 input | tr -d '\\n' | grep -q '{hex}'"));
        workshop.reduct(["./test.sh", "input"]).run().exits_with(0);
        assert_eq!(workshop.read("input.reduced"), needed, "{name}");
        assert_eq!(workshop.read("input"), input, "{name}");
    }
}

#[test]
fn trap_21_nothing_can_go_from_a_file_of_0_bytes() {
    let workshop = Workshop::new();
    workshop.write("input", "");
    workshop.script("test.sh", "[ -e input ]");
    let done = workshop.reduct(["./test.sh", "input"]).run();
    assert!([0, 2].contains(&done.status), "{done:?}");
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    assert_eq!(workshop.text("input"), "");
}
