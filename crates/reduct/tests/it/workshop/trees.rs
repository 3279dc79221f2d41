//! What is built for a workshop, and goes with it.

use super::{Workshop, listed};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Returns where drivers are that were compiled for a workshop, for all others of these tests: the first one compiles them.
fn kept() -> &'static Path {
    static KEPT: LazyLock<PathBuf> = LazyLock::new(|| {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drivers");
        // Those of earlier tests.
        let _ = fs::remove_dir_all(&all);
        let own = all.join(std::process::id().to_string());
        fs::create_dir_all(&own).unwrap();
        own
    });
    &KEPT
}

/// Copies drivers from a folder, but for those that are there.
fn copy_drivers(from: &Path, to: &Path) -> std::io::Result<()> {
    for name in listed(from).into_iter().filter(|name| name.starts_with("reduct-driver-") && !to.join(name).exists()) {
        // Made apart, as others may do the same. It is of one who builds if it is not whole.
        let Ok(driver) = fs::read(from.join(&name).join("driver.so")) else { continue };
        let apart = tempfile::tempdir_in(to)?;
        let folder = apart.path().join(&name);
        fs::create_dir(&folder)?;
        fs::set_permissions(&folder, Permissions::from_mode(0o700))?;
        let file = folder.join("driver.so");
        fs::write(&file, driver)?;
        fs::set_permissions(&file, Permissions::from_mode(0o700))?;
        let _ = fs::rename(&folder, to.join(&name));
    }
    Ok(())
}

impl Workshop {
    /// The folder for what is built. It has the drivers that were compiled for other workshops: to compile them takes longer than most that
    /// is done with them.
    pub fn trees(&self) -> PathBuf {
        let trees = self.beside("trees");
        if !trees.exists() {
            fs::create_dir(&trees).unwrap();
            // What cannot be copied is compiled again.
            let _ = copy_drivers(kept(), &trees);
        }
        trees
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = copy_drivers(&self.beside("trees"), kept());
    }
}
