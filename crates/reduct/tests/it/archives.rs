//! Archives as inputs: what is packed in them is reduced as files.

use crate::workshop::Workshop;

/// Writes `input.zip`, compressed: a needed line among others in a file, and two more files.
const PACK: &str = r#"
import zipfile
with zipfile.ZipFile('input.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
    archive.writestr('mimetype', 'text/plain')
    archive.writestr('notes/all.txt', ''.join(f'line {at}\n' for at in range(300)))
    archive.writestr('notes/more.txt', 'nothing\n' * 50)
    archive.writestr('picture.bin', bytes(range(256)) * 4)
"#;

/// Fails, by the convention of reducer scripts, if the line is there.
const CHECK: &str = r#"
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
lines = archive.read('notes/all.txt').split(b'\n')
sys.exit(b'line 217' not in lines)
"#;

/// Says what is packed in an archive.
const LIST: &str = r#"
import sys, zipfile
for entry in zipfile.ZipFile(sys.argv[1]).infolist():
    print(entry.filename, zipfile.ZipFile(sys.argv[1]).read(entry))
"#;

/// A workshop with the archive, and tests for it.
fn packed() -> Workshop {
    let workshop = Workshop::new();
    for (name, program) in [("pack.py", PACK), ("check.py", CHECK), ("list.py", LIST)] {
        workshop.write(name, program);
    }
    workshop.shell("python3 pack.py").run().exits_with(0);
    workshop
}

const TEST: [&str; 5] = ["input.zip", "--", "python3", "check.py", "{}"];

impl Workshop {
    fn packed_in(&self, archive: &str) -> String {
        self.shell(&format!("python3 list.py {archive}")).run().exits_with(0).stdout
    }
}

#[test]
fn what_is_packed_in_a_zip_is_reduced_as_files() {
    let workshop = packed();
    let before = workshop.read("input.zip");
    let done = workshop.reduct(TEST).run().exits_with(0);
    done.says("Proved: 1-minimal").says(&format!(
        "packed, {},{:03} bytes before",
        before.len() / 1000,
        before.len() % 1000
    ));
    assert_eq!(workshop.packed_in("input.reduced.zip"), "notes/all.txt b'line 217'\n");
    assert!(workshop.read("input.zip") == before, "the input stays as it is");
    workshop.reduct(["verify"]).run().exits_with(0);
    workshop.reduct(["explain"]).run().exits_with(0);
    // It is known as ours.
    workshop.reduct(TEST).run().exits_with(0);
}

#[test]
fn an_interrupted_run_goes_on_in_the_archive() {
    let workshop = packed();
    let events = |name: &str| crate::workshop::Events::read(workshop.path(name)).tests();
    workshop.reduct(["--events", "all"].iter().chain(&TEST)).run().exits_with(0);
    let words = ["--tests", "7", "--force"];
    workshop.reduct(words.iter().chain(&TEST)).run().exits_with(4);
    workshop.reduct(["resume", "--events", "resumed"]).run().exits_with(0);
    assert_eq!(events("all"), events("resumed"));
    assert_eq!(workshop.packed_in("input.reduced.zip"), "notes/all.txt b'line 217'\n");
}

#[test]
fn an_archive_that_is_replaced_is_kept_as_it_was() {
    let workshop = packed();
    let before = workshop.read("input.zip");
    workshop.reduct(["--in-place"].iter().chain(&TEST)).run().exits_with(0);
    assert_eq!(workshop.packed_in("input.zip"), "notes/all.txt b'line 217'\n");
    assert!(workshop.read("input.zip.orig") == before);
}

/// The failure needs something of an archive that is not kept when it is packed again.
#[test]
fn an_archive_that_passes_packed_again_is_reduced_as_a_file() {
    let workshop = packed();
    workshop.write(
        "check.py",
        format!("{CHECK}sys.exit(archive.getinfo('notes/all.txt').compress_type != 8)\n")
            .replace("sys.exit(b'line 217' not in lines)", "if b'line 217' not in lines: sys.exit(1)"),
    );
    let done = workshop.reduct(["--tests", "9"].iter().chain(&TEST)).run().exits_with(4);
    done.says("packed again")
        .says("What is packed in the archive was not reduced")
        .does_not_say("stands in the result");
    assert!(workshop.packed_in("input.reduced.zip").contains("line 217"));
}

#[test]
fn by_bytes_an_archive_is_reduced_as_a_file() {
    let workshop = packed();
    let length = workshop.read("input.zip").len();
    let words = ["--by", "bytes", "--tests", "3", "--events", "events"];
    workshop.reduct(words.iter().chain(&TEST)).run().exits_with(4);
    let events = crate::workshop::Events::read(workshop.path("events"));
    assert_eq!(events.of("began")[0]["bytes"], length);
}

#[test]
fn what_is_packed_by_gzip_is_reduced_as_a_file() {
    let workshop = Workshop::new();
    let lines: String = (0..400).map(|at| format!("{{\"number\": {at}}}\n")).collect();
    workshop.write("log.json", format!("[{}]", lines.trim_end().replace('\n', ",\n")));
    workshop.shell("gzip log.json").run().exits_with(0);
    workshop.reduct(["log.json.gz", "-c", "gzip -dc log.json.gz | grep -q 217"]).run().exits_with(0);
    assert_eq!(workshop.shell("gzip -dc log.json.reduced.gz").run().exits_with(0).stdout, "217");
}

#[test]
fn an_archive_in_a_folder_is_reduced_with_it() {
    let workshop = packed();
    workshop.shell("mkdir folder; mv input.zip folder; echo other > folder/other.txt").run().exits_with(0);
    workshop.reduct(["folder", "--", "python3", "check.py", "{}/input.zip"]).run().exits_with(0);
    assert_eq!(workshop.packed_in("folder.reduced/input.zip"), "notes/all.txt b'line 217'\n");
    assert!(!workshop.exists("folder.reduced/other.txt"));
}
