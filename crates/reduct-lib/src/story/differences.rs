//! The columns of a search among differences: commits, files and hunks of a history; else the differences themselves.

use super::columns::level;
use reduct_core::{Config, Delta};
use reduct_input::Circumstances;
use reduct_report::excerpt;
use reduct_report::story::ColumnSet;
use reduct_session::Differences;
use reduct_strategies::Weave;
use std::collections::BTreeMap;
use std::sync::Arc;

/// No grid has more columns.
const MOST: usize = 100;
/// Of more differences than this, files and hunks are not told apart.
const LARGEST: usize = 200_000;

/// The columns of one weave.
pub(super) struct WeaveColumns {
    weave: Arc<Weave>,
    pub(super) sets: Vec<(ColumnSet, Vec<Config>)>,
}

impl WeaveColumns {
    pub(super) fn of(differences: &Differences) -> WeaveColumns {
        let weave = &differences.weave;
        let mut sets = vec![];
        if weave.changes().len() > 1 {
            let change = |at: usize| weave.of_changes(&Config::from_deltas([Delta(at as u32)]));
            let called = |id: &str, subject: &str| {
                let id: String = id.chars().take(10).collect();
                excerpt::shorten(&excerpt::clean(&format!("{id} {subject}")), 60)
            };
            let all = weave.changes().enumerate().map(|(at, about)| (called(&about.id, &about.subject), change(at)));
            sets.push(bundled("commits", all.collect()));
        }
        let is_coarse = differences.unit == "changed lines";
        if is_coarse && weave.len() <= LARGEST {
            sets.extend(by_place(weave));
        } else {
            let each = (0..weave.len() as u32).map(|at| (format!("{} {}", differences.unit, at + 1), at..at + 1));
            let each = each.map(|(label, at)| (label, Config::from_ranges([at])));
            sets.push(bundled(differences.unit, each.collect()));
        }
        WeaveColumns { weave: weave.clone(), sets }
    }

    /// Returns whether these are the columns of such a search.
    pub(super) fn are_of(&self, differences: &Differences) -> bool {
        Arc::ptr_eq(&self.weave, &differences.weave)
    }

    /// Returns the cells of a test, for each set.
    pub(super) fn cells<'a>(&'a self, taken: &'a Config) -> impl Iterator<Item = Box<[u8]>> + 'a {
        let cell = |column: &Config| {
            let there: usize = column.ranges().map(|range| taken.count_within(range)).sum();
            level(there, column.len())
        };
        self.sets.iter().map(move |(_, columns)| columns.iter().map(cell).collect())
    }
}

/// Returns a column for each file, and one for each hunk.
fn by_place(weave: &Weave) -> Vec<(ColumnSet, Vec<Config>)> {
    let (mut files, mut hunks): (BTreeMap<u32, Vec<Delta>>, BTreeMap<u32, Vec<Delta>>) = Default::default();
    for delta in Config::full(weave.len()).iter() {
        let (file, hunk) = weave.place_of(delta);
        files.entry(file).or_default().push(delta);
        hunks.entry(hunk).or_default().push(delta);
    }
    let name = |deltas: &[Delta]| {
        let paths = deltas.first().map(|delta| weave.paths_of(*delta)).unwrap_or_default();
        paths.first().map(|path| excerpt::path(path)).unwrap_or_default()
    };
    let mut sets = vec![];
    if files.len() > 1 {
        let all = files.values().map(|deltas| (name(deltas), Config::from_deltas(deltas.iter().copied())));
        sets.push(bundled("files", all.collect()));
    }
    let hunk = |(at, deltas): (usize, &Vec<Delta>)| {
        (format!("hunk {} {}", at + 1, name(deltas)), Config::from_deltas(deltas.iter().copied()))
    };
    sets.push(bundled("hunks", hunks.values().enumerate().map(hunk).collect()));
    sets
}

/// Returns a column for each of these, or for equally many neighbours if they are too many.
fn bundled(name: &'static str, all: Vec<(String, Config)>) -> (ColumnSet, Vec<Config>) {
    if all.len() <= MOST {
        let (labels, columns) = all.into_iter().unzip();
        return (ColumnSet { name, labels }, columns);
    }
    let count = all.len();
    let bundle = |at: usize| {
        let bundle = &all[at * count / MOST..(at + 1) * count / MOST];
        let label = format!("{} – {}", bundle[0].0, bundle[bundle.len() - 1].0);
        (label, bundle.iter().fold(Config::empty(), |all, (_, one)| all.union(one)))
    };
    let (labels, columns) = (0..MOST).map(bundle).unzip();
    (ColumnSet { name, labels }, columns)
}
