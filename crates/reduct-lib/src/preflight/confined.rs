//! Whether a test does the same when it is confined: found out by a run of what fails with copies of the folders of the
//! user, in which it may write, and, if there is a reason, by one with the network.

use super::baseline::observe;
use super::choice::Begun;
use super::look::note;
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::job::Job;
use crate::problem::Problem;
use reduct_core::Outcome;
use reduct_oracle::signature::Signature;
use reduct_oracle::{Observed, Oracle};
use reduct_session::Session;
use reduct_session::confinement::Confinement;
use std::path::{Path, PathBuf};

/// Folders besides those of the user to which tests are known to write.
const ELSEWHERE: [&str; 5] = ["/var/tmp", "/var/lib", "/etc", "/opt", "/usr/local"];

/// So many of the files that a test changes are named.
const NAMED: usize = 3;

/// What a run showed, and what it changed outside of its folder.
struct Trial {
    observed: Observed,
    changed: Vec<PathBuf>,
}

/// Says how tests are confined, and refuses to go on where they do something else for that.
///
/// # Errors
/// With what the test needs, if it needs more than it is allowed; else with what kept a search from being begun.
pub(super) fn compare<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    begun: Result<Begun, Refusal>,
) -> Result<Begun, Refusal> {
    let Some(confinement) = problem.job().confinement.clone() else { return begun };
    let is_same = match &begun {
        Ok(begun) => {
            if let Some((confinement, strength)) = &begun.executor.confined {
                note(audience, reduct_report::confinement::describe(confinement, *strength));
            }
            let oracle = Oracle::new(begun.baseline.reading.clone(), problem.words().clone());
            Some(Box::new(move |observed: &Observed| oracle.verdict(observed).outcome == Outcome::Fail)
                as Box<dyn Fn(&_) -> _>)
        }
        Err(refusal) if refusal.may_be_of_the_confinement() => None,
        Err(_) => return begun,
    };
    // Who insists on being confined is not run otherwise, not even once.
    if confinement.strict || !problem.job().source().is_command() {
        return begun;
    }
    let is_same = match is_same {
        Some(is_same) => is_same,
        None => {
            let confined = trial(problem, audience, confinement.clone())?;
            let signature = Signature::of(&confined.observed, problem.words());
            let words = problem.words().clone();
            Box::new(move |observed: &Observed| Signature::of(observed, &words) == signature)
        }
    };
    let copied = folders(problem.job(), &confinement);
    let writing = Confinement { copied, ..confinement };
    let Trial { observed, changed } = trial(problem, audience, writing.clone())?;
    if !is_same(&observed) {
        return Err(Refusal::needs_more_than_it_is_allowed(&changed[..changed.len().min(NAMED)], false));
    }
    // Nothing is sent without a reason.
    let may_want_network = begun.is_err() || speaks_of_network(&observed);
    if !writing.network && may_want_network {
        let connected = trial(problem, audience, Confinement { network: true, ..writing })?;
        if !is_same(&connected.observed) {
            return Err(Refusal::needs_more_than_it_is_allowed(&[], true));
        }
    }
    begun
}

/// Returns whether a test says something that programs say where they cannot use the network.
fn speaks_of_network(observed: &Observed) -> bool {
    let said = [&observed.stdout[..], &observed.stderr[..]].concat().to_ascii_lowercase();
    let words: [&[u8]; 5] = [b"network", b"resolv", b"unreachable", b"connect", b"socket"];
    words.iter().any(|word| said.windows(word.len()).any(|part| part == *word))
}

/// Runs what fails once, confined like this.
fn trial<T: Problem>(problem: &mut T, audience: &mut Audience<'_>, confinement: Confinement) -> Result<Trial, Refusal> {
    let usual = problem.job_mut().confinement.replace(confinement);
    let executor = problem.executor(problem.job().handed);
    problem.job_mut().confinement = usual;
    let mut executor = executor?;
    audience.connect(&*executor);
    let patience = problem.job().patience;
    let mut session = Session::new(&mut *executor, audience.views(), patience);
    let observed = observe(&mut session, std::slice::from_ref(problem.whole()))?;
    drop(session);
    let changed = executor.changed_elsewhere.as_ref().map(|changed| changed()).unwrap_or_default();
    let observed = observed.into_iter().next().ok_or_else(|| Refusal::Executor("a run said nothing".into()))?;
    Ok(Trial { observed, changed })
}

/// Returns the folders of which a trial gets copies: those of the user and some of the system, none below another one.
fn folders(job: &Job, confinement: &Confinement) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).and_then(|home| home.canonicalize().ok());
    let all = [home, job.folder.canonicalize().ok()].into_iter().flatten();
    let all = all.chain(confinement.copied.iter().cloned()).chain(ELSEWHERE.map(PathBuf::from));
    let mut folders: Vec<PathBuf> = vec![];
    for folder in all.filter(|folder| folder.is_dir() && folder != Path::new("/")) {
        if !folders.iter().chain(&confinement.writable).any(|above| folder.starts_with(above)) {
            folders.retain(|below| !below.starts_with(&folder));
            folders.push(folder);
        }
    }
    folders
}
