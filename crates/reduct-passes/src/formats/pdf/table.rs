//! The tables that say where objects stand, the last one first.

use super::body::{Body, after_blanks, decimal};
use std::ops::Range;

/// How far before the end of a file it may say where the last table is.
const END: usize = 1024;

/// So many tables are followed, each of which names the one before it.
const TABLES: usize = 64;

/// A row without what ends its line.
const ROW: usize = 18;

/// What says where an object stands, or that there is none of that number.
pub(super) struct Row {
    /// With the end of its line.
    pub(super) at: Range<usize>,
    pub(super) number: usize,
    pub(super) target: usize,
    pub(super) is_used: bool,
}

impl Row {
    pub(super) fn offset(&self) -> Range<usize> {
        self.at.start..self.at.start + 10
    }
}

/// Rows with numbers that follow each other.
pub(super) struct Section {
    pub(super) first: Range<usize>,
    pub(super) count: Range<usize>,
    pub(super) rows: Range<usize>,
}

#[derive(Default)]
pub(super) struct Tables {
    pub(super) rows: Vec<Row>,
    pub(super) sections: Vec<Section>,
    /// All of the tables, with their trailers.
    pub(super) places: Vec<Range<usize>>,
    pub(super) trailers: Vec<Body>,
    /// Digits that say where a table is.
    pub(super) named: Vec<(Range<usize>, usize)>,
}

impl Tables {
    pub(super) fn read(text: &[u8]) -> Option<Tables> {
        let mut tables = Tables::default();
        let last = text.len().saturating_sub(END);
        let word = b"startxref";
        let start = last + text[last..].windows(word.len()).rposition(|window| window == word)?;
        let mut field = digits(text, start + word.len())?;
        while tables.places.len() < TABLES {
            let place = decimal(text, field.clone())?;
            // Two tables may name each other.
            if tables.named.iter().any(|(_, named)| *named == place) {
                break;
            }
            tables.named.push((field, place));
            let Some(trailer) = tables.table(text, place) else { break };
            let previous = trailer.value(text, b"Prev").map(|named| named.at.clone());
            tables.trailers.push(trailer);
            let Some(previous) = previous else { break };
            field = previous;
        }
        (!tables.rows.is_empty()).then_some(tables)
    }

    /// Adds a table, and returns its trailer.
    fn table(&mut self, text: &[u8], place: usize) -> Option<Body> {
        let mut at = place.checked_add(4).filter(|end| text.get(place..*end) == Some(b"xref"))?;
        while let Some((first, count)) =
            digits(text, at).and_then(|first| Some((first.clone(), digits(text, first.end)?)))
        {
            at = after_blanks(text, count.end..text.len());
            let begin = self.rows.len();
            let number = decimal(text, first.clone())?;
            for number in number..number.checked_add(decimal(text, count.clone())?)? {
                let Some(row) = row(text, at, number) else { break };
                at = row.at.end;
                self.rows.push(row);
            }
            self.sections.push(Section { first, count, rows: begin..self.rows.len() });
        }
        let trailer = after_blanks(text, at..text.len());
        let end = trailer + b"trailer".len();
        if text.get(trailer..end) != Some(b"trailer") {
            return None;
        }
        let body = Body::read(text, end..text.len());
        self.places.push(place..body.end.start);
        Some(body)
    }
}

/// Returns the digits that stand there, behind blanks.
fn digits(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = after_blanks(text, at.min(text.len())..text.len());
    let length = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (length > 0).then_some(start..start + length)
}

fn row(text: &[u8], at: usize, number: usize) -> Option<Row> {
    let row = text.get(at..at + ROW)?;
    let target = decimal(text, at..at + 10)?;
    decimal(text, at + 11..at + 16)?;
    let is_used = row[17] == b'n';
    if row[10] != b' ' || row[16] != b' ' || !is_used && row[17] != b'f' {
        return None;
    }
    let end = after_blanks(text, at + ROW..text.len().min(at + ROW + 2));
    Some(Row { at: at..end, number, target, is_used })
}
