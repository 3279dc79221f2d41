//! Whether a test does the same when it is confined. If it does not fail as it should, or says what programs say where
//! something is refused to them, it is run once with the network, and once with all that can do no harm.

use super::baseline::observe;
use super::choice::Begun;
use super::denied::{self, Denied};
use super::look::note;
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::Listed;
use crate::list::List;
use crate::problem::Problem;
use reduct_core::Outcome;
use reduct_oracle::{Exit, Observed, Oracle};
use reduct_report::confinement::{AS_ASKED, Need, TestNeeds, UNTRIED, describe, thrown_away};
use reduct_sandbox::refused::{self, CallTarget, RefusedCall};
use reduct_session::Session;
use reduct_session::confinement::Confinement;
use reduct_session::event::Why;
use reduct_session::executor::Opened;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where nothing is known of how long a test takes, a run takes this long at most.
const A_LOOK: Duration = Duration::from_secs(5);

/// So many of the files that a test changes are named.
const NAMED: usize = 3;

/// Where tests leave new files that nobody misses.
const TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

/// What a run showed, and what it changed outside of its folder.
struct Trial {
    observed: Observed,
    changed: Vec<PathBuf>,
    /// Whether the test saw copies of folders, if it was confined.
    has_copies: bool,
}

/// What a run has to show to do the same as when it is confined.
enum Same {
    /// The failure.
    Failure(Box<Oracle>),
    /// That it ends in this way.
    End(Exit),
}

