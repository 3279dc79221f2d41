//! `cargo xtask bench predicates`: the thirteen problems of Shrink Ray's own benchmark (`evaluation/benchmark.py` in
//! its repository), which counts questions only: tests that cost nothing, one at a time, no question counted twice.
//!
//! The tests are the same, written anew. The inputs are the same bytes where they are generated, and files of about
//! the same size and shape where they are not (`own` in the table); so compare the first kind by number, and the
//! second by order. Shrink Ray also rewrites what it cannot remove.
//!
//! What has to be Python or JSON is put to a `python3` of the machine, and Go to tree-sitter under such a Python
//! (modules `tree_sitter`, `tree_sitter_go`), as there; a problem whose judge is missing is left out, and that is
//! said.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod asked;
mod inputs;

use asked::Python;
use reduct_core::{Outcome, Search, run as search};
use reduct_grammars::Languages;
use reduct_input::Artifact;
use reduct_strategies::{Plan, Reduction};
use std::collections::HashMap;
use std::sync::Arc;

/// What has to hold.
#[derive(Clone, Copy)]
enum Test {
    /// All brackets are closed, and so deep at least.
    Depth(usize),
    /// These occur.
    Words(&'static [&'static str]),
    /// A function of `answers.py` says so.
    Asked(&'static str),
}

/// A problem, and what is published of Shrink Ray on it (`benchmark_baseline.json`): bytes in and out, calls, calls to
/// 90 % and to 99 % of the reduction, calls after the last success.
struct Problem {
    name: &'static str,
    file: &'static str,
    /// Whether the input is the same.
    same: bool,
    input: fn() -> Vec<u8>,
    test: Test,
    published: [usize; 6],
}

/// All of them, in Shrink Ray's order.
const PROBLEMS: [Problem; 13] = {
    const fn problem(
        name: &'static str,
        file: &'static str,
        same: bool,
        input: fn() -> Vec<u8>,
        test: Test,
        published: [usize; 6],
    ) -> Problem {
        Problem { name, file, same, input, test, published }
    }
    use Test::{Asked, Depth, Words};
    const MARKERS: &[&str] = &["RARE_MARKER_ALPHA", "RARE_MARKER_BETA", "RARE_MARKER_GAMMA"];
    const LITERAL: &[&str] = &["operator\"\"", "decltype(", "..."];
    [
        problem("deep_parens", "a.py", true, inputs::deep_parens, Depth(400), [3794, 800, 12870, 9448, 10121, 2673]),
        problem("keep_markers", "a.py", true, inputs::keep_markers, Words(MARKERS), [174747, 50, 1214, 73, 129, 885]),
        problem(
            "already_minimal",
            "a.py",
            true,
            inputs::already_minimal,
            Words(MARKERS.split_at(2).0),
            [37, 34, 837, 88, 88, 749],
        ),
        problem("python_syntax", "a.py", true, inputs::python_syntax, Asked("sentinel"), [10078, 13, 578, 18, 77, 429]),
        problem("corpus_mypy", "a.py", false, || file(DISPATCH), Asked("matching"), [2537, 34, 3318, 510, 748, 833]),
        problem(
            "corpus_pylint",
            "a.py",
            false,
            || file(REGISTRY),
            Asked("metaclass"),
            [2403, 44, 2036, 183, 387, 1055],
        ),
        problem("corpus_ujson", "a.json", false, inputs::nested_json, Asked("nested"), [826, 42, 1169, 64, 68, 713]),
        problem("corpus_udlit_cpp", "a.cpp", false, || file(LENGTHS), Words(LITERAL), [834, 22, 1046, 59, 128, 632]),
        problem(
            "coupled_count_json",
            "a.json",
            true,
            inputs::coupled_count,
            Asked("counted"),
            [3831, 143, 5285, 35, 361, 3043],
        ),
        problem(
            "coupled_total_text",
            "a.txt",
            true,
            inputs::coupled_total,
            Asked("summed"),
            [602, 350, 27325, 2841, 2854, 8598],
        ),
        problem(
            "coupled_arity_python",
            "a.py",
            false,
            || file(ARITY),
            Asked("called"),
            [947, 52, 11028, 296, 431, 1186],
        ),
        problem(
            "corpus_minisat",
            "a.cnf",
            false,
            inputs::clauses,
            Words(&["2147483648"]),
            [2326, 10, 1198, 787, 787, 375],
        ),
        problem("corpus_go", "a.go", false, || file(FLAGS), Asked("go"), [2288, 21, 1111, 54, 111, 592]),
    ]
};

