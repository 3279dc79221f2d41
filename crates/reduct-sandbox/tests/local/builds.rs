//! A build before the test, and builds that are incremental.

use crate::bench::{OnBaseTree, Session, file, setup, some_of};
use reduct_input::{Artifact, ArtifactBuilder};
use reduct_oracle::{Exit, Limit};
use reduct_sandbox::local::Setup;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn words(words: &[&str]) -> Option<Vec<OsString>> {
    Some(words.iter().map(OsString::from).collect())
}

/// A program of three files, of which `a.c` has two versions and one that is none.
fn program() -> Arc<Artifact> {
    let mut builder = ArtifactBuilder::default();
    for text in ["int a(void) { return 1; }", "int a(void) { return 2; }", "int a(void) { return; oops }"] {
        builder.file("a.c", 0o644, text.as_bytes()).unwrap();
    }
    for text in ["int b(void) { return 10; }", "int b(void) { return 20; }"] {
        builder.file("b.c", 0o644, text.as_bytes()).unwrap();
    }
    Arc::new(builder.finish())
}

const MAIN: &str =
    "int a(void); int b(void); int printf(const char *, ...);\nint main(void) { printf(\"%d\", a() + b()); }";

/// A base tree with a makefile; whatever is compiled or linked goes into a log, and so does each build.
fn made(adjust: impl FnOnce(&mut Setup)) -> OnBaseTree {
    let makefile = "prog: main.o a.o b.o\n\t$(CC) -o $@ $^\n%.o: %.c\n\t$(CC) -c -o $@ $<\n";
    let laid = format!("printf '%s' '{MAIN}' > main.c; printf '%s' '{makefile}' > Makefile");
    OnBaseTree::new(&laid, |setup, home| {
        let log = home.join("log").display().to_string();
        let compiler = format!(
            "CC=sh -c 'for last; do [ \"$$before\" = -o ] && echo $$last >> {log}; before=$$last; done; exec cc \"$$@\"' cc"
        );
        let build = format!("echo build >> {log}; exec make \"$0\"");
        setup.invocation.build = words(&["sh", "-c", &build, &compiler]);
        adjust(setup);
    })
}

