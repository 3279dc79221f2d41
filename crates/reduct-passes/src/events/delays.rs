//! Makes the pauses of a record shorter.
//!
//! ## What it tries
//! Lines like `sleep 1.5` are removed; `"after_ms"`, `"delay"` and the like become 0; what is left of either is divided
//! by ten and by two, time after time. Times like `"t"` move together: all to the first, or each and those after it by
//! what lies before it, or all by a tenth or half of what lies between.
//!
//! ## When it helps
//! Records have the pace of the person who made them. Few failures need it, and each test waits for it.
//!
//! ## Before
//! ```events
//! key alt+p
//! sleep 1.5
//! click 1
//! ```
//! ## After
//! ```events
//! key alt+p
//! click 1
//! ```

use crate::pass::{Needs, Pass, Proposals, Stage};
use crate::rewrite::propose_shrinking;
use crate::text::moved;
use reduct_input::Subject;
use reduct_input::record::line::{Pause, lines, pause};
use reduct_input::{Edit, Splice};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Timing,
    of_records: true,
    must_parse: false,
    needs: Needs::Text,
    ..Pass::rewriting("delays", "makes the pauses of a record shorter", 0.9, propose)
};

/// What a pause is divided by that cannot go.
const DIVISORS: [u128; 2] = [10, 2];

/// Times of more events are moved all together only: each of them is an edit of all that come after.
const SINGLE_TIMES: usize = 64;

fn propose(subject: &Subject) -> Proposals {
    let (mut gone, mut shorter) = (vec![], vec![]);
    for (_, addresses, text) in subject.artifact().files() {
        let mut times: Vec<Range<u32>> = vec![];
        for line in lines(text) {
            let place = |range: Range<usize>| moved(range.start + line.start..range.end + line.start, addresses.start);
            match pause(&text[line.clone()]) {
                Some(Pause::Line(number)) => {
                    gone.extend(Edit::delete(moved(line.clone(), addresses.start)));
                    shorter
                        .extend(divided(&text[line.clone()][number.clone()]).map(|with| (place(number.clone()), with)));
                }
                Some(Pause::After(number)) => {
                    gone.extend(Edit::replace(place(number.clone()), b"0"));
                    shorter
                        .extend(divided(&text[line.clone()][number.clone()]).map(|with| (place(number.clone()), with)));
                }
                Some(Pause::When(number)) => times.push(place(number)),
                None => {}
            }
        }
        gone.extend(closer(subject, &times));
    }
    let shorter = shorter.into_iter().filter_map(|(at, with)| Edit::replace(at, &with));
    propose_shrinking(subject, gone.into_iter().chain(shorter))
}

/// Returns a number as digits, and how many of them stand behind the point.
fn digits(number: &[u8]) -> Option<(u128, usize)> {
    let mut parts = number.splitn(2, |byte| *byte == b'.');
    let (whole, fraction) = (parts.next()?, parts.next().unwrap_or_default());
    let text = [whole, fraction].concat();
    Some((std::str::from_utf8(&text).ok()?.parse().ok()?, fraction.len()))
}

/// Returns a number of so many digits behind the point.
fn written(value: u128, places: usize) -> Vec<u8> {
    let text = format!("{value:0>width$}", width = places + 1);
    let (whole, fraction) = text.split_at(text.len() - places);
    if places == 0 { whole.into() } else { format!("{whole}.{fraction}").into() }
}

/// Returns a number divided, as exactly as it is written.
fn divided(number: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let known = digits(number).filter(|(value, _)| *value > 0);
    DIVISORS.into_iter().filter_map(move |by| known.map(|(value, places)| written(value / by, places)))
}

/// Edits that bring times closer together.
fn closer(subject: &Subject, times: &[Range<u32>]) -> Vec<Edit> {
    let read = |range: &Range<u32>| digits(subject.text(range.clone()));
    let Some(known) = times.iter().map(read).collect::<Option<Vec<_>>>().filter(|known| !known.is_empty()) else {
        return vec![];
    };
    // All in the finest unit that is used.
    let places = known.iter().map(|(_, places)| *places).max().unwrap_or(0);
    let scaled = |(value, own): (u128, usize)| value.checked_mul(10u128.checked_pow((places - own) as u32)?);
    let Some(values) = known.into_iter().map(scaled).collect::<Option<Vec<u128>>>() else { return vec![] };
    let first = values[0];
    let moved_to = |to: &dyn Fn(usize) -> u128| {
        let splices = times.iter().enumerate().map(|(at, range)| {
            let (_, own) = read(range).unwrap_or_default();
            let with = written(to(at) / 10u128.pow((places - own) as u32), own);
            Splice { at: range.clone(), with: with.into() }
        });
        Edit::new(splices.filter(|splice| splice.with.as_ref() != subject.text(splice.at.clone())).collect())
    };
    let mut edits: Vec<Edit> = moved_to(&|_| first).into_iter().collect();
    for from in (1..values.len()).filter(|_| values.len() <= SINGLE_TIMES) {
        let gap = values[from].saturating_sub(values[from - 1]);
        edits.extend(moved_to(&|at| if at < from { values[at] } else { values[at].saturating_sub(gap) }));
    }
    for by in DIVISORS {
        edits.extend(moved_to(&|at| first + values[at].saturating_sub(first) / by));
    }
    edits
}
