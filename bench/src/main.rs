//! The benchmarks, a word each: `cargo xtask bench cases`, `cargo xtask bench lists` …
//!
//! The results stand beside this crate in `bench/`, with the data and scripts of the benchmarks that are not written in
//! Rust.

mod built;
mod cases;
mod changes;
mod commands;
mod curve;
mod engine;
mod faults;
mod fuzz;
mod guard;
mod heap;
mod lists;
mod overhead;
mod predicates;
mod schedules;
mod words;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Tests are run, and they are watched over by a copy of this program.
    reduct_sandbox::supervisor::run_if_asked();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["cases", ref words @ ..] => cases::run(words),
        ["changes"] => changes::run(),
        ["commands", ref words @ ..] => commands::run(words),
        ["curve", ref words @ ..] => curve::run(words),
        ["engine"] => engine::run(),
        ["faults", ref words @ ..] => faults::run(words),
        ["fuzz", ref words @ ..] => fuzz::run(words),
        ["guard", ref words @ ..] => guard::run(words),
        ["lists"] => lists::run(),
        ["overhead"] => overhead::run(),
        ["overhead", "confined"] => overhead::confined(),
        ["predicates", ref names @ ..] => predicates::run(names),
        ["schedules", ref words @ ..] => schedules::run(words),
        // The test that `cases` gives to the tools.
        ["oracle", folder, ref words @ ..] => return cases::oracle::run(folder, words),
        _ => Err("benchmarks: cases, changes, commands [--seconds N] [--from N], curve, engine, faults [--kills N] [--seed S] [--only KIND] [--inject] [--power], fuzz [--seconds N] [--only READER], guard [FOLDER...] [--record], lists, overhead, predicates, schedules [--count N] [--from N]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a page of results beside this crate.
///
/// # Errors
/// If it cannot be written.
fn write_page(name: &str, page: &str) -> Result<(), String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::write(&file, page).map_err(|error| format!("{}: {error}", file.display()))
}
