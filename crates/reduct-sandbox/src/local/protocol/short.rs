//! What is said for each test, in some bytes: JSON takes longer to be written and read than all the rest of a frame.

use super::{Reply, Request, Said, Step, Verdict};
use reduct_oracle::{Exit, Used};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

/// Bits of a run.
const FORKED: u8 = 1;
const TIMED: u8 = 2;
const METERED: u8 = 4;

/// Bits of a report.
const SIGNAL: u8 = 1;
const SURVIVORS: u8 = 2;
const SERVES: u8 = 4;
const FULL: u8 = 8;

/// Returns a time in nanoseconds, which do for some hundred years.
fn nanoseconds(time: Duration) -> Option<u64> {
    time.as_nanos().try_into().ok()
}

/// Takes a number off the begin of these bytes.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

impl Said for Request {
    fn short(&self) -> Option<Vec<u8>> {
        let Request::Run { run, step: Step::Test, time, processor, slot, forked } = self else { return None };
        let bits = [(*forked, FORKED), (time.is_some(), TIMED), (processor.is_some(), METERED)];
        let mut bytes = vec![bits.into_iter().filter(|(is_set, _)| *is_set).map(|(_, bit)| bit).sum()];
        bytes.extend(run.to_le_bytes());
        for time in [time, processor].into_iter().flatten() {
            bytes.extend(nanoseconds(*time)?.to_le_bytes());
        }
        bytes.extend(slot.as_os_str().as_bytes());
        Some(bytes)
    }

    fn of_short(bytes: &[u8]) -> Option<Request> {
        let (bits, mut rest) = bytes.split_first()?;
        let run = number(&mut rest)?;
        let mut time = |bit| {
            let is_there = bits & bit != 0;
            if is_there { number(&mut rest).map(|time| Some(Duration::from_nanos(time))) } else { Some(None) }
        };
        let [time, processor] = [time(TIMED)?, time(METERED)?];
        let slot = OsString::from_vec(rest.to_vec()).into();
        Some(Request::Run { run, step: Step::Test, time, processor, slot, forked: bits & FORKED != 0 })
    }
}

impl Said for Reply {
    fn short(&self) -> Option<Vec<u8>> {
        let Reply::Report { verdict: Verdict::Exit(exit), elapsed, used, survivors, serves, full } = self else {
            return None;
        };
        let (is_signal, status) = match exit {
            Exit::Code(status) => (false, *status),
            Exit::Signal(number) => (true, *number),
            Exit::Limit(_) | Exit::NotStarted(_) | Exit::NotBuilt(_) => return None,
        };
        let bits = [(is_signal, SIGNAL), (*survivors, SURVIVORS), (*serves, SERVES), (*full, FULL)];
        let mut bytes = vec![bits.into_iter().filter(|(is_set, _)| *is_set).map(|(_, bit)| bit).sum()];
        bytes.extend(status.to_le_bytes());
        for number in [nanoseconds(*elapsed)?, nanoseconds(used.processor)?, used.memory] {
            bytes.extend(number.to_le_bytes());
        }
        Some(bytes)
    }

    fn of_short(bytes: &[u8]) -> Option<Reply> {
        let (bits, rest) = bytes.split_first()?;
        let (status, mut rest) = rest.split_first_chunk()?;
        let status = i32::from_le_bytes(*status);
        let exit = if bits & SIGNAL != 0 { Exit::Signal(status) } else { Exit::Code(status) };
        let [elapsed, processor] = [number(&mut rest)?, number(&mut rest)?].map(Duration::from_nanos);
        let used = Used { processor, memory: number(&mut rest)? };
        let [survivors, serves, full] = [SURVIVORS, SERVES, FULL].map(|bit| bits & bit != 0);
        let report = Reply::Report { verdict: Verdict::Exit(exit), elapsed, used, survivors, serves, full };
        rest.is_empty().then_some(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_said_in_short_is_the_same(
            (run, forked) in any::<(u64, bool)>(),
            (time, processor) in any::<(Option<u64>, Option<u64>)>(),
            slot in any::<Vec<u8>>(),
            (number, is_signal, survivors, serves, full) in any::<(i32, bool, bool, bool, bool)>(),
            (elapsed, used, memory) in any::<(u64, u64, u64)>(),
        ) {
            let [time, processor] = [time, processor].map(|time| time.map(Duration::from_nanos));
            let slot = OsString::from_vec(slot).into();
            let request = Request::Run { run, step: Step::Test, time, processor, slot, forked };
            let again = Request::of_short(&request.short().unwrap()).unwrap();
            prop_assert_eq!(format!("{request:?}"), format!("{again:?}"));
            let verdict = Verdict::Exit(if is_signal { Exit::Signal(number) } else { Exit::Code(number) });
            let used = Used { processor: Duration::from_nanos(used), memory };
            let elapsed = Duration::from_nanos(elapsed);
            let report = Reply::Report { verdict, elapsed, used, survivors, serves, full };
            let again = Reply::of_short(&report.short().unwrap()).unwrap();
            prop_assert_eq!(format!("{report:?}"), format!("{again:?}"));
        }

        #[test]
        fn bytes_that_say_nothing_are_told_from_others(bytes: Vec<u8>) {
            let again = |said: Option<Vec<u8>>| said.is_none_or(|said| said[1..] == bytes[1..]);
            prop_assert!(again(Request::of_short(&bytes).and_then(|request| request.short())));
            prop_assert!(again(Reply::of_short(&bytes).and_then(|reply| reply.short())));
        }
    }

    #[test]
    fn what_does_not_fit_is_not_said_in_short() {
        let time = Some(Duration::MAX);
        let slot = "/r/0".into();
        let run = Request::Run { run: 1, step: Step::Test, time, processor: None, slot, forked: false };
        assert_eq!(run.short(), None);
        assert_eq!(Request::Cancel { run: 1 }.short(), None);
        assert_eq!(Reply::Hello.short(), None);
    }
}
