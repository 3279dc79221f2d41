//! What options that commands share mean where it is fuzzed.

use clap::Arg;

/// Returns the option as `reduct fuzz` has it.
pub(super) fn own(option: Arg) -> Arg {
    // They are refused with the reason.
    if ["stall", "until_granularity"].contains(&option.get_id().as_str()) {
        return option.hide(true);
    }
    match help(option.get_id().as_str()) {
        Some(help) => {
            let hidden = option.is_hide_short_help_set() && option.get_id() != "tests";
            option.help(help).long_help(None).hide_short_help(hidden)
        }
        None => option,
    }
}

fn help(option: &str) -> Option<&'static str> {
    Some(match option {
        "command" => "The command, run once for each input; `{}` stands for the path of the input",
        "shell" => "Give the command as a line for the shell, instead of `-- COMMAND`",
        "fails_if" => {
            "Define a failure: exit=1, signal=SEGV, timeout, stderr~REGEX, … (`reduct --help` lists the conditions) \
             [default: death by a signal, timeout, a report of a sanitizer, an assertion, a panic, an exception]"
        }
        "differs_from" => {
            "Define a failure as a difference in exit status or standard output from this line for the shell, which \
             runs in the same folder and must exit with 0; `{}` stands for the path of the input"
        }
        "no_backtrace" => {
            "Do not ask gdb in which function a program died: all deaths by the same signal are one failure"
        }
        "jobs" => "Run N trials at a time; N does not change what is found [default: physical cores]",
        "no_cache" => "Run a test of a reduction again when the search repeats it",
        "force" => "Replace the folder if it holds findings",
        "timeout" => "Stop a trial after this time, e.g. 10s [default: 5s, times the jobs that share a core]",
        "tests" => "Stop after N trials, including those before `reduct resume`; tests of reductions do not count",
        "time" => "Stop after this time, e.g. 10m; `reduct resume` starts a new count",
        "events" => "Write all events to this file, one JSON object a line (docs/FUZZING.md)",
        _ => return None,
    })
}
