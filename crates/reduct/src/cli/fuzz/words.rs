//! What options that commands share mean where it is fuzzed.

use clap::Arg;

/// The option as `reduct fuzz` has it.
pub(super) fn own(option: Arg) -> Arg {
    // They are refused with the reason.
    if ["stall", "until_granularity"].contains(&option.get_id().as_str()) {
        return option.hide(true);
    }
    match help(option.get_id().as_str()) {
        Some(help) => option.help(help).long_help(None),
        None => option,
    }
}

fn help(option: &str) -> Option<&'static str> {
    Some(match option {
        "command" => "The command, run as it is; `{}` is the path of the input",
        "shell" => "The command as a line for the shell, instead of `-- COMMAND`",
        "fails_if" => {
            "What a failure is: exit=1, signal=SEGV, timeout, stdout~REGEX, stderr~REGEX, output~REGEX, frame~REGEX \
             (a function of the backtrace), slower-than=2s (processor time), memory-over=1G; `!` in front for the \
             opposite; given several times, all must hold [default: death by a signal, no end, a report of a \
             sanitizer, an assertion, a panic, an exception]"
        }
        "differs_from" => {
            "A failure is that the command exits otherwise, or writes something else to standard output, than this \
             line for the shell, which is run in the same folder and has to exit with 0; `{}` is the path of the input"
        }
        "no_backtrace" => {
            "Do not ask gdb where a program has died that says nothing: all deaths by the same signal are one failure"
        }
        "jobs" => "How many trials run at a time; what is found is the same for any number [default: physical cores]",
        "no_cache" => "Run repeated tests of a reduction again",
        "force" => "Replace the folder, if it is one of findings",
        "timeout" => "How long a trial may run, e.g. 10s [default: 5s, times the jobs that share a core]",
        "tests" => "After so many trials, those before `reduct resume` included; the tests of reductions do not count",
        "time" => "After this long, e.g. 10m; `reduct resume` counts anew",
        "events" => "Write what happens to this file, a JSON object a line (docs/FUZZING.md)",
        _ => return None,
    })
}
