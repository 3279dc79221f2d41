//! What it costs to confine a test: the same reductions with and without, in turns, in one run. Two numbers of tests tell what
//! each test costs from what is set up once.

use super::{Cost, processor_time};
use crate::built;
use reduct_core::laws::Chance;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Lines of the input, and how many of them hold what the test counts; half of those are needed.
const LINES: usize = 3000;
const HITS: usize = 250;
/// How many tests are run, in the shorter and in the longer run.
const TESTS: [u64; 2] = [100, 600];
/// The medians of so many turns are shown.
const TURNS: usize = 9;

pub(crate) fn run() -> Result<(), String> {
    let program = built::program()?;
    let folder = std::env::temp_dir().join(format!("reduct-overhead-{}", std::process::id()));
    let measured = fs::create_dir_all(&folder).map_err(|error| error.to_string()).and_then(|()| {
        fs::write(folder.join("in.txt"), input()).map_err(|error| error.to_string())?;
        turns(&program, &folder)
    });
    let _ = fs::remove_dir_all(&folder);
    let turns = measured?;
    println!();
    println!(
        "Confined and not: medians of {TURNS} turns, in milliseconds. A test costs the slope between {} and {} tests; what is left is set up once.",
        TESTS[0], TESTS[1]
    );
    println!("| | a test, confined | not | difference | once, confined | not | difference |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for name in ["wall", "processor"] {
        let of = |cost: &Cost| if name == "wall" { cost.wall } else { cost.processor }.as_secs_f64() * 1e3;
        let slope = |short: &Cost, long: &Cost| (of(long) - of(short)) / (TESTS[1] - TESTS[0]) as f64;
        let once = |short: &Cost, long: &Cost| of(short) - slope(short, long) * TESTS[0] as f64;
        let row = |turn: &[Cost; 4]| {
            let a_test = [slope(&turn[0], &turn[2]), slope(&turn[1], &turn[3])];
            let at_once = [once(&turn[0], &turn[2]), once(&turn[1], &turn[3])];
            [a_test[0], a_test[1], a_test[0] - a_test[1], at_once[0], at_once[1], at_once[0] - at_once[1]]
        };
        let rows: Vec<[f64; 6]> = turns.iter().map(row).collect();
        let median = |column: usize| {
            let mut all: Vec<f64> = rows.iter().map(|row| row[column]).collect();
            all.sort_by(f64::total_cmp);
            all[TURNS / 2]
        };
        let row: Vec<String> = (0..6).map(|column| format!("{:.2}", median(column))).collect();
        println!("| {name} | {} |", row.join(" | "));
    }
    Ok(())
}

/// Returns what the runs of each turn cost: the shorter one confined and not, then the longer one.
fn turns(program: &Path, folder: &Path) -> Result<Vec<[Cost; 4]>, String> {
    let run = |tests, confined| one(program, folder, tests, confined);
    // The first ones find nothing in the caches.
    run(TESTS[0], true)?;
    run(TESTS[0], false)?;
    let turn = |_| Ok([run(TESTS[0], true)?, run(TESTS[0], false)?, run(TESTS[1], true)?, run(TESTS[1], false)?]);
    (0..TURNS).map(turn).collect()
}

/// Reduces the input until so many tests are run.
fn one(program: &Path, folder: &Path, tests: u64, confined: bool) -> Result<Cost, String> {
    let _ = fs::remove_dir_all(folder.join(".reduct"));
    let (begin, before) = (Instant::now(), processor_time());
    let mut command = Command::new(program);
    command.args(["in.txt", "--force", "--bare", "-j1", "--by", "lines", "--fails-if", "exit=0", "--tests"]);
    command.arg(tests.to_string()).args((!confined).then_some("--unconfined"));
    command.args(["-c", &format!("test $(grep -c needle in.txt) -ge {}", HITS / 2)]);
    let status = command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status.map_err(|error| error.to_string())?.code() {
        // It has met its limit of tests.
        Some(4) => Ok(Cost { wall: begin.elapsed(), processor: processor_time() - before, bytes: 0 }),
        other => Err(format!("a run with {tests} tests ended with {other:?}")),
    }
}

/// Returns lines of which some, by chance, hold what the test counts.
fn input() -> String {
    let mut chance = Chance(1);
    let mut hits = vec![false; LINES];
    while hits.iter().filter(|hit| **hit).count() < HITS {
        hits[chance.number() as usize % LINES] = true;
    }
    let line = |(n, hit): (usize, &bool)| format!("line {n}{}\n", if *hit { " needle" } else { "" });
    hits.iter().enumerate().map(line).collect()
}
