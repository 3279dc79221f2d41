//! What `fuzz` and `triage` have left, for a bug tracker in Markdown, and as an object for programs.

use crate::excerpt::path;
use crate::human::{self, counted};
use crate::markdown::{fenced, in_code, inline};
use crate::page::text::{beginning, plain};
use crate::page::{FindingsPage, GroupPage, SmallestInput};
use serde_json::{Value, json};
use std::fmt::Write;

/// The version of the object.
pub const VERSION: u32 = 1;

/// So many groups, and others of one, stand in a text for people, and so many bytes of an input.
const MOST: usize = 50;
const MOST_MEMBERS: usize = 20;
const MOST_BYTES: usize = 4000;

/// Returns the text.
pub fn markdown(found: &FindingsPage) -> String {
    let mut text = format!("## {}\n\n", inline(&found.title));
    let _ = writeln!(text, "{}: `{}`\n", found.question, in_code(&found.subject));
    if !found.test.is_empty() {
        let _ = writeln!(text, "The test: `{}`\n", in_code(&found.test));
    }
    for group in found.groups.iter().take(MOST) {
        section(&mut text, group);
    }
    if found.groups.len() > MOST {
        let _ = writeln!(text, "… and {}\n", counted(found.groups.len() - MOST, "more groups"));
    }
    if !found.not_failing.is_empty() {
        text += "### These do not fail\n\n";
        for (name, seen) in found.not_failing.iter().take(MOST) {
            let _ = writeln!(text, "* `{}`: {}", in_code(name), inline(seen));
        }
        if found.not_failing.len() > MOST {
            let _ = writeln!(text, "* … and {}", counted(found.not_failing.len() - MOST, "more inputs"));
        }
        text.push('\n');
    }
    for (what, line) in &found.commands {
        let _ = writeln!(text, "{what}:\n");
        text += &fenced(line.as_bytes(), "sh");
    }
    text.trim_end().to_owned() + "\n"
}

fn section(text: &mut String, group: &GroupPage) {
    let _ = writeln!(text, "### {}\n", inline(&group.failure));
    let _ = writeln!(text, "`{}`: {}\n", in_code(&group.name), inline(&group.state));
    if let Some(SmallestInput { beginning: bytes, bytes: size }) = &group.smallest {
        let shown = beginning(bytes, MOST_BYTES).0;
        let before = group.before.map_or(String::new(), |before| format!(" (of {})", human::bytes(before)));
        let _ = writeln!(text, "Smallest input, {}{before}:\n", human::bytes(*size));
        text.push_str(&fenced(shown, "text"));
        if *size > shown.len() {
            let _ = writeln!(text, "… {} more\n", human::bytes(size - shown.len()));
        }
    }
    for member in group.members.iter().take(MOST_MEMBERS) {
        let why = if member.why.is_empty() { String::new() } else { format!(": {}", inline(&member.why)) };
        let _ = writeln!(text, "* `{}`{why}", in_code(&member.name));
    }
    if group.members.len() > MOST_MEMBERS {
        let _ = writeln!(text, "* … and {}", counted(group.members.len() - MOST_MEMBERS, "more inputs"));
    }
    if !group.members.is_empty() {
        text.push('\n');
    }
    if let Some(line) = &group.repeat {
        text.push_str("See it again:\n\n");
        text.push_str(&fenced(line.as_bytes(), "sh"));
    }
}

/// Returns the object; docs/schema/findings.schema.json says what its keys hold.
pub fn object(found: &FindingsPage) -> Value {
    let not_failing: Vec<Value> =
        found.not_failing.iter().map(|(name, seen)| json!({ "name": name, "seen": seen })).collect();
    let commands: Vec<Value> =
        found.commands.iter().map(|(what, line)| json!({ "what": what, "line": line })).collect();
    json!({
        "version": VERSION,
        "command": found.command,
        "place": path(&found.place),
        "title": found.title,
        "subject": found.subject,
        "groups": found.groups.iter().map(group).collect::<Vec<_>>(),
        "not_failing": not_failing,
        "commands": commands,
    })
}

fn group(group: &GroupPage) -> Value {
    let members: Vec<Value> =
        group.members.iter().map(|member| json!({ "name": member.name, "why": member.why })).collect();
    json!({
        "name": group.name,
        "failure": group.failure,
        "state": group.state,
        "smallest": group.smallest.as_ref().map(smallest),
        "before": group.before,
        "members": members,
        "repeat": group.repeat,
    })
}

/// Returns an input; of one that was not read whole, or is no text, how it is shown.
fn smallest(input: &SmallestInput) -> Value {
    match std::str::from_utf8(&input.beginning) {
        Ok(text) if text.len() == input.bytes => json!({ "bytes": input.bytes, "text": text }),
        _ => json!({ "bytes": input.bytes, "shown": plain(&input.beginning) }),
    }
}
