//! Rules of makefiles.

use reduct_input::{Edit, Subject};

/// How the names of makefiles end, in small letters.
const NAMES: &[&str] = &["makefile", ".mk", ".mak"];

/// Returns the edits that put the first command of a rule on its line.
pub(super) fn commands(subject: &Subject) -> Vec<Edit> {
    let mut edits = vec![];
    for (name, at, _) in subject.artifact().files() {
        let name = name.to_string_lossy().to_ascii_lowercase();
        if !NAMES.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let text = subject.text(at.clone());
        let mut start = at.start;
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        for pair in lines.windows(2) {
            let end = start + pair[0].len() as u32;
            // Commands begin with a tab.
            if is_rule(pair[0]) && pair[1].starts_with(b"\t") {
                edits.extend(Edit::replace(end - 1..end + 1, b";"));
            }
            start = end;
        }
    }
    edits
}

/// Returns whether a line says what a target needs, and has no command yet.
fn is_rule(line: &[u8]) -> bool {
    !line.starts_with(b"\t") && line.contains(&b':') && !line.iter().any(|byte| b"=;#\\\r".contains(byte))
}
