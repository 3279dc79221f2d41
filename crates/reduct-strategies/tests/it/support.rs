//! Artifacts and parts, as tests need them.

use reduct_core::{Config, Delta, Outcome};
use reduct_input::{Artifact, ArtifactBuilder, Circumstances, Parts, Subject};
use reduct_passes::{Pass, Proposals};
use std::sync::Arc;

pub fn file(contents: &[u8]) -> Artifact {
    Artifact::of_file("input", contents).unwrap()
}

/// Files and, where the path ends with a slash, folders.
pub fn folder(entries: &[(&str, &[u8])]) -> Artifact {
    let mut builder = ArtifactBuilder::default();
    for (path, contents) in entries {
        match path.strip_suffix('/') {
            Some(path) => builder.folder(path, 0o755),
            None => builder.file(path, 0o644, contents).unwrap(),
        };
    }
    builder.finish()
}

/// How a kind takes an artifact apart whose languages are not known.
pub fn outline(kind: &Pass, artifact: &Artifact) -> Proposals {
    (kind.propose)(&Subject::new(Arc::new(artifact.clone()), None))
}

/// The parts of each level.
pub fn levels(kind: &Pass, artifact: &Artifact) -> Vec<Parts> {
    let base = Arc::new(artifact.clone());
    outline(kind, artifact).into_iter().map(|spans| Parts::new(base.clone(), spans)).collect()
}

pub fn rebuilt(parts: &Parts, config: &Config) -> Artifact {
    parts.candidate(config).expect("every configuration of parts can be").artifact()
}

/// The parts of each level of a file that is no text.
pub fn chunked(text: &[u8]) -> Vec<Parts> {
    levels(&Pass::named("chunks").unwrap(), &file(text))
}

/// What is left without the parts of a level for which `gone` is true.
pub fn without(parts: &Parts, gone: impl Fn(usize) -> bool) -> Vec<u8> {
    let kept = (0..parts.len()).filter(|at| !gone(*at)).map(|at| Delta(at as u32));
    rebuilt(parts, &kept.collect()).bytes().to_vec()
}

pub fn fails_if(failing: bool) -> Outcome {
    if failing { Outcome::Fail } else { Outcome::Pass }
}

pub fn has(text: &[u8], needle: &[u8]) -> bool {
    text.windows(needle.len()).any(|window| window == needle)
}

/// Checks that a file that is no text comes whole out of each level, and no larger where parts of it go: also when some of its bytes are others, by their places, and its last ones are not there.
pub fn comes_apart(mut text: Vec<u8>, changes: &[(usize, u8)], missing: usize, choice: &[bool]) {
    let length = text.len();
    changes.iter().for_each(|(at, byte)| text[at % length] = *byte);
    text.truncate(length - missing);
    for parts in chunked(&text) {
        assert_eq!(without(&parts, |_| false), text);
        assert!(without(&parts, |at| choice[at % choice.len()]).len() <= text.len());
    }
}
