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
use reduct_oracle::{Exit, Observed, Oracle};
use reduct_session::Session;
use reduct_session::confinement::Confinement;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Folders besides those of the user to which tests are known to write.
const ELSEWHERE: [&str; 5] = ["/var/tmp", "/var/lib", "/etc", "/opt", "/usr/local"];

/// Where nothing is known of how long a test takes, a run takes this long at most.
const A_LOOK: Duration = Duration::from_secs(5);

/// So many of the files that a test changes are named.
const NAMED: usize = 3;

/// What a run showed, and what it changed outside of its folder.
struct Trial {
    observed: Observed,
    changed: Vec<PathBuf>,
}

/// What a run has to show to do the same as when it is confined.
enum Same {
    /// The failure.
    Failure(Oracle),
    /// That it ends in this way.
    End(Exit),
}

impl Same {
    fn is_shown_by(&self, observed: &Observed) -> bool {
        match self {
            Same::Failure(oracle) => oracle.verdict(observed).outcome == Outcome::Fail,
            Same::End(exit) => observed.exit == *exit,
        }
    }
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
    if let Some((confinement, strength)) = begun.as_ref().ok().and_then(|begun| begun.executor.confined.as_ref()) {
        note(audience, reduct_report::confinement::describe(confinement, *strength));
    }
    // Who insists on being confined is not run otherwise, not even once. Of what comes and goes, one run says nothing.
    if confinement.strict || problem.job().repeat || !problem.job().source().is_command() {
        return begun;
    }
    let (same, time_limit) = match &begun {
        Ok(begun) => {
            let oracle = Oracle::new(begun.baseline.reading.clone(), problem.words().clone());
            (Same::Failure(oracle), begun.baseline.time_limit)
        }
        Err(refusal) if refusal.may_be_of_the_confinement() => {
            let confined = trial(problem, audience, (confinement.clone(), A_LOOK))?;
            (Same::End(confined.observed.exit), A_LOOK)
        }
        Err(_) => return begun,
    };
    if matches!(same, Same::End(Exit::Limit(_))) {
        return begun;
    }
    let writing = Confinement { copied: folders(problem.job(), &confinement), ..confinement };
    let first = differing(problem, audience, &same, (&writing, time_limit))?;
    if let Some(Trial { changed, .. }) = first.as_ref().err() {
        return Err(Refusal::needs_more_than_it_is_allowed(&changed[..changed.len().min(NAMED)], false));
    }
    // Nothing is sent without a reason.
    let may_want_network = begun.is_err() || first.is_ok_and(|same| speaks_of_network(&same));
    if !writing.network && may_want_network {
        let connected = Confinement { network: true, ..writing };
        if differing(problem, audience, &same, (&connected, time_limit))?.is_err() {
            return Err(Refusal::needs_more_than_it_is_allowed(&[], true));
        }
    }
    begun
}

/// Runs what fails, confined like this, and returns what it showed if that is the same; else the trial, which was made
/// twice then.
fn differing<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    same: &Same,
    (confinement, time_limit): (&Confinement, Duration),
) -> Result<Result<Observed, Trial>, Refusal> {
    let mut last = trial(problem, audience, (confinement.clone(), time_limit))?;
    if !same.is_shown_by(&last.observed) {
        last = trial(problem, audience, (confinement.clone(), time_limit))?;
    }
    Ok(if same.is_shown_by(&last.observed) { Ok(last.observed) } else { Err(last) })
}

/// Returns whether a test says something that programs say where they cannot use the network.
fn speaks_of_network(observed: &Observed) -> bool {
    let said = [&observed.stdout[..], &observed.stderr[..]].concat().to_ascii_lowercase();
    let words: [&[u8]; 5] = [b"network", b"resolv", b"unreachable", b"connect", b"socket"];
    words.iter().any(|word| said.windows(word.len()).any(|part| part == *word))
}

/// Runs what fails once, confined like this.
fn trial<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    (confinement, time_limit): (Confinement, Duration),
) -> Result<Trial, Refusal> {
    let usual = problem.job_mut().confinement.replace(confinement);
    let executor = problem.executor(problem.job().handed);
    problem.job_mut().confinement = usual;
    let mut executor = executor?;
    executor.time_limit = Some(time_limit);
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
