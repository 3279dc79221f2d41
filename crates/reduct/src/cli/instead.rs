//! Options and commands of other tools, and what does the same here.

/// Options that reduct does not have, each group with what to do instead. They are those of C-Reduce, C-Vise, Shrink Ray, Picire,
/// Picireny, treereduce, halfempty, Lithium, delta, ddSMT, DustMite, Perses and git bisect. (`--n`, `-n` and
/// `--parallelism` are other names of `--jobs`.)
const OPTIONS: &[(&[&str], &str)] = &[
    // What is reduced, and by which test.
    (&["--test", "--test-script", "-test"], "give the test after `--`: reduct FILE -- COMMAND"),
    (&["--commands", "--command"], "-c gives the test as a line for the shell"),
    (
        &["--input", "--input-file", "--source", "--testcase"],
        "give the input without an option: reduct FILE -- COMMAND",
    ),
    (
        &["--input-type"],
        "--arg passes the path, --stdin the contents; in any case the file stands in the folder of the test",
    ),
    (&["--cwd", "--workdir"], "--in runs the test in copies of a project folder"),
    (&["--good", "--bad", "--old", "--new"], "give both versions as a range: reduct changes GOOD..BAD -- COMMAND"),
    (
        &["--skip-interestingness-test-check", "--noverify", "--no-verify"],
        "reduct always runs the test on the whole input first, and takes the failure from there",
    ),
    // What the failure is.
    (&["--interesting-exit-code"], "--fails-if exit=N names the exit status of the failure"),
    (&["--interesting-stdout", "--match-out"], "--fails-if stdout~REGEX looks at standard output"),
    (&["--interesting-stderr", "--match-err"], "--fails-if stderr~REGEX looks at standard error"),
    (&["--uninteresting-stdout"], "--fails-if '!stdout~REGEX' excludes an output"),
    (&["--uninteresting-stderr"], "--fails-if '!stderr~REGEX' excludes a message"),
    (&["--ignore-output", "--ignore-out"], "--fails-if exit=N or signal=NAME ignores the output"),
    (&["--also-interesting"], "reduct keeps other failures in any case, in .reduct/*/others"),
    (&["--assume-deterministic"], "without --repeat, reduct assumes that the test is deterministic"),
    (
        &["--trivial-is-error", "--trivial-is-not-error"],
        "reduct refuses in any case a failure that occurs on the empty input too",
    ),
    // How the search goes.
    (&["--list-passes"], "docs/passes.md lists the passes; --by chooses among them"),
    (
        &[
            "--add-pass",
            "--remove-pass",
            "--no-default-passes",
            "--pass-group",
            "--pass-group-file",
            "--start-with-pass",
            "--skip-initial-passes",
            "--delta-passes",
        ],
        "--by names the kinds of parts and the passes, in their order",
    ),
    (
        &["--atom", "--char", "--line", "--lines", "--symbol", "--js", "--jsstr", "--attrs"],
        "--by names the kinds of parts, e.g. --by lines or --by chars",
    ),
    (
        &[
            "--strategy",
            "--ddmin",
            "--dd-star",
            "--no-dd-star",
            "--hdd",
            "--hddmin",
            "--phase",
            "--complement-first",
            "--subset-first",
            "--subset-iterator",
        ],
        "--search names the algorithm, e.g. ddmin or hdd (docs/ALGORITHMS.md)",
    ),
    (
        &["--grammar", "--lexer", "--parser", "--antlr", "--on-parse-error"],
        "grammars are built in; --language names one, --language none parses nothing",
    ),
    (&["--not-c"], "the name of a file tells its language; --language none parses nothing"),
    (
        &["--clang-delta", "--no-clang-delta", "--clang-delta-std"],
        "passes for C and C++ are built in; --by chooses others",
    ),
    (&["--renaming"], "reduct shortens names in any case; --normalize gives them normal names"),
    (&["--formatter", "--pretty-print"], "--normalize gives the result a normal layout"),
    (&["--encoding", "--to-utf8"], "reduct takes bytes in any encoding"),
    (&["--seed"], "a reduction is deterministic; `reduct fuzz` and `reduct schedule` have --seed"),
    (
        &["--keep", "--no-remove"],
        "the test decides what must stay, e.g. with grep -q; `reduct events` has --keep-pauses",
    ),
    (&["--cache"], "reduct never repeats a test whose outcome it knows, unless --no-cache says so"),
    // Limits.
    (
        &["--cores", "--workers", "--threads", "--num-threads", "--max-threads", "--max-workers", "--parallel"],
        "--jobs runs N tests at a time",
    ),
    (&["--memory-limit", "--memout"], "--memory limits the memory of a test"),
    (&["--limit"], "--timeout, --memory, --processes, --file-size and --disk limit a test"),
    (&["--temp-dir", "--tempdir", "--tmpdir"], "--scratch names the folder in which tests run"),
    (
        &["--no-give-up", "--give-up-constant", "--skip-after-n-transforms"],
        "--stall, --time and --tests stop early; without them, reduct goes on to the end",
    ),
    (
        &["--chunk-size", "--chunkSize", "--min", "--min-reduction"],
        "--until-granularity N stops before the removals of less than N",
    ),
    (
        &["--sllooww", "--slow", "--fast", "--stable", "--passes", "--repeat-first-round", "--repeatFirstRound"],
        "reduct goes on in any case until no single part can be removed; --time and --tests stop early",
    ),
    // What is printed and kept.
    (&["--output", "--output-file"], "--out names the place of the result"),
    (&["--inplace", "-in_place"], "--in-place replaces the input by the result"),
    (&["--tidy", "--backup"], "reduct leaves only the result beside the input; --in-place keeps FILE.orig"),
    (&["--print-diff", "-dump_input"], "`reduct log` shows each test, and what it left out"),
    (
        &["--save-temps", "--disable-cleanup"],
        "`reduct log` shows each test; reduct keeps other failures in .reduct/*/others",
    ),
    (&["--gen-intermediate"], "the best so far is always at the place of the result (--out)"),
    (&["--history", "--no-history"], "each run keeps its accepted steps; `reduct history` shows them"),
    (
        &["--timing", "--log-level", "--log-file", "--debug", "--verbose", "-v", "-verbose"],
        "--plain prints lines, --events writes all events to a file",
    ),
    (&["--shaddap", "--volume", "-quiet"], "--quiet prints only the end, --plain prints lines"),
    (&["--ui"], "--plain prints lines, on a terminal too"),
    (&["--monitor", "--generate-dot"], "--view serves a page about the run while it goes on"),
];

/// Words that other tools have as commands, or that are the names of other tools, each group with the command to give.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["bisect", "start", "good", "bad"], "the changes that broke a program: reduct changes GOOD..BAD -- COMMAND"),
    (
        &["minimize", "shrink", "cvise", "creduce", "shrinkray", "treereduce", "lithium", "picire", "ddmin", "delta"],
        "to reduce an input: reduct FILE -- COMMAND",
    ),
    (&["passes", "list-passes"], "docs/passes.md lists the passes; --by chooses among them"),
    (&["version"], "the version: reduct --version"),
];

/// Returns what to do instead of giving an option of another tool.
pub(super) fn instead_of_option(name: &str) -> Option<&'static str> {
    look_up(OPTIONS, name.split('=').next().unwrap_or(name))
}

/// Returns what to do instead of giving a command of another tool.
pub(super) fn instead_of_command(word: &str) -> Option<&'static str> {
    look_up(COMMANDS, word)
}

fn look_up(table: &[(&[&str], &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(words, _)| words.contains(&word)).map(|(_, tip)| *tip)
}
