//! Which of the two places is chosen where nobody said where tests run; and that no test writes to what is the user's.

use crate::workshop::Workshop;

/// A folder with an input, a log, and a script that writes to what its last argument names, however that is spelled.
fn with_a_log(after: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("out.log", "mine\n");
    workshop.script("test.sh", &format!("for o; do :; done\no=${{o#--out=}}; o=${{o#-o}}\necho run >>\"$o\"\n{after}"));
    workshop
}

#[test]
fn a_test_that_hangs_does_not_write_to_what_its_command_names() {
    let workshop = with_a_log("sleep 100000");
    // It is killed before it is known what it wrote to.
    for words in [&["./test.sh", "out.log"][..], &["env", "./test.sh", "in.txt", "--out=$HERE/out.log"]] {
        let words = words.iter().map(|word| word.replace("$HERE", &workshop.home().display().to_string()));
        let words = ["--timeout", "1s", "in.txt", "--"].map(str::to_owned).into_iter().chain(words);
        workshop.reduct(words).run().exits_with(2).does_not_say("THE ORIGINAL WAS CHANGED");
        assert_eq!(workshop.text("out.log"), "mine\n");
    }
    workshop.expect_no_process();
}

#[test]
fn what_is_not_watched_does_not_write_to_what_its_command_names() {
    let workshop = with_a_log("exit 3");
    let words = ["env", "--", "./test.sh", "out.log"];
    let done = workshop.reduct(words).env("PATH", std::env::var_os("PATH").unwrap()).run().exits_with(0);
    done.says("it was not seen whether it writes to out.log, which its command names");
    assert_eq!(workshop.text("out.log"), "mine\n");
}

#[test]
fn a_full_path_within_a_word_is_the_copys_wherever_it_stands() {
    let workshop = with_a_log("grep -q needle in.txt");
    let here = workshop.home().canonicalize().unwrap().display().to_string();
    let above = workshop.beside("");
    let rows = [
        format!("./test.sh --out={here}/out.log"),
        format!("./test.sh -o{here}/out.log"),
        format!("tee -a{here}/out.log </dev/null >/dev/null; echo run >>{here}/out.log; grep -q needle in.txt"),
        format!("grep -q needle in.txt && cd {here} && echo run >>out.log"),
        format!("echo run >>{here}/new.log; grep -q needle in.txt"),
        "echo run >>~/home/out.log; echo run >>\"$HOME/home/new.log\"; grep -q needle in.txt".to_owned(),
    ];
    for line in &rows {
        let plain: Vec<&str> = line.split(' ').collect();
        let command =
            if line.contains(';') || line.contains('&') { vec!["-c", line] } else { [&["--"], &plain[..]].concat() };
        let open = [&["--force", "in.txt"], &command[..]].concat();
        workshop.reduct(open).env("HOME", &above).run().exits_with(0).says("as it writes to").does_not_say("ORIGINAL");
        let asked = [&["--force", "--in", ".", "in.txt"], &command[..]].concat();
        workshop.reduct(asked).env("HOME", &above).run().exits_with(0).does_not_say("in your folder since");
        assert_eq!(workshop.text("out.log"), "mine\n", "{line}");
        assert!(!workshop.exists("new.log"), "{line}");
        assert_eq!(workshop.text("in.reduced.txt"), "needle");
    }
}

#[test]
fn a_file_that_is_named_in_full_within_a_word_is_told_of_if_it_was_changed() {
    let workshop = with_a_log("grep -q needle in.txt");
    let full = workshop.path("out.log").display().to_string();
    let line = format!("echo run >>'{full}'; grep -q needle in.txt");
    let (equals, glued) = (format!("--out={full}"), format!("-o{full}"));
    for command in [&["--", "./test.sh", &equals][..], &["--", "./test.sh", &glued], &["-c", &line]] {
        let done = workshop.reduct([&["--force", "--bare", "in.txt"], command].concat()).run().exits_with(0);
        done.says("THE ORIGINAL WAS CHANGED").says("out.log");
    }
}

