//! The project's own tasks: `cargo xtask check`, `cargo xtask docs`, `cargo xtask bench overhead`.

mod check;
mod docs;
mod overhead;
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
        ["bench", "overhead"] => overhead::run(),
        _ => Err("tasks: check (all that CI checks), tidy, docs (what is generated), bench overhead".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
