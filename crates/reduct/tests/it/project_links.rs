//! Copies of projects: where links and full paths lead, and what is left out.

use crate::project::split;
use crate::workshop::{Workshop, files_below};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

#[test]
fn nothing_in_a_copy_leads_to_the_original() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "needle\n");
    workshop.write("kept", "kept\n");
    symlink(workshop.path("kept"), workshop.path("full")).unwrap();
    symlink("kept", workshop.path("relative")).unwrap();
    let kept = workshop.path("kept").display().to_string();
    let line =
        format!("echo more >>full; echo more >>relative; echo more >>kept; echo more >>{kept}; grep -q needle in.txt");
    workshop.reduct(["--in", ".", "in.txt", "-c", &line]).run().exits_with(0);
    assert_eq!(workshop.text("kept"), "kept\n");
}

#[test]
fn git_may_be_asked_in_a_copy_and_changes_nothing_elsewhere() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "needle\n");
    let setup = "git init -q . && git add in.txt && git -c user.name=n -c user.email=e commit -qm first";
    workshop.shell(setup).run().exits_with(0);
    let before = files_below(&workshop.path(".git"));
    let line =
        "git log --oneline | grep -q first && git tag \"t$$\" && git checkout -q -b \"b$$\" && grep -q needle in.txt";
    workshop.reduct(["--in", ".", "in.txt", "-c", line]).run().exits_with(0);
    assert_eq!(files_below(&workshop.path(".git")), before);
}

#[test]
fn nothing_is_removed_through_a_link_that_a_test_makes() {
    let workshop = Workshop::new();
    let store = workshop.beside("store");
    fs::create_dir(&store).unwrap();
    fs::write(store.join("data"), "precious").unwrap();
    workshop.write("in.txt", "one\nBOOM\nthree\nfour\n");
    workshop.write("conf", format!("store='{}'", store.display()));
    workshop.script(
        "test.sh",
        ". ./conf\nif [ -d cache ] && [ ! -L cache ]; then rm -r cache; ln -s \"$store\" cache\n\
         elif [ ! -L cache ]; then mkdir cache; echo made >cache/data; fi\n\
         grep -q BOOM in.txt && { echo boom >&2; exit 1; }\nexit 0",
    );
    workshop.reduct(["in.txt", "-j1", "--in", ".", "--", "./test.sh"]).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt"), "BOOM");
    assert_eq!(fs::read_to_string(store.join("data")).unwrap(), "precious");
}

#[test]
fn a_link_into_the_project_leads_into_the_copy_however_it_is_spelled() {
    let workshop = Workshop::new();
    let home = workshop.path(".").canonicalize().unwrap();
    symlink(&home, workshop.beside("alias")).unwrap();
    let name = home.file_name().unwrap().to_str().unwrap().to_owned();
    symlink(workshop.beside("alias").join("log.txt"), workshop.path("one.log")).unwrap();
    symlink(format!("../{name}/log.txt"), workshop.path("two.log")).unwrap();
    workshop.write("log.txt", "mine\n");
    workshop.write("in.txt", "one\nBOOM\nthree\n");
    workshop.script(
        "test.sh",
        "echo run >>one.log; echo run >>two.log\ngrep -q BOOM in.txt && { echo boom >&2; exit 1; }\nexit 0",
    );
    workshop.reduct(["in.txt", "--in", ".", "--", "./test.sh"]).run().exits_with(0);
    assert_eq!(workshop.text("log.txt"), "mine\n");
}

#[test]
fn a_file_that_the_command_names_is_not_written_to() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("result.log", "mine\n");
    workshop.script("test.sh", "echo run >>\"$2\"\ngrep -q needle \"$1\" && exit 3; exit 0");
    let done = workshop.reduct(split("in.txt -- ./test.sh in.txt result.log")).run().exits_with(0);
    done.says("it writes to result.log");
    assert_eq!(workshop.text("result.log"), "mine\n");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
    // In a bare folder the original is changed, and reduct says so.
    let done = workshop.reduct(split("--bare --force in.txt -- ./test.sh in.txt result.log")).run();
    // The input is what it was: of that, nothing is to be said.
    done.says("THE ORIGINAL WAS CHANGED").says("result.log").does_not_say("made from a copy");
}

#[test]
fn an_input_is_the_candidates_by_whatever_link_it_is_named_in_full() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("two.txt", "c\nneedle\nd\n");
    let link = workshop.beside("a link");
    symlink(workshop.home(), &link).unwrap();
    let spelled = link.join("in.txt").display().to_string();
    let line = format!("grep -q needle '{spelled}'");
    workshop.reduct(["--bare", "in.txt", "-c", &line]).within(&link).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
    let second = workshop.path("two.txt").display().to_string();
    let line = format!("grep -q needle '{spelled}' && cd / && grep -q needle {second}");
    workshop.reduct(["--bare", "in.txt", "two.txt", "-c", &line]).within(&link).run().exits_with(0);
    assert_eq!(files_below(&workshop.path("reduced")).into_values().collect::<Vec<_>>(), [b"needle", b"needle"]);
}

