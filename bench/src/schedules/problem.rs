//! The problems: small ones, so that there can be many schedules of each.

use reduct_core::laws::Chance;
use reduct_input::{Artifact, Candidate};
use reduct_oracle::sampling::{Calibration, LEVEL, Policy, Purpose};
use reduct_oracle::{Exit, Observed};
use reduct_passes::Pass;
use reduct_session::executor::simulated::observed;
use reduct_strategies::{Method, Plan, Reduction};

/// A text, what is taken from it, and the test.
#[derive(Debug)]
pub(super) struct Problem {
    pub name: &'static str,
    text: &'static str,
    passes: &'static [&'static str],
    method: Method,
    /// What the test shows of a text.
    test: fn(&str) -> Observed,
    /// Whether the test fails only in every other run.
    pub is_flaky: bool,
    /// What has to be left.
    pub left: &'static str,
}

/// What everybody knows who has read about delta debugging: some lines go together, some stop the test from telling.
const LINES: &str = "open\na\nb\nneedle 1\nc\nd\ne\nf\nneedle 2\ng\nh\nclose\n";

pub(super) const PROBLEMS: [Problem; 4] = [
    Problem {
        name: "two lines",
        text: LINES,
        passes: &["lines"],
        method: Method::Ddmin,
        test: |text| observed(i32::from(!has_both(text)), ""),
        is_flaky: false,
        left: "needle 1\nneedle 2\n",
    },
    Problem {
        name: "what cannot be told",
        text: LINES,
        passes: &["lines", "chars"],
        method: Method::Relevance,
        test: |text| match (text.contains("open"), text.contains("close")) {
            (true, true) => observed(i32::from(!text.contains("needle 2")), ""),
            (false, false) => observed(1, ""),
            // It dies: another failure.
            _ => Observed { exit: Exit::Signal(11), ..observed(0, "") },
        },
        is_flaky: false,
        // One n will do for both words.
        left: "openeedle 2close",
    },
    Problem {
        name: "descent",
        text: "f(a);\n{\n    g(b);\n    {\n        needle(c);\n    }\n}\nh(d);\n",
        passes: &["blocks", "lines"],
        method: Method::Hdd,
        test: |text| observed(i32::from(!text.contains("needle")), ""),
        is_flaky: false,
        left: "        needle(c);\n",
    },
    Problem {
        name: "now and then",
        text: "a\nneedle 1\nb\nc\nneedle 2\nd\n",
        passes: &["lines"],
        method: Method::Relevance,
        test: |text| observed(i32::from(!has_both(text)), ""),
        is_flaky: true,
        left: "needle 1\nneedle 2\n",
    },
];

fn has_both(text: &str) -> bool {
    text.contains("needle 1") && text.contains("needle 2")
}

impl Problem {
    /// Returns the search.
    pub(super) fn search(&self) -> Reduction {
        let whole = Artifact::of_file("text", self.text.as_bytes()).expect("a short text");
        let passes = self.passes.iter().map(|name| Pass::named(name).expect("there is such a pass"));
        Reduction::new(whole, Plan::new(passes.collect(), self.method))
    }

    /// Returns what the test shows of a candidate.
    pub(super) fn observe(&self, candidate: &Candidate) -> Observed {
        (self.test)(&String::from_utf8_lossy(candidate.artifact().bytes()))
    }

    /// Returns what follows from having seen the failure in 50 of 100 runs, if it occurs now and then.
    pub(super) fn policy(&self) -> Option<Policy> {
        let calibration = Calibration { failing: (50, 100), passing: Some((0, 100)), level: LEVEL };
        self.is_flaky.then(|| calibration.policy(Purpose::Reduce, 300).expect("rates that can be told apart"))
    }

    /// Returns what chance makes of what the test shows.
    pub(super) fn noise(&self) -> fn(&mut Chance, Observed) -> Observed {
        if !self.is_flaky {
            return |_, seen| seen;
        }
        |chance, seen| if seen.exit == Exit::Code(0) && chance.below(2) == 0 { observed(1, "") } else { seen }
    }
}