/// What was logged since this was asked last.
fn logged(home: &Path) -> Vec<String> {
    let log = home.join("log");
    let text = fs::read_to_string(&log).unwrap_or_default();
    fs::write(log, "").unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn only_what_changed_is_compiled_again() {
    let base = program();
    let mut it = made(|_| {});
    assert_eq!(it.says(&some_of(&base, &[0, 3]), "./prog; make -q"), "11");
    assert_eq!(logged(it.home.path()), ["build", "main.o", "a.o", "b.o", "prog"]);
    assert_eq!(it.says(&some_of(&base, &[0, 4]), "./prog; make -q"), "21");
    assert_eq!(logged(it.home.path()), ["build", "b.o", "prog"]);
    // Back and forth, as fast as it goes.
    for n in 0..10 {
        let a = (n + 1) % 2;
        assert_eq!(it.says(&some_of(&base, &[a, 4]), "./prog; make -q"), (21 + a).to_string());
        assert_eq!(logged(it.home.path()), ["build", "a.o", "prog"]);
    }
}

#[test]
fn a_product_of_the_same_tick_is_not_taken_to_be_up_to_date() {
    // What is built by copying takes less time than the clock of files takes to move on.
    let mut builder = ArtifactBuilder::default();
    builder.file("in", 0o644, b"one").unwrap();
    builder.file("in", 0o644, b"two").unwrap();
    let base = Arc::new(builder.finish());
    let laid = "printf 'out: in\\n\\tcp in out\\n\\techo made >> log\\n' > Makefile";
    let mut it = OnBaseTree::new(laid, |setup, _| setup.invocation.build = words(&["make"]));
    for n in 1..60 {
        // Nor is it made twice: after the build there is nothing to do. The last that happens before the source
        // is replaced is that the product becomes as late as can be.
        let said = it.says(&some_of(&base, &[n % 2]), "cat out; make -q && wc -l < log; exec touch out");
        assert_eq!(said, format!("{}{n}\n", ["one", "two"][n % 2]));
    }
}

#[test]
fn the_same_candidate_is_built_once() {
    let base = program();
    let mut it = made(|_| {});
    for _ in 0..3 {
        assert_eq!(it.says(&some_of(&base, &[0, 3]), "./prog"), "11");
    }
    assert_eq!(logged(it.home.path()), ["build", "main.o", "a.o", "b.o", "prog"]);
    // Unless a test spoils a source.
    it.says(&some_of(&base, &[0, 3]), "echo oops >> a.c");
    assert_eq!(it.says(&some_of(&base, &[0, 3]), "./prog"), "11");
    assert_eq!(logged(it.home.path()), ["build", "a.o", "prog"]);
}

#[test]
fn what_cannot_be_built_is_not_tested() {
    let base = program();
    let mut it = made(|_| {});
    let failed = it.run(&some_of(&base, &[2, 3]), "echo tested > ../../../tested; echo tested");
    assert_eq!(failed.exit, Exit::NotBuilt("exit status 2".into()));
    assert!(String::from_utf8_lossy(&failed.stderr).contains("oops"), "{failed:?}");
    assert!(!failed.stdout.windows(6).any(|at| at == b"tested"));
    assert_eq!(it.says(&some_of(&base, &[1, 3]), "./prog"), "12");
    // A build that failed is not one that was made.
    let again = || some_of(&base, &[2, 3]);
    assert_eq!(it.run(&again(), "true").exit, Exit::NotBuilt("exit status 2".into()));
    assert_eq!(it.run(&again(), "true").exit, Exit::NotBuilt("exit status 2".into()));
    assert_eq!(it.laid(), 1);
}

/// A session whose builds are what the candidate says.
fn building(adjust: impl FnOnce(&mut Setup)) -> Session {
    let mut setup = setup(&["sh", "-c", "cat built; sleep 1.2"]);
    setup.invocation.build = words(&["sh", "./file"]);
    adjust(&mut setup);
    Session::new(setup)
}

#[test]
fn a_build_without_a_base_tree_is_run_every_time() {
    let mut session = building(|_| {});
    for _ in 0..2 {
        assert_eq!(session.run("[ ! -e built ] && echo yes > built").stdout, b"yes\n");
    }
    assert_eq!(session.exit("kill -SEGV $$"), Exit::NotBuilt("signal 11".into()));
}

#[test]
fn a_build_has_a_time_limit_of_its_own() {
    let mut session = building(|setup| {
        setup.limits.time = Some(Duration::from_secs(60));
        setup.limits.build_time = Some(Duration::from_secs(1));
    });
    // The test takes longer than that.
    assert_eq!(session.exit("echo x > built"), Exit::Code(0));
    assert_eq!(session.exit("sleep 1000"), Exit::NotBuilt("time limit".into()));
    let mut session = building(|setup| setup.limits.time = Some(Duration::from_secs(1)));
    assert_eq!(session.exit("sleep 1000"), Exit::NotBuilt("time limit".into()));
    assert_eq!(session.exit("echo x > built"), Exit::Limit(Limit::Time));
}

#[test]
fn the_time_of_a_build_is_not_that_of_the_test() {
    let observed = building(|_| {}).run("sleep 3; echo x > built");
    assert_eq!(observed.exit, Exit::Code(0));
    assert!((Duration::from_millis(300)..Duration::from_secs(3)).contains(&observed.elapsed), "{observed:?}");
}

#[test]
fn a_build_gets_no_path_and_no_input() {
    let mut setup = setup(&["sh", "-c", "cat - word arguments input"]);
    setup.invocation.stdin = true;
    setup.invocation.path_argument = true;
    setup.invocation.build = words(&["sh", "-c", "echo \"$0\" > word; echo $# > arguments; cat > input", "{}"]);
    assert_eq!(Session::new(setup).run("candidate\n").stdout, b"candidate\n{}\n0\n");
}

#[test]
fn a_builder_that_is_missing_is_named() {
    let mut setup = setup(&["true"]);
    setup.invocation.build = words(&["no-such-builder"]);
    let exit = Session::new(setup).observe(&file(b"")).exit;
    assert!(matches!(&exit, Exit::NotBuilt(why) if why.contains("no-such-builder")), "{exit:?}");
}

#[test]
fn after_a_build_that_was_killed_the_base_tree_is_made_anew() {
    let mut builder = ArtifactBuilder::default();
    builder.file("file", 0o644, b"echo half > product; sleep 1000").unwrap();
    builder.file("file", 0o644, b"ls").unwrap();
    let base = Arc::new(builder.finish());
    let mut it = OnBaseTree::new("touch common", |setup, _| {
        setup.invocation.build = words(&["sh", "./file"]);
        setup.limits.build_time = Some(Duration::from_millis(200));
    });
    assert_eq!(it.run(&some_of(&base, &[0]), "true").exit, Exit::NotBuilt("time limit".into()));
    assert_eq!(it.says(&some_of(&base, &[1]), "ls"), "common\nfile\n");
    assert_eq!(it.laid(), 2);
}
