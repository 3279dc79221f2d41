//! The executions that a plan has and another one lacks.

use crate::story::StoryExecution;
use reduct_input::Candidate;
use reduct_trace::{Execution, ExecutionPlan};
use std::collections::HashSet;

/// So many are named.
const MOST: usize = 20;

/// Returns what the second plan has and the third one lacks; nothing of what are no plans. The first one is what was recorded.
pub fn lacking([whole, plan, other]: [&Candidate; 3]) -> Vec<StoryExecution> {
    let text = |candidate: &Candidate| String::from_utf8_lossy(candidate.artifact().bytes()).into_owned();
    let whole = text(whole);
    if !ExecutionPlan::is_recorded(&whole) {
        return vec![];
    }
    let parsed = |text: &str| ExecutionPlan::parse(text).map(|plan| plan.events().to_vec()).unwrap_or_default();
    let (whole, plan, other) = (parsed(&whole), parsed(&text(plan)), parsed(&text(other)));
    let kept: HashSet<u32> = other.iter().map(|execution| execution.time).collect();
    let named = |execution: &Execution| {
        let of_statement = || whole.iter().filter(|it| it.place == execution.place);
        StoryExecution {
            place: format!("{}:{}", execution.place.file, execution.place.line),
            text: execution.text.clone(),
            number: of_statement().filter(|it| it.time <= execution.time).count(),
            of: of_statement().count(),
        }
    };
    plan.iter().filter(|execution| !kept.contains(&execution.time)).take(MOST).map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_input::Artifact;
    use reduct_trace::Place;

    fn plan(events: &[Execution]) -> Candidate {
        let text = ExecutionPlan::new(events.to_vec()).to_text("Python");
        Candidate::whole(Artifact::of_file("plan", text.as_bytes()).unwrap().into())
    }

    #[test]
    fn an_execution_is_named_by_its_statement_and_its_number_among_those_recorded() {
        let event = |time: u32, line: u32| {
            let place = Place { file: "a.py".into(), line, nth: 1, is_iteration: false };
            Execution { time, parent: None, place, text: format!("x = {line}"), depth: 0 }
        };
        let whole = [event(1, 3), event(2, 4), event(3, 4), event(4, 4)];
        let left = [event(2, 4), event(3, 4)];
        let found = lacking([&plan(&whole), &plan(&left), &plan(&left[..1])]);
        let expected = StoryExecution { place: "a.py:4".into(), text: "x = 4".into(), number: 2, of: 3 };
        assert_eq!(found, [expected]);
        let text = Candidate::whole(Artifact::of_file("it", b"a\nb\n").unwrap().into());
        assert_eq!(lacking([&text, &text, &text]), []);
    }
}
