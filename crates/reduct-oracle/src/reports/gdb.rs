//! What gdb's `bt` says.

use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// So many frames are taken: what is deeper than this does not come out of a recursion.
pub const DEEPEST: usize = 64;

static ENTRY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^#\d+\s+(?:0x[0-9a-f]+ in )?(.+?) \([^()]*\)(?: const)?(?: (at|from) (.+))?$"));

/// Returns the functions of a backtrace, innermost first.
pub fn frames(text: &str) -> Vec<Frame> {
    let entries = text.lines().filter_map(|line| ENTRY.captures(line));
    let mut frames: Vec<Frame> = entries
        .map(|found| match (found.get(2), found.get(3)) {
            // The folders of a source do not say whose it is: any program may have one that is called as one of a library.
            (Some(at), Some(file)) if at.as_str() == "at" => {
                let file = file.as_str();
                let name = file.rsplit('/').next().unwrap_or(file);
                Frame { at: Frame::native(&found[1], file).at, ..Frame::native(&found[1], name) }
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
