//! How many tests it takes to find which changes are to blame: a large change in groups, after the GDB study;
//! commits in a line, some of which do not build; changes that fail together. No process is run and no clock is
//! read, so the tables are the same everywhere.

#![expect(clippy::print_stdout, reason = "a benchmark prints its tables")]

mod commits;
mod searches;
mod study;
mod together;

use commits::{Broken, Builds, Line};
use reduct_core::laws::Chance;
use reduct_core::{Config, Delta};
use reduct_strategies::Level;
use searches::{Count, Way};
use std::collections::BTreeSet;
use std::fmt::Write;
use study::{Model, Study};

/// How many large changes are drawn.
const STUDIES: u64 = 9;
const MODEL: Model = Model { knit: 5, statics: 200, interfaces: 20 };
/// How many histories, and sets of changes that fail together.
const LINES: usize = 500;
const SETS: usize = 15;
const CHANGES: usize = 1000;

const SINGLE: &[Level] = &[Level::Each];
const BY_FILES: &[Level] = &[Level::Folder, Level::File, Level::Each];
const BY_FUNCTIONS: &[Level] = &[Level::Folder, Level::File, Level::Function, Level::Each];

/// The searches of the study, with their names.
const WAYS: [(&str, Way); 4] = [
    ("ddmin", Way::Ddmin { monotone: false }),
    ("ddmin, monotone", Way::Ddmin { monotone: true }),
    ("dd+", Way::DdPlus),
    ("dd", Way::Dd),
];

pub(crate) fn run() -> Result<(), String> {
    let mut page = String::from(INTRODUCTION);
    page += &large_change()?;
    page += &lines().map_err(|error| error.to_string())?;
    page += &sets()?;
    print!("{page}");
    crate::write_page("changes.md", &page)
}

const INTRODUCTION: &str = "\
# Which changes are to blame

Made by `cargo xtask bench changes`. Nothing is built or run: the oracles are functions, the
numbers are the same on every machine. Tests are counted once each; what passes and what fails at first is known.

## A large change

The study (Cleve and Zeller 2000, section 4): 8,721 textual changes to GDB, one of which is to blame; nearly all tests
were unresolved. ddmin took 470 tests on single changes, 289 grouped by files and folders, 97 grouped by functions.

Here: two versions of a source tree with 100 folders, 400 files and 2,500 functions, between which some 9,000 lines
are changed, 3.6 in a function on average, each with unchanged lines around it. A set of changes builds if
of those that need each other all are there or none:

* in every second function, all its changes;
* in 200 places, two changes in the same file;
* 20 times, two to four changes in different files, every other time of the same folder.

The guilty change needs nothing. Of ten settings of the three numbers that were tried, these are one with which ddmin on
single changes takes about as many tests as in the study; the other columns came with it. In the study functions helped
more, and folders and files less, than here. Runs differ widely from draw to draw, as it depends on luck how soon a part
builds that holds the guilty change. So these are medians, of";

fn large_change() -> Result<String, String> {
    let studies: Vec<Study> = (0..STUDIES).map(|seed| Study::new(seed, MODEL)).collect();
    let mut page = format!(" {STUDIES} draws.\n\n");
    page += "| search | single changes | folders, files | folders, files, functions |\n|---|--:|--:|--:|\n";
    page += "| *the study: ddmin* | *470* | *289* | *97* |\n";
    for (name, way) in WAYS {
        let cells = [SINGLE, BY_FILES, BY_FUNCTIONS]
            .map(|levels| cell(studies.iter().map(|study| searches::published(study, way, levels)).collect()));
        page += &format!("| {name} | {} |\n", cells.join(" | "));
    }
    let mut cells = vec![];
    for levels in [SINGLE, BY_FILES, &Level::ALL] {
        let counts: Result<Vec<Count>, String> = studies.iter().map(|study| searches::ours(study, levels)).collect();
        cells.push(cell(counts?));
    }
    page += &format!("| `reduct changes` | {} |\n\n", cells.join(" | "));
    page += &format!(
        "Each cell: the median, in brackets the least and the most, then the share that was unresolved. A search is \
         stopped after {} tests; all others end at the guilty change alone. With groups, each level takes apart what \
         the one before has left. `reduct changes` is dd from coarse to fine (`Causes`), on texts, hunks included; \
         its last two tests, of the cause alone and of all without it, are counted.\n",
        searches::MOST
    );
    Ok(page)
}

