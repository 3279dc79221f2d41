//! What tests of several sorts need.

use reduct_circumstances::Grammars;
use reduct_grammars::Languages;
use std::path::Path;
use std::sync::Arc;

/// All languages.
pub fn grammars() -> Arc<dyn Grammars> {
    Arc::new(Languages::all())
}

/// The folder of the whole project.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
