//! A session for the tests to kill: `victim <scratch> <bytes> <script>` runs the script in a shell, on
//! a candidate of that many bytes, and says what came of it.

use reduct_circumstances::{Artifact, Candidate};
use reduct_run::executor::local::{Local, Setup};
use reduct_run::executor::{Executor, Invocation, Limits, RunId};
use reduct_run::warden;
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    warden::run_if_asked();
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [scratch, bytes, script] = &arguments[..] else {
        return Err("usage: victim <scratch> <bytes> <script>".into());
    };
    let bytes: usize = bytes.to_str().ok_or("not a number")?.parse()?;
    let mut local = Local::new(Setup {
        jobs: 1,
        invocation: Invocation {
            argv: vec!["sh".into(), "-c".into(), script.clone()],
            subject: ".".into(),
            path_argument: false,
            stdin: false,
            env: vec![],
        },
        limits: Limits { time: None, memory: None, processes: None, file_size: None, output: 1 << 16 },
        scratch: Some(scratch.into()),
        room: 0,
        warden: warden::command(),
    })?;
    local.start(RunId(1), &Candidate::whole(Arc::new(Artifact::of_file("file", &vec![b'x'; bytes])?)));
    let notice = local.next(None);
    writeln!(std::io::stdout(), "{notice:?}")?;
    Ok(())
}
