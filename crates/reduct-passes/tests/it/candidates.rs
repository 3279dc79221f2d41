//! Candidates: what a test sees, and the digest of it.

use crate::support::{file, folder, levels};
use reduct_core::{Config, Question};
use reduct_input::{Artifact, ArtifactBuilder, Candidate, Circumstances, What};
use reduct_passes::Pass;
use std::sync::Arc;

fn whole(artifact: Artifact) -> Candidate {
    Candidate::whole(Arc::new(artifact))
}

fn with(change: impl FnOnce(&mut ArtifactBuilder)) -> Artifact {
    let mut builder = ArtifactBuilder::default();
    change(&mut builder);
    builder.finish()
}

/// Everything that a test can see is in the digest: no two of these are the same.
#[test]
fn all_that_differs_has_another_key() {
    let artifacts = [
        with(|_| ()),
        file(b""),
        file(b"ab"),
        file(b"ba"),
        with(|b| _ = b.file("other", 0o644, b"ab").unwrap()),
        with(|b| _ = b.file("input", 0o755, b"ab").unwrap()),
        with(|b| _ = b.link("input", "ab")),
        with(|b| _ = b.link("input", "a")),
        with(|b| _ = b.folder("input", 0o644)),
        with(|b| _ = b.folder("input", 0o700)),
        folder(&[("a", b"a"), ("b", b"b")]),
        folder(&[("a", b"ab"), ("b", b"")]),
        folder(&[("a", b""), ("b", b"ab")]),
        folder(&[("a", b"ab")]),
        folder(&[("d/", b""), ("d/a", b"ab")]),
        folder(&[("d/a", b"ab")]),
    ];
    let keys: std::collections::HashSet<_> = artifacts.iter().cloned().map(|a| whole(a).key()).collect();
    assert_eq!(keys.len(), artifacts.len());
}

/// Two ways to the same bytes are one question, and what is counted is no part of it.
#[test]
fn the_same_content_has_the_same_key() {
    let chars = &levels(&Pass::named("chars").unwrap(), &file(b"abab"))[0];
    let front = chars.candidate(&Config::full(4).without(2..4)).unwrap();
    let back = chars.candidate(&Config::full(4).without(0..2)).unwrap();
    assert_eq!(front.key(), back.key());
    assert_eq!(front.key(), whole(file(b"ab")).key());
    assert_eq!(front.clone().counted(17).key(), front.key());
    assert_ne!(front.kept(), back.kept());
}

#[test]
fn an_artifact_of_a_candidate_is_what_it_shows() {
    let base = with(|b| {
        b.folder("d", 0o750);
        b.file("d/run", 0o755, b"one\ntwo\n").unwrap();
        b.link("d/to", "run");
        b.folder("empty", 0o700);
        b.file("last", 0o600, b"three\n").unwrap();
    });
    let lines = &levels(&Pass::named("lines").unwrap(), &base)[0];
    let candidate = lines.candidate(&Config::full(3).without(1..2)).unwrap();
    assert_eq!((candidate.len(), candidate.entry_count(), candidate.deltas()), (10, 5, 2));
    let artifact = candidate.artifact();
    let expected = with(|b| {
        b.folder("d", 0o750);
        b.file("d/run", 0o755, b"one\n").unwrap();
        b.link("d/to", "run");
        b.folder("empty", 0o700);
        b.file("last", 0o600, b"three\n").unwrap();
    });
    assert_eq!(artifact, expected);
    // The one knows its digest from the candidate, the other one makes it.
    assert_eq!(whole(artifact).key(), candidate.key());
    assert_eq!(whole(expected).key(), candidate.key());
    let pieces: Vec<Vec<u8>> = candidate.pieces().map(|(_, pieces)| pieces.concat()).collect();
    assert_eq!(pieces, [&b""[..], b"one\n", b"", b"", b"three\n"]);
}

#[test]
fn nothing_of_a_file_is_an_empty_file() {
    let nothing = Candidate::nothing(Arc::new(file(b"x")));
    assert!(matches!(nothing.artifact().entries(), [entry] if matches!(entry.what, What::File { .. })));
    assert!(nothing.is_empty());
    let nothing = Candidate::nothing(Arc::new(folder(&[("a", b"x"), ("b", b"y")])));
    assert_eq!(nothing.entry_count(), 0);
}
