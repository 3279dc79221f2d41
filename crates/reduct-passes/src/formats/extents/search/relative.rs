//! Tables whose places are counted from where the data begin, not the file: the first row names the place 0, and each what is behind the one before.

use super::{BESIDE, Form, Likelihood, NUMBERS, Table, consider};
use crate::formats::number;

/// How much of the beginning of a file may hold the first row.
const HEAD: usize = 1 << 12;

/// So many rows side by side are no chance.
const LEAST: usize = 8;

/// How long a row is at most.
const LONGEST_ROW: usize = 48;

/// How much of the beginning may say where the data begin.
const FIRST: usize = 64;

/// How many bytes there may be behind the data.
const BEHIND: usize = 16;

/// Takes such a table for the likeliest one if it is.
pub(super) fn consider_all(text: &[u8], best: &mut Option<(Likelihood, Table)>) {
    for (width, order) in NUMBERS {
        for size in [width as isize, -(width as isize)] {
            for at in 0..HEAD.min(text.len()) {
                let form = Form { width, order, size, stride: 0, base: 0 };
                if form.read(text, at).is_none_or(|(start, length)| start > 0 || length == 0 || length > text.len()) {
                    continue;
                }
                for stride in (2 * width..=LONGEST_ROW).step_by(4) {
                    consider_one(text, Form { stride, ..form }, at, best);
                }
            }
        }
    }
}

fn consider_one(text: &[u8], form: Form, first: usize, best: &mut Option<(Likelihood, Table)>) {
    let (mut rows, mut end) = (0, 0);
    while let Some((start, length)) = form.read(text, first + form.stride * rows) {
        let next = start.saturating_add(length);
        if start < end || start - end >= BESIDE || next > text.len() {
            break;
        }
        (rows, end) = (rows + 1, next);
    }
    if rows < LEAST {
        return;
    }
    // Behind the rows there may be something that seems to be one more.
    for rows in [rows, rows - 1] {
        let Some((start, length)) = form.read(text, first + form.stride * (rows - 1)) else { continue };
        let told = (0..FIRST).filter_map(|at| number(text, at..at + form.width, form.order));
        let fits = |base: &usize| {
            *base > 0 && (*base + start + length..=*base + start + length + BEHIND).contains(&text.len())
        };
        let Some(base) =
            told.filter(|base| *base <= text.len()).find(fits).or_else(|| text.len().checked_sub(start + length))
        else {
            continue;
        };
        consider(text, Table { form: Form { base, ..form }, first, rows, start: None, count: None }, best);
    }
}