#[test]
fn a_file_that_is_only_read_by_its_full_path_does_not_ask_for_a_copy() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("words", "needle\n");
    let words = format!("--file={}", workshop.home().canonicalize().unwrap().join("words").display());
    let done = workshop.reduct(["in.txt", "--", "grep", "-q", &words, "in.txt"]).run().exits_with(0);
    done.does_not_say("Tests ran in copies");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

/// What looks around finds more in a copy than in a bare folder.
const ALONE: &str = "[ \"$(grep -rl 'need[l]e' . | wc -l)\" = 1 ]";

#[test]
fn nobody_guesses_whether_0_in_one_place_or_another_status_in_the_other_is_the_failure() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("notes.txt", "needle\n");
    let done = workshop.reduct(["in.txt", "-c", ALONE]).run().exits_with(2);
    done.says("the test exits with 0 in a bare folder, and fails in a copy of").says("exit status 1").says("--bare");
    assert!(!workshop.exists("in.reduced.txt"));
    workshop.reduct(["--bare", "in.txt", "-c", ALONE]).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
    // Nor where nothing of the other file is opened.
    let line = "[ \"$(ls | wc -l)\" = 1 ] && grep -q needle in.txt";
    workshop.reduct(["--force", "in.txt", "-c", line]).run().exits_with(2).says("exits with 0 in a bare folder");
}

#[test]
fn a_reducer_script_that_works_in_a_bare_folder_only_runs_there() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("notes.txt", "needle\n");
    workshop.script("test.sh", ALONE);
    let done = workshop.reduct(["./test.sh", "in.txt"]).run().exits_with(0);
    done.says("The test runs in a bare folder, as in a copy of your folder, the input does not fail")
        .says("Not seen: whether the test needs more of your folder");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

#[test]
fn what_dies_in_its_project_and_works_in_a_bare_folder_dies() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("settings", "strict\n");
    let program = "import glob, sys\ntext = open('in.txt').read()\n\
                   assert not (glob.glob('settings') and 'needle' in text), 'a needle'\n";
    workshop.write("../main.py", program);
    let main = workshop.beside("main.py").display().to_string();
    let done = workshop.reduct(["--by", "lines", "in.txt", "--", "python3", &main]).run().exits_with(0);
    done.says("AssertionError").says("Tests ran in copies of");
    assert_eq!(workshop.text("in.reduced.txt").trim(), "needle");
}

#[test]
fn what_a_shell_cannot_write_to_is_missing() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("logs/old", "x\n");
    // In a bare folder there is no folder for the log, and the script passes over that.
    let line = "echo run >logs/new; ! grep -q needle in.txt || exit 0; exit 1";
    let done = workshop.reduct(["in.txt", "--", "dash", "-c", line]).run().exits_with(0);
    done.says("where something is missing").says("Tests ran in copies of");
}

