//! What the JSON of reduct holds, as a table: events with their keys, and claims. docs/EVENTS.md and
//! docs/schema/events.schema.json are made from it by `cargo xtask docs`; tests compare it with what is written.

use serde_json::{Map, Value, json};

/// The version of the JSON: 2 has claims as data beside what is proved in words.
pub const VERSION: u32 = 2;

/// The oldest version whose readers can read it: nothing was taken away since.
pub const READ_BY: u32 = 1;

/// A key of an object, and the schema of its value.
pub type Field = (&'static str, &'static str);

/// A type of events, or a kind of claims: an object that a word tells from others.
#[derive(Clone, Copy)]
pub struct ObjectShape {
    /// The word.
    pub name: &'static str,
    /// Its keys, in their order; all of them are always there.
    pub keys: &'static [Field],
    /// When it is written, or what it claims.
    pub says: &'static str,
}

const TEXT: &str = r#"{"type":"string"}"#;
const TEXTS: &str = r#"{"type":"array","items":{"type":"string"}}"#;
const MAYBE_TEXT: &str = r#"{"type":["string","null"]}"#;
const NUMBERS: &str = r#"{"type":"array","items":{"type":"integer","minimum":1}}"#;
const COUNT: &str = r#"{"type":"integer","minimum":0}"#;
const POSITIVE: &str = r#"{"type":"integer","minimum":1}"#;
const MAYBE_COUNT: &str = r#"{"type":["integer","null"],"minimum":0}"#;
const SHARE: &str = r#"{"type":"number","minimum":0,"maximum":1}"#;
const TRUTH: &str = r#"{"type":"boolean"}"#;
const AGAIN: &str = r#"{"type":["object","null"],"properties":{"runs":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0}},"required":["runs","failed"]}"#;
const MAYBE_TRUTH: &str = r#"{"type":["boolean","null"]}"#;
const OUTCOME: &str = r#"{"enum":["pass","fail","unresolved"]}"#;
const EXIT: &str = r##"{"$ref":"#/$defs/exit"}"##;
const CLAIM: &str = r##"{"$ref":"#/$defs/claim"}"##;
const FINDING: &str = r#"{"type":"object"}"#;
const WHY: &str = r#"{"enum":["done","granularity","stall","time","tests","stopped","interrupted","trouble"]}"#;
const UNPROVED: &str = r#"{"enum":["method","phases-skipped","audit-skipped","assumes-monotone","normalized","passing-side-untested","min-removal","unfinished","went-back"]}"#;
const SEARCH: &str = r#"{"enum":["finished","phases-skipped","unfinished"]}"#;
const OTHERS: &str = r#"{"enum":["none-if-monotone","unclear","not-monotone","not-asked","unfinished"]}"#;
const REFUTED: &str = r#"{"enum":["did-not-fail","did-not-pass","replaced","nothing-failed","nothing-passed"]}"#;

const fn form(name: &'static str, keys: &'static [Field], says: &'static str) -> ObjectShape {
    ObjectShape { name, keys, says }
}

/// The first line of a file of events.
pub const FORMAT: ObjectShape =
    form("format", &[("version", POSITIVE)], "the first line: the version of those that follow");

/// The types of events of a run.
pub const EVENTS: &[ObjectShape] = &[
    FORMAT,
    form(
        "preflight",
        &[("what", TEXT), ("outcome", OUTCOME), ("exit", EXIT), ("ms", COUNT)],
        "a run before the search ended",
    ),
    form(
        "began",
        &[
            ("bytes", COUNT),
            ("size", COUNT),
            ("unit", TEXT),
            ("failure", TEXT),
            ("jobs", POSITIVE),
            ("time_limit_ms", MAYBE_COUNT),
            ("known", COUNT),
        ],
        "the failure is known, the search begins",
    ),
    form(
        "phase",
        &[("kind", TEXT), ("level", POSITIVE), ("round", POSITIVE), ("parts", COUNT), ("proves", TRUTH)],
        "the search goes on to other parts",
    ),
    form(
        "test",
        &[("n", POSITIVE), ("size", COUNT), ("outcome", OUTCOME), ("cached", TRUTH)],
        "the search took an outcome, its `n`th",
    ),
    form(
        "improved",
        &[("after", COUNT), ("size", COUNT), ("bytes", COUNT), ("entries", COUNT)],
        "the best became smaller",
    ),
    form("other", &[("signature", TEXT), ("bytes", COUNT)], "another failure was met, and not followed"),
    form(
        "trouble",
        &[("what", TEXT), ("pause_ms", COUNT)],
        "something outside the tests went wrong; the session tries again",
    ),
    form(
        "skipped",
        &[("after", COUNT), ("pass", MAYBE_TEXT)],
        "a phase was given up on request; with a pass, that pass for the rest of the run",
    ),
    form("undone", &[], "a person took the last answer back: the tests follow again from the first one"),
    form(
        "forgotten",
        &[("why", TEXT)],
        "earlier outcomes are thrown away: the preflight and all tests follow from the first one",
    ),
    form(
        "ended",
        &[
            ("why", WHY),
            ("detail", MAYBE_TEXT),
            ("size", COUNT),
            ("unit", TEXT),
            ("bytes", COUNT),
            ("asked", COUNT),
            ("repeated", COUNT),
            ("runs", COUNT),
            ("unresolved", COUNT),
            ("ms", COUNT),
            ("proved", TEXT),
            ("claim", CLAIM),
            ("confidence", MAYBE_TEXT),
            ("confirmed", MAYBE_TRUTH),
            ("again", AGAIN),
            ("notes", TEXTS),
        ],
        "the session is over",
    ),
];

