//! The command `reduct`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Tests are watched over by a copy of this program: then this is one.
    reduct_lib::supervisor::run_if_asked();
    reduct_lib::opened::run_if_asked();
    reduct_lib::refused::run_if_asked();
    reduct_lib::looked::run_if_asked();
    reduct_lib::parser::run_if_asked();
    // A test gets the default back; what this process itself cannot write, it says.
    reduct_system::signals::survive_file_size_limit();
    reduct_lib::note_begin();
    cli::run()
}