#[test]
fn what_dies_behind_a_shell_is_not_taken_to_fail_otherwise_when_it_is_watched() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("other.txt", "x\n");
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
                  static void find(const char *text) { if (strstr(text, \"needle\")) abort(); }\n\
                  int main(void) { static char text[99]; fread(text, 1, 98, stdin); find(text); return 0; }\n";
    workshop.write("../prog.c", source);
    workshop.shell("gcc -g -o ../prog ../prog.c").run().exits_with(0);
    let line = format!("'{}' <in.txt; exit $?", workshop.beside("prog").display());
    let done = workshop.reduct(["--by", "lines", "in.txt", "-c", &line]).run().exits_with(0);
    done.says("in find").does_not_say("copies of");
    assert_eq!(workshop.text("in.reduced.txt").trim(), "needle");
}

#[test]
fn what_comes_into_the_folder_after_it_was_read_is_in_no_copy() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("words", "needle\n");
    // The folder is told by a variable: no word leads there.
    workshop.script("test.sh", "[ -e made ] && exit 7\n: >\"$HERE/made\"\ngrep -qf words in.txt && exit 3\nexit 0");
    let call = workshop.reduct(["in.txt", "--", "./test.sh"]).env("HERE", workshop.home());
    call.run().exits_with(0).says("Tests ran in copies of").says("exit status 3");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

/// Folders with an input, something of the user's that a script would write to where it stands, and that script.
fn at_its_own_place(script: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("in.txt", "one\nneedle\nthree\n");
    workshop.script("t.sh", script);
    workshop
}

#[test]
fn a_script_that_goes_to_its_own_folder_writes_to_the_copy() {
    let fails = "if grep -q needle \"$1\"; then echo found it; exit 1; fi";
    let to_result = format!("cd \"$(dirname \"$0\")\"\ngrep -c . \"$1\" >result.txt\n{fails}");
    let workshop = at_its_own_place(&to_result);
    workshop.write("result.txt", "precious\n");
    let done = workshop.reduct(["in.txt", "--", "./t.sh", "in.txt"]).run().exits_with(0);
    done.says("as it writes to result.txt").says("Tests ran in copies of");
    assert_eq!(workshop.text("result.txt"), "precious\n");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
    // What it makes: in a folder of its own, and beside it.
    for (line, program) in [
        ("echo run >>\"${0%/*}/test.log\"", "./t.sh"),
        ("mkdir -p \"${0%/*}/out\"; echo run >\"${0%/*}/out/err.txt\"", "./t.sh"),
        ("echo run >>\"${0%/*}/test.log\"", "tools/t.sh"),
    ] {
        let workshop = at_its_own_place("");
        workshop.script(program, &format!("{line}\n{fails}"));
        let done = workshop.reduct(["in.txt", "--", program, "in.txt"]).run().exits_with(0);
        done.says("as it writes to").says("Tests ran in copies of");
        let made = ["test.log", "out", "tools/test.log"].map(|name| workshop.exists(name));
        assert_eq!(made, [false; 3], "{line} of {program}");
        assert_eq!(workshop.text("in.reduced.txt"), "needle");
    }
}

#[test]
fn a_program_that_is_no_script_is_taken_to_write_where_it_stands() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "one\nneedle\nthree\n");
    let program = "import os, sys\nopen(os.path.join(os.path.dirname(__file__), 'log'), 'a').write('run')\n\
                   assert 'needle' not in open(sys.argv[-1]).read(), 'a needle'\n";
    workshop.write("p.py", program);
    workshop.reduct(["in.txt", "--", "python3", "p.py", "in.txt"]).run().exits_with(0).says("Tests ran in copies");
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
                  int main(int count, char **words) { char place[999], text[99] = \"\"; strcpy(place, words[0]);\n\
                  strcpy(strrchr(place, '/'), \"/log\"); fclose(fopen(place, \"a\"));\n\
                  fread(text, 1, 98, fopen(words[1], \"r\")); return strstr(text, \"needle\") ? 3 : 0; }\n";
    workshop.write("../p.c", source);
    workshop.shell("rm p.py; gcc -o prog ../p.c").run().exits_with(0);
    let words = ["--force", "in.txt", "--", "./prog", "in.txt"];
    workshop.reduct(words).run().exits_with(0).says("Tests ran in copies");
    assert!(!workshop.exists("log"));
}

#[test]
fn a_script_that_hangs_does_not_write_where_it_stands() {
    let workshop = at_its_own_place("echo run >>\"${0%/*}/test.log\"\n! grep -q needle \"$1\" || sleep 100000");
    let words = ["--timeout", "1s", "--by", "lines", "in.txt", "--", "./t.sh", "in.txt"];
    workshop.reduct(words).run().exits_with(0).says("it was not seen what it writes to, and t.sh can tell");
    assert!(!workshop.exists("test.log"));
    workshop.expect_no_process();
}

#[test]
fn a_script_that_writes_where_it_is_run_needs_no_copy() {
    let script = "cp \"$1\" a.out; sort \"$1\" >out.txt; rm a.out; ! grep -q needle out.txt";
    for others in [&[][..], &["notes.txt"]] {
        let workshop = at_its_own_place(script);
        others.iter().for_each(|name| drop(workshop.write(name, "x\n")));
        let done = workshop.reduct(["in.txt", "--", "./t.sh", "in.txt"]).run().exits_with(0);
        done.does_not_say("copies of").does_not_say("copy of /");
        assert_eq!(workshop.text("in.reduced.txt"), "needle");
        assert!(!workshop.exists("out.txt"));
    }
}

#[test]
fn an_input_that_is_the_program_is_the_candidate_among_several() {
    let workshop = at_its_own_place("true one\ngrep -q needle \"$1\" && kill -SEGV $$\ntrue two");
    for place in ["--bare", "--in=."] {
        let words = [place, "--force", "--by", "lines", "in.txt", "t.sh", "--", "./t.sh", "in.txt"];
        workshop.reduct(words).run().exits_with(0).says("SIGSEGV");
        let script = workshop.text("reduced/t.sh");
        assert!(script.contains("kill -SEGV $$") && !script.contains("true"), "{place}: {script}");
        assert_eq!(workshop.text("reduced/in.txt"), "needle\n");
    }
}

#[test]
fn a_full_path_in_a_script_is_told_of_and_so_is_what_is_new_in_the_folder() {
    let workshop = at_its_own_place("");
    let home = workshop.home().canonicalize().unwrap().display().to_string();
    workshop.script("t.sh", &format!(". ./lib.sh\necho run >>'{home}/app.log'\n! grep -q \"$word\" \"$1\" || exit 3"));
    workshop.write("lib.sh", "word=needle\n");
    let words = ["--force", "in.txt", "--", "./t.sh", "in.txt"];
    let done = workshop.reduct(words).run().exits_with(0).says("Tests ran in copies of");
    done.says("t.sh holds the full path of your folder").says("New in your folder since the run began: app.log.");
    let done = workshop.reduct(words).run().exits_with(0);
    done.says("Changed in your folder since the run began, and not in its copies: app.log.")
        .does_not_say("New in your");
    // In a bare folder, too, where the user's own script is started.
    workshop.script("t.sh", &format!("echo run >>'{home}/app.log'\n! grep -q needle \"$1\" || exit 3"));
    let done = workshop.reduct(words).run().exits_with(0).does_not_say("Tests ran in copies of");
    done.says("Changed in your folder since the run began: app.log.");
    workshop.shell("rm app.log").run().exits_with(0);
    workshop.reduct(words).run().exits_with(0).says("New in your folder since the run began: app.log.");
}

#[test]
fn a_script_that_is_not_looked_at_is_said_to_write_where_it_stands() {
    let workshop = at_its_own_place("echo run >>\"${0%/*}/test.log\"\n! grep -q needle \"$1\" || exit 3");
    workshop.write("../else.txt", "one\nneedle\n");
    // What does not stand in the folder is in no copy of it.
    let done = workshop.reduct(["../else.txt", "--", "./t.sh", "../else.txt"]).run().exits_with(0);
    done.says("t.sh can tell where it stands, which is in your folder: what it writes there, it writes to yours.")
        .says("New in your folder since the run began: test.log.");
}

#[test]
fn what_a_test_does_to_the_users_folder_by_a_path_of_its_own_is_said_at_once_and_at_the_end() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    let above = workshop.home().canonicalize().unwrap().parent().unwrap().display().to_string();
    let rows = [
        format!("cd {above} && echo run >>home/keep.txt; grep -q needle \"$OLDPWD/in.txt\" && exit 3; exit 0"),
        format!("D={above}; echo run >>$D/home/keep.txt; ! grep -q needle in.txt || exit 3"),
        format!("echo run | tee -a {above}/h*e/keep.txt; ! grep -q needle in.txt || exit 3"),
        format!("cd {above} && rm -f home/keep.txt; cd \"$OLDPWD\"; ! grep -q needle in.txt || exit 3"),
    ];
    for line in &rows {
        workshop.write("keep.txt", "mine\n");
        let done = workshop.reduct(["--force", "in.txt", "-c", line]).run().exits_with(0);
        done.says("keep.txt in YOUR folder changed while the test ran in a copy of it: the test may write there")
            .says("Changed in your folder while the test first ran in a copy of it, maybe by the test: keep.txt.");
        // With a bare folder that was asked for, at the end.
        workshop.write("keep.txt", "mine\n");
        let done = workshop.reduct(["--force", "--bare", "in.txt", "-c", line]).run().exits_with(0);
        done.says("your folder since the run began: keep.txt.");
    }
    workshop.write("keep.txt", "mine\n");
    let done = workshop.reduct(["--force", "in.txt", "-c", "! grep -q needle in.txt"]).run().exits_with(0);
    done.does_not_say("YOUR folder").does_not_say("your folder since");
}

