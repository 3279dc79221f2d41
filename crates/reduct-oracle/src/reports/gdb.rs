//! What gdb's `bt` says.

use crate::frames::{Frame, Stack, file_name};
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// So many frames are taken: what is deeper than this does not come out of a recursion.
const DEEPEST: usize = 64;

/// So many are asked for: the innermost ones may be of what handles a signal.
pub const ASKED: usize = 96;

static ENTRY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^#\d+\s+(?:0x[0-9a-f]+ in )?(.+?) \([^()]*\)(?: const)?(?: (at|from) (.+))?$"));

/// What stands where a signal was handled.
const HANDLER: &str = "<signal handler called>";

/// A frame of what handles a signal by dying of it, or of another one. What dies in a handler in any other way does so in its place.
static PASSED_ON: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?m)^#\d+\s+(?:0x[0-9a-f]+ in )?_*(?:GI_)?(?:raise|abort|kill|tgkill|gsignal|pthread_kill)\w* \(")
});

/// Returns the functions of a backtrace, innermost first.
pub fn frames(text: &str) -> Vec<Frame> {
    let text = match text.rsplit_once(HANDLER) {
        Some((handler, died)) if PASSED_ON.is_match(handler) => died,
        _ => text,
    };
    let entries = text.lines().filter_map(|line| ENTRY.captures(line));
    let mut frames: Vec<Frame> = entries
        .take(DEEPEST)
        .map(|found| match (found.get(2), found.get(3)) {
            // The folders of a source do not say whose it is: any program may have one that is called as one of a library.
            (Some(at), Some(file)) if at.as_str() == "at" => {
                let file = file.as_str();
                Frame { at: Frame::native(&found[1], file).at, ..Frame::native(&found[1], file_name(file)) }
            }
            (_, library) => Frame::native(&found[1], library.map_or("", |library| library.as_str())),
        })
        .collect();
    if frames.len() >= DEEPEST {
        // A recursion without an end: in which of its functions the stack ran out is chance.
        frames.sort_by(|one, other| one.name.cmp(&other.name));
        frames = frames.into_iter().map(Frame::anywhere).collect();
    }
    frames
}

/// Returns what a backtrace shows where no function tells the place by its name; nothing if none of them is known to be the program's own,
/// as of one without symbols, or one that passes on how another one died.
pub(crate) fn stack(text: &str) -> Option<Stack> {
    let frames = frames(text);
    let innermost = frames.first()?;
    let has_own = || frames.iter().any(|frame| frame.own);
    match frames.len() {
        DEEPEST.. if has_own() => Some(Stack::Deep),
        DEEPEST.. => None,
        _ if innermost.own => Some(Stack::Own),
        _ => has_own().then_some(Stack::Library),
    }
}

/// Returns the innermost function of the program's own in a backtrace, with its file and line, and what of a library it has called; nothing of a
/// recursion without an end, of which it is chance.
pub(crate) fn innermost(text: &str) -> Option<String> {
    let frames = frames(text);
    let own = frames.iter().position(|frame| frame.own).filter(|_| frames.len() < DEEPEST)?;
    let called = frames[..own].iter().rfind(|frame| !frame.name.is_empty() && frame.name != "??");
    let called = called.map_or(String::new(), |frame| format!("{} ← ", frame.name));
    let Frame { name, at, .. } = &frames[own];
    let at = at.as_ref().map_or(String::new(), |(file, line)| format!(" at {}:{line}", file_name(file)));
    Some(format!("{called}{name}{at}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_signal_was_handled_does_not_tell() {
        let text = "#0  raise () from /lib/libc.so.6\n#1  crash_handler (s=11) at log.c:9\n#2  <signal handler called>\n\
                    #3  find (l=...) at p.c:8\n#4  main () at p.c:15\n";
        let names: Vec<String> = frames(text).into_iter().map(|frame| frame.name).collect();
        assert_eq!(names, ["find", "main"]);
        // What a handler does itself is another matter.
        let text = "#0  peek (p=0x0) at p.c:3\n#1  on_tick (s=10) at p.c:9\n#2  <signal handler called>\n#3  main () at p.c:15\n";
        let names: Vec<String> = frames(text).into_iter().map(|frame| frame.name).collect();
        assert_eq!(names, ["peek", "on_tick", "main"]);
    }

    #[test]
    fn a_stack_tells_without_names() {
        let own =
            "#0  0x0000555555555172 in find (l=...) at /tmp/p.c:8\n#1  0x0000555555555200 in main () at /tmp/p.c:15\n";
        let library = "#0  0x00007ffff7e5eeec in ?? () from /lib/x86_64-linux-gnu/libc.so.6\n\
                       #1  0x00007ffff7e0ffb2 in printf () from /lib/x86_64-linux-gnu/libc.so.6\n#2  main () at /tmp/p.c:1\n";
        let unknown = "#0  0x00007ffff7e0ffb2 in raise () from /lib/x86_64-linux-gnu/libc.so.6\n#1  0x0000555555556a76 in ?? ()\n";
        let call = |at: usize| format!("#{at}  0x0000555555555139 in main () at /tmp/p.c:1\n");
        let deep: String = (0..DEEPEST).map(call).collect();
        let less: String = (1..DEEPEST).map(call).collect();
        assert_eq!(innermost(own).as_deref(), Some("find at p.c:8"));
        assert_eq!(innermost(library).as_deref(), Some("printf ← main at p.c:1"));
        assert_eq!(innermost(unknown), None);
        assert_eq!(innermost(&deep), None);
        assert_eq!(stack(own), Some(Stack::Own));
        assert_eq!(stack(library), Some(Stack::Library));
        assert_eq!(stack(unknown), None);
        assert_eq!(stack(&deep), Some(Stack::Deep));
        assert_eq!(stack(&less), Some(Stack::Own));
        assert_eq!(stack(""), None);
        let handled = "#0  abort () from /lib/libc.so.6\n#1  on_fault (s=11) at p.c:9\n#2  <signal handler called>\n";
        assert_eq!(stack(&format!("{handled}{deep}")), Some(Stack::Deep));
    }
}
