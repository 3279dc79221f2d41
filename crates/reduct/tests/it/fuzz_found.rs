//! `reduct fuzz --from`: the folders of other fuzzers, with the files that these leave there.

use crate::fuzz::{EIGHT_BIT, findings, fuzz, workshop};
use crate::workshop::Workshop;

const CRASH: &[u8] = b"some \xe9 text";

fn human(files: usize) -> String {
    if files == 1 { "1 file".into() } else { format!("{files} files") }
}

/// Runs what is in a folder: so many files, of which one failure was seen so often, and reduced to one byte.
fn expect(workshop: &Workshop, folder: &str, (files, seen): (usize, u64), command: &[&str]) {
    let done = workshop.reduct(fuzz(&["--from", folder, "--force"], command)).run().exits_with(0);
    drop(done.says(&format!("fuzzing: {}", human(files))).does_not_say("To go on"));
    let [found] = &findings(workshop, "fuzz")[..] else { panic!("one failure in {folder}") };
    assert_eq!(found["seen"], seen, "{folder}: {found}");
    assert_eq!(workshop.read(format!("fuzz/{}/reduced", found["folder"].as_str().unwrap())).len(), 1);
}

#[test]
fn afl_has_folders_for_each_instance_and_for_what_it_put_aside() {
    let workshop = workshop(EIGHT_BIT);
    for (file, bytes) in [
        ("main/crashes/id:000000,sig:06,src:000000,time:12,execs:40,op:havoc,rep:2", CRASH),
        ("main/crashes/README.txt", "Command line used to find this crash: \u{e9}".as_bytes()),
        ("main/crashes.2026-01-31-12:00:00/id:000000,sig:06,src:000000,time:7,execs:9,op:flip1,pos:0", CRASH),
        ("main/hangs/id:000000,src:000001,time:3210,execs:77,op:havoc,rep:4", &b"nothing\n"[..]),
        ("main/queue/id:000000,time:0,execs:0,orig:seed", CRASH),
        ("main/queue/.state/deterministic_done/id:000000,time:0,execs:0,orig:seed", CRASH),
        ("main/fuzzer_stats", CRASH),
        ("main/cmdline", CRASH),
        ("second/crashes/id:000000,sig:06,src:000000,sync:main,src:000000", CRASH),
        ("second/.synced/main", CRASH),
    ] {
        workshop.write(format!("afl/{file}"), bytes);
    }
    expect(&workshop, "afl", (4, 3), &["./prog"]);
    expect(&workshop, "afl/main", (3, 2), &["./prog"]);
    expect(&workshop, "afl/main/crashes", (1, 1), &["./prog"]);
}

#[test]
fn libfuzzer_and_honggfuzz_have_names_of_their_own_among_other_files() {
    let workshop = workshop(EIGHT_BIT);
    let hash = "adc83b19e793491b1c6ea0fd8b46cd9f32e592fc";
    for kind in ["crash", "leak", "timeout", "oom", "slow-unit"] {
        workshop.write(format!("libfuzzer/{kind}-{hash}"), CRASH);
    }
    workshop.write(format!("libfuzzer/{hash}"), CRASH);
    workshop.write("libfuzzer/fuzz-0.log", CRASH);
    expect(&workshop, "libfuzzer", (5, 5), &["./prog"]);
    let name = "SIGABRT.PC.7ffff7e1.STACK.18e1b3.CODE.-6.ADDR.0.INSTR.mov____%eax,%r13d.fuzz";
    workshop.write(format!("hongg/{name}"), CRASH);
    workshop.write("hongg/HONGGFUZZ.REPORT.TXT", CRASH);
    workshop.write("hongg/adc83b19e793491b1c6ea0fd8b46cd9f.00000010.honggfuzz.cov", CRASH);
    expect(&workshop, "hongg", (1, 1), &["./prog"]);
}

#[test]
fn what_is_found_meanwhile_comes_after_what_was_there() {
    let workshop = workshop(EIGHT_BIT);
    for name in ["b", "c", "d"] {
        workshop.write(format!("inputs/{name}"), name);
    }
    workshop.reduct(fuzz(&["--from", "inputs", "--tests", "2"], &["./prog"])).run().exits_with(0);
    // Before all that was there by name; another one is gone.
    workshop.write("inputs/a", CRASH);
    std::fs::remove_file(workshop.path("inputs/d")).unwrap();
    drop(workshop.reduct(["resume", "fuzz"]).run().exits_with(0).says("in 3 trials").does_not_say("To go on"));
    let [found] = &findings(&workshop, "fuzz")[..] else { panic!("the new one fails") };
    assert_eq!(found["trial"], 2);
    assert!(found["file"].as_str().unwrap().ends_with("inputs/a"), "{found}");
}

#[test]
fn their_words_for_the_input_are_understood() {
    let workshop = workshop(
        &EIGHT_BIT.replace("int main(void) {", "int main(int n, char **words) { stdin = fopen(words[n - 1], \"r\");"),
    );
    workshop.write("crashes/id:000000,sig:06,src:000000", CRASH);
    expect(&workshop, "crashes", (1, 1), &["./prog", "@@"]);
    expect(&workshop, "crashes", (1, 1), &["./prog", "-x", "___FILE___"]);
    expect(&workshop, "crashes", (1, 1), &["./prog", "@@", "___FILE___"]);
}