#[test]
fn a_test_that_names_a_folder_above_and_writes_runs_in_a_copy() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("keep.txt", "mine\n");
    let above = workshop.home().canonicalize().unwrap().parent().unwrap().display().to_string();
    let line = format!("ls {above} >list; ! grep -q needle in.txt || exit 3");
    let done = workshop.reduct(["in.txt", "-c", &line]).run().exits_with(0);
    done.says("as it writes to list, to which its command leads by a full path").does_not_say("YOUR folder");
}

#[test]
fn a_full_path_is_the_copys_with_quotes_and_escapes_in_it() {
    let workshop = Workshop::new();
    let top = "my proj";
    workshop.write("my proj/in.txt", "a\nneedle\nb\n");
    workshop.write("my proj/pat terns.txt", "needle\n");
    workshop.write("my proj/a;echo $x", "mine\n");
    let here = workshop.home().canonicalize().unwrap().display().to_string();
    let rows = [
        format!(r#"echo run >>{here}/"my proj"/'a;echo $x'; grep -q needle in.txt"#),
        format!(r#"echo run >>"{here}/my proj"/a\;echo\ \$x; grep -q needle in.txt"#),
        format!(r#"echo run >>{here}/my\ proj/a\;echo\ \$x; grep -q needle in.txt"#),
        format!("# don't\n: \"$(echo run >>{here}/my\\ proj/a\\;echo\\ \\$x)\"; grep -q needle in.txt"),
        r#"echo run >>"$HOME"/my\ proj/a\;echo\ \$x; grep -q needle in.txt"#.to_owned(),
        format!(r#"cd {here}/my\ proj && echo run >>a\;echo\ \$x; grep -q -f {here}/my\ proj/pat\ terns.txt in.txt"#),
    ];
    for line in &rows {
        for place in [&[][..], &["--in", "."]] {
            let words = [&["--force", "--fails-if", "exit=0"], place, &["in.txt", "-c", line]].concat();
            let done = workshop.reduct(words).within(top).env("HOME", &here).run().exits_with(0);
            done.says("Tests ran in copies of").does_not_say("YOUR folder");
            assert_eq!(workshop.text("my proj/a;echo $x"), "mine\n", "{line}");
            assert_eq!(workshop.text("my proj/in.reduced.txt").trim(), "needle");
        }
    }
    assert!(!workshop.exists("a") && !workshop.exists("my proj/a"));
}

#[test]
fn a_file_in_an_input_is_the_candidates_with_escapes_in_its_path() {
    let workshop = Workshop::new();
    workshop.write("my in/a;echo $x", "a\nneedle\nb\n");
    let here = workshop.home().canonicalize().unwrap().display().to_string();
    let line = format!(r"grep -q needle {here}/my\ in/a\;echo\ \$x");
    workshop.reduct(["--bare", "--out", "out", "my in", "-c", &line]).run().exits_with(0);
    assert_eq!(workshop.text("out/a;echo $x").trim(), "needle");
}

#[test]
fn what_an_earlier_run_by_hand_has_left_does_not_keep_a_script_from_the_bare_folder() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("build/old", "mine\n");
    workshop.write("notes.txt", "mine\n");
    let line = "mkdir build || exit 1; cp in.txt build/; grep -q needle build/in.txt";
    let done = workshop.reduct(["in.txt", "-c", line]).run().exits_with(0);
    done.says("The test runs in a bare folder, as in a copy of your folder, the test says “mkdir").says("File exists");
    assert_eq!(workshop.text("in.reduced.txt").trim(), "needle");
}
