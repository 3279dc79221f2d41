//! The rules of the house that no lint checks, a file each.
//!
//! A rule that the code does not keep yet has a number, [`Limits`]: so many breaches there are, and there must never be
//! more. A change that mends some lowers the number.

mod arrows;
mod circles;
mod citations;
mod functions;
mod goals;
mod links;
mod pure;
mod sentences;
mod tracked;
mod types;
mod unnamed;
mod walks;

pub(crate) use circles::{circles, ties};
use sentences::sentences;

use crate::source::{self, Crate};

/// The crates in which sentences are at home: what is said of results, and the command.
const SPEAKING: &[&str] = &["reduct", "reduct-report"];

/// How often each rule is broken today.
struct Limits {
    /// Import circles between files of a crate.
    circles: usize,
    /// Public types that share their name with another one.
    names: usize,
    /// Sentences in crates below the report.
    sentences: usize,
    /// Functions of more than 70 lines.
    functions: usize,
    /// Files that tell goals apart.
    goals: usize,
}

const LIMITS: Limits = Limits { circles: 0, names: 0, sentences: 0, functions: 0, goals: 1 };

/// Checks all rules.
///
/// # Errors
/// The complaints, a line each.
pub(crate) fn run() -> Result<(), String> {
    let crates = source::crates(crate::root())?;
    let mut complaints = arrows::complaints()?;
    complaints.extend(tracked::complaints()?);
    complaints.extend(links::complaints()?);
    complaints.extend(walks::complaints()?);
    for krate in &crates {
        if pure::CRATES.contains(&krate.name.as_str()) {
            complaints.extend(pure::complaints(krate));
        }
        complaints.extend(citations::leading_nowhere(krate)?);
        complaints.extend(unnamed::complaints(&crate::root().join("crates").join(&krate.name))?);
    }
    let figures = Figures::of(&crates);
    complaints.extend(ratchet("import circles", &figures.circles, LIMITS.circles));
    complaints.extend(ratchet("public types of one name", &figures.names, LIMITS.names));
    complaints.extend(ratchet("sentences below the report", &figures.sentences, LIMITS.sentences));
    complaints.extend(ratchet("functions that are too long", &figures.functions, LIMITS.functions));
    complaints.extend(ratchet("files that tell goals apart", &figures.goals, LIMITS.goals));
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// What breaks the rules that have a limit, a line each.
pub(crate) struct Figures {
    pub(crate) circles: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) sentences: Vec<String>,
    pub(crate) functions: Vec<String>,
    pub(crate) goals: Vec<String>,
}

impl Figures {
    pub(crate) fn of(crates: &[Crate]) -> Figures {
        let below = crates.iter().filter(|krate| !SPEAKING.contains(&krate.name.as_str()));
        Figures {
            circles: crates.iter().flat_map(circles).map(|circle| circle.join(" ")).collect(),
            names: types::of_one_name(crates),
            sentences: below.flat_map(sentences).collect(),
            functions: crates.iter().flat_map(functions::too_long).collect(),
            goals: crates.iter().flat_map(goals::matching).collect(),
        }
    }
}

/// Complains of each if there are more than there may be.
fn ratchet(what: &str, found: &[String], limit: usize) -> Vec<String> {
    if found.len() <= limit {
        return vec![];
    }
    let heading = format!("{what}: {}; at most {limit}:", found.len());
    std::iter::once(heading).chain(found.iter().cloned()).collect()
}
