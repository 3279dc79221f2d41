//! What stands beside the input: files that a failure may be told by, as no test has made them.

use crate::job::Job;
use reduct_circumstances::Artifact;
use reduct_run::load::RUNS;
use reduct_run::oracle::signature::Words;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// So many entries of the user's folder are looked at: the nearest ones.
const MOST: usize = 10_000;

/// The words of inputs, and whose a file is that a report names: one of theirs, or one that stands beside them.
pub(crate) fn words_of(job: &Job, inputs: &[&Artifact]) -> Words {
    let ours: Vec<PathBuf> = job.input_paths().iter().filter_map(|input| input.canonicalize().ok()).collect();
    let named = job.command.iter().map(|word| job.folder.join(word)).filter(|path| path.is_file());
    let is_input = |path: &PathBuf| path.canonicalize().is_ok_and(|path| ours.contains(&path));
    let named = named.filter(|path| !is_input(path)).filter_map(|path| name_of(&path));
    Words::of_inputs(inputs, files_below(&job.folder, &ours).into_iter().chain(named))
}

/// The names of the files in a folder and below it, but for inputs, what is hidden, and runs.
fn files_below(folder: &Path, inputs: &[PathBuf]) -> Vec<String> {
    let (mut names, mut todo) = (vec![], VecDeque::from_iter(folder.canonicalize().ok()));
    let mut left = MOST;
    while let Some(folder) = todo.pop_front() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        // The same ones at each run.
        paths.sort();
        paths.truncate(left);
        left -= paths.len();
        for path in paths.into_iter().filter(|path| !inputs.contains(path)) {
            let Some(name) = name_of(&path).filter(|name| name != RUNS && !name.starts_with('.')) else { continue };
            match path.symlink_metadata() {
                Ok(meta) if meta.is_dir() => todo.push_back(path),
                Ok(_) => names.push(name),
                Err(_) => {}
            }
        }
    }
    names
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}
