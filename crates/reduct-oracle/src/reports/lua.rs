//! Errors of Lua, as its interpreter prints them.

use super::FailureReport;
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// `lua5.4: prog.lua:3: too big`, and a traceback.
static HEADLINE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^(?:\S*/)?lua(?:jit)?[\d.-]*: (?:[^:\n]+:\d+: )?(.*)(?:\n.+)*?\nstack traceback:\n"));
/// An entry of it: `\tprog.lua:3: in upvalue 'check'`, `\t[C]: in ?`.
static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^\t(?:\[C\]|([^:\t]+:\d+)): in (.+)$"));
static NAME: LazyLock<Regex> = LazyLock::new(|| regex(r"'([^']+)'"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let found = HEADLINE.captures(text)?;
    let entries = text[found.get(0)?.end()..].lines().take_while(|line| line.starts_with('\t'));
    let frames = entries.filter_map(|line| ENTRY.captures(line)).map(|found| {
        let place = found.get(1).map(|place| place.as_str());
        // Functions without a name are told by the line that they begin on.
        let nameless = if &found[2] == "main chunk" { "main" } else { "function" };
        let name = NAME.captures(&found[2]).map_or_else(|| nameless.to_owned(), |name| name[1].to_owned());
        Frame::managed(&name, place.is_some(), place.unwrap_or_default())
    });
    let (class, message) = ("Lua error".to_owned(), found[1].to_owned());
    // The names in what Lua itself says are the program's.
    let quotes = !message.starts_with("attempt to ");
    Some(FailureReport { class, message, quotes, frames: frames.collect(), chain: vec![] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_functions_of_the_program() {
        let text = "lua5.4: prog.lua:4: too big\nstack traceback:\n\t[C]: in function 'error'\n\tprog.lua:4: in upvalue 'check'\n\
                    \tprog.lua:16: in function <prog.lua:14>\n\t(...tail calls...)\n\tprog.lua:22: in main chunk\n\t[C]: in ?\n";
        let report = read(text).unwrap();
        assert_eq!(report.in_short(), "Lua error: too big");
        let own = report.frames.iter().filter(|it| it.own).map(|it| (it.name.as_str(), it.at.as_ref().unwrap().1));
        assert_eq!(own.collect::<Vec<_>>(), [("check", 4), ("function", 16), ("main", 22)]);
        assert!(read("lua: cannot open none.lua\n").is_none());
        assert!(read("lua: starting\n\nanother program\nstack traceback:\n\t[C]: in ?\n").is_none());
    }
}
