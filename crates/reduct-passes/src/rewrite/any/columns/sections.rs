//! Sections of a text that set the same keys, as those of INI files.

use super::COLUMNS;
use crate::text::moved;
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;
use std::ops::Range;

/// What stands between a key and its value.
const SIGNS: &[u8] = b"=:";

/// Returns the edits that remove the lines with one key from all sections that have it. A section begins with a line in square brackets.
pub(super) fn keys(text: &[u8], start: u32) -> Vec<Edit> {
    let mut found: BTreeMap<&[u8], Vec<Range<usize>>> = BTreeMap::new();
    let mut order: Vec<&[u8]> = vec![];
    let (mut at, mut sections) = (0, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let (whole, content) = (at..at + line.len(), line.trim_ascii());
        at = whole.end;
        if content.starts_with(b"[") && content.ends_with(b"]") {
            sections += 1;
            continue;
        }
        let sign = content.iter().position(|byte| SIGNS.contains(byte)).filter(|_| sections > 0);
        let Some(key) = sign.map(|sign| content[..sign].trim_ascii()).filter(|key| is_key(key)) else { continue };
        if !found.contains_key(key) {
            order.push(key);
        }
        if order.len() > COLUMNS {
            return vec![];
        }
        found.entry(key).or_default().push(whole);
    }
    let edit = |key: &[u8]| {
        let lines = found.get(key).filter(|lines| sections > 1 && lines.len() > 1)?;
        Edit::new(lines.iter().map(|at| Splice { at: moved(at.clone(), start), with: [].into() }).collect())
    };
    order.into_iter().filter_map(edit).collect()
}

/// Returns whether this may be the key of a setting.
fn is_key(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(byte) || !byte.is_ascii();
    !text.is_empty() && text.iter().all(is_part)
}