/// The types of events of a session of `reduct fuzz`, after the same first line.
pub const FUZZING: &[ObjectShape] = &[
    form("fuzzing", &[("trial", COUNT), ("from", TEXT)], "it begins, or goes on, at this trial"),
    form("progress", &[("trials", COUNT), ("findings", COUNT)], "now and then"),
    form("found", &[("finding", FINDING)], "a failure that was not known yet"),
    form("reduced", &[("finding", FINDING)], "its reduction has ended"),
    form(
        "same",
        &[("folder", TEXT), ("finding", FINDING), ("why", TEXT)],
        "what is in that folder is now counted by this finding",
    ),
];

/// What keys of events hold, in words.
pub const KEYS: &[(&[&str], &str)] = &[
    (&["version"], "2: which version of the keys there is"),
    (&["outcome"], "`pass`, `fail` or `unresolved`"),
    (
        &["exit"],
        r#"one of `{"code":1}`, `{"signal":11}`, `{"limit":"time"}` (or `memory`, `processes`, `disk`), `{"not_started":"why"}`, `{"not_built":"why"}` (the build before the test failed)"#,
    ),
    (
        &["kind"],
        "the name of a kind of parts, as `--by` takes it, or of one that it does not take, as `tree`, `nests`, `stretches` and `alike`: these find what can go, and others prove that nothing more can",
    ),
    (
        &["level", "round", "parts"],
        "the level of the kind, from 1; the round, from 1; how many parts the phase begins with",
    ),
    (&["proves"], "whether nothing more is expected to go, and each part is asked about to prove that"),
    (&["size", "unit"], "how large, and counted in what: `bytes`, or the parts of the only kind of the plan"),
    (&["bytes", "entries"], "how many bytes of contents; how many files, links and folders"),
    (&["pass"], "the name of the pass that is given up; `null` if it is the phase alone"),
    (&["cached"], "whether the search had asked the same before"),
    (&["known"], "how many outcomes were known from other sessions"),
    (&["ms", "pause_ms", "time_limit_ms"], "milliseconds; the limit is `null` if there is none"),
    (
        &["asked", "repeated", "unresolved"],
        "how many outcomes the search took, and how many of them were asked before, were unresolved",
    ),
    (&["runs"], "how many tests of the search were run, those in vain included"),
    (
        &["why"],
        "of `ended`: `done`, `granularity`, `stall`, `time`, `tests`, `stopped`, `interrupted` or `trouble`; of `forgotten`, in words",
    ),
    (&["detail"], "more on `why`, in words; `null` if there is none"),
    (&["proved"], "what is proved of the result, in words"),
    (&["claim"], "the same as data: see below"),
    (&["confidence"], "how sure it is, in words, if candidates took several runs; else `null`"),
    (
        &["again"],
        "how often the result was run at the end, and how often it failed; `null` if it was not, or cannot be read",
    ),
    (&["confirmed"], "whether the result still failed at the end; `null` if it was not run"),
    (&["notes"], "the further lines that are printed at the end, a text each: time limits, a step back"),
];

/// The kinds of claims.
pub const CLAIMS: &[ObjectShape] = &[
    form(
        "fails",
        &[("why_no_more", UNPROVED)],
        "it failed; nothing more is claimed, and why: `method`, `phases-skipped`, `audit-skipped`, `assumes-monotone`, `normalized`, `passing-side-untested`, `min-removal`, `unfinished`, `went-back`",
    ),
    form(
        "one-minimal",
        &[("units", TEXTS), ("only_where_it_parses", TEXTS), ("edits_tried", COUNT), ("groups_tried", COUNT)],
        "no single part of these units can be removed (of those in `only_where_it_parses`, none that leaves a text that parses), none of the edits that the passes know leaves something that fails (and parses, where its language is known), and none of the groups of events removed",
    ),
    form(
        "one-minimal-difference",
        &[("units", TEXTS)],
        "no single part of the difference from the passing side can be removed",
    ),
    form(
        "difference",
        &[("places", COUNT), ("unit", TEXT), ("search", SEARCH)],
        "one side passes, the other fails; if `search` is `finished`, no single difference can be moved from one side to the other",
    ),
    form(
        "causes",
        &[("count", COUNT), ("lines", COUNT), ("in_last_part_only", TRUTH), ("search", SEARCH)],
        "of each cause: one version passes, another fails, and they differ in it alone, or in some in the last part of it",
    ),
    form(
        "minima",
        &[("count", COUNT), ("unit", TEXT), ("others", OTHERS)],
        "so many results, each 1-minimal; `others` is `none-if-monotone`, `unclear`, `not-monotone`, `not-asked` or `unfinished`",
    ),
    form(
        "values",
        &[("places", COUNT), ("values", COUNT)],
        "the failing run of a program passes with other values, in each of some places",
    ),
    form(
        "passes-with",
        &[("count", COUNT), ("unit", TEXT), ("search", SEARCH)],
        "a program that fails as it is passes with so many of these; if `search` is `finished`, with any one of them left out it does not",
    ),
    form("explained", &[], "it failed, and for each part it is known what was tried in its place"),
    form(
        "refuted",
        &[("why", REFUTED)],
        "nothing: run again it did not fail (`did-not-fail`) or, where that is looked for, did not pass (`did-not-pass`), something else stands at its place (`replaced`), or nothing that was tried failed (`nothing-failed`) or passed (`nothing-passed`)",
    ),
];

