//! What the rules of the house count, as a table: before and after a change of the layout.

#![expect(clippy::print_stdout, reason = "it prints a table")]

mod worktree;

use crate::root;
use crate::source::{self, Crate, read};
use crate::tidy::Figures;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use worktree::Worktree;

/// The names that the type of goals has and had, as they stand before a variant.
const GOALS: [&str; 2] = ["Goal::", "Against::"];

/// What is counted of a tree.
struct Counts {
    /// A number a rule.
    breaches: Vec<(&'static str, usize)>,
    crates: Vec<Size>,
}

/// How large a crate is.
struct Size {
    name: String,
    files: usize,
    lines: usize,
    dependencies: Vec<String>,
}

/// Prints the tables.
///
/// # Errors
/// If the sources cannot be read.
pub(crate) fn run() -> Result<(), String> {
    let counts = Counts::of(root())?;
    print_breaches(&[("breaches", &counts)]);
    print_crates(&counts);
    Ok(())
}

/// Prints the tables of a commit, as today's rules count them, beside those of what is here.
///
/// # Errors
/// If there is no such commit, or the sources cannot be read.
pub(crate) fn beside(commit: &str) -> Result<(), String> {
    let tree = Worktree::of(commit)?;
    let (then, now) = (Counts::of(tree.path())?, Counts::of(root())?);
    print_breaches(&[(commit, &then), ("here", &now)]);
    println!("\nAt {commit}:");
    print_crates(&then);
    println!("\nHere:");
    print_crates(&now);
    Ok(())
}

/// Prints the imports that tie files into circles.
///
/// # Errors
/// If the sources cannot be read.
pub(crate) fn circles() -> Result<(), String> {
    source::crates(root())?.iter().flat_map(crate::tidy::ties).for_each(|tie| println!("{tie}"));
    Ok(())
}

/// Prints the sentences that stand below the report.
///
/// # Errors
/// If the sources cannot be read.
pub(crate) fn sentences() -> Result<(), String> {
    Figures::of(&source::crates(root())?).sentences.iter().for_each(|sentence| println!("{sentence}"));
    Ok(())
}

/// Builds the library without its default features in a new folder, and prints how long that takes.
///
/// # Errors
/// If it does not build.
pub(crate) fn build() -> Result<(), String> {
    const WORDS: [&str; 4] = ["build", "--package", "reduct-lib", "--no-default-features"];
    let target = std::env::temp_dir().join(format!("reduct-figures-build-{}", std::process::id()));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let begin = Instant::now();
    let status = Command::new(cargo).args(WORDS).arg("--target-dir").arg(&target).current_dir(root()).status();
    let seconds = begin.elapsed().as_secs_f64();
    // It is not there if cargo did not come so far.
    let _ = fs::remove_dir_all(&target);
    let status = status.map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !status.success() {
        return Err(format!("cargo {} failed", WORDS.join(" ")));
    }
    println!("cargo {}: {seconds:.1} s in a new folder", WORDS.join(" "));
    Ok(())
}

impl Counts {
    /// Counts the sources below a root.
    fn of(root: &Path) -> Result<Counts, String> {
        let crates = source::crates(root)?;
        let figures = Figures::of(&crates);
        let breaches = vec![
            ("import circles between files of a crate", figures.circles.len()),
            ("files in the largest circle", largest(&figures.circles)),
            ("functions over 70 lines", figures.functions.len()),
            ("public types of one name", figures.names.len()),
            ("sentences below the report", figures.sentences.len()),
            ("files that match on the goal", figures.goals.len()),
            ("files that match on the goal or make one", naming(&crates).len()),
        ];
        let sizes: Result<Vec<Size>, String> = crates.iter().map(|krate| Size::of(root, krate)).collect();
        Ok(Counts { breaches, crates: sizes? })
    }
}

impl Size {
    fn of(root: &Path, krate: &Crate) -> Result<Size, String> {
        let lines = krate.files.values().map(|file| file.text.lines().count()).sum();
        let dependencies = dependencies(root, krate)?;
        Ok(Size { name: krate.name.clone(), files: krate.files.len(), lines, dependencies })
    }
}

fn print_breaches(columns: &[(&str, &Counts)]) {
    let heads: Vec<&str> = columns.iter().map(|(head, _)| *head).collect();
    println!("| rule | {} |\n| --- |{}", heads.join(" | "), " --: |".repeat(columns.len()));
    let Some((_, first)) = columns.first() else { return };
    for (row, (rule, _)) in first.breaches.iter().enumerate() {
        let numbers: Vec<String> = columns.iter().map(|(_, counts)| counts.breaches[row].1.to_string()).collect();
        println!("| {rule} | {} |", numbers.join(" | "));
    }
}

fn print_crates(counts: &Counts) {
    println!("\n| crate | files | lines | uses |\n| --- | --: | --: | --- |");
    for Size { name, files, lines, dependencies } in &counts.crates {
        println!("| {name} | {files} | {lines} | {} |", dependencies.join(", "));
    }
    let total = |number: fn(&Size) -> usize| counts.crates.iter().map(number).sum::<usize>();
    println!("| all | {} | {} | |", total(|size| size.files), total(|size| size.lines));
}

fn largest(circles: &[String]) -> usize {
    circles.iter().map(|circle| circle.split(' ').count()).max().unwrap_or(0)
}

/// Returns the files in which a variant of the goal stands, by whatever name the type had.
fn naming(crates: &[Crate]) -> BTreeSet<String> {
    let files = crates.iter().flat_map(|krate| krate.files.values());
    let names = |line: &str| !line.trim_start().starts_with("//") && GOALS.iter().any(|goal| line.contains(goal));
    files.filter(|file| file.text.lines().any(names)).map(|file| file.path.display().to_string()).collect()
}

/// Returns the crates that a crate depends on, but for those of tests.
fn dependencies(root: &Path, krate: &Crate) -> Result<Vec<String>, String> {
    let manifest = read(&root.join("crates").join(&krate.name).join("Cargo.toml"))?;
    let section = manifest.split("\n[dependencies]\n").nth(1).and_then(|rest| rest.split("\n[").next());
    let name = |line: &str| line.split(['.', ' ', '=']).next().map(str::to_owned);
    Ok(section.into_iter().flat_map(str::lines).filter_map(name).filter(|name| !name.is_empty()).collect())
}
