//! The pieces of a change within one file: which lines come, and which go.

use super::WeaveBuilder;
use super::draft::{Life, Line, NewChange};
use reduct_input::align::{self, Hunk};
use std::collections::BTreeMap;
use std::ops::Range;

impl WeaveBuilder {
    /// Makes these lines of the lines that a file has, by pieces that each need the `entry` that brings the file, if
    /// this change does.
    pub(super) fn change_lines(&mut self, step: &NewChange, file: usize, bytes: &[u8], entry: Option<u32>) {
        let there = self.living(file, step.so_far());
        let new = self.grain.cut(bytes);
        let mut inserts: BTreeMap<usize, Vec<Line>> = BTreeMap::new();
        for pairs in self.paired_hunks(file, &there, &new) {
            for (at, (before, after)) in pairs.into_iter().enumerate() {
                let piece = self.new_piece(step.number, file, at == 0);
                let around = self.surrounding(file, &there, &before);
                self.take_lines(piece, file, &there[before.clone()]);
                self.pieces[piece as usize].needs.extend(entry.into_iter().chain(around));
                let position = before.end.checked_sub(1).map_or(0, |last| there[last] + 1);
                let put = after.map(|at| self.new_line(new[at], Some(piece)));
                let put: Vec<Line> = put.collect();
                inserts.entry(position).or_default().extend(put);
            }
        }
        self.insert_lines(file, inserts);
    }

    /// Returns where the lines that are there differ from new ones, each hunk in pairs of lines that resemble each other.
    fn paired_hunks(&self, file: usize, there: &[usize], new: &[&[u8]]) -> Vec<Vec<Hunk>> {
        let lines = &self.files[file].lines;
        let old: Vec<&[u8]> = there.iter().map(|at| &self.text[lines[*at].text.clone()]).collect();
        self.grain.hunks(&old, new).iter().map(|hunk| align::pairs(&old, new, hunk)).collect()
    }

    /// Has a piece take out these lines. It needs what put them in.
    fn take_lines(&mut self, piece: u32, file: usize, lines: &[usize]) {
        for at in lines {
            let life = &mut self.files[file].lines[*at].life;
            life.taken_by.push(piece);
            self.pieces[piece as usize].needs.extend(life.put_by);
        }
    }

    /// Returns what a piece that only puts something in needs: what put in the text it is put into the middle of.
    fn surrounding(&self, file: usize, there: &[usize], at: &Range<usize>) -> Vec<u32> {
        let put_by = |at: usize| there.get(at).and_then(|line| self.files[file].lines[*line].life.put_by);
        let around = at.start.checked_sub(1).and_then(put_by).zip(put_by(at.end));
        let hunk = |piece: u32| self.pieces[piece as usize].hunk;
        let inside = around.filter(|(above, below)| at.is_empty() && hunk(*above) == hunk(*below));
        inside.map_or(vec![], |(above, below)| vec![above, below])
    }

    /// Puts lines into a file, each group before the line that has its position now.
    fn insert_lines(&mut self, file: usize, inserts: BTreeMap<usize, Vec<Line>>) {
        if inserts.is_empty() {
            return;
        }
        let lines = &mut self.files[file].lines;
        let mut all = Vec::with_capacity(lines.len() + inserts.len());
        let mut inserts = inserts.into_iter().peekable();
        for (at, line) in std::mem::take(lines).into_iter().enumerate() {
            while let Some((_, new)) = inserts.next_if(|(position, _)| *position <= at) {
                all.extend(new);
            }
            all.push(line);
        }
        all.extend(inserts.flat_map(|(_, new)| new));
        *lines = all;
    }

    /// Keeps the text of a line.
    pub(super) fn new_line(&mut self, line: &[u8], put_by: Option<u32>) -> Line {
        let start = self.text.len();
        self.text.extend_from_slice(line);
        Line { text: start..self.text.len(), life: Life::since(put_by) }
    }
}
