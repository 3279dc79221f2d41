//! All that CI checks: the tests, and the lints, which are format, tidiness, clippy, the features alone, and documentation.

#![expect(clippy::print_stdout, reason = "what the tests print is passed on")]

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};

/// Runs the tests, and the lints in the time that they leave.
pub(crate) fn run() -> Result<(), String> {
    written()?;
    // Tests wait for much; what else is to be built is built meanwhile. Cargo builds one thing at a time in a folder, so the
    // first test comes first.
    let (begun, first_test) = channel();
    std::thread::scope(|scope| {
        let builds = scope.spawn(move || {
            // An error says that there are no tests.
            let _ = first_test.recv();
            built(beside)
        });
        let tests = test(begun);
        builds.join().unwrap_or_else(|_| Err("the builds beside the tests did not end".into())).and(tests)
    })
}

/// Runs the tests alone.
pub(crate) fn tests() -> Result<(), String> {
    let (begun, _first_test) = channel();
    test(begun)
}

/// Runs the lints alone.
pub(crate) fn lints() -> Result<(), String> {
    written()?;
    built(|words, variables| run_command(Command::new(program()).envs(variables.iter().copied()), words))
}

/// Runs cargo with these words and variables of the environment.
type Cargo = fn(&[&str], &[(&str, &str)]) -> Result<(), String>;

/// Checks what is written, without building the project.
fn written() -> Result<(), String> {
    run_command(&mut Command::new(program()), &["fmt", "--all", "--check"])?;
    crate::tidy::run()
}

/// Checks what is known once the project is built.
fn built(cargo: Cargo) -> Result<(), String> {
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], &[])?;
    without_c(cargo)?;
    with_fewer_features(cargo)?;
    let arguments = ["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"];
    cargo(&arguments, &[("RUSTDOCFLAGS", "-D warnings")])
}

/// Checks that the library can be built without its features, and compiles no C then: a compiler of C that always fails is
/// not missed.
fn without_c(cargo: Cargo) -> Result<(), String> {
    let arguments = ["check", "--quiet", "-p", "reduct-lib", "--no-default-features"];
    cargo(&arguments, &[("CC", "/bin/false"), ("CXX", "/bin/false")])
}

/// Checks that the program can be built without some of its features, and the grammars in groups: of the library, no other crate
/// knows which groups there are.
fn with_fewer_features(cargo: Cargo) -> Result<(), String> {
    cargo(&["check", "--quiet", "-p", "reduct", "--no-default-features"], &[])?;
    cargo(&["check", "--quiet", "-p", "reduct-grammars", "--no-default-features", "--features", "data"], &[])
}

/// Builds and runs all tests, and prints at the end how many there were: each test binary says it only of itself, and
/// the last one has none. Sends a word when the first one begins.
fn test(begun: Sender<()>) -> Result<(), String> {
    run_command(&mut Command::new(program()), &["test", "--workspace", "--no-run", "--quiet"])?;
    let mut begun = Some(begun);
    println_task(&["test", "--workspace", "--no-fail-fast"]);
    let mut command = Command::new(program());
    command.args(["test", "--workspace", "--no-fail-fast"]).env("RUST_TEST_THREADS", threads()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cargo cannot be started: {error}"))?;
    let (mut passed, mut failed) = (0, 0);
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()).flatten() {
        println!("{line}");
        begun.take().map(|begun| begun.send(()));
        passed += counted(&line, " passed");
        failed += counted(&line, " failed");
    }
    let status = child.wait().map_err(|error| format!("cargo test: {error}"))?;
    println!("{passed} passed, {failed} failed");
    if status.success() && passed > 0 { Ok(()) } else { Err("cargo test failed".into()) }
}

/// Returns how many tests run at a time: three times as many as there are processors, as many of them wait for limits,
/// signals and states. `RUST_TEST_THREADS` says otherwise.
fn threads() -> OsString {
    let given = std::env::var_os("RUST_TEST_THREADS");
    given.unwrap_or_else(|| (3 * std::thread::available_parallelism().map_or(1, usize::from)).to_string().into())
}

/// Returns the number before `what` in the closing line of a test binary; 0 in other lines.
fn counted(line: &str, what: &str) -> u64 {
    let Some((before, _)) = line.strip_prefix("test result: ").and_then(|result| result.split_once(what)) else {
        return 0;
    };
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Runs cargo so that it takes the time that tests leave.
fn beside(arguments: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    let mut command = Command::new("nice");
    command.args(["-n", "19"]).arg(program()).envs(variables.iter().copied());
    run_command(&mut command, arguments)
}

fn run_command(command: &mut Command, arguments: &[&str]) -> Result<(), String> {
    println_task(arguments);
    let status = command.args(arguments).status();
    let status = status.map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed", arguments.join(" "))) }
}

fn program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn println_task(arguments: &[&str]) {
    eprintln!("== cargo {}", arguments.join(" "));
}
