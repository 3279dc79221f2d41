//! The environment in which a test runs: what of it the test may read.
//!
//! Between two sessions much of it changes that no test looks at: where the terminal is, which session it is. What
//! counts are the variables by which programs find other programs and libraries and by which they speak, and those that the
//! command and its scripts name. Of the others, a change is told.

use crate::Job;
use crate::reliance::lines;
use reduct_input::{Digester, hex};
use reduct_session::relied::Variable;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Variables that each test has for itself, or that each shell has.
const OF_TESTS: [&str; 8] = ["TMPDIR", "TMP", "TEMP", "REDUCT_SCRATCH", "PWD", "OLDPWD", "SHLVL", "_"];

/// Variables of a terminal or a session, by their names or by how these begin.
const OF_SESSIONS: [&str; 24] = [
    "COLUMNS",
    "LINES",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "CLICOLOR",
    "LS_COLORS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "WINDOWID",
    "WINDOWPATH",
    "LC_TERMINAL",
    "LC_TERMINAL_VERSION",
    "STY",
    "TMUX",
    "MAIL",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "LESSOPEN",
    "LESSCLOSE",
    "PS1",
    "PROMPT_COMMAND",
    "SHELL_SESSION_ID",
    "SECURITYSESSIONID",
];
const OF_SESSIONS_BEGIN: [&str; 19] = [
    "SSH_",
    "XDG_",
    "DBUS_",
    "TERM_",
    "TMUX_",
    "VTE_",
    "GNOME_",
    "KDE_",
    "KONSOLE_",
    "ITERM_",
    "WT_",
    "KITTY_",
    "WEZTERM_",
    "ALACRITTY_",
    "VSCODE_",
    "GPG_",
    "HIST",
    "ZELLIJ",
    "CLICOLOR_",
];

/// Variables that change what programs do, by their names, their ends or how they begin.
const READ: [&str; 13] = [
    "HOME",
    "LANG",
    "LANGUAGE",
    "TZ",
    "IFS",
    "ENV",
    "BASH_ENV",
    "POSIXLY_CORRECT",
    "VIRTUAL_ENV",
    "CC",
    "CXX",
    "LD",
    "AR",
];
const READ_END: [&str; 3] = ["PATH", "FLAGS", "_OPTIONS"];
const READ_BEGIN: [&str; 26] = [
    "LC_",
    "LD_",
    "PYTHON",
    "NODE_",
    "npm_",
    "NPM_",
    "PERL",
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "JAVA",
    "JDK_",
    "_JAVA",
    "MAVEN_",
    "GOPATH",
    "GOROOT",
    "RUST",
    "CARGO_",
    "LUA_",
    "PHP",
    "MAKE",
    "CMAKE_",
    "PKG_CONFIG",
    "GIT_",
    "MALLOC_",
    "GLIBC_",
];

/// Returns the variables as they are now. Where they are what is reduced, they are no surroundings.
pub(super) fn now(job: &Job, scripts: &[Vec<u8>]) -> Vec<Variable> {
    if job.varies_variables() {
        return vec![];
    }
    let words = job.command.iter().map(|word| word.as_bytes().to_vec());
    let lines = lines(job).unwrap_or_default().into_iter().map(|line| line.as_bytes().to_vec());
    let texts: Vec<Vec<u8>> = words.chain(lines).chain(scripts.iter().cloned()).collect();
    let named: HashSet<&[u8]> = texts.iter().flat_map(|text| identifiers(text)).collect();
    let mut variables: Vec<Variable> = std::env::vars_os()
        .filter_map(|(name, value)| {
            let is_named = named.contains(name.as_bytes());
            let name = name.to_string_lossy().into_owned();
            let counts = !OF_TESTS.contains(&&*name) && (is_named || !is_of_the_session(&name));
            let read = is_named || is_read(&name);
            counts.then(|| Variable { value: digest(&name, &value), name, read })
        })
        .collect();
    variables.sort_by(|one, other| one.name.cmp(&other.name));
    variables
}

/// Returns the variables that are not what they were, by their names: those that the test may read, and the others.
pub(crate) fn differing(then: &[Variable], now: &[Variable]) -> (Vec<String>, Vec<String>) {
    let is_in = |all: &[Variable], this: &Variable| all.iter().any(|it| it.name == this.name && it.value == this.value);
    let changed = then.iter().filter(|was| !is_in(now, was)).chain(now.iter().filter(|is| !is_in(then, is)));
    let (mut read, mut others) = (vec![], vec![]);
    for variable in changed {
        let of = |all: &[Variable]| all.iter().any(|it| it.name == variable.name && it.read);
        let list = if of(then) || of(now) { &mut read } else { &mut others };
        if !list.contains(&variable.name) {
            list.push(variable.name.clone());
        }
    }
    (read, others)
}

fn is_of_the_session(name: &str) -> bool {
    OF_SESSIONS.contains(&name) || OF_SESSIONS_BEGIN.iter().any(|begin| name.starts_with(begin))
}

fn is_read(name: &str) -> bool {
    READ.contains(&name)
        || READ_END.iter().any(|end| name.ends_with(end))
        || READ_BEGIN.iter().any(|begin| name.starts_with(begin))
}

/// Returns the words of a text that can be names of variables.
fn identifiers(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_between = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
    text.split(is_between).filter(|word| !word.is_empty())
}

/// Returns a digest of 32 bits, too short for anybody to find the value by it: a value may be a secret, the digest is
/// in a file, and of all guesses at a password, one in 4 thousand million has the same digest. So a variable may be
/// another one and have the digest of the old one, with that same chance: then the change is not seen, and outcomes
/// from before it count.
fn digest(name: &str, value: &OsStr) -> String {
    let mut hasher = Digester::default();
    hasher.update(name.as_bytes()).update(&[0]).update(value.as_bytes());
    hex(&hasher.finish()[..4])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(all: &[(&str, &str, bool)]) -> Vec<Variable> {
        all.iter()
            .map(|(name, value, read)| Variable { name: (*name).into(), value: (*value).into(), read: *read })
            .collect()
    }

    #[test]
    fn what_is_new_gone_or_other_has_changed() {
        let then = variables(&[("PATH", "1", true), ("GONE", "1", false), ("SAME", "1", true), ("B", "1", false)]);
        let now = variables(&[("PATH", "2", true), ("SAME", "1", false), ("B", "2", true), ("NEW", "1", false)]);
        let (read, others) = differing(&then, &now);
        assert_eq!(read, ["PATH", "B"]);
        assert_eq!(others, ["GONE", "NEW"]);
    }

    #[test]
    fn variables_are_read_by_whom_they_are_named_and_by_what_they_are_for() {
        let read = ["PATH", "LD_PRELOAD", "PYTHONPATH", "NODE_OPTIONS", "LANG", "LC_ALL", "CFLAGS", "ASAN_OPTIONS"];
        assert!(read.iter().all(|name| is_read(name)));
        assert!(!is_read("EDITOR") && is_of_the_session("SSH_TTY") && !is_of_the_session("MODE"));
        let named: Vec<&[u8]> = identifiers(b"a \"$MODE\"; ${OTHER_1:-x}").collect();
        assert_eq!(named, [&b"a"[..], b"MODE", b"OTHER_1", b"x"]);
    }
}