/// On what a claim rests besides tests.
pub const CAVEATS: &[ObjectShape] = &[
    form(
        "by-persons-word",
        &[("unresolved", COUNT)],
        "a person answered; of so many candidates they could not tell whether they fail",
    ),
    form(
        "tried-for-share",
        &[("share", SHARE)],
        "candidates that fail in a smaller share of their runs were taken not to fail",
    ),
    form(
        "passes-disabled",
        &[("passes", TEXTS)],
        "these passes were switched off by key: nothing is claimed about them",
    ),
    form(
        "prints-other",
        &[("changes", COUNT)],
        "with so many of the changes a program passes, but prints something else than in the run that passes: it may be wrong, too",
    ),
    form(
        "does-not-parse",
        &[],
        "as far as reduct's grammar knows, the input follows its language, and the result does not",
    ),
    form("stays", &[("steps", NUMBERS)], "the parts that these steps of the run removed were kept, as the user asked"),
];

/// Returns the JSON Schema of a line of events.
pub fn events() -> Value {
    let forms = || EVENTS.iter().chain(FUZZING);
    let lines: Vec<Value> = forms().map(|form| json!({ "$ref": format!("#/$defs/{}", form.name) })).collect();
    let line = |form: &ObjectShape| {
        let head = [("v", json!({ "const": READ_BY })), ("type", json!({ "const": form.name }))];
        (form.name.to_owned(), object(form, &head, &[]))
    };
    let mut parts: Map<String, Value> = forms().map(line).collect();
    parts.insert("exit".into(), exit());
    parts.insert("claim".into(), claim());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of what `reduct --events FILE` writes",
        "description": "Made by `cargo xtask docs` from crates/reduct-report/src/schema.rs. New types and new keys may \
                        come without a new version.",
        "oneOf": lines,
        "$defs": parts,
    })
}

/// Returns the JSON Schema of a claim.
pub fn claim() -> Value {
    let one =
        |form: &ObjectShape, tail: &[(&str, Value)]| object(form, &[("kind", json!({ "const": form.name }))], tail);
    let caveats: Vec<Value> = CAVEATS.iter().map(|form| one(form, &[])).collect();
    let tail = [("caveats", json!({ "type": "array", "items": { "oneOf": caveats } }))];
    json!({ "oneOf": CLAIMS.iter().map(|form| one(form, &tail)).collect::<Vec<_>>() })
}

/// Returns the JSON Schema of how a test ended.
fn exit() -> Value {
    let one =
        |name: &str, schema: Value| json!({ "type": "object", "properties": { name: schema }, "required": [name] });
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let limit = json!({ "enum": ["time", "memory", "processes", "disk"] });
    let names =
        [("code", &number), ("signal", &number), ("limit", &limit), ("not_started", &text), ("not_built", &text)];
    json!({ "oneOf": names.map(|(name, schema)| one(name, schema.clone())) })
}

/// Returns the JSON Schema of an object with these keys.
fn object(form: &ObjectShape, head: &[(&str, Value)], tail: &[(&str, Value)]) -> Value {
    let keys = form.keys.iter().map(|(name, schema)| (*name, serde_json::from_str(schema).unwrap_or_default()));
    let all: Vec<(&str, Value)> = head.iter().cloned().chain(keys).chain(tail.iter().cloned()).collect();
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        all.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "description": form.says, "properties": properties, "required": names })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_json_and_every_key_is_explained() {
        for (name, schema) in [EVENTS, FUZZING, CLAIMS, CAVEATS].into_iter().flatten().flat_map(|form| form.keys) {
            assert!(serde_json::from_str::<Value>(schema).is_ok_and(|schema| schema.is_object()), "{name}: {schema}");
        }
        // These are explained where they stand.
        const PLAIN: [&str; 6] = ["what", "failure", "jobs", "n", "after", "signature"];
        let keys = || EVENTS.iter().flat_map(|form| form.keys).map(|(name, _)| *name);
        let explained: Vec<&str> = KEYS.iter().flat_map(|(names, _)| *names).copied().collect();
        for name in keys().filter(|name| !PLAIN.contains(name)) {
            assert!(explained.contains(&name), "{name}");
        }
        assert!(explained.iter().all(|name| keys().any(|key| key == *name)));
    }
}
