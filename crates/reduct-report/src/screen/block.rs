//! Sends a drawn buffer to a terminal as a block of lines, over the block that was sent before.

use crate::excerpt::width;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The block of lines above the cursor.
///
/// A terminal that becomes narrower breaks its lines into several rows, and one that becomes lower moves the first rows out
/// of its top, where nothing reaches them until it is higher or wider again. So it is remembered what stands up there: when it
/// comes back, it is taken away.
#[derive(Debug)]
pub struct Block {
    colored: bool,
    /// How many columns each of its lines has.
    lines: Vec<usize>,
    /// How many columns each line has that was moved out of the top, the highest first.
    above: Vec<usize>,
    /// For how many columns and rows it was sent.
    extent: (u16, u16),
}

/// Terminals that know this show everything up to [`END`] at once; the others ignore it.
const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";

/// Clears from the line of the cursor on, of which there are two at least. Terminals that are told in the first row to clear all
/// below keep it where one can scroll back to it.
const CLEAR: &str = "\x1b[2K\x1b[1B\x1b[J\x1b[1A";

impl Block {
    /// Returns a block of no lines yet.
    pub fn new(colored: bool) -> Block {
        Block { colored, lines: vec![], above: vec![], extent: (0, 0) }
    }

    /// Replaces the block by the lines of `buffer`, which is as wide as the terminal, which has so many rows, and leaves the
    /// cursor below.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn paint(&mut self, output: &mut impl Write, buffer: &Buffer, rows: u16) -> io::Result<()> {
        let mut text = String::from(BEGIN);
        text.push_str(&self.up((buffer.area.width, rows)));
        self.lines.clear();
        for row in buffer.content.chunks(usize::from(buffer.area.width.max(1))) {
            // Cleared before it is written: after the last column is, the cursor still stands on it.
            text.push_str("\x1b[2K");
            let columns = self.line(row, &mut text);
            self.lines.push(columns);
            text.push_str("\r\n");
        }
        text.push_str("\x1b[J");
        text.push_str(END);
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    /// Takes the block away, from a terminal of so many columns and rows, and leaves the cursor where it began.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn clear(&mut self, output: &mut impl Write, extent: (u16, u16)) -> io::Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let text = format!("{}{CLEAR}", self.up(extent));
        self.lines.clear();
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    /// Moves the cursor to the beginning of the block, or of what can be reached of it, on a terminal of this size.
    fn up(&mut self, extent: (u16, u16)) -> String {
        let (columns, rows) = (usize::from(extent.0.max(1)), usize::from(extent.1.max(1)));
        let is_resized = std::mem::replace(&mut self.extent, extent) != extent;
        if !is_resized {
            return match self.lines.len() {
                0 => "\r".to_owned(),
                rows => format!("\r\x1b[{rows}A"),
            };
        }
        let height = |line: &usize| line.div_ceil(columns).max(1);
        let all: Vec<usize> = self.above.iter().chain(&self.lines).map(height).collect();
        let all_rows: usize = all.iter().sum();
        let reached = all_rows.min(rows - 1);
        // What is out of reach: whole lines, and rows of the one after them.
        let mut out = all_rows - reached;
        let lines: Vec<usize> = self.above.iter().chain(&self.lines).copied().collect();
        self.above.clear();
        for (line, height) in lines.into_iter().zip(all) {
            if out == 0 {
                break;
            }
            self.above.push(if height <= out { line } else { out * columns });
            out = out.saturating_sub(height);
        }
        // Cleared as a whole: a row that was the second one of a line is not to be one of the next line.
        if reached == 0 { "\r\x1b[J".to_owned() } else { format!("\r\x1b[{reached}A{CLEAR}") }
    }

    /// Appends one line without the blanks at its end, and says how many columns it has.
    fn line(&self, row: &[Cell], text: &mut String) -> usize {
        let end = row.iter().rposition(|cell| cell.symbol().trim() != "").map_or(0, |last| last + 1);
        let mut codes = String::new();
        let mut column = 0;
        while column < end {
            let cell = &row[column];
            let wanted = self.codes(cell);
            if wanted != codes {
                let _ = write!(text, "\x1b[0{wanted}m");
                codes = wanted;
            }
            text.push_str(cell.symbol());
            // A wide character covers the cells after it.
            column += width(cell.symbol()).max(1);
        }
        if !codes.is_empty() {
            text.push_str("\x1b[0m");
        }
        column
    }

    /// Returns what to send to get the style of a cell, after a reset.
    fn codes(&self, cell: &Cell) -> String {
        let mut codes = String::new();
        for (modifier, code) in [(Modifier::BOLD, ";1"), (Modifier::DIM, ";2")] {
            if cell.modifier.contains(modifier) {
                codes.push_str(code);
            }
        }
        if self.colored {
            codes.push_str(match cell.fg {
                Color::Red => ";31",
                Color::Green => ";32",
                Color::Yellow => ";33",
                Color::Cyan => ";36",
                Color::DarkGray => ";90",
                _ => "",
            });
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    /// Paints lines that fill the width, and returns by how many rows the cursor was moved up for that.
    fn up(block: &mut Block, (columns, rows): (u16, u16), lines: u16) -> usize {
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, lines));
        (0..lines).for_each(|row| {
            buffer.set_string(0, row, "x".repeat(columns.into()), ratatui::style::Style::new());
        });
        let mut sent = vec![];
        block.paint(&mut sent, &buffer, rows).unwrap();
        let sent = String::from_utf8(sent).unwrap();
        let moved = sent.split("\x1b[").find_map(|code| code.split_once('A').map(|(number, _)| number.to_owned()));
        moved.map_or(0, |number| number.parse().unwrap())
    }

    #[test]
    fn a_narrower_terminal_has_broken_lines_and_a_lower_one_has_lost_the_first() {
        let mut block = Block::new(false);
        assert_eq!(up(&mut block, (100, 30), 6), 0);
        assert_eq!(up(&mut block, (100, 30), 6), 6);
        // Each of the six lines takes two rows now.
        assert_eq!(up(&mut block, (50, 30), 6), 12);
        // Six rows and the one of the cursor do not fit into five: two are out of reach.
        assert_eq!(up(&mut block, (50, 5), 4), 4);
        // They are back, above the four that were sent since.
        assert_eq!(up(&mut block, (50, 30), 6), 6);
        assert_eq!(up(&mut block, (50, 30), 6), 6);
    }

    #[test]
    fn nothing_is_cleared_from_the_first_row_on() {
        let mut block = Block::new(false);
        let mut sent = vec![];
        block.paint(&mut sent, &Buffer::empty(Rect::new(0, 0, 10, 3)), 24).unwrap();
        sent.clear();
        block.clear(&mut sent, (10, 24)).unwrap();
        assert_eq!(String::from_utf8(sent).unwrap(), "\r\x1b[3A\x1b[2K\x1b[1B\x1b[J\x1b[1A");
    }
}
