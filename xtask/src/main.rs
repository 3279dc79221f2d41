//! The project's own tasks: `cargo xtask check`, `cargo xtask docs`, `cargo xtask bench` …

mod cases;
mod changes;
mod check;
mod docs;
mod engine;
mod heap;
mod lists;
mod overhead;
mod predicates;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The benchmark runs tests, and tests are watched over by a copy of this program.
    reduct_run::warden::run_if_asked();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["check"] => check::run(),
        ["tidy"] => tidy::run(),
        ["docs"] => docs::run(),
        ["bench", "changes"] => changes::run(),
        ["bench", "engine"] => engine::run(),
        ["bench", "lists"] => lists::run(),
        ["bench", "overhead"] => overhead::run(),
        ["bench", "cases", ref words @ ..] => cases::run(words),
        ["bench", "predicates", ref names @ ..] => predicates::run(names),
        // The test that `bench cases` gives to the tools.
        ["bench", "oracle", folder, ref words @ ..] => return cases::oracle::run(folder, words),
        _ => Err("tasks: check (all that CI checks), tidy, docs (what is generated), bench changes, bench engine, bench lists, bench overhead, bench cases, bench predicates".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
