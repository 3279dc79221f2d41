//! A session for the tests to kill: `victim <scratch> <bytes> <script>` runs the script in a shell, on
//! a candidate of that many bytes, and says what came of it. With `base_tree` as a fourth argument, the candidate
//! stands on one.

use reduct_input::{Artifact, Candidate};
use reduct_oracle::{Invocation, Limits};
use reduct_sandbox::local::{Local, Setup};
use reduct_sandbox::supervisor;
use reduct_session::executor::{Executor, RunId, RunRequest};
use reduct_sources::BaseTree;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// A folder with a file in it.
#[derive(Debug)]
struct OneFolder;

impl BaseTree for OneFolder {
    fn identity(&self) -> Vec<u8> {
        vec![]
    }

    fn populate(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder.join("laid"))?;
        fs::write(folder.join("laid/file"), "laid")
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    supervisor::run_if_asked();
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let ([scratch, bytes, script] | [scratch, bytes, script, _]) = &arguments[..] else {
        return Err("usage: victim <scratch> <bytes> <script> [base]".into());
    };
    let base_tree = arguments.get(3).map(|_| Arc::new(OneFolder) as Arc<dyn BaseTree>);
    let bytes: usize = bytes.to_str().ok_or("not a number")?.parse()?;
    let mut local = Local::new(Setup {
        jobs: 1,
        invocation: Invocation {
            argv: vec!["sh".into(), "-c".into(), script.clone()],
            subject: ".".into(),
            plain: 0,
            path_argument: false,
            stdin: false,
            build: None,
            server: None,
            forks: false,
            inside: Default::default(),
            without: vec![],
            env: vec![],
            after: Default::default(),
        },
        limits: Limits {
            time: None,
            build_time: None,
            memory: None,
            processes: None,
            disk: None,
            file_size: None,
            output: 1 << 16,
        },
        scratch: Some(scratch.into()),
        room: 0,
        base_tree,
        fresh: false,
        supervisor: supervisor::command(),
        random_addresses: false,
        confinement: None,
    })?;
    let candidate = Candidate::whole(Arc::new(Artifact::of_file("file", &vec![b'x'; bytes])?));
    local.start(RunId(1), RunRequest::of(candidate));
    let notice = local.next(None);
    writeln!(io::stdout(), "{notice:?}")?;
    Ok(())
}
