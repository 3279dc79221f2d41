//! Which test it is: the digest under which outcomes are shared between runs.

use crate::errors::Refusal;
use crate::job::Job;
use reduct_core::Key;
use reduct_input::Digester;
use reduct_oracle::Criterion;
use reduct_oracle::sampling::Policy;
use reduct_session::relied::{Relied, Variable};
use std::os::unix::ffi::OsStrExt;

/// Returns the digest of what decides what a test says of a candidate: the command, the files that it names as they
/// were, how the candidate is handed over, what counts as the failure, and how often a candidate is run to see it.
/// `project` is what the project was of which tests get copies. Of the variables, those count that the test may read.
///
/// # Errors
/// If the job names no subject.
pub fn of(
    job: &Job,
    reading: &Criterion,
    policy: Option<&Policy>,
    (input, surroundings, project): (Key, &[u8], Option<&[u8]>),
    (files, variables): (&[Relied], &[Variable]),
) -> Result<Key, Refusal> {
    let invocation = job.invocation()?;
    let mut hasher = Digester::default();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    invocation.argv.iter().for_each(|word| part(word.as_bytes()));
    for file in files.iter().filter(|file| file.named) {
        part(file.path.as_os_str().as_bytes());
        part(file.stamp.as_bytes());
    }
    for variable in variables.iter().filter(|variable| variable.read) {
        part(variable.name.as_bytes());
        part(variable.value.as_bytes());
    }
    part(invocation.subject.as_os_str().as_bytes());
    part(&[u8::from(invocation.path_argument), u8::from(invocation.stdin)]);
    part(serde_json::to_string(reading).unwrap_or_default().as_bytes());
    if !surroundings.is_empty() {
        part(surroundings);
    }
    if let Some(project) = project {
        part(b"in a copy");
        part(project);
    }
    if let Some(since) = job.source().asked_since() {
        part(b"person");
        part(&since.to_le_bytes());
    }
    // An outcome of several runs is worth more than that of one, or less.
    if let Some(policy) = policy {
        part(b"policy");
        part(serde_json::to_string(policy).unwrap_or_default().as_bytes());
    }
    if let Some(serving) = &invocation.server {
        part(if serving.paths { b"asked with paths" } else { b"asked with contents" });
    }
    // What the test is compared with is a part of it.
    if let Some(line) = &invocation.after.reference {
        part(b"reference");
        part(line.as_bytes());
    }
    part(&job.limits.file_size.unwrap_or(0).to_le_bytes());
    if job.limits.aslr {
        part(b"aslr");
    }
    if let Some(confinement) = &job.confinement {
        part(b"confined");
        part(serde_json::to_string(confinement).unwrap_or_default().as_bytes());
    }
    // What a message may name are the words of the input: with others, the same message reads otherwise.
    if matches!(reading, Criterion::Same(signature) if signature.text.is_some() || signature.report.is_some() || !signature.frames.is_empty())
    {
        part(&input.0.to_le_bytes());
    }
    let mut first = [0; 16];
    first.copy_from_slice(&hasher.finish()[..16]);
    Ok(Key(u128::from_le_bytes(first)))
}