#[test]
fn a_full_path_into_the_project_leads_into_the_copy_wherever_a_test_goes() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("words", "needle\n");
    workshop.write("sub/Makefile", "check:\n\t@cat $(W) >>$(W); ! grep -qf $(W) $(F)\n");
    let full = |name: &str| workshop.path(name).display().to_string();
    let (words, input) = (format!("W={}", full("words")), format!("F={}", full("in.txt")));
    let done =
        workshop.reduct(["--by", "lines", "in.txt", "--", "make", "-s", "-C", "sub", "check", &words, &input]).run();
    done.exits_with(0).says("Tests ran in copies of");
    assert_eq!(workshop.text("in.reduced.txt"), "needle\n");
    assert_eq!(workshop.text("words"), "needle\n");
}

#[test]
fn what_leads_out_of_the_folder_is_named_with_what_to_do() {
    let workshop = Workshop::new();
    workshop.write("sub/in.txt", "a\nneedle\nb\n");
    workshop.write("Makefile", "check:\n\t@! grep -q needle sub/in.txt\n");
    workshop.script("tool/x", "grep -q needle \"$1\"");
    let sub = workshop.path("sub");
    for words in [["in.txt", "--", "make", "-s", "-C", "..", "check"].as_slice(), &["in.txt", "-c", "../tool/x in.txt"]]
    {
        let done = workshop.reduct(words).within(&sub).run();
        assert!([2, 3].contains(&done.status), "{}", done.stderr);
        done.says("leads out of the folder of the test").says("--in ..");
    }
    for words in [["in.txt", "--", "make", "-s", "-C", "..", "check"].as_slice(), &["in.txt", "-c", "../tool/x in.txt"]]
    {
        let words = [&["--in", "..", "--force"], words].concat();
        workshop.reduct(words).within(&sub).run().exits_with(0);
        assert_eq!(workshop.text("sub/in.reduced.txt"), "needle");
    }
}

#[test]
fn a_file_that_leads_back_to_the_original_is_told_of() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    let home = workshop.home().canonicalize().unwrap();
    workshop.write("build/CMakeCache.txt", format!("CMAKE_HOME_DIRECTORY:INTERNAL={}\n", home.display()));
    workshop.write("build/near.txt", format!("{}-2\n", home.display()));
    let line = "cat build/*.txt >/dev/null && grep -q needle in.txt";
    for words in [&["in.txt", "-c", line][..], &["--in", ".", "--force", "in.txt", "-c", line]] {
        let done = workshop.reduct(words).run().exits_with(0);
        done.says("build/CMakeCache.txt holds the full path of your folder");
    }
    let done = workshop.reduct(["--force", "in.txt", "-c", "cat build/near.txt && grep -q needle in.txt"]).run();
    done.exits_with(0).does_not_say("holds the full path");
}

#[test]
fn a_repository_whose_files_stand_elsewhere_is_left_out_and_that_is_said() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "needle\n");
    let setup = "git init -q . && git config core.worktree \"$PWD\" && git add in.txt && \
                 git -c user.name=n -c user.email=e commit -qm first";
    workshop.shell(setup).run().exits_with(0);
    let done = workshop.reduct(["--in", ".", "in.txt", "-c", "git reset -q --hard; grep -q needle in.txt"]).run();
    done.exits_with(0).says(".git is left out of the copy: it says that its files are in");
    let setup = "git config --unset core.worktree; git worktree add -q ../linked && echo more >../linked/in.txt";
    workshop.shell(setup).run().exits_with(0);
    let line = "git add -A 2>/dev/null && exit 1; grep -q more in.txt";
    let done = workshop.reduct(["--in", ".", "in.txt", "-c", line]).within(workshop.beside("linked")).run();
    done.exits_with(0).says(".git is left out of the copy: it is a link to a repository elsewhere");
    let status = workshop.shell("git -C ../linked diff --cached --quiet").run();
    status.exits_with(0);
}

#[test]
fn what_cannot_be_read_is_left_out_and_that_is_said() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("words", "needle\n");
    workshop.write("closed/file", "x\n");
    workshop.write("secret", "x\n");
    for name in ["closed", "secret"] {
        fs::set_permissions(workshop.path(name), Permissions::from_mode(0o000)).unwrap();
    }
    // The superuser may read all, unless that is taken away.
    let line = "D=; [ $(id -u) = 0 ] && D='setpriv --bounding-set -dac_override,-dac_read_search'; \
                exec $D \"$REDUCT\" --force $IN in.txt -c 'grep -qf words in.txt'";
    for within in ["", "--in ."] {
        let done = workshop.shell(line).env("IN", within).run().exits_with(0);
        done.says("closed and 1 more cannot be read: they are left out of the copy").says("Tests ran in copies of");
        assert_eq!(workshop.text("in.reduced.txt"), "needle");
    }
    fs::set_permissions(workshop.path("closed"), Permissions::from_mode(0o700)).unwrap();
}
