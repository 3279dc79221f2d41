//! The project's own tasks: `cargo xtask test`, `cargo xtask check`, `cargo xtask tidy`, `cargo xtask docs`, `cargo xtask bench` …

mod bench;
mod check;
mod docs;
mod figures;
mod source;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "tasks:
  test         all tests
  lint         format, the rules of the house, clippy, builds with fewer features, documentation
  check        both, the lints in the time that the tests leave
  tidy         the rules of the house alone
  figures      what the rules of the house count, as a table
    figures --at COMMIT   the same of a commit, beside what is here
    figures circles       the imports that tie circles
    figures sentences     the sentences of crates below the report
    figures build         how long a first build of the library alone takes
  docs         writes what of the documents is generated
  bench NAME   runs a benchmark, in a release build; without a name, which there are";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["test"] => check::tests(),
        ["lint"] => check::lints(),
        ["check"] => check::run(),
        ["tidy"] => tidy::run(),
        ["figures"] => figures::run(),
        ["figures", "--at", commit] => figures::beside(commit),
        ["figures", "circles"] => figures::circles(),
        ["figures", "sentences"] => figures::sentences(),
        ["figures", "build"] => figures::build(),
        ["docs"] => docs::run(),
        ["bench", ref words @ ..] => bench::run(words),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the root of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