impl Same {
    fn is_shown_by(&self, observed: &Observed) -> bool {
        match self {
            Same::Failure(oracle) => oracle.verdict(observed).outcome == Outcome::Fail,
            // Why a program cannot be started names folders of the time.
            Same::End(Exit::NotStarted(_)) => matches!(observed.exit, Exit::NotStarted(_)),
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
    if let Ok(begun) = &begun {
        say(audience, begun);
    }
    if confinement.asked && begun.as_ref().is_err_and(Refusal::may_be_of_the_confinement) {
        note(audience, AS_ASKED.into());
    }
    // What is to be confined is not run otherwise, not even once. Of what comes and goes, one run says nothing.
    if confinement.asked || problem.job().repeat || !problem.job().source().is_command() {
        return begun;
    }
    let tried = try_with_more(problem, audience, &confinement, &begun);
    if let Ok(begun) = &begun {
        // The trials had places of their own, to which signals went.
        audience.connect(&begun.executor);
    }
    tried?;
    begun
}

/// Says how tests are confined, and what they have written that is thrown away.
fn say(audience: &mut Audience<'_>, begun: &Begun) {
    if let Some((confinement, strength)) = &begun.executor.confined {
        note(audience, describe(confinement, strength));
    }
    let is_missed = |file: &PathBuf| file.exists() || !TEMPORARY.iter().any(|folder| file.starts_with(folder));
    let changed: Vec<PathBuf> = begun.executor.elsewhere().changed.into_iter().filter(is_missed).take(NAMED).collect();
    if !changed.is_empty() {
        note(audience, thrown_away(&changed));
    }
}

/// Runs what fails with more rights, if there is a reason.
///
/// # Errors
/// With what the test needs, if it does something else then.
fn try_with_more<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    confinement: &Confinement,
    begun: &Result<Begun, Refusal>,
) -> Result<(), Refusal> {
    let (same, time_limit, denied, has_copies) = match begun {
        Ok(Begun { baseline, .. }) if baseline.denied.copy => {
            return Err(unknown(problem, audience, baseline.time_limit)?);
        }
        Ok(Begun { baseline, executor, .. }) if baseline.denied.network || baseline.denied.other => {
            let oracle = Oracle::new(baseline.reading.clone(), problem.words().clone());
            (Same::Failure(Box::new(oracle)), baseline.time_limit, baseline.denied, has_copies(executor))
        }
        Err(refusal) if refusal.may_be_of_the_confinement() => {
            let confined = trial(problem, audience, (confinement.clone(), A_LOOK))?;
            if Denied::of(std::slice::from_ref(&confined.observed)).copy {
                note(audience, UNTRIED.into());
            }
            let denied = Denied { network: true, other: true, copy: false };
            (Same::End(confined.observed.exit), A_LOOK, denied, confined.has_copies)
        }
        _ => return Ok(()),
    };
    if matches!(same, Same::End(Exit::Limit(_))) {
        return Ok(());
    }
    let connected = confinement.clone().with_network(true).with_loopback(false);
    let all = connected.clone().with_services(true);
    // Where there are no copies, a run that could change the files of the user is none that they have asked for.
    if denied.other && !has_copies {
        match begun {
            Ok(_) => return Err(unknown(problem, audience, time_limit)?),
            Err(_) => note(audience, UNTRIED.into()),
        }
    }
    let most = match denied {
        Denied { other: true, .. } if has_copies => &all,
        Denied { network: true, .. } if !confinement.network => &connected,
        _ => return Ok(()),
    };
    let Some(Trial { changed, .. }) = differing(problem, audience, &same, (most, time_limit))? else { return Ok(()) };
    let usual = problem.job().confined().map(|(_, copies)| copies.fresh).unwrap_or_default();
    let is_refused = |file: &PathBuf| !usual.iter().any(|folder| file.starts_with(folder));
    let changed: Vec<PathBuf> = changed.into_iter().filter(is_refused).collect();
    let mut does = |confinement: Confinement| -> Result<bool, Refusal> {
        Ok(differing(problem, audience, &same, (&confinement, time_limit))?.is_some())
    };
    let network_is_enough = !confinement.network && (*most == connected || does(connected.clone())?);
    let without_network = confinement.clone().with_services(true);
    let needs_network = network_is_enough || !confinement.network && !does(without_network.clone())?;
    let nearby = match network_is_enough {
        true => confinement.clone().with_loopback(true),
        false => without_network.with_loopback(true),
    };
    // It may not be had here.
    let needs_loopback = needs_network
        && !confinement.loopback
        && match does(nearby) {
            Err(refusal @ Refusal::Stopped(_, Why::Interrupted | Why::Stopped)) => return Err(refusal),
            done => done.unwrap_or(false),
        };
    let calls = refused_calls(problem, audience, time_limit)?;
    let network = needs_network.then_some(if needs_loopback { Need::Loopback } else { Need::Network });
    let other = (!network_is_enough).then(|| other_need(changed, &calls));
    let needs: Vec<Need> = network.into_iter().chain(other).collect();
    let refused = denied::explaining(&calls, &needs);
    Err(Refusal::needs(&TestNeeds { needs, refused }))
}

/// Returns the refusal of a test that says that something is refused to it, where nothing can be tried.
fn unknown<T: Problem>(problem: &T, audience: &mut Audience<'_>, time_limit: Duration) -> Result<Refusal, Refusal> {
    let calls = refused_calls(problem, audience, time_limit)?;
    let needs = vec![Need::Unknown];
    Ok(Refusal::needs(&TestNeeds { refused: denied::explaining(&calls, &needs), needs }))
}

/// Returns what a test needs besides the network.
fn other_need(changed: Vec<PathBuf>, calls: &[RefusedCall]) -> Need {
    if changed.is_empty() {
        let sockets = calls.iter().filter_map(|call| match &call.about {
            CallTarget::Socket(path) => Some(path.clone()).filter(|path| path.exists()),
            _ => None,
        });
        return Need::Services(sockets.take(NAMED).collect());
    }
    let there = |file: &PathBuf| file.ancestors().find(|path| path.exists()).map(Path::to_owned);
    let allow: BTreeSet<PathBuf> = changed.iter().filter_map(there).collect();
    let files = changed.into_iter().take(NAMED).collect();
    Need::ToChange { files, allow: allow.into_iter().collect() }
}

/// Runs what fails once more as it is confined, and returns the calls that the system refuses to it. None where that cannot be
/// heard of.
fn refused_calls<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    time_limit: Duration,
) -> Result<Vec<RefusedCall>, Refusal> {
    let Ok(list) = List::new(problem.job()) else { return Ok(vec![]) };
    let Some(Ok(mut executor)) = problem.watched(Listed::Refused, &list) else { return Ok(vec![]) };
    // A run takes longer where each call is looked at.
    executor.time_limit = Some(time_limit.max(A_LOOK));
    audience.connect(&executor);
    match Session::new(&mut *executor, vec![], Duration::ZERO).observe(std::slice::from_ref(problem.whole())) {
        Err(why @ (Why::Interrupted | Why::Stopped)) => Err(Refusal::stopped(why)),
        _ => Ok(refused::read(&list.path()).into_iter().collect()),
    }
}

/// Runs what fails, confined like this, and returns what it showed if that is something else twice.
fn differing<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    same: &Same,
    (confinement, time_limit): (&Confinement, Duration),
) -> Result<Option<Trial>, Refusal> {
    for last in [false, true] {
        let trial = trial(problem, audience, (confinement.clone(), time_limit))?;
        if same.is_shown_by(&trial.observed) {
            return Ok(None);
        }
        if last {
            return Ok(Some(trial));
        }
    }
    Ok(None)
}

/// Returns whether tests see copies of folders.
fn has_copies(executor: &Opened) -> bool {
    executor.confined.as_ref().is_some_and(|(_, strength)| strength.copies)
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
    audience.connect(&executor);
    let patience = problem.job().patience;
    let mut session = Session::new(&mut *executor, audience.views(), patience);
    let observed = observe(&mut session, std::slice::from_ref(problem.whole()))?;
    drop(session);
    let changed = executor.elsewhere().changed;
    let observed = observed.into_iter().next().ok_or_else(|| Refusal::Executor("a run said nothing".into()))?;
    let has_copies = has_copies(&executor);
    Ok(Trial { observed, changed, has_copies })
}
