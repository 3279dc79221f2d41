//! What tests may do outside of their folders, in words.

use reduct_session::confinement::{Confinement, Network, Strength};
use std::path::PathBuf;

/// Returns a line that says what is confined, and what the system cannot confine of what it should.
pub fn describe(confinement: &Confinement, strength: &Strength) -> String {
    let mut kept = vec![];
    let mut open = vec![];
    if strength.confines_writes() {
        let more = &confinement.writable;
        let more = if more.is_empty() { String::new() } else { format!(" and in {}", listed(more)) };
        let elsewhere = match &strength.uncopied[..] {
            _ if !strength.copies => " (what it writes elsewhere is refused)".into(),
            [] => " (what it writes elsewhere is thrown away)".into(),
            uncopied => {
                format!(" (what it writes elsewhere is thrown away, but it can write nothing in {})", listed(uncopied))
            }
        };
        kept.push(format!("writes only in its folder{more}{elsewhere}"));
    } else {
        open.push("it may write anywhere");
    }
    match strength.network {
        _ if confinement.network => kept.push("any network".into()),
        Network::Own if confinement.loopback => {
            kept.push("no network but what listens on the loopback device of this machine".into());
        }
        Network::Own => kept.push("no network".into()),
        Network::UnixOnly => kept.push("no network, not even of its own".into()),
        Network::Open => open.push("it may use the network"),
    }
    if strength.confines_writes() && !strength.confines_metadata() {
        open.push("it may change modes, owners, times and attributes of files elsewhere");
    }
    if !strength.hides_sockets() {
        open.push("it may ask programs that listen on Unix sockets, such as Docker");
    }
    if strength.view && strength.landlock == 0 && !strength.processes {
        open.push("a hostile test finds a way around that, by the processes of others");
    }
    if !strength.confines_signals() {
        open.push("it may send signals to your other processes");
    }
    if !strength.filter {
        open.push("it may set limits for your other processes");
    }
    let kept = if kept.is_empty() { "nothing".to_owned() } else { kept.join(", ") };
    match &open[..] {
        [] => format!("Confined: {kept}."),
        open => format!("Confined: {kept}. What this system cannot confine: {}.", open.join("; ")),
    }
}

/// Returns what is said of files that tests have changed in copies of their folders.
pub fn thrown_away(files: &[PathBuf]) -> String {
    format!("The test writes to {}: that is thrown away after each test, unless --allow-write names it.", listed(files))
}

/// All that a test needs to do the same as when it is not confined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestNeeds {
    /// What it needs.
    pub needs: Vec<Need>,
    /// The calls that failed while it was confined, and tell what it needs.
    pub refused: Vec<DeniedCall>,
}

/// A call of a test that failed while it was confined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeniedCall {
    /// Its name.
    pub call: String,
    /// The path or the address.
    pub about: String,
    /// What the system says.
    pub why: String,
}

/// Something that a test needs to do the same as when it is not confined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// The network.
    Network,
    /// What listens on the loopback device of the machine.
    Loopback,
    /// To talk to a program of the system, such as Docker, D-Bus or a display, at these sockets if they are known.
    Services(Vec<PathBuf>),
    /// To change files.
    ToChange {
        /// Some of the files.
        files: Vec<PathBuf>,
        /// What is to be named for that: of a file that is not there yet, the folder.
        allow: Vec<PathBuf>,
    },
    /// It says that something is refused to it, and it cannot be tried whether that matters.
    Unknown,
}

/// What is said where a test does not do what it should, and is only run confined, as asked for.
pub const AS_ASKED: &str = "Tests are confined, as you asked: --unconfined shows whether that is why.";

/// What is said of a script that another program will run.
pub const OF_A_SCRIPT: &str = "Tests are confined here, and not where another program runs the script.";

/// What is said where it cannot be tried whether a test does the same when it is not confined.
pub const UNTRIED: &str = "Not tried: whether the test does something else for being confined, as it could change your files. If \
     it needs to write elsewhere, --allow-write PATH lets it, and --unconfined runs it as it is.";

