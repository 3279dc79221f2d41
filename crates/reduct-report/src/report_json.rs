//! A run for programs: `reduct report --json`. docs/schema/run.schema.json says what the keys hold.

use crate::claims;
use crate::excerpt::{gives_words, path};
use crate::facts::{self, Facts};
use crate::page::text::plain;
use crate::schedules::Sought;
use crate::story::{Story, StoryQuestion, StorySearch};
use reduct_input::Candidate;
use serde_json::{Value, json};

/// The version of the object.
pub const VERSION: u32 = 1;

/// So many bytes of a text stand in it.
const MOST: usize = 1 << 20;

/// Returns the object.
pub fn object(story: &Story) -> Value {
    let facts = Facts::of(story);
    let claim = facts::evidence(story).as_ref().map(claims::data);
    let seen = story.end.as_ref().and_then(|end| end.seen.as_ref());
    let commands: Vec<Value> = facts
        .commands
        .iter()
        .map(|it| json!({ "what": it.what, "line": it.line, "needs_run": it.needs_run }))
        .collect();
    let others: Vec<Value> = story
        .others
        .iter()
        .map(|other| json!({ "signature": other.signature, "bytes": other.bytes, "place": path(&other.place) }))
        .collect();
    json!({
        "version": VERSION,
        "run": path(&story.run),
        "tool": story.tool,
        "question": question(story.question),
        "sought": facts::sought(story).map(Sought::name),
        "inputs": story.inputs.iter().map(|input| path(input)).collect::<Vec<_>>(),
        "folder": path(&story.folder),
        "typed": story.typed,
        "command": story.command.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>(),
        "failure": story.failure,
        "out": path(&story.out),
        "ended": story.end.as_ref().map(|end| json!({ "done": end.is_done, "why": end.why, "went_back": end.went_back })),
        "confirmed": seen.and_then(|seen| seen.confirmed),
        "runs": story.runs,
        "ms": story.ms,
        "evidence": facts.evidence,
        "claim": claim,
        "caveats": facts.caveats,
        "missing": facts.missing,
        "search": story.search.as_ref().map(|search| walked(story, search)),
        "improved": story.improved.iter().map(|(n, bytes)| json!({ "n": n, "bytes": bytes })).collect::<Vec<_>>(),
        "others": others,
        "answer": story.inquiry.as_ref().map_or_else(|| json!(story.answer), |found| json!(found)),
        "listing": story.listing,
        "explanation": story.explanation,
        "commands": commands,
    })
}

fn question(question: StoryQuestion) -> &'static str {
    match question {
        StoryQuestion::Reduce => "reduce",
        StoryQuestion::Executions => "executions",
        StoryQuestion::Isolate => "isolate",
        StoryQuestion::Minima => "minima",
        StoryQuestion::Changes => "changes",
        StoryQuestion::Situation => "situation",
        StoryQuestion::Values => "values",
        StoryQuestion::Switches => "switches",
    }
}

fn walked(story: &Story, search: &StorySearch) -> Value {
    let tests: Vec<Value> = search
        .tests
        .iter()
        .map(|test| {
            let (n, size, outcome, cached) = (test.n, test.size, test.outcome.name(), test.cached);
            json!({ "n": n, "size": size, "outcome": outcome, "cached": cached, "phase": test.phase, "step": test.step })
        })
        .collect();
    let steps: Vec<Value> = search
        .steps
        .iter()
        .map(|step| {
            json!({ "number": step.number, "n": step.n, "phase": step.phase, "size": step.size, "unit": step.unit, "bytes": step.bytes })
        })
        .collect();
    let phases: Vec<Value> = (0..search.phases.len())
        .map(|at| json!({ "name": facts::phase(story, at), "first": search.phases[at].first, "last": search.phases[at].last }))
        .collect();
    json!({
        "done": search.is_done,
        "branch": search.branch.map(|branch| json!({ "from": branch.from, "size": branch.whole.0, "unit": branch.whole.1, "deeper": branch.is_deeper })),
        "before": { "size": search.before.0, "unit": search.before.1 },
        "after": { "size": search.after.0, "unit": search.after.1, "bytes": search.best.len() },
        "result": if story.question.is_inquiry() { vec![] } else { files(&search.best) },
        "passing": search.passing.as_ref().map(files),
        "tests": tests,
        "steps": steps,
        "phases": phases,
    })
}

/// Returns the files of a candidate; of arguments and variables nothing, as they may be secrets.
fn files(candidate: &Candidate) -> Vec<Value> {
    let artifact = candidate.artifact();
    if gives_words(&artifact) {
        return vec![];
    }
    let file = |(name, _, bytes): (&std::path::Path, std::ops::Range<u32>, &[u8])| match std::str::from_utf8(bytes) {
        Ok(text) if bytes.len() <= MOST => json!({ "path": path(name), "bytes": bytes.len(), "text": text }),
        _ if bytes.len() <= MOST => json!({ "path": path(name), "bytes": bytes.len(), "shown": plain(bytes) }),
        _ => json!({ "path": path(name), "bytes": bytes.len() }),
    };
    artifact.files().map(file).collect()
}
