//! Reads a range of a repository's history, and says how many changes it has and how much they touch.

use reduct_sources::git::range;
use std::io::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, spec] = &args[..] else { return Err("history FOLDER GOOD..BAD".into()) };
    let versions = range(Path::new(folder), spec, false)?;
    let touched: usize = versions.changes.iter().map(|change| change.touched.len()).sum();
    writeln!(std::io::stdout(), "{} {touched}", versions.changes.len())?;
    Ok(())
}
