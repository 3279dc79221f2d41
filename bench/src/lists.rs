//! How many tests searches take on lists and trees whose optimum is known: docs/ALGORITHMS.md, 5.1 and
//! 5.2. Nothing is run and no clock is read, so the tables are the same everywhere.

#![expect(clippy::print_stdout, reason = "a benchmark prints its tables")]

mod bound;
pub(crate) mod certified;
mod family;
mod workers;

use certified::Certified;
use family::{List, Tree};
use reduct_core::laws::Chance;
use reduct_core::search::Minimiser;
use reduct_core::{
    Cdd, Config, Ddmin, Form, Learned, ProbDd, Question, Relevance, Search, Split, Sweep, Waves, run as to_end,
};
use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Arc;

/// Of how many lists a mean is made.
const LISTS: usize = 6;
/// The same for the tables of workers.
const LISTS_FOR_WORKERS: usize = 4;
const JOBS: [usize; 4] = [1, 4, 16, 64];

/// A search by name.
type Named = (&'static str, Make);

/// Makes a search over a list, with what was learned from earlier ones.
type Make = fn(Config, Learned) -> Minimiser;

const SEARCHES: [Named; 8] = [
    ("ddmin", |list, _| Minimiser::Ddmin(Ddmin::new(list, Form::Complements, Split::Book))),
    ("ddmin-subsets", |list, _| Minimiser::Ddmin(Ddmin::new(list, Form::Subsets, Split::Book))),
    ("probdd", |list, _| Minimiser::ProbDd(ProbDd::new(list))),
    ("wprobdd", |list, _| Minimiser::ProbDd(ProbDd::weighted(list.clone(), weights(list.len())))),
    ("cdd", |list, _| Minimiser::Cdd(Cdd::new(list))),
    ("sweep", |list, _| Minimiser::Sweep(Sweep::new(list))),
    ("relevance", relevance),
    ("waves", waves),
];

fn waves(list: Config, learned: Learned) -> Minimiser {
    Minimiser::Waves(Waves::new(list, learned))
}

fn relevance(list: Config, learned: Learned) -> Minimiser {
    Minimiser::Relevance(Relevance::new(list, learned))
}

/// Returns weights from 1 to 16, drawn without regard to what is needed.
fn weights(count: usize) -> Arc<[u32]> {
    let mut chance = Chance(count as u64);
    (0..count).map(|_| 1 + chance.below(16) as u32).collect()
}

pub(crate) fn run() -> Result<(), String> {
    let mut page = String::from(INTRODUCTION);
    serial(&mut page).and_then(|()| parallel(&mut page)).map_err(|error| error.to_string())?;
    print!("{page}");
    crate::write_page("lists.md", &page)
}

const INTRODUCTION: &str = "\
# Lists and trees with known optimum

Made by `cargo xtask bench lists`. Nothing is run: the oracles are functions, the numbers
are the same on every machine. Families as in docs/ALGORITHMS.md, 5.1. Every search is followed by a sweep, so that all
results are 1-minimal; they are checked to be the only ones there are. With *pass*, the test passes where a part lacks what it uses;
else it is unresolved.
";

/// Questions, distinct questions and the bound, summed over some lists.
#[derive(Clone, Copy, Default)]
struct Sum {
    questions: usize,
    distinct: usize,
    bound: usize,
}

impl std::ops::AddAssign for Sum {
    fn add_assign(&mut self, other: Sum) {
        self.questions += other.questions;
        self.distinct += other.distinct;
        self.bound += other.bound;
    }
}

fn serial(page: &mut String) -> std::fmt::Result {
    writeln!(page, "\n## One test at a time\n")?;
    writeln!(
        page,
        "Means of {LISTS}. Each cell: distinct questions, in brackets their ratio to the bound of 3 (c), then all \
         questions with repeats. For trees the bound is the larger of Σ log₂ C over the child lists that stay, and \
         the nodes that stay. Weights for `wprobdd` are drawn from 1 to 16 and mean nothing here.\n"
    )?;
    let names = SEARCHES.map(|(name, _)| name).join(" | ");
    writeln!(page, "| family | bound | {names} |\n|---|--:|{}", "--:|".repeat(SEARCHES.len()))?;
    for (name, make) in families() {
        let sums = SEARCHES.map(|(_, search)| {
            let mut chance = Chance(51);
            (0..LISTS).fold(Sum::default(), |mut sum, _| {
                sum += one(&make(&mut chance), search, None).0;
                sum
            })
        });
        row(page, name, sums)?;
    }
    for (name, branches, leaves) in TREES {
        let sums = SEARCHES.map(|(_, search)| {
            let mut chance = Chance(52);
            (0..LISTS).fold(Sum::default(), |mut sum, _| {
                sum += tree(&Tree::new(&mut chance, branches, leaves), search);
                sum
            })
        });
        row(page, name, sums)?;
    }
    Ok(())
}

type Family = (&'static str, fn(&mut Chance) -> List);

fn families() -> [Family; 12] {
    [
        ("uniform 200/20", |chance| List::uniform(chance, 200, 20)),
        ("uniform 2000/4", |chance| List::uniform(chance, 2000, 4)),
        ("uniform 2000/40", |chance| List::uniform(chance, 2000, 40)),
        ("uniform 2000/200", |chance| List::uniform(chance, 2000, 200)),
        ("clustered 2000/40", |chance| List::clustered(chance, 2000, 40)),
        ("clustered 2000/200", |chance| List::clustered(chance, 2000, 200)),
        ("sparse 3000/9, dense 300/90", |chance| List::regions(chance, [(3000, 9), (300, 90)])),
        ("dense 300/90, sparse 3000/9", |chance| List::regions(chance, [(300, 90), (3000, 9)])),
        ("uses 200/10+", |chance| List::uses(chance, 200, 10)),
        ("uses 2000/2+", |chance| List::uses(chance, 2000, 2)),
        ("uses 200/10+, *pass*", |chance| List::uses(chance, 200, 10).untold()),
        ("uses 2000/2+, *pass*", |chance| List::uses(chance, 2000, 2).untold()),
    ]
}

/// Name, children of each node by level, needed leaves.
const TREES: [(&str, &[usize], usize); 2] =
    [("tree, deep: 3⁸, 10 leaves", &[3; 8], 10), ("tree, flat: 60·20·5, 10 leaves", &[60, 20, 5], 10)];

fn row(page: &mut String, name: &str, sums: [Sum; SEARCHES.len()]) -> std::fmt::Result {
    write!(page, "| {name} | {} |", sums[0].bound / LISTS)?;
    for Sum { questions, distinct, bound } in sums {
        write!(page, " {} ({:.2}), {} |", distinct / LISTS, distinct as f64 / bound as f64, questions / LISTS)?;
    }
    writeln!(page)
}

/// Searches one list, and returns what it taught, too.
fn one(list: &List, search: Make, learned: Option<Learned>) -> (Sum, Option<Learned>) {
    let (mut questions, mut seen) = (0, HashSet::new());
    let count = list.all().len();
    let learned = learned.map_or_else(|| Learned::new(count), |learned| learned.faded(Learned::new(count)));
    let end = to_end(Certified::new(search(list.all(), learned)), |config| {
        questions += 1;
        seen.insert(config.key());
        list.test(config)
    });
    let needed = list.needed();
    assert_eq!(end.best(), needed, "what is needed is what is left");
    (Sum { questions, distinct: seen.len(), bound: bound::tests(count, needed.len()) }, end.learned())
}

/// Searches level by level, each as a list of its own. What one taught goes on to the next.
fn tree(tree: &Tree, search: Make) -> Sum {
    let (mut sum, mut learned) = (Sum::default(), None);
    for level in &tree.levels {
        let (here, taught) = one(level, search, learned);
        sum += here;
        learned = taught;
    }
    let bits: usize = tree.children.iter().map(|(all, stay)| bound::bits(*all, *stay)).sum();
    let certificates = tree.children.iter().map(|(_, stay)| stay).sum();
    Sum { bound: bits.max(certificates), ..sum }
}

fn parallel(page: &mut String) -> std::fmt::Result {
    writeln!(page, "\n## Many workers\n")?;
    writeln!(
        page,
        "All tests take one unit of time; in each unit the workers run what `Speculator::wanted` names. Each cell: \
         time, in brackets tests. Means of {LISTS_FOR_WORKERS}.\n"
    )?;
    writeln!(page, "| family | search |{}", JOBS.map(|jobs| format!(" {jobs} |")).concat())?;
    writeln!(page, "|---|---|{}", "--:|".repeat(JOBS.len()))?;
    let large: [Family; 2] = [
        ("uniform 4000/60", |chance| List::uniform(chance, 4000, 60)),
        ("uses 4000/8+", |chance| List::uses(chance, 4000, 8)),
    ];
    for (family, make) in large.into_iter().chain(families()) {
        for (name, search) in [("relevance", relevance as Make), ("waves", waves)] {
            write!(page, "| {family} | {name} |")?;
            for jobs in JOBS {
                let (time, tests) = on_workers(make, search, jobs);
                write!(page, " {time} ({tests}) |")?;
            }
            writeln!(page)?;
        }
    }
    Ok(())
}

fn on_workers(make: fn(&mut Chance) -> List, search: Make, jobs: usize) -> (usize, usize) {
    let mut chance = Chance(53);
    let (mut time, mut tests) = (0, 0);
    for _ in 0..LISTS_FOR_WORKERS {
        let list = make(&mut chance);
        let search = Certified::new(search(list.all(), Learned::new(list.all().len())));
        let (t, n) = workers::simulate(&list, search, jobs);
        (time, tests) = (time + t, tests + n);
    }
    (time / LISTS_FOR_WORKERS, tests / LISTS_FOR_WORKERS)
}
