//! Which commits lie between two versions, and what they all have grown from.

use super::GitError;
use super::ends::Repository;
use super::run::Git;
use crate::{NoWay, Remark};
use reduct_input::About;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A commit.
#[derive(Clone, Debug)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) parents: Vec<String>,
    pub(super) about: About,
}

/// What lies between two commits.
pub(super) struct Way {
    /// The commit that all have grown from.
    pub(super) root: String,
    /// What was committed since, parents first. With [`Way::parents`] and [`Way::bases`] for each.
    pub(super) commits: Vec<Commit>,
    /// The commits each builds on, by their numbers.
    pub(super) parents: Vec<Vec<usize>>,
    /// What each is compared with: commits, or nothing if it is the first of its history.
    pub(super) bases: Vec<Vec<String>>,
    /// Which are in the version that passes.
    pub(super) given: Vec<usize>,
    pub(super) notes: Vec<Remark>,
}

/// Returns the way from `good` to `bad`.
pub(super) fn way(repository: &Repository, good: &str, bad: &str, first_parent: bool) -> Result<Way, GitError> {
    let git = &repository.git;
    if good == bad {
        return Ok(Way::of(good.into(), vec![]));
    }
    if git.ask(&["merge-base", "--is-ancestor", good, bad])?.is_err() {
        let shallow = shallow(git)?.is_some();
        return leap(git, good, bad, NoWay::NotAnAncestor { shallow });
    }
    let way = if first_parent { line(git, good, bad)? } else { graph(git, good, bad)? };
    let Some(way) = way else {
        return leap(git, good, bad, NoWay::NoCommonBeginning);
    };
    match way.first_cut(shallow(git)?) {
        Some(cut) => Err(GitError::Shallow(cut)),
        None => Ok(way),
    }
}

/// Returns all commits that `bad` has and `good` has not, and as many older ones as are needed to make one beginning.
fn graph(git: &Git, good: &str, bad: &str) -> Result<Option<Way>, GitError> {
    let mut root = good.to_owned();
    loop {
        let commits = list(git, &[&format!("^{root}"), good, bad])?;
        let inside: HashSet<&str> = commits.iter().map(|commit| commit.id.as_str()).collect();
        let parents = commits.iter().flat_map(|commit| &commit.parents);
        let outside: BTreeSet<&String> = parents.filter(|id| !inside.contains(id.as_str())).collect();
        if outside.iter().all(|id| **id == root) {
            return Ok(Some(Way::of(root, commits).passing(good)));
        }
        // All of them are ancestors of the root, so what they have in common is older than it.
        let mut bases = vec!["merge-base", "--octopus", &root];
        bases.extend(outside.iter().map(|id| id.as_str()));
        match git.ask(&bases)? {
            Ok(base) if !base.is_empty() => root = String::from_utf8_lossy(&base).into_owned(),
            _ => return Ok(None),
        }
    }
}

/// Returns the line of first parents that leads to `bad`.
fn line(git: &Git, good: &str, bad: &str) -> Result<Option<Way>, GitError> {
    let mut commits = list(git, &["--first-parent", &format!("^{good}"), bad])?;
    commits.iter_mut().for_each(|commit| commit.parents.truncate(1));
    let on_it = commits.first().is_some_and(|first| first.parents.iter().any(|parent| parent == good));
    if let Some(first) = commits.first_mut() {
        first.parents = vec![good.into()];
    }
    let mut way = Way::of(good.into(), commits);
    if !on_it && let Some(first) = way.commits.first() {
        let (commit, subject) = (short(&first.id).to_owned(), first.about.subject.clone());
        way.notes.push(Remark::OffTheLine { commit, subject });
    }
    Ok(Some(way))
}

/// Returns two trees, and nothing in between.
fn leap(git: &Git, good: &str, bad: &str, why: NoWay) -> Result<Way, GitError> {
    let mut commits = list(git, &["--no-walk", bad])?;
    commits.iter_mut().for_each(|commit| commit.parents = vec![good.into()]);
    let mut way = Way::of(good.into(), commits);
    way.notes.push(Remark::OneChange(why));
    way.commits.iter_mut().for_each(|commit| {
        commit.about = About { id: commit.id.clone(), subject: "all that differs".into(), ..About::default() }
    });
    Ok(way)
}

impl Way {
    /// Returns the commits as a way from the root.
    fn of(root: String, commits: Vec<Commit>) -> Way {
        let numbers: HashMap<&str, usize> = commits.iter().enumerate().map(|(n, it)| (it.id.as_str(), n)).collect();
        let parents = commits.iter().map(|commit| {
            let mut parents: Vec<usize> = vec![];
            for number in commit.parents.iter().filter_map(|id| numbers.get(id.as_str())) {
                if !parents.contains(number) {
                    parents.push(*number);
                }
            }
            parents
        });
        let parents = parents.collect();
        let bases = commits.iter().map(|commit| commit.parents.clone()).collect();
        Way { root, parents, bases, given: vec![], notes: vec![], commits }
    }

    /// Returns the same, where all that `good` has is given.
    fn passing(mut self, good: &str) -> Way {
        let mut has = vec![false; self.commits.len()];
        // Parents come first: from the end, it is known whether a commit is reached before it is asked.
        for (number, commit) in self.commits.iter().enumerate().rev() {
            has[number] |= commit.id == good;
            if has[number] {
                self.parents[number].iter().for_each(|parent| has[*parent] = true);
            }
        }
        self.given = (0..has.len()).filter(|number| has[*number]).collect();
        if !self.given.is_empty() {
            self.notes.push(Remark::ForkedBefore(short(&self.root).to_owned()));
        }
        self
    }

    /// Returns a commit whose parents are needed but not there.
    fn first_cut(&self, shallow: Option<HashSet<String>>) -> Option<String> {
        let cut = shallow?;
        self.commits.iter().find(|commit| cut.contains(&commit.id)).map(|commit| commit.id.clone())
    }
}

/// Returns the first characters of a name of a commit, by which people know it.
fn short(id: &str) -> &str {
    &id[..10.min(id.len())]
}

/// Returns the commits at which a clone was cut off.
pub(super) fn shallow(git: &Git) -> Result<Option<HashSet<String>>, GitError> {
    let path = git.path(&["rev-parse", "--git-path", "shallow"])?;
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.lines().map(str::to_owned).collect())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(GitError::Io { path, source }),
    }
}

/// How `rev-list` is to write a commit: parts without line breaks, apart from each other.
const FORMAT: &str = "--format=%H%x00%P%x00%an <%ae>%x00%aI%x00%s";

/// Returns the commits that `rev-list` finds, parents first.
fn list(git: &Git, which: &[&str]) -> Result<Vec<Commit>, GitError> {
    let mut args = vec!["rev-list", "--topo-order", "--reverse", "--encoding=UTF-8", FORMAT];
    args.extend(which);
    args.push("--");
    let text = git.read(&args)?;
    let lines = text.split(|byte| *byte == b'\n').filter(|line| line.contains(&0));
    lines.map(|line| commit(line).ok_or(GitError::Garbled("git rev-list"))).collect()
}

fn commit(line: &[u8]) -> Option<Commit> {
    let line = String::from_utf8_lossy(line);
    let mut parts = line.splitn(5, '\0');
    let id = parts.next()?.to_owned();
    let parents = parts.next()?.split_whitespace().map(str::to_owned).collect();
    let (author, date, subject) = (parts.next()?.to_owned(), parts.next()?.to_owned(), parts.next()?.to_owned());
    Some(Commit { about: About { id: id.clone(), author, date, subject }, id, parents })
}
