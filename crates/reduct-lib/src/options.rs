//! The options that several builders have, written once.

/// Writes the methods that set how many tests run at a time, and when to stop.
macro_rules! parallel_options {
    () => {
        /// Runs so many tests at a time: by default as many as there are cores. The result is the same.
        pub fn jobs(self, jobs: usize) -> Self {
            Self { parallel: self.parallel.jobs(jobs), ..self }
        }

        /// Stops after so many tests, with the best so far: the same on any number of threads.
        pub fn tests(self, tests: u64) -> Self {
            Self { parallel: self.parallel.tests(tests), ..self }
        }

        /// Stops after this time, with the best so far. Calls of the function that run then are waited for.
        pub fn time(self, time: std::time::Duration) -> Self {
            Self { parallel: self.parallel.time(time), ..self }
        }

        /// Stops once this is set, with the best so far.
        pub fn cancel(self, cancel: &'a std::sync::atomic::AtomicBool) -> Self {
            Self { parallel: self.parallel.cancel(cancel), ..self }
        }
    };
}
pub(crate) use parallel_options;

/// Writes the methods that set how an input is searched. `$path` leads to a `ReductionOptions`.
macro_rules! search_options {
    ($($path:ident).+) => {
        /// Searches with this method: by default [`Method::Relevance`](crate::Method::Relevance).
        pub fn method(mut self, method: crate::Method) -> Self {
            self.$($path).+.method = method.name().into();
            self
        }

        /// Tries parts of these kinds only, in this order: by default all that there are, from coarse to fine.
        pub fn by(mut self, kinds: impl IntoIterator<Item = crate::Pass>) -> Self {
            self.$($path).+.by = kinds.into_iter().map(|kind| kind.name.to_owned()).collect();
            self
        }

        /// Cuts lists of parts like this, where the method cuts lists.
        pub fn cut(mut self, cut: crate::Cut) -> Self {
            self.$($path).+.cut = cut.name().into();
            self
        }

        /// Assumes, without a test, that each part of a passing input passes too.
        pub fn monotone(mut self, monotone: bool) -> Self {
            self.$($path).+.monotone = monotone;
            self
        }

        /// Does not try to remove less than this many units at once: coarser, and sooner done.
        pub fn min_removal(mut self, units: usize) -> Self {
            self.$($path).+.least = units.max(1);
            self
        }

        /// Reads the input in this language (`c`, `python`, ..., or `none`), instead of one guessed from its name and
        /// its beginning.
        pub fn language(mut self, language: impl Into<String>) -> Self {
            self.$($path).+.language = Some(language.into());
            self
        }

        /// Brings the result into a normal form, so that results that mean the same are alike.
        pub fn normalize(mut self, normalize: bool) -> Self {
            self.$($path).+.normalize = normalize;
            self
        }

        /// Tries every removal that leaves a text that does not parse. By default no more are tried once some dozens were
        /// tried in vain; what is proved then is said of removals that leave a text that parses.
        pub fn prove(mut self, prove: bool) -> Self {
            self.$($path).+.prove = prove;
            self
        }
    };
}
pub(crate) use search_options;
