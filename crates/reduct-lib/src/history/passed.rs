//! What is met on a walk through the branches of a run.

use crate::walk::Step;
use reduct_input::Candidate;

/// What is met on a walk through all branches of a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Passed<'a> {
    /// A branch begins.
    Branch(&'a Branch),
    /// A test of it, which may have brought a step.
    Test(&'a Step),
}

/// Where a branch begins, and what is different in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Branch {
    /// Its number; 0 is how the run began.
    pub number: usize,
    /// The step that it begins from; 0 is the whole input.
    pub from: usize,
    /// The steps whose edits are never made in it.
    pub never: Vec<usize>,
    /// What it begins with.
    pub begin: Candidate,
    /// The size of that, in the unit of the plan.
    pub size: usize,
    /// What that is counted in.
    pub unit: &'static str,
    /// The number of the record of executions that it begins with, if those that were left were recorded again, deeper.
    pub record: Option<u32>,
}
