//! How sure a result is of which tests fail now and then, in words; numbers are rounded so that what is said stays true.

use reduct_oracle::sampling::{Confidence, LEVEL, Rate};
use reduct_session::event::Ended;

/// Returns what is to be said of how sure a result is: of its decisions, then of its own runs. Nothing if each
/// candidate ran once.
pub fn of(ended: &Ended) -> Option<String> {
    match (&ended.confidence, &ended.rate) {
        (Some(sure), Some(rate)) => Some(both(sure, rate)),
        (sure, rate) => sure.as_ref().map(describe).or_else(|| rate.as_ref().map(self::rate)),
    }
}

/// Returns the words of how sure the decisions are, and of how often the result failed.
pub fn both(confidence: &Confidence, rate: &Rate) -> String {
    format!("{}. {}", describe(confidence), self::rate(rate))
}

/// Returns the words of how likely it is that decisions were right.
pub fn describe(confidence: &Confidence) -> String {
    if confidence.policy().is_provisional() {
        return audits(confidence);
    }
    let decided = if confidence.decided() == 0 { "nothing was decided".into() } else { decisions(confidence) };
    match confidence.unresolved() {
        0 => decided,
        1 => format!("{decided}; one candidate stayed unresolved"),
        many => format!("{decided}; {many} candidates stayed unresolved"),
    }
}

fn decisions(confidence: &Confidence) -> String {
    let policy = confidence.policy();
    let (r1, r0) = ((policy.r1() * 1e3).ceil() / 1e3, (policy.r0() * 1e3).floor() / 1e3);
    let condition = if policy.r0() == 0.0 {
        let silent = policy.silent_to_go(0, 0);
        format!("each candidate that passes was silent in {silent} runs; at a failure rate of {r1} or more")
    } else {
        format!(
            "if each failing candidate fails in a share of {r1} of its runs or more, and each passing one in {r0} or less,"
        )
    };
    let wrong = (confidence.any_wrong() * 1e3).ceil() / 10.0;
    match confidence.decided() {
        1 => format!("{condition} the chance that the one decision is wrong is at most {wrong} %"),
        many => format!("{condition} the chance that one of the {many} decisions is wrong is at most {wrong} %"),
    }
}

/// Returns, of a reduction, what its audits are worth.
fn audits(confidence: &Confidence) -> String {
    let r1 = (confidence.audit_policy().r1() * 1e3).ceil() / 1e3;
    let sure = ((1.0 - confidence.any_overlooked()) * 1e3).floor() / 10.0;
    let times = match confidence.audits() {
        0 => return "there was no audit, so nothing is said of what could still go".into(),
        1 => "in the one audit of a part".into(),
        count => format!("in all {count} audits of parts together"),
    };
    format!("{sure} %, {times}, that nothing was overlooked that fails in a share of {r1} of its runs or more")
}

/// Returns the words of how often the result failed.
pub fn rate(rate: &Rate) -> String {
    let (fired, runs, (least, most)) = (rate.fired(), rate.runs(), rate.interval());
    let (least, most) = ((least * 1e3).floor() / 1e3, (most * 1e3).ceil() / 1e3);
    let (level, floor) = (LEVEL * 100.0, (rate.floor() * 1e3).floor() / 1e3);
    format!(
        "The result failed in {fired} of {runs} runs more: a share of {least} to {most} ({level} %); the floor is {floor}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_core::Outcome::{Fail, Pass, Unresolved};
    use reduct_oracle::sampling::Policy;

    fn policy(r1: f64, r0: f64, error: f64) -> Policy {
        Policy::new(r1, r0, error, error).unwrap()
    }
    #[test]
    fn how_sure_it_is_is_said_with_its_conditions() {
        let mut sure = Confidence::new(policy(0.31, 0.0, 0.01 / 14.0));
        assert_eq!(describe(&sure), "nothing was decided");
        (0..10).for_each(|_| sure.add(Pass, 0));
        (0..4).for_each(|_| sure.add(Fail, 0));
        // 0.69 to the power of 20 is the first below 0.01 / 14.
        assert_eq!(
            describe(&sure),
            "each candidate that passes was silent in 20 runs; at a failure rate of 0.31 or more the chance that one of \
             the 14 decisions is wrong is at most 1 %"
        );
        assert!(sure.any_wrong() <= 0.01);
        let mut measured = Confidence::new(policy(0.5, 0.2, 0.001));
        measured.add(Fail, 0);
        measured.add(Unresolved, 0);
        assert_eq!(
            describe(&measured),
            "if each failing candidate fails in a share of 0.5 of its runs or more, and each passing one in 0.2 or less, the chance that \
             the one decision is wrong is at most 0.1 %; one candidate stayed unresolved"
        );
    }
}