/// Returns what a test needs, in words.
pub fn needed(all: &TestNeeds) -> String {
    let refused = refused(&all.refused);
    if all.needs.contains(&Need::Unknown) {
        return format!(
            "the test says that something is refused to it, and it cannot be tried here whether it would do the same if it \
             were not confined{refused}"
        );
    }
    let needs: Vec<String> = all.needs.iter().map(need).collect();
    format!("the test behaves differently when it is confined: {}{refused}", needs.join(", and "))
}

fn need(need: &Need) -> String {
    match need {
        Need::Network => "it needs the network".to_owned(),
        Need::Loopback => "it needs a program that listens on the loopback device of this machine".into(),
        Need::Services(sockets) if sockets.is_empty() => {
            "it needs a program of the system, such as Docker, D-Bus or a display".into()
        }
        Need::Services(sockets) => format!("it needs the program of the system at {}", listed(sockets)),
        Need::ToChange { files, .. } => format!("it changes {}", listed(files)),
        Need::Unknown => "something is refused to it".into(),
    }
}

/// Returns a line for each call.
fn refused(calls: &[DeniedCall]) -> String {
    let lines = calls.iter().map(|DeniedCall { call, about, why }| format!("\nfailed there: {call} {about} ({why})"));
    lines.collect()
}

/// Returns how a test is allowed what it needs.
pub fn allowed(all: &TestNeeds) -> String {
    if all.needs.contains(&Need::Unknown) {
        return "--allow-write PATH lets it write there, --unconfined runs it as it is, and --confine takes what it does \
                confined for what it is to do"
            .into();
    }
    let options: Vec<String> = all.needs.iter().map(option).collect();
    format!("allow this with {}, or run the test unconfined with --unconfined", options.join(" "))
}

fn option(need: &Need) -> String {
    let writing = |paths: &[PathBuf]| {
        let options: Vec<String> = paths.iter().map(|path| format!("--allow-write {}", path.display())).collect();
        options.join(" ")
    };
    match need {
        Need::Network => "--allow-network".to_owned(),
        Need::Loopback => "--allow-network=loopback".into(),
        Need::Services(sockets) if sockets.is_empty() => "--allow-write with the path of its socket".into(),
        Need::Services(sockets) => writing(sockets),
        Need::ToChange { allow, .. } => writing(allow),
        Need::Unknown => "--unconfined".into(),
    }
}

fn listed(files: &[PathBuf]) -> String {
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Strength = Strength {
        view: true,
        processes: true,
        copies: true,
        uncopied: vec![],
        filter: true,
        landlock: 6,
        network: Network::Own,
    };

    #[test]
    fn what_is_allowed_is_said() {
        let plain = Confinement::default();
        assert_eq!(
            describe(&plain, &FULL),
            "Confined: writes only in its folder (what it writes elsewhere is thrown away), no network."
        );
        let more = plain.with_writable(vec!["/a".into()]).with_network(true);
        assert_eq!(
            describe(&more, &FULL),
            "Confined: writes only in its folder and in /a (what it writes elsewhere is thrown away), any network."
        );
        let loopback = Confinement::default().with_loopback(true);
        assert_eq!(
            describe(&loopback, &FULL),
            "Confined: writes only in its folder (what it writes elsewhere is thrown away), no network but what listens on \
             the loopback device of this machine."
        );
    }

    #[test]
    fn what_cannot_be_confined_is_said() {
        let words = |strength| describe(&Confinement::default(), &strength);
        let landlock = Strength { landlock: 4, filter: true, ..Strength::default() };
        assert_eq!(
            words(landlock),
            "Confined: writes only in its folder (what it writes elsewhere is refused). What this system cannot confine: it \
             may use the network; it may change modes, owners, times and attributes of files elsewhere; it may ask programs \
             that listen on Unix sockets, such as Docker; it may send signals to your other processes."
        );
        let partly = Strength { uncopied: vec!["/home/a".into()], ..FULL };
        assert_eq!(
            words(partly),
            "Confined: writes only in its folder (what it writes elsewhere is thrown away, but it can write nothing in \
             /home/a), no network."
        );
        assert!(words(Strength::default()).starts_with("Confined: nothing. "), "{}", words(Strength::default()));
    }
}
