//! The helper processes of a program that runs jobs: it is started again as one.

use reduct_sandbox::{opened, supervisor};
use std::path::PathBuf;

/// Becomes a helper process if this program was started again as one, and does not return then. Programs that run jobs
/// call this first thing in `main`, before any thread is started: tests are watched over by a copy of the program.
///
/// Functions as tests ([`reduce_bytes`](crate::reduce_bytes)) need no helper.
///
/// ```no_run
/// fn main() -> Result<(), reduct_lib::Refusal> {
///     reduct_lib::run_if_asked();
///     let test = reduct_lib::Test::command(["./browser", "{}"]);
///     reduct_lib::reduce("page.html").test(test).run().map(|_| ())
/// }
/// ```
pub fn run_if_asked() {
    supervisor::run_if_asked();
    opened::run_if_asked();
    reduct_sandbox::refused::run_if_asked();
    reduct_sandbox::looked::run_if_asked();
    crate::parser::run_if_asked();
    crate::own::note_begin();
}

/// Has tests watched over by another program, which calls [`run_if_asked`] first thing in `main`, as the command
/// `reduct` does: for where `main` is not yours, as in tests. The first one that is named counts.
///
/// ```no_run
/// # fn main() -> Result<(), reduct_lib::Refusal> {
/// reduct_lib::use_supervisor("target/debug/my-reducer");
/// let test = reduct_lib::Test::command(["./browser", "{}"]);
/// let result = reduct_lib::reduce("page.html").test(test).run()?;
/// # Ok(())
/// # }
/// ```
pub fn use_supervisor(program: impl Into<PathBuf>) {
    supervisor::use_program(program.into());
}
