//! Cross-checks: experiments with what is left of two inputs that fail alike.
//!
//! If all that is left of A can be had of what is left of B by leaving out more, and that still fails as B does, B is
//! a larger A: its reduction only came to rest earlier. It is not looked for in the whole of B: the few tokens that are
//! left of A are to be found in nearly any input, and would merge two bugs that say the same (bench/triage.md).
//!
//! Else the pieces in which they differ are exchanged, one at a time. What plays the same part in one bug can stand in
//! for the other: each mixture fails alike. Of two bugs in one function, each needs its own piece: some mixture passes.

use super::Bench;
use super::evidence::{CrossTest, How, Says};
use super::exchange::{exchanged, pieces};
use super::group::{Failing, Grouping};
use super::refused::SoFarKept;
use super::subsequence::ways;
use super::tokens::counted;
use crate::audience::Audience;
use crate::errors::Refusal;
use reduct_core::{Config, Outcome};
use reduct_input::{Artifact, ArtifactBuilder, Candidate, What};
use reduct_oracle::Exit;
use reduct_oracle::Oracle;
use reduct_session::event::Why;
use reduct_sources::load_published;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Where an input is run, by place in the list.
pub type Benches<'a> = &'a dyn Fn(usize) -> Result<Bench, Refusal>;

/// Runs the experiments that are possible between groups, with at most this many runs, and returns what they said.
/// `bench` is where one input is run; `ends` says whether somebody wants it to end.
///
/// # Errors
/// If the test cannot be run, or if it was interrupted.
pub fn cross(
    failing: &[Failing],
    most: usize,
    (bench, ends): (Benches<'_>, &dyn Fn() -> bool),
    audience: &mut Audience<'_>,
) -> Result<Vec<CrossTest>, Refusal> {
    let stopped = || Refusal::Stopped(SoFarKept.to_string(), Why::Interrupted);
    let mut grouping = Grouping::unless(failing, ends).ok_or_else(stopped)?;
    let mut laboratory = Laboratory { failing, bench, audience, left: most };
    let mut tried = BTreeSet::new();
    loop {
        let mut goes_on = false;
        for (small, large) in pairs(&grouping) {
            if ends() {
                return Err(stopped());
            }
            if laboratory.left == 0 {
                break;
            }
            let is_alike = grouping.fail_alike(small, large);
            if !(is_alike || grouping.are_of_one_kind(small, large)) || !tried.insert((small, large)) {
                continue;
            }
            let said = match is_alike {
                true => laboratory.compare(&grouping, small, large)?,
                false => laboratory.look_within(&grouping, small, large)?.into_iter().collect(),
            };
            goes_on = said.iter().any(|crossing| crossing.says == Says::Same);
            said.into_iter().for_each(|crossing| grouping.add(crossing));
            // What belongs together now has one smallest input.
            if goes_on {
                break;
            }
        }
        if !goes_on {
            return Ok(grouping.crossings().to_vec());
        }
    }
}

/// Returns the smallest inputs of any two groups, those first that look the same, the smaller one of a pair first; only
/// what was reduced says something.
fn pairs(grouping: &Grouping<'_>) -> Vec<(usize, usize)> {
    let smallest: Vec<usize> = grouping.smallest().filter(|at| grouping.is_reduced(*at)).collect();
    let pair = |(place, small): (usize, &usize)| {
        let small = *small;
        smallest[place + 1..].iter().map(move |large| (small, *large)).collect::<Vec<_>>()
    };
    let mut pairs: Vec<(usize, usize)> = smallest.iter().enumerate().flat_map(pair).collect();
    // What looks the same and is not would be believed; what looks different is only not found.
    let likely = grouping.likely();
    pairs.sort_by_key(|(small, large)| !likely.contains(&(*small.min(large), *small.max(large))));
    pairs
}

/// Of each of two groups, so many members are looked at for one that is within one of the other.
const MOST_MEMBERS: usize = 12;

/// So many runs find out whether one is within the other.
const MOST_WITHIN: usize = 3;

/// Where experiments are made, as long as any are allowed.
struct Laboratory<'a, 'b> {
    failing: &'a [Failing],
    bench: Benches<'a>,
    audience: &'a mut Audience<'b>,
    left: usize,
}

impl Laboratory<'_, '_> {
    /// Makes the experiments with two of them, until one says that they are the same.
    fn compare(&mut self, grouping: &Grouping<'_>, small: usize, large: usize) -> Result<Vec<CrossTest>, Refusal> {
        let mut said = vec![];
        for way in ways(&self.failing[small].text, &self.failing[large].text).into_iter().take(self.left) {
            let (text, result) = self.leave_out(grouping, large, &way)?;
            let says = if result == Run::FailsAlike { Says::Same } else { Says::Nothing };
            said.push(CrossTest { small, large, how: How::LeftOut, text, says });
            if says == Says::Same {
                return Ok(said);
            }
        }
        said.extend(self.exchange(grouping, small, large)?);
        Ok(said)
    }

    /// Looks for what is left of one of a group in one of another group, which fails in another place: what has all
    /// that the other one needs, and fails as that does without the rest, only got further with it.
    fn look_within(&mut self, grouping: &Grouping<'_>, one: usize, other: usize) -> Result<Option<CrossTest>, Refusal> {
        let members = [one, other].map(|smallest| grouping.surely(smallest).iter().take(MOST_MEMBERS));
        let both = members[0]
            .clone()
            .flat_map(|one| members[1].clone().flat_map(move |other| [(*one, *other), (*other, *one)]));
        let says_something = |at: usize| counted(&self.failing[at].text).keys().any(|token| token.len() > 2);
        let text = |at: usize| &self.failing[at].text[..];
        let both = both.filter(|(small, large)| grouping.is_reduced(*small) && grouping.is_reduced(*large));
        let ways = both
            .filter(|(small, _)| says_something(*small))
            .filter_map(|(small, large)| Some((small, large, ways(text(small), text(large)).into_iter().next()?)));
        let mut last = None;
        for (small, large, way) in ways.take(MOST_WITHIN.min(self.left)).collect::<Vec<_>>() {
            let bench = (self.bench)(large)?;
            let (text, candidate) = self.all_but(large, &bench, &way)?;
            self.left = self.left.saturating_sub(1);
            let seen = bench.observe(&candidate, self.audience)?;
            let says = if grouping.looks_like(small, &seen, &text) { Says::Same } else { Says::Nothing };
            last = Some(CrossTest { small, large, how: How::Within, text, says });
            if says == Says::Same {
                break;
            }
        }
        Ok(last)
    }

    /// Returns one with all left out but these bytes: as a text, and to be run.
    fn all_but(&self, at: usize, bench: &Bench, way: &[Range<u32>]) -> Result<(Vec<u8>, Candidate), Refusal> {
        let there = Arc::new(there(bench)?);
        let all = Config::full(there.entries().len());
        let kept = Config::from_ranges(way.iter().cloned());
        let candidate = Candidate::new(there, all, kept.clone(), kept.len());
        let piece = |range: &Range<u32>| &self.failing[at].text[range.start as usize..range.end as usize];
        Ok((way.iter().map(piece).collect::<Vec<_>>().concat(), candidate))
    }

    /// Leaves out of the larger one all but what the smaller one is made of, and runs that.
    fn leave_out(
        &mut self,
        grouping: &Grouping<'_>,
        large: usize,
        way: &[Range<u32>],
    ) -> Result<(Vec<u8>, Run), Refusal> {
        let bench = (self.bench)(large)?;
        let (text, candidate) = self.all_but(large, &bench, way)?;
        let result = self.run(grouping, (large, &bench), &candidate, &text)?;
        Ok((text, result))
    }

    /// Runs either one with each piece of the other. `None` if there is nothing to exchange.
    fn exchange(&mut self, grouping: &Grouping<'_>, small: usize, large: usize) -> Result<Option<CrossTest>, Refusal> {
        let texts = [small, large].map(|at| &self.failing[at].text[..]);
        let pieces = pieces(texts[0], texts[1]);
        let crossing = |text, says| Ok(Some(CrossTest { small, large, how: How::Exchanged, text, says }));
        let (mut tells, mut first) = (true, None);
        for (of_small, of_large) in &pieces {
            let mixtures = [
                (small, exchanged((texts[0], of_small), (texts[1], of_large))),
                (large, exchanged((texts[1], of_large), (texts[0], of_small))),
            ];
            for (at, text) in mixtures {
                let bench = (self.bench)(at)?;
                let Some(mixture) = written(&there(&bench)?, &text) else { return Ok(None) };
                if self.left == 0 {
                    return crossing(text, Says::Nothing);
                }
                match self.run(grouping, (at, &bench), &Candidate::whole(mixture.into()), &text)? {
                    Run::Passes => return crossing(text, Says::Different),
                    Run::Neither => tells = false,
                    Run::FailsAlike => {}
                }
                first.get_or_insert(text);
            }
        }
        match first {
            Some(text) => crossing(text, if tells { Says::Same } else { Says::Nothing }),
            None => Ok(None),
        }
    }

    fn run(
        &mut self,
        grouping: &Grouping<'_>,
        (at, bench): (usize, &Bench),
        candidate: &Candidate,
        text: &[u8],
    ) -> Result<Run, Refusal> {
        self.left = self.left.saturating_sub(1);
        let seen = bench.observe(candidate, self.audience)?;
        let Some(reading) = bench.reading() else { return Ok(Run::Neither) };
        Ok(match Oracle::new(reading, bench.words.clone()).verdict(&seen).outcome {
            Outcome::Fail if grouping.looks_like(at, &seen, text) => Run::FailsAlike,
            // Any other status may say that the mixture is none that the program takes.
            Outcome::Pass if seen.exit == Exit::Code(0) => Run::Passes,
            _ => Run::Neither,
        })
    }
}

/// What a run of an experiment showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    /// The failure of the input it was made from.
    FailsAlike,
    /// That the program takes it, and all is well.
    Passes,
    /// Something else.
    Neither,
}

/// Returns what is left of an input.
fn there(bench: &Bench) -> Result<Artifact, Refusal> {
    Ok(load_published(&bench.job.out, bench.job.subject()?.as_deref())?)
}

/// Returns a single file with other contents. `None` of anything else.
fn written(there: &Artifact, text: &[u8]) -> Option<Artifact> {
    let [entry] = there.entries() else { return None };
    let What::File { mode, .. } = entry.what else { return None };
    let mut builder = ArtifactBuilder::default();
    builder.file(&entry.path, mode, text).ok()?;
    Some(builder.finish())
}
