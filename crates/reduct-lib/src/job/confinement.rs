//! How tests are confined if nobody says otherwise.

use reduct_session::confinement::Confinement;
use std::path::{Path, PathBuf};

/// Folders below the home folder in which programs keep what they could make again. Tests see copies of them.
const CACHES: [&str; 8] = [".cache", ".cargo", ".ccache", ".gradle", ".m2", ".npm", "go", ".pub-cache"];

/// Returns the confinement of a test of which nothing is said: it writes in its own folders only and uses no network.
/// Files and folders in `writable` it may change.
pub fn standard_confinement(writable: Vec<PathBuf>) -> Confinement {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    // What a test may change in a copy would be thrown away with the copy.
    let is_shared = |cache: &Path| writable.iter().any(|path| cache.starts_with(path) || path.starts_with(cache));
    let caches = home.iter().flat_map(|home| CACHES.map(|name| home.join(name)));
    let copied = caches.filter(|cache| cache.is_dir() && !is_shared(cache)).collect();
    Confinement { copied, writable, ..Confinement::default() }
}
