//! The command `reduct`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Tests are watched over by a copy of this program: then this is one.
    reduct::warden::run_if_asked();
    reduct::opened::run_if_asked();
    reduct::note_begin();
    cli::run()
}
