//! Which test it is: the digest under which outcomes are shared between runs.

use crate::errors::Refusal;
use crate::job::Job;
use reduct_core::Key;
use reduct_run::flaky::Policy;
use reduct_run::oracle::Reading;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The digest of everything that decides what a test says of a candidate, as far as can be known: the
/// command, the contents of the programs and scripts it names, how the candidate is handed over, and
/// what counts as the failure, and how often a candidate is run to see it. What a script calls in turn is not known; `--no-cache` is for that.
///
/// # Errors
/// If the job names no subject.
pub fn of(
    job: &Job,
    reading: &Reading,
    policy: Option<&Policy>,
    (input, surroundings): (Key, &[u8]),
) -> Result<Key, Refusal> {
    let invocation = job.invocation()?;
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    for (at, word) in invocation.argv.iter().enumerate() {
        part(word.as_bytes());
        let file = if at == 0 { program(word) } else { Some(PathBuf::from(word)).filter(|path| path.is_absolute()) };
        part(file.map(|file| contents(&file)).unwrap_or_default().as_slice());
    }
    part(invocation.subject.as_os_str().as_bytes());
    part(&[u8::from(invocation.path_argument), u8::from(invocation.stdin)]);
    part(serde_json::to_string(reading).unwrap_or_default().as_bytes());
    if !surroundings.is_empty() {
        part(surroundings);
    }
    if let Some(asking) = &job.ask {
        part(b"person");
        part(&asking.since.to_le_bytes());
    }
    // An outcome of several runs is worth more than that of one, or less.
    if let Some(policy) = policy {
        part(b"policy");
        part(serde_json::to_string(policy).unwrap_or_default().as_bytes());
    }
    if let Some(serving) = &invocation.server {
        part(if serving.paths { b"asked with paths" } else { b"asked with contents" });
    }
    // A line for the shell names programs and files like a command does.
    if invocation.argv.get(1).is_some_and(|word| word == "-c") {
        invocation.argv.get(2).into_iter().for_each(|line| files_of(job, line, &mut part));
    }
    // What the test is compared with is a part of it.
    if let Some(line) = &invocation.after.reference {
        part(b"reference");
        part(line.as_bytes());
        files_of(job, line, &mut part);
    }
    part(&job.limits.file_size.unwrap_or(0).to_le_bytes());
    // What a message may name are the words of the input: with others, the same message reads otherwise.
    if matches!(reading, Reading::Same(signature) if signature.text.is_some() || signature.report.is_some() || !signature.frames.is_empty())
    {
        part(&input.0.to_le_bytes());
    }
    let mut first = [0; 16];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    Ok(Key(u128::from_le_bytes(first)))
}

/// The contents of the files that a line for the shell names, its programs included: those of the user's folder, and
/// elsewhere what can be started. Not those it writes to, as far as can be seen, nor inputs and results: these are other
/// ones each time.
fn files_of(job: &Job, line: &OsStr, part: &mut impl FnMut(&[u8])) {
    let ours = job.input_paths().into_iter().chain([job.out.clone()]).filter_map(|path| path.canonicalize().ok());
    let mut others: Vec<PathBuf> = ours.collect();
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"'\"`;|&<()=".contains(byte);
    let spaced: Vec<u8> = line
        .as_bytes()
        .iter()
        .flat_map(|byte| if *byte == b'>' { &b" > "[..] } else { std::slice::from_ref(byte) })
        .copied()
        .collect();
    let words: Vec<&OsStr> = spaced.split(is_between).filter(|word| !word.is_empty()).map(OsStr::from_bytes).collect();
    let writes = |word: &OsStr| [">", "tee", "-a", "-o"].iter().any(|it| word == *it);
    let written = words.windows(2).filter(|two| writes(two[0])).map(|two| job.folder.join(two[1]));
    others.extend(written.map(|path| path.canonicalize().unwrap_or(path)));
    for word in words {
        let named = job.folder.join(word);
        let is_ours = Path::new(word).is_relative() && named.is_file();
        let file = if is_ours { Some(named) } else { program(word).filter(|file| crate::job::is_program(file)) };
        let file = file.and_then(|file| file.canonicalize().ok());
        let Some(file) = file.filter(|file| !others.iter().any(|other| file.starts_with(other))) else { continue };
        part(word.as_bytes());
        part(&contents(&file));
    }
}

/// Where a command is found.
fn program(word: &OsStr) -> Option<PathBuf> {
    if word.as_bytes().contains(&b'/') {
        return Some(word.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(|file| crate::job::is_program(file))
}

/// The digest of a file; of a large one, its size and time stand for it.
fn contents(file: &Path) -> Vec<u8> {
    const LARGE: u64 = 16 << 20;
    match file.metadata() {
        Ok(meta) if meta.is_file() && meta.len() <= LARGE => {
            std::fs::read(file).map(|bytes| blake3::hash(&bytes).as_bytes().to_vec()).unwrap_or_default()
        }
        Ok(meta) if meta.is_file() => format!("{} {:?}", meta.len(), meta.modified().ok()).into_bytes(),
        _ => vec![],
    }
}