/// Tests of some runs.
fn cell(counts: Vec<Count>) -> String {
    let mut tests: Vec<usize> = counts.iter().map(|count| count.tests).collect();
    tests.sort_unstable();
    let all: usize = tests.iter().sum();
    let unresolved = 100 * counts.iter().map(|count| count.unresolved).sum::<usize>() / all.max(1);
    let shown = |at: usize| match tests[at] {
        searches::MOST => format!("> {}", searches::MOST),
        number => number.to_string(),
    };
    let (middle, last) = (tests.len() / 2, tests.len() - 1);
    format!("{} ({}–{}), {unresolved} %", shown(middle), shown(0), shown(last))
}

fn lines() -> Result<String, std::fmt::Error> {
    let mut page = format!(
        "\n## Commits in a line\n\n{CHANGES} commits that build on each other, the last of which fails; {LINES} \
         histories each, the guilty commit and what does not build drawn at random. `git bisect run` is simulated, \
         with exit status 125 for what does not build; held against git 2.47 itself, on 15 histories of four of \
         these kinds, the same commits are left and the mean of builds is within 5 %. Builds: mean and most; left: \
         how many commits may still be the first that fails, mean and most.\n\n"
    );
    page += "| does not build | git: builds | git: left | reduct: builds | reduct: left |\n|---|--:|--:|--:|--:|\n";
    let rows = [
        ("nothing", Broken::Nothing),
        ("1", Broken::Region(1)),
        ("16 in a row", Broken::Region(16)),
        ("64 in a row", Broken::Region(64)),
        ("256 in a row", Broken::Region(256)),
        ("30 %, scattered", Broken::Scattered(30)),
    ];
    for (name, broken) in rows {
        let mut chance = Chance(71);
        let all: Vec<[Builds; 2]> = (0..LINES)
            .map(|seed| {
                let line = Line::new(&mut chance, CHANGES, broken);
                [line.git(seed as u64), line.ours()]
            })
            .collect();
        write!(page, "| {name} |")?;
        for side in 0..2 {
            let builds = mean_and_most(all.iter().map(|both| both[side].builds));
            write!(page, " {builds} | {} |", mean_and_most(all.iter().map(|both| both[side].left)))?;
        }
        writeln!(page)?;
    }
    Ok(page)
}

fn mean_and_most(numbers: impl Iterator<Item = usize> + Clone) -> String {
    let (count, sum) = numbers.clone().fold((0, 0), |(count, sum), number| (count + 1, sum + number));
    format!("{:.1}, {}", sum as f64 / f64::from(count), numbers.max().unwrap_or(0))
}

fn sets() -> Result<String, String> {
    let mut page = format!(
        "\n## Changes that fail together\n\n{CHANGES} commits, each of a file of its own, so that all sets of them \
         build. Medians of {SETS} draws, in brackets the most. ddmin and dd+ find one cause; `reduct changes` finds \
         all, and says of each whether it fails alone and what undoing it does.\n\n"
    );
    page += "| to blame | ddmin | dd+ | `reduct changes` |\n|---|--:|--:|--:|\n";
    let weave = together::weave(CHANGES)?;
    let rows: [(&str, &[usize]); 4] = [
        ("one change", &[1]),
        ("two that interfere", &[2]),
        ("three that interfere", &[3]),
        ("two, each by itself", &[1, 1]),
    ];
    for (name, sizes) in rows {
        let mut chance = Chance(72);
        let mut counts: [Vec<usize>; 3] = Default::default();
        for _ in 0..SETS {
            let causing = draw(&mut chance, sizes);
            let [ddmin, ddplus] = together::published(CHANGES, &causing);
            let all = [ddmin, ddplus, together::ours(&weave, &causing)];
            counts.iter_mut().zip(all).for_each(|(counts, count)| counts.push(count));
        }
        let cells = counts.map(|mut counts| {
            counts.sort_unstable();
            format!("{} ({})", counts[counts.len() / 2], counts[counts.len() - 1])
        });
        page += &format!("| {name} | {} |\n", cells.join(" | "));
    }
    Ok(page)
}

/// Sets of these sizes, disjoint.
fn draw(chance: &mut Chance, sizes: &[usize]) -> Vec<Config> {
    let mut taken = BTreeSet::new();
    let sets = sizes.iter().map(|size| {
        let mut set = BTreeSet::new();
        while set.len() < *size {
            let change = Delta(chance.below(CHANGES) as u32);
            if taken.insert(change) {
                set.insert(change);
            }
        }
        set.into_iter().collect()
    });
    sets.collect()
}
