//! Files and folders with other names.

use crate::support::grammars;
use reduct_core::{Config, Delta};
use reduct_input::{ArtifactBuilder, Circumstances, Parts, Subject};
use reduct_passes::Pass;
use std::path::PathBuf;
use std::sync::Arc;

/// Results are compared with what is read back from the disk, in the order of the names.
#[test]
fn files_keep_their_order_whichever_have_new_names() {
    let names = ["mode.py", "model.py", "money.py", "monkey.py", "shop", "shop/some.py", "shop/summary.py", "zebra.py"];
    let mut folder = ArtifactBuilder::default();
    folder.folder("folder", 0o755);
    for (at, name) in names.iter().enumerate() {
        let next = names[(at + 1) % names.len()].trim_end_matches(".py").replace('/', ".");
        match name.ends_with(".py") {
            true => folder.file(format!("folder/{name}"), 0o644, format!("import {next}").as_bytes()).unwrap(),
            false => folder.folder(format!("folder/{name}"), 0o755),
        };
    }
    let artifact = Arc::new(folder.finish());
    let pass = Pass::named("file-names").unwrap();
    let mut renamed = 0;
    for spans in (pass.propose)(&Subject::new(artifact.clone(), Some(grammars()))) {
        let parts = Parts::new(artifact.clone(), spans);
        for set in 0..1_u32 << parts.len() {
            let kept = (0..parts.len() as u32).filter(|part| set >> part & 1 == 0).map(Delta);
            let made = parts.candidate(&Config::from_deltas(kept)).unwrap().artifact();
            let paths: Vec<&PathBuf> = made.entries().iter().map(|entry| &entry.path).collect();
            assert!(paths.windows(2).all(|two| two[0] < two[1]), "{paths:?}");
            assert!(set == 0 || made.bytes().len() < artifact.bytes().len());
            let others = paths.iter().zip(artifact.entries()).filter(|(path, entry)| **path != &entry.path);
            renamed = renamed.max(others.count());
        }
    }
    // All but `folder`, which nothing names, and `model.py`, as `mod.py` stands before `mode.py`.
    assert_eq!(renamed, names.len() - 1);
}
