//! The searches over one list, by name.

use reduct_core::search::Minimiser;
use reduct_core::{
    Cdd, Config, DdPlus, Ddmin, Form, Halves, Isolate, Learned, Merge, Order, ProbDd, Relevance, Split, Sweep, Waves,
};
use std::sync::Arc;

/// A search by name, so that published runs can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The default: groups by learned relevance, then a certifying sweep.
    Relevance,
    /// ddmin as in the book.
    Ddmin,
    /// ddmin with "reduce to subset".
    DdminSubsets,
    /// dd+: what is to blame together.
    DdPlus,
    /// One needed part after the other by binary search.
    Halves,
    /// dd, each fact used at once.
    Isolate,
    /// dd in the order of the 2002 paper.
    IsolatePaper,
    /// Groups side by side, for many workers.
    Waves,
    /// Each alone, then together.
    Merge,
    /// ProbDD: groups by probability.
    ProbDd,
    /// W_ProbDD: groups by probability and size.
    WProbDd,
    /// CDD: groups by counters.
    Cdd,
    /// HDD*: ddmin on all of a level of the tree, level by level, until nothing more goes.
    Hdd,
    /// Like Perses: ddmin on one list of the tree at a time, the largest first, and hoisting.
    Perses,
    /// One by one.
    Sweep,
}

/// What the documents and the help say of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodFacts {
    /// The name for `--search`.
    pub name: &'static str,
    /// The search.
    pub method: Method,
    /// How it searches.
    pub says: &'static str,
    /// Where it was published; "own" if it is new here.
    pub source: &'static str,
    /// What holds of its result.
    pub result: &'static str,
    /// How many questions it asks at most about n deltas, of which m are needed.
    pub questions: &'static str,
    /// When to use it.
    pub when: &'static str,
}

/// The table of all searches, for the help and the documents. `reduct-core` checks most of the bounds in its tests.
const METHODS: &[MethodFacts] = &[
    MethodFacts {
        name: "relevance",
        method: Method::Relevance,
        says: "groups by learned relevance, then a certifying sweep",
        source: "own, 4.2 and 4.3",
        result: "fails; with the sweep after it 1-minimal",
        questions: "n·(2 + log₂ n)",
        when: "the default",
    },
    MethodFacts {
        name: "ddmin",
        method: Method::Ddmin,
        says: "ddmin as in the book: complements only",
        source: "book, Example 5.4",
        result: "1-minimal",
        questions: "(n² + 7n)/2",
        when: "to repeat published runs, to compare",
    },
    MethodFacts {
        name: "ddmin-subsets",
        method: Method::DdminSubsets,
        says: "the older ddmin: subsets, then complements",
        source: "2000, figure 1",
        result: "1-minimal",
        questions: "n² + 3n for powers of two, else n² + 5n",
        when: "to repeat published runs; better where a part alone fails",
    },
    MethodFacts {
        name: "dd+",
        method: Method::DdPlus,
        says: "dd+: the changes that are to blame together, where much is unresolved",
        source: "1999",
        result: "fails; if the test is monotone and unambiguous, the one smallest set",
        questions: "3n²",
        when: "to repeat published runs; changes of which most combinations do not build",
    },
    MethodFacts {
        name: "halves",
        method: Method::Halves,
        says: "one needed delta after the other by binary search",
        source: "Junker, AAAI 2004 (QuickXplain), from one end",
        result: "fails; 1-minimal if monotone and nothing is unresolved",
        questions: "⌈log₂ n⌉ + 1 for each needed delta",
        when: "tests that are very expensive, and a person (`--ask`)",
    },
    MethodFacts {
        name: "isolate",
        method: Method::Isolate,
        says: "dd: the smallest difference between passing and failing, each fact used at once",
        source: "book 5.8.4, 2002",
        result: "1-minimal difference",
        questions: "n² + 7n",
        when: "to ask which *one change* flips the outcome",
    },
    MethodFacts {
        name: "isolate-paper",
        method: Method::IsolatePaper,
        says: "dd with its cases in the order of the 2002 paper",
        source: "2002",
        result: "1-minimal difference",
        questions: "n² + 7n",
        when: "to repeat published runs",
    },
    MethodFacts {
        name: "waves",
        method: Method::Waves,
        says: "groups by learned relevance, in lanes side by side",
        source: "own, 4.4",
        result: "fails; with the sweep after it 1-minimal",
        questions: "n·(4 + log₂ n) if nothing is unresolved and what goes alone goes together",
        when: "four jobs or more; the default where the only list is long",
    },
    MethodFacts {
        name: "merge",
        method: Method::Merge,
        says: "each delta alone, then all together that could be removed",
        source: "own; relatives in C-Vise and Shrink Ray",
        result: "fails",
        questions: "3n",
        when: "many jobs, few dependencies; a sweep must follow",
    },
    MethodFacts {
        name: "probdd",
        method: Method::ProbDd,
        says: "ProbDD: groups by probability",
        source: "Wang et al., ESEC/FSE 2021",
        result: "fails",
        questions: "6n",
        when: "to compare; one long list of which about a known share stays",
    },
    MethodFacts {
        name: "w-probdd",
        method: Method::WProbDd,
        says: "W_ProbDD: groups by probability and size",
        source: "Zhou et al., ICSE 2025",
        result: "fails",
        questions: "8n",
        when: "the same, for deltas of different size",
    },
    MethodFacts {
        name: "cdd",
        method: Method::Cdd,
        says: "CDD: groups by counters",
        source: "Zhang et al., ICSE 2025",
        result: "fails; 1-minimal if monotone",
        questions: "2.1n + 5",
        when: "to compare; clustered lists",
    },
    MethodFacts {
        name: "hdd",
        method: Method::Hdd,
        says: "HDD*: ddmin on one level of the tree at a time, until nothing more can be removed",
        source: "Misherghi and Su, ICSE 2006",
        result: "1-minimal in the nodes of the tree",
        questions: "those of ddmin, on each level",
        when: "to compare",
    },
    MethodFacts {
        name: "perses",
        method: Method::Perses,
        says: "as Perses: ddmin on one list of the tree at a time, the largest first, and hoisting",
        source: "Sun et al., ICSE 2018",
        result: "1-minimal in the lists of the tree",
        questions: "those of ddmin, on each list",
        when: "to compare",
    },
    MethodFacts {
        name: "sweep",
        method: Method::Sweep,
        says: "delta by delta from the back, until none can be removed",
        source: "own",
        result: "1-minimal",
        questions: "n(n + 1)/2",
        when: "to certify; alone only on short lists",
    },
];

