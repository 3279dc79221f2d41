//! Sends a drawn buffer to a terminal as a block of lines, over the block that was sent before.

use crate::excerpt::width;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The block of lines above the cursor.
#[derive(Debug)]
pub struct Block {
    colored: bool,
    /// How many columns each of its lines has.
    lines: Vec<usize>,
}

/// Terminals that know this show everything up to [`END`] at once; the others ignore it.
const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";

impl Block {
    /// Returns a block of no lines yet.
    pub fn new(colored: bool) -> Block {
        Block { colored, lines: Vec::new() }
    }

    /// Replaces the block by the lines of `buffer`, which is as wide as the terminal, and leaves the cursor below.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn paint(&mut self, output: &mut impl Write, buffer: &Buffer) -> io::Result<()> {
        let mut text = String::from(BEGIN);
        text.push_str(&self.up(buffer.area.width));
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

    /// Takes the block away, from a terminal of so many columns, and leaves the cursor where it began.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn clear(&mut self, output: &mut impl Write, columns: u16) -> io::Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let text = format!("{}\x1b[J", self.up(columns));
        self.lines.clear();
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    /// Moves the cursor to the beginning of the block. A terminal that became narrower since has broken long lines
    /// into several rows.
    fn up(&self, columns: u16) -> String {
        let columns = usize::from(columns.max(1));
        match self.lines.iter().map(|length| length.div_ceil(columns).max(1)).sum::<usize>() {
            0 => "\r".to_owned(),
            rows => format!("\r\x1b[{rows}A"),
        }
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
