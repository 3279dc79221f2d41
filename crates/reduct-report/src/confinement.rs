//! What tests may do outside of their folders, in words.

use reduct_session::confinement::{Confinement, Network, Strength};

/// Returns a line that says what is confined, and what the system cannot confine of what it should.
pub fn describe(confinement: &Confinement, strength: Strength) -> String {
    let mut kept = vec![];
    let mut open = vec![];
    if strength.confines_writes() {
        let own = if strength.view { "in its folder and a /tmp of its own" } else { "in its folder" };
        let more: Vec<String> = confinement.writable.iter().map(|path| path.display().to_string()).collect();
        let more = if more.is_empty() { String::new() } else { format!(", and in {}", more.join(", ")) };
        kept.push(format!("writes only {own}{more}"));
    } else {
        open.push("it may write anywhere");
    }
    match strength.network {
        _ if confinement.network => kept.push("any network".into()),
        Network::Own => kept.push("no network".into()),
        Network::UnixOnly => kept.push("no network, not even of its own".into()),
        Network::Open => open.push("it may use the network"),
    }
    if strength.confines_writes() && !strength.confines_metadata() {
        open.push("it may change modes and times of files elsewhere");
    }
    if strength.view && strength.landlock == 0 {
        open.push("a hostile test finds a way around that, by the processes of others");
    }
    if !strength.confines_signals() {
        open.push("it may send signals to your other processes");
    }
    let kept = if kept.is_empty() { "nothing".to_owned() } else { kept.join(", ") };
    match &open[..] {
        [] => format!("Confined: {kept}."),
        open => format!("Confined: {kept}. What this system cannot confine: {}.", open.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Strength = Strength { view: true, landlock: 6, network: Network::Own };

    #[test]
    fn what_is_allowed_is_said() {
        let plain = Confinement::default();
        assert_eq!(describe(&plain, FULL), "Confined: writes only in its folder and a /tmp of its own, no network.");
        let more = Confinement { writable: vec!["/a".into()], network: true, ..plain };
        assert_eq!(
            describe(&more, FULL),
            "Confined: writes only in its folder and a /tmp of its own, and in /a, any network."
        );
    }

    #[test]
    fn what_cannot_be_confined_is_said() {
        let words = |strength| describe(&Confinement::default(), strength);
        let landlock = Strength { view: false, landlock: 4, network: Network::Open };
        assert_eq!(
            words(landlock),
            "Confined: writes only in its folder. What this system cannot confine: it may use the network; it may change \
             modes and times of files elsewhere; it may send signals to your other processes."
        );
        assert!(words(Strength::default()).starts_with("Confined: nothing. "), "{}", words(Strength::default()));
    }
}