impl Method {
    /// All searches, each with what is said of it.
    pub const ALL: &[MethodFacts] = METHODS;

    /// Returns the name of this search.
    pub fn name(self) -> &'static str {
        Method::ALL.iter().find(|it| it.method == self).map_or("", |it| it.name)
    }

    /// Returns the search of this name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.iter().find(|it| it.name == name).map(|it| it.method)
    }

    /// Returns the passes that the search was published with, if it was published with its own.
    pub fn passes(self) -> Option<&'static [&'static str]> {
        match self {
            Method::Hdd => Some(&["files", "nodes", "brackets"]),
            Method::Perses => Some(&["files", "lists", "hoist"]),
            _ => None,
        }
    }

    /// Returns the search over a list, for the first time or `again`. `learned` is from earlier lists, `sizes` are those of the
    /// parts.
    pub fn search(
        self,
        list: Config,
        split: Split,
        again: bool,
        learned: Learned,
        sizes: impl FnOnce() -> Arc<[u32]>,
    ) -> Minimiser {
        match self {
            Method::Relevance if !again => Minimiser::Relevance(Relevance::new(list, learned)),
            // docs/ALGORITHMS.md, 5.3: after the first round single deletions do, for a quarter fewer tests.
            Method::Waves if !again => Minimiser::Waves(Waves::new(list, learned)),
            Method::Relevance | Method::Waves | Method::Sweep => Minimiser::Sweep(Sweep::new(list)),
            // What these find is not 1-minimal: what was tried in vain once is not tried again.
            Method::ProbDd | Method::WProbDd | Method::Cdd | Method::DdPlus if again => {
                Minimiser::Sweep(Sweep::new(list))
            }
            Method::ProbDd => Minimiser::ProbDd(ProbDd::new(list)),
            Method::WProbDd => Minimiser::ProbDd(ProbDd::weighted(list, sizes())),
            Method::Cdd => Minimiser::Cdd(Cdd::new(list)),
            Method::DdPlus => Minimiser::DdPlus(DdPlus::new(list, split)),
            Method::Ddmin | Method::Hdd | Method::Perses => {
                Minimiser::Ddmin(Ddmin::new(list, Form::Complements, split))
            }
            Method::DdminSubsets => Minimiser::Ddmin(Ddmin::new(list, Form::Subsets, split)),
            Method::Halves => Minimiser::Halves(Halves::new(list)),
            Method::Isolate => Minimiser::Isolate(Isolate::new(Config::empty(), list, Order::Direct)),
            Method::IsolatePaper => Minimiser::Isolate(Isolate::new(Config::empty(), list, Order::Paper)),
            Method::Merge => Minimiser::Merge(Merge::new(list)),
        }
    }
}