const DISPATCH: &str = include_str!("predicates/inputs/dispatch.py");
const REGISTRY: &str = include_str!("predicates/inputs/registry.py");
const LENGTHS: &str = include_str!("predicates/inputs/literal.cpp");
const ARITY: &str = include_str!("predicates/inputs/arity.py");
const FLAGS: &str = include_str!("predicates/inputs/flags.go");

fn file(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// What a reduction came to, in the order of the published numbers.
type Counts = [usize; 6];

/// Runs the problems of these names, or all.
pub(crate) fn run(names: &[&str]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| PROBLEMS.iter().all(|problem| problem.name != **name)) {
        let all: Vec<&str> = PROBLEMS.iter().map(|problem| problem.name).collect();
        return Err(format!("no problem is called {name}: {}", all.join(", ")));
    }
    println!("Each pair: reduct, then what is published of Shrink Ray; `own`: an input of our own, so another one.\n");
    println!("| problem | bytes in | bytes out | calls | to 90 % | to 99 % | after the last success |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for problem in PROBLEMS.iter().filter(|problem| names.is_empty() || names.contains(&problem.name)) {
        let name = format!("{}{}", problem.name, if problem.same { "" } else { " (own)" });
        match solve(problem) {
            Ok(counts) => {
                let pairs: Vec<String> =
                    counts.iter().zip(problem.published).map(|(ours, theirs)| format!("{ours} · {theirs}")).collect();
                println!("| {name} | {} |", pairs.join(" | "));
            }
            Err(why) => println!("| {name} | not run: {why} | | | | | |"),
        }
    }
    Ok(())
}

fn solve(problem: &Problem) -> Result<Counts, String> {
    let mut python = match problem.test {
        Test::Asked("go") => Some(Python::start(Some("go"))?),
        Test::Asked(_) => Some(Python::start(None)?),
        _ => None,
    };
    let mut trouble = None;
    let mut fails = |data: &[u8]| match (problem.test, &mut python) {
        (Test::Asked(name), Some(python)) => python.ask(name, data).unwrap_or_else(|why| {
            trouble.get_or_insert(why);
            false
        }),
        (test, _) => holds(test, data),
    };
    let input = (problem.input)();
    let counts =
        if fails(&input) { Ok(count(problem.file, &input, &mut fails)) } else { Err("the input does not fail".into()) };
    trouble.map_or(counts, Err)
}

fn holds(test: Test, data: &[u8]) -> bool {
    match test {
        Test::Depth(least) => depth(data).is_some_and(|depth| depth >= least),
        Test::Words(words) => words.iter().all(|word| data.windows(word.len()).any(|window| window == word.as_bytes())),
        Test::Asked(_) => false,
    }
}

/// Returns how deep the brackets are nested, of which it does not matter of what kind they are, or `None` if they do
/// not match up.
fn depth(data: &[u8]) -> Option<usize> {
    let (mut depth, mut most) = (0_usize, 0);
    for byte in data {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        most = most.max(depth);
    }
    (depth == 0).then_some(most)
}

/// Reduces, and counts distinct questions.
fn count(name: &str, input: &[u8], fails: &mut dyn FnMut(&[u8]) -> bool) -> Counts {
    let mut known: HashMap<Vec<u8>, bool> = HashMap::from([(input.to_vec(), true)]);
    let mut calls = 0;
    // After how many calls the best had which size.
    let mut steps = vec![(0, input.len())];
    let result = reduce(name, input, &mut |data| {
        if let Some(answer) = known.get(data) {
            return *answer;
        }
        calls += 1;
        let answer = fails(data);
        if answer && steps.last().is_none_or(|(_, size)| data.len() < *size) {
            steps.push((calls, data.len()));
        }
        known.insert(data.to_vec(), answer);
        answer
    });
    let gone = input.len() - result.len();
    let until = |percent: usize| {
        let enough = steps.iter().find(|(_, size)| (input.len() - size) * 100 >= gone * percent);
        enough.map_or(calls, |(calls, _)| *calls)
    };
    let last = steps.last().map_or(0, |(calls, _)| *calls);
    [input.len(), result.len(), calls, until(90), until(99), calls - last]
}

