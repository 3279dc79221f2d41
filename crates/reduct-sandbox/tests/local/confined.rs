//! Tests that run side by side and are confined: none reaches the folder of another one.

use crate::bench::{Session, file, setup};
use reduct_oracle::Exit;
use reduct_session::confinement::{Confinement, Copies};
use reduct_session::executor::Completion;
use std::path::Path;

/// Attacks all that belongs to others below the scratch folder, and tries to get there by all processes that it sees.
/// It exits with 1 if it sees or changes anything there.
const ATTACK: &str = r#"
own=$(dirname "$PWD"); inner=${PWD##*/}; harm=0
for other in "$REDUCT_SCRATCH"/* "$REDUCT_SCRATCH"/000 "$REDUCT_SCRATCH"/001; do
    [ "$other" = "$own" ] && continue
    ls "$other/$inner" >/dev/null 2>&1 && harm=1
    (echo harm >"$other/$inner/file") 2>/dev/null && harm=1
    (echo harm >"$other-new") 2>/dev/null && harm=1
done
mkdir "$REDUCT_SCRATCH/002" 2>/dev/null && harm=1
mv "$own" "$REDUCT_SCRATCH/mine" 2>/dev/null && harm=1
for process in /proc/[0-9]*; do
    for way in root cwd $(cd $process/fd 2>/dev/null && echo fd/*); do
        for other in 000 001; do
            [ "${own##*/}" = $other ] && continue
            (echo harm >$process/$way$REDUCT_SCRATCH/$other/$inner/file) 2>/dev/null && harm=1
            (echo harm >$process/$way/$(basename "$REDUCT_SCRATCH")/$other/$inner/file) 2>/dev/null && harm=1
            (echo harm >$process/$way/../../$other/$inner/file) 2>/dev/null && harm=1
        done
    done
done
find "$(dirname "$REDUCT_SCRATCH")" -path '*reduct-*' -writable 2>/dev/null | grep -v "^$own" && harm=1
rm -rf "$(dirname "$REDUCT_SCRATCH")"/* 2>/dev/null
exit $harm
"#;

/// Waits until a file is there.
fn wait_for(path: &Path) -> String {
    format!("until [ -e {} ]; do sleep 0.01; done", path.display())
}

/// Runs a test that stands by while another one attacks it, with scratch folders in this folder.
fn attack_in(scratch: Option<&Path>) {
    let home = tempfile::tempdir().unwrap();
    let [ready, done] = ["ready", "done"].map(|name| home.path().join(name));
    let mut setup = setup(&["sh", "{}"]);
    setup.jobs = 2;
    setup.scratch = scratch.map(Path::to_owned);
    let confinement = Confinement::default().with_writable(vec![home.path().to_owned()]);
    setup.confinement = Some((confinement, Copies::default()));
    let mut session = Session::new(setup);
    let ready_then = format!("echo kept >mine; : >{}\n{}", ready.display(), wait_for(&done));
    let victim = format!("# still here\n{ready_then}\ngrep -q '^# still here' file && [ $(cat mine) = kept ]");
    let victim = session.start(&file(victim.as_bytes()));
    let attack = format!("{}\n({ATTACK})\nharm=$?; : >{}; exit $harm", wait_for(&ready), done.display());
    let attacker = session.start(&file(attack.as_bytes()));
    for _ in 0..2 {
        let Completion::Finished(run, observed) = session.next() else { panic!("it is not finished") };
        let who = if run == victim { "the victim" } else { "the attacker" };
        assert!(run == victim || run == attacker);
        assert_eq!(observed.exit, Exit::Code(0), "{who}: {}", String::from_utf8_lossy(&observed.stdout));
    }
    // What supervisors keep is whole, too: both slots run more tests.
    let again = [session.start(&file(b"exit 3")), session.start(&file(b"exit 3"))];
    for _ in again {
        let Completion::Finished(_, observed) = session.next() else { panic!("it is not finished") };
        assert_eq!(observed.exit, Exit::Code(3));
    }
}

#[test]
fn no_test_reaches_the_folder_of_another_one() {
    attack_in(None);
}

#[test]
fn nor_does_it_where_scratch_folders_are_elsewhere() {
    attack_in(Some(tempfile::tempdir().unwrap().path()));
}
