//! What the rules of the house count, as a table: before and after a change of the layout.

#![expect(clippy::print_stdout, reason = "it prints a table")]

use crate::source::{self, Crate, read};
use crate::tidy::Figures;
use std::collections::BTreeSet;

/// Prints the table.
///
/// # Errors
/// If the sources cannot be read.
pub(crate) fn run() -> Result<(), String> {
    let crates = source::crates()?;
    let figures = Figures::of(&crates);
    println!("| rule | breaches |\n| --- | --: |");
    println!("| import circles between files of a crate | {} |", figures.circles.len());
    println!("| files in the largest circle | {} |", largest(&figures.circles));
    println!("| functions over 70 lines | {} |", figures.functions.len());
    println!("| public types of one name | {} |", figures.names.len());
    println!("| sentences below the report | {} |", figures.sentences.len());
    println!("| files that match on the goal | {} |", matching(&crates).len());
    println!("\n| crate | files | lines | uses |\n| --- | --: | --: | --- |");
    for krate in &crates {
        let lines: usize = krate.files.values().map(|file| file.text.lines().count()).sum();
        println!("| {} | {} | {lines} | {} |", krate.name, krate.files.len(), dependencies(krate)?.join(", "));
    }
    Ok(())
}

/// Prints the imports that tie files into circles.
///
/// # Errors
/// If the sources cannot be read.
pub(crate) fn circles() -> Result<(), String> {
    source::crates()?.iter().flat_map(crate::tidy::ties).for_each(|tie| println!("{tie}"));
    Ok(())
}

fn largest(circles: &[String]) -> usize {
    circles.iter().map(|circle| circle.split(' ').count()).max().unwrap_or(0)
}

/// The files that ask which question a job asks.
fn matching(crates: &[Crate]) -> BTreeSet<String> {
    let files = crates.iter().flat_map(|krate| krate.files.values());
    let asks = |text: &str| text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains("Against::"));
    files.filter(|file| asks(&file.text)).map(|file| file.path.display().to_string()).collect()
}

/// The crates that a crate depends on, but for those of tests.
fn dependencies(krate: &Crate) -> Result<Vec<String>, String> {
    let manifest = read(&crate::root().join("crates").join(&krate.name).join("Cargo.toml"))?;
    let section = manifest.split("\n[dependencies]\n").nth(1).and_then(|rest| rest.split("\n[").next());
    let name = |line: &str| line.split(['.', ' ', '=']).next().map(str::to_owned);
    Ok(section.into_iter().flat_map(str::lines).filter_map(name).filter(|name| !name.is_empty()).collect())
}
