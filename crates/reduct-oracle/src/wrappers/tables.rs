//! How programs that run others begin their lines.

/// What `xargs` says of a child that ends it.
pub(super) const BY_XARGS: &str = r"xargs: .*: (?:exited with status 255; aborting|terminated by signal \d+)$";

/// How lines begin in which a program says how what it has run ended. With words that have to stand somewhere in the
/// same output, if others begin lines so too.
pub(super) const SAY_HOW: &[(&str, &str)] = &[
    // make, gmake, mingw32-make, scons
    (r"[\w.-]*make(?:\[\d+\])?: \*\*\* \[", ""),
    (r"scons: \*\*\* \[", ""),
    // ninja ends each name with a space, and newer ones say the status
    (r"FAILED: (?:\[code=\d+\] .*|.* )$", ""),
    // npm, pnpm, yarn
    (
        r"npm (?:ERR!|error)",
        r"(?m)^npm (?:ERR!|error).*(?:code ELIFECYCLE|Lifecycle script `|command failed|Test failed\.)",
    ),
    (r".{0,2}ELIFECYCLE.{1,3}(?:Command|Test) failed", ""),
    (r"error Command failed with (?:exit code|signal) ", ""),
    // cargo, just
    (
        r"error: (?:could not compile `|test failed, to rerun pass|\d+ targets? failed:|process didn't exit successfully: )",
        "",
    ),
    (r" +process didn't exit successfully: `", ""),
    (r"error: linking with `.*` failed", ""),
    (r"error: Recipe `.*` failed", ""),
    // drivers of compilers
    (r"collect2: error: ld returned ", ""),
    (r"clang(?:\+\+)?(?:-\d+)?: error: (?:linker|unable to execute|[\w ]+) command (?:failed|due to)", ""),
    // shells: one by the bare name of the signal, others with the line and the process
    (
        concat!(
            r"(?:Segmentation fault|Aborted|Killed|Bus error|Floating point exception|Illegal instruction",
            r"|Trace/breakpoint trap|Bad system call)(?: \(core dumped\))?$"
        ),
        "",
    ),
    (
        concat!(
            r"\S+: (?:line \d+: +)?\d+ (?:Segmentation fault|Aborted|Killed|Bus error|Floating point exception",
            r"|Illegal instruction|Trace/breakpoint trap|Bad system call)(?: +\(core dumped\))?(?: +.*)?$"
        ),
        "",
    ),
    (r"zsh: (?:segmentation fault|abort|killed|bus error|floating point exception|illegal hardware instruction)", ""),
    // xargs, timeout
    (BY_XARGS, ""),
    (r"timeout: the monitored command dumped core$", ""),
    // test drivers that only start programs
    (
        r"\s+\d+ - .* \((?:Failed|SEGFAULT|Timeout|ILLEGAL|NUMERICAL|BUS_ERROR|Subprocess aborted|OTHER_FAULT|Not Run)\)",
        "",
    ),
    (r"\s*\d+/\d+ Test +#\d+: ", ""),
    (r"ERROR: InvocationError for command ", ""),
    (r"\S+: exit -?\d+ \(", r"(?m)^  congratulations|^  evaluation failed|^  \S+: FAIL "),
    (r"exit status \d+$|signal: [a-z ]+(?: \(core dumped\))?$", r"(?m)^FAIL(?:\t|$)|^go: |^# "),
    (r"> Process 'command '.*'' finished with non-zero exit value ", ""),
    (r"\[ERROR\] Failed to execute goal ", ""),
    (r"The command '.*' returned a non-zero code: ", ""),
];

/// How lines begin in which they say that they are at work, or that something failed, and not how.
pub(super) const SAY_THAT: &[(&str, &str)] = &[
    (r"[\w.-]*make(?:\[\d+\])?: (?:Entering|Leaving) directory ", ""),
    (r"[\w.-]*make(?:\[\d+\])?: (?:\[.*\(ignored\)$|\*\*\* Waiting for unfinished jobs|Target .* not remade)", ""),
    (r"scons: building terminated", ""),
    (r"ninja: (?:build stopped: |Entering directory )", ""),
    (r"\[\d+/\d+\] ", r"(?m)^ninja: build stopped: "),
    (r"npm (?:warn|WARN|notice)\b", ""),
    (r"> ", r"(?m)^> \S+@\S+ [\w:.-]+$"),
    (r"yarn run v|\$ |info Visit https://yarnpkg", r"(?m)^(?:yarn run v|info Visit https://yarnpkg)"),
    (r" +(?:Compiling|Checking|Finished|Running|Blocking|Doc-tests|Fresh) ", ""),
    (r"Caused by:$|warning: build failed, waiting|For more information about (?:this|an) error, try `rustc", ""),
    (r"error: aborting due to ", ""),
    (r"running \d+ tests?$|test result: |failures:$|test .* \.\.\. ok$", ""),
    (r"compilation terminated\.$|cc1\w*: (?:all|some) warnings being treated as errors$", ""),
    // pytest, unittest, jest
    (r"=+ (?:.*\d+ (?:failed|passed|errors?)\b.* in |short test summary|test session starts)", ""),
    (r"\d+ (?:failed|passed|errors?)\b.* in [\d.]+s", ""),
    (r"Ran \d+ tests? in |FAILED \((?:failures|errors|skipped|unexpected)", ""),
    (r"Tests?: +\d+ |Test Suites: +\d+ |Snapshots: +\d+ |Time: +[\d.]+ |Ran all test suites", r"(?m)^Test Suites: "),
    // ctest
    (r"Errors while running CTest|Output from these tests are in: |Use .--rerun-failed", ""),
    (r"The following tests FAILED:$|\d+% tests passed, |Total Test time |Test project /|\s+Start +\d+: ", ""),
    // go test, gradle, maven, docker
    (r"FAIL(?:\t.*)?$", r"(?m)^FAIL\t"),
    (
        r"FAILURE: Build failed with an exception\.|\* (?:What went wrong|Try|Where):|BUILD FAILED|> There were failing tests",
        "",
    ),
    (r"> Run with --|> Get more help|Execution failed for task ", ""),
    (
        r"\[INFO\] BUILD FAILURE|\[ERROR\] (?:To see the full|Re-run Maven|For more information|There are test failures|-> \[Help|\[Help)|\[ERROR\] ?$",
        "",
    ),
];
