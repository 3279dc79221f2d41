//! The driver of programs in C, compiled: `c.c`, which is preloaded into them.

use crate::compiled::Library;
use crate::error::StepError;
use std::path::PathBuf;

/// The driver itself, and its parts.
const PARTS: [(&str, &str); 3] = [
    ("c.c", include_str!("c.c")),
    ("executions.h", include_str!("executions.h")),
    ("faults.h", include_str!("faults.h")),
];

/// Compilers that may be there, in this order.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];

const OPTIONS: [&str; 7] = ["-shared", "-fPIC", "-O2", "-w", "-fvisibility=hidden", "-pthread", "-ldl"];

/// Compiles the library, unless it is there. Returns where it is.
pub(crate) fn library() -> Result<PathBuf, StepError> {
    let mut compiled = Err(StepError::NoBuild);
    for compiler in COMPILERS {
        let words = std::iter::once(compiler).chain(OPTIONS).map(String::from).collect();
        compiled = Library { name: "c", sources: &PARTS, command: words, also: b"" }.compiled();
        if !matches!(compiled, Err(StepError::Interpreter { .. })) {
            return compiled;
        }
    }
    compiled
}
