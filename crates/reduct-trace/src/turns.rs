//! Where an answer turns into another one along a line of points: bisection for several turns.
//!
//! A question is a point; its answer is a cause there, or none. Between two points with one answer no other one is looked for:
//! this is what makes the number of questions logarithmic in the number of points (Cleve and Zeller, ICSE 2005).

use std::collections::BTreeMap;

/// Where there is no answer, so many points beside it are asked for one.
const BESIDE: usize = 8;

/// What is known of a line of points.
#[derive(Clone, Debug)]
pub struct Turns<A> {
    known: BTreeMap<usize, Option<A>>,
}

impl<A> Default for Turns<A> {
    fn default() -> Turns<A> {
        Turns { known: BTreeMap::new() }
    }
}

impl<A: Clone + PartialEq> Turns<A> {
    /// Looks for turns among `points`, which ascend. `ask` is told the point, and the answers nearest to it on both sides. Two
    /// answers of which one comes back after the other are not told apart from one.
    ///
    /// # Errors
    /// If a question ends with one.
    pub fn find<E>(
        &mut self,
        points: &[usize],
        ask: &mut impl FnMut(usize, &[A]) -> Result<Option<A>, E>,
    ) -> Result<(), E> {
        if points.is_empty() {
            return Ok(());
        }
        // From the ends inwards, in growing steps, until something is known there.
        let reach: Vec<usize> = (0..=BESIDE)
            .chain((BESIDE.ilog2() + 1..usize::BITS).map(|n| 1 << n))
            .take_while(|step| *step < points.len())
            .collect();
        let mut first = None;
        for step in &reach {
            first = self.ask(points[*step], &[], ask)?.map(|_| *step);
            if first.is_some() {
                break;
            }
        }
        let Some(first) = first else { return Ok(()) };
        for step in &reach {
            let at = points.len() - 1 - *step;
            if at <= first {
                return Ok(());
            }
            if self.ask(points[at], &self.near(points[at]), ask)?.is_some() {
                return self.between(&points[first..=at], ask);
            }
        }
        Ok(())
    }

    /// Looks for turns between the ends, which have answers.
    fn between<E>(
        &mut self,
        points: &[usize],
        ask: &mut impl FnMut(usize, &[A]) -> Result<Option<A>, E>,
    ) -> Result<(), E> {
        // What is known in between may be another answer, even if those at the ends are the same one.
        let known: Vec<usize> =
            (0..points.len()).filter(|at| self.known.get(&points[*at]).is_some_and(Option::is_some)).collect();
        let mut open: Vec<(usize, usize)> = known.windows(2).map(|pair| (pair[0], pair[1])).rev().collect();
        while let Some((low, high)) = open.pop() {
            if high - low < 2 || self.known.get(&points[low]) == self.known.get(&points[high]) {
                continue;
            }
            let middle = low + (high - low) / 2;
            // The middle, and what is next to it on both sides.
            let around = (0..=BESIDE).flat_map(|step| [middle.checked_add(step), middle.checked_sub(step.max(1))]);
            let around: Vec<usize> = around.flatten().filter(|at| low < *at && *at < high).collect();
            for at in around {
                if self.ask(points[at], &self.near(points[at]), ask)?.is_some() {
                    open.extend([(at, high), (low, at)]);
                    break;
                }
            }
        }
        Ok(())
    }

    fn ask<E>(
        &mut self,
        point: usize,
        near: &[A],
        ask: &mut impl FnMut(usize, &[A]) -> Result<Option<A>, E>,
    ) -> Result<Option<A>, E> {
        if let Some(answer) = self.known.get(&point) {
            return Ok(answer.clone());
        }
        let answer = ask(point, near)?;
        self.known.insert(point, answer.clone());
        Ok(answer)
    }

    /// Returns the nearest answers before and after a point.
    fn near(&self, point: usize) -> Vec<A> {
        let before = self.known.range(..point).rev().find_map(|(_, answer)| answer.clone());
        let after = self.known.range(point..).find_map(|(_, answer)| answer.clone());
        before.into_iter().chain(after).collect()
    }

    /// Returns how many points were asked about, and how many of them had no answer.
    pub fn asked(&self) -> (usize, usize) {
        (self.known.len(), self.known.values().filter(|answer| answer.is_none()).count())
    }

    /// Returns the points with answers.
    pub fn answers(&self) -> impl Iterator<Item = (usize, &A)> {
        self.known.iter().filter_map(|(point, answer)| Some((*point, answer.as_ref()?)))
    }

    /// Returns the first point of each run of points with one answer, and the point before it that has another one.
    pub fn turns(&self) -> Vec<(Option<usize>, usize, &A)> {
        let mut turns: Vec<(Option<usize>, usize, &A)> = vec![];
        let mut before = None;
        for (point, answer) in self.answers() {
            if turns.last().is_none_or(|(.., last)| *last != answer) {
                turns.push((before, point, answer));
            }
            before = Some(point);
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn find(count: usize, answer: impl Fn(usize) -> Option<u32>) -> (Turns<u32>, Vec<(usize, u32)>) {
        let mut turns = Turns::default();
        let points: Vec<usize> = (0..count).collect();
        let found = turns.find(&points, &mut |point, _: &[u32]| Ok::<_, Infallible>(answer(point)));
        found.unwrap();
        let found = turns.turns().into_iter().map(|(_, point, answer)| (point, *answer)).collect();
        (turns, found)
    }

    #[test]
    fn each_turn_is_found() {
        let borders = [0, 7, 8, 300, 999];
        let (turns, found) = find(1000, |point| Some(borders.iter().filter(|border| **border <= point).count() as u32));
        assert_eq!(found, [(0, 1), (7, 2), (8, 3), (300, 4), (999, 5)]);
        // The ends, and at most a bisection for each turn.
        assert!(turns.asked().0 <= 2 + 4 * 10, "{:?}", turns.asked());
    }

    #[test]
    fn more_points_between_known_ones_are_found_too() {
        // One answer comes back: only what is known says that there is another one in between.
        let answer = |point: usize| {
            Ok::<_, Infallible>(Some(match point {
                37..60 => 1,
                95.. => 2,
                _ => 0,
            }))
        };
        let mut turns = Turns::default();
        let some: Vec<usize> = (0..100).step_by(10).chain([99]).collect();
        turns.find(&some, &mut |point, _: &[u32]| answer(point)).unwrap();
        let found = |turns: &Turns<u32>| turns.turns().into_iter().map(|(_, point, _)| point).collect::<Vec<_>>();
        let before = found(&turns);
        turns.find(&(0..100).collect::<Vec<_>>(), &mut |point, _: &[u32]| answer(point)).unwrap();
        assert_eq!((before, found(&turns)), (vec![0, 40, 60, 99], vec![0, 37, 60, 95]));
    }

    #[test]
    fn points_without_an_answer_are_passed_over() {
        let (_, found) = find(100, |point| (point % 3 == 1).then_some(u32::from(point >= 50)));
        assert_eq!(found, [(1, 0), (52, 1)]);
        let (turns, found) = find(100, |_| None);
        assert!(found.is_empty() && turns.asked().0 == turns.asked().1);
        assert!(find(0, |_| None).1.is_empty());
        assert_eq!(find(1, |_| Some(3)).1, [(0, 3)]);
        // What stands between answers and has none is less than could be asked about.
        let (turns, found) = find(100, |point| (!(20..90).contains(&point)).then_some(u32::from(point >= 50)));
        assert_eq!(found.len(), 2);
        assert!(turns.asked().0 < 40, "{:?}", turns.asked());
    }
}