/// Returns the library, as the command uses it by default, one question after the other: the only place here that knows
/// it.
fn reduce(name: &str, input: &[u8], fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let Ok(artifact) = Artifact::of_file(name, input) else { return input.to_vec() };
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    let reduction = search(Reduction::new(artifact, plan), |candidate| {
        if fails(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Pass }
    });
    reduction.best().artifact().bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::{PROBLEMS, count, depth, holds};

    #[test]
    fn generated_inputs_have_the_published_size_and_our_own_about_that() {
        for problem in &PROBLEMS {
            let (ours, theirs) = ((problem.input)().len(), problem.published[0]);
            let off = ours.abs_diff(theirs) * 100 / theirs;
            assert!(if problem.same { ours == theirs } else { off <= 10 }, "{}: {ours}, {theirs}", problem.name);
        }
    }

    #[test]
    fn every_input_fails_that_needs_nothing_else_to_say_so() {
        let here = |problem: &&super::Problem| !matches!(problem.test, super::Test::Asked(_));
        assert_eq!(PROBLEMS.iter().filter(here).count(), 5);
        assert!(PROBLEMS.iter().filter(here).all(|problem| holds(problem.test, &(problem.input)())));
    }

    #[test]
    fn what_python_is_asked_holds_of_the_input_and_not_of_less() {
        // Not every machine that builds this has one.
        let Ok(mut python) = super::Python::start(None) else { return };
        for problem in &PROBLEMS {
            let super::Test::Asked(name) = problem.test else { continue };
            let input = (problem.input)();
            if name != "go" {
                assert_eq!(python.ask(name, &input), Ok(true), "{name}");
                assert_eq!(python.ask(name, &input[..input.len() / 2]), Ok(false), "{name}");
            }
        }
        for (name, text, holds) in [
            ("sentinel", "SENTINEL_KEEP", true),
            ("sentinel", "SENTINEL_KEEP (", false),
            ("metaclass", "class A(b,b,metaclass=c):0", true),
            ("metaclass", "class A(a,b,metaclass=c):0", false),
            ("nested", "[[[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]]]", true),
            ("nested", "[[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]]", false),
            ("counted", "{\"events\":[{\"type\":\"crash\"}],\"event_count\":1}", true),
            ("counted", "{\"events\":[{\"type\":\"crash\"}],\"event_count\":2}", false),
            ("summed", "ENTRY job-corrupted 3\nENTRY x 4\nTOTAL 7", true),
            ("summed", "ENTRY job-corrupted 3\nTOTAL 7", false),
            ("called", "def f(a):'MAGIC_SENTINEL'\nf(0)", true),
            ("called", "def f(a):'MAGIC_SENTINEL'\nf()", false),
            ("called", "def f():'MAGIC_SENTINEL'", false),
        ] {
            assert_eq!(python.ask(name, text.as_bytes()), Ok(holds), "{name}: {text}");
        }
    }

    #[test]
    fn brackets_have_to_match_up() {
        for (text, deep) in [("", Some(0)), ("([x]{})", Some(2)), ("(]", Some(1)), (")(", None), ("((", None)] {
            assert_eq!(depth(text.as_bytes()), deep, "{text}");
        }
    }

    #[test]
    fn calls_are_counted_once_and_in_order() {
        let mut asked = 0;
        let mut fails = |data: &[u8]| {
            asked += 1;
            data.contains(&b'x')
        };
        let [bytes_in, bytes_out, calls, most, nearly_all, tail] = count("a.txt", b"some\nx text\nhere\n", &mut fails);
        assert_eq!((bytes_in, bytes_out, calls), (17, 1, asked));
        assert!(0 < most && most <= nearly_all && nearly_all + tail <= calls);
    }
}
