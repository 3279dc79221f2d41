//! What stands beside the input: files that a failure may be told by, as no test has made them.

use crate::job::Job;
use reduct_input::Artifact;
use reduct_oracle::signature::InputVocabulary;
use reduct_sources::RUNS;
use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// So many entries of the user's folder are looked at: the nearest ones.
const MOST: usize = 10_000;

/// Returns the words of inputs, and whose a file is that a report names: one of theirs, or one that stands beside them.
pub(crate) fn words_of(job: &Job, inputs: &[&Artifact]) -> InputVocabulary {
    let ours: Vec<PathBuf> = job.input_paths().iter().filter_map(|input| input.canonicalize().ok()).collect();
    let named = job.command.iter().map(|word| job.folder.join(word)).filter(|path| path.is_file());
    let is_input = |path: &PathBuf| path.canonicalize().is_ok_and(|path| ours.contains(&path));
    let named = named.filter(|path| !is_input(path)).filter_map(|path| name_of(&path));
    let (places, full) = places_of(job, inputs);
    InputVocabulary::of_inputs(inputs, files_below(job.top().unwrap_or(&job.folder), &ours).into_iter().chain(named))
        .standing(places, full)
        .run_by(&job.command)
}

/// Returns where the files of inputs stand in the folder of a test, or below where it runs in that, and in full.
fn places_of(job: &Job, inputs: &[&Artifact]) -> (HashSet<PathBuf>, HashSet<PathBuf>) {
    let real = |path: &Path| path.canonicalize().ok();
    // A link has the name that it has, not that of what it leads to.
    let root = |input: &PathBuf| match (input.parent(), input.file_name()) {
        (Some(parent), Some(name)) => Some(real(parent)?.join(name)),
        _ => real(input),
    };
    let roots: Vec<PathBuf> = job.input_paths().iter().filter_map(root).collect();
    let folders = match job.top() {
        Some(top) => vec![top.to_owned(), top.join(job.inside())],
        None => Vec::from_iter(real(&job.folder)),
    };
    let (mut places, mut full) = (HashSet::new(), HashSet::new());
    for path in inputs.iter().flat_map(|input| input.entries()).map(|entry| &entry.path) {
        let is_of = |root: &&PathBuf| root.file_name().is_some_and(|name| path.starts_with(name));
        let here = roots.iter().filter(is_of).filter_map(|root| Some(root.parent()?.join(path)));
        let here: Vec<PathBuf> = here.collect();
        let inner = here.iter().flat_map(|full| folders.iter().filter_map(|folder| full.strip_prefix(folder).ok()));
        places.extend(inner.map(Path::to_owned));
        // In a copy it stands where it stands in the project, else alone under its name.
        if job.top().is_none() || here.is_empty() {
            places.insert(path.clone());
        }
        full.extend(here);
    }
    (places, full)
}

/// Returns the names of the files in a folder and below it, but for inputs, what is hidden, and runs.
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
