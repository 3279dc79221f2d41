//! Time travel: a slider over the accepted steps, each with its difference; and what it began with, with what of it is
//! left at that step.

use super::Extent;
use super::text::{changed, plain};
use crate::excerpt::{gives_words, path};
use crate::human::{self, count, counted};
use crate::picture::grid;
use crate::picture::phases::pass_at;
use crate::story::{DiffPiece, FULL, Story, StorySearch, StoryStep};
use maud::{Markup, html};
use reduct_core::Config;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::Range;

/// Of a larger text, no letters are shown, but a map.
const MOST_TEXT: usize = 100_000;
/// So many stretches of a text are lit on their own, and so many on its map.
const MOST_STRETCHES: usize = 900;
const MAP: usize = 120;
/// So many steps have what is left of the whole, and so many stand on the page at all.
const LIT: usize = 240;
const MOST_STEPS: usize = 20_000;
/// So many files are listed.
const MOST_FILES: usize = 150;

pub(super) fn section(story: &Story, search: &StorySearch, extent: Extent) -> Markup {
    let steps = search.steps.len();
    html! {
        section id="steps" aria-labelledby="steps-h" {
            h2 id="steps-h" { "Steps" }
            @if steps == 0 { p { "No step was accepted: what it began with is the result." } }
            @else {
                p { span id="steps-said" { (said(search)) }
                    noscript { " (The slider needs the script of this page; " code { "reduct history" } " lists the steps in a terminal.)" } }
                div class="slider" {
                    button type="button" id="back" aria-label="One step back" { "◀" }
                    input type="range" id="step" min="0" max=(steps.min(MOST_STEPS)) value=(steps.min(MOST_STEPS)) aria-label="Accepted step" aria-describedby="stepsay";
                    button type="button" id="on" aria-label="One step on" { "▶" }
                }
                p id="stepsay" class="say" aria-live="polite" { (counted(steps, "steps")) }
                h3 { "What went" }
                pre class="diff" id="stepdiff" tabindex="0" role="region" aria-label="What went in this step" {}
                (whole(story, search, extent))
            }
        }
    }
}

/// Returns how many steps there are, and whether all are shown.
pub(super) fn said(search: &StorySearch) -> Markup {
    let steps = search.steps.len();
    html! {
        (counted(steps, "steps")) @if steps == 1 { " was" } @else { " were" } " accepted, each because its test failed. Go through them with the slider or the arrow keys."
        @if steps > MOST_STEPS { " The first " (count(MOST_STEPS)) " are on this page; " code { "reduct history" } " lists all of them." }
    }
}

/// Returns what it began with, in which the script lights what is left.
fn whole(story: &Story, search: &StorySearch, extent: Extent) -> Markup {
    let lit = Lit::of(search, extent);
    html! {
        @if !lit.map.is_empty() {
            h3 { "What it began with, and what of it is left" }
            p class="muted" { "The strip is the whole (" (human::bytes(search.whole.len())) "); filled is what is left at the step above." }
            div class="map" id="map" role="img" aria-label="What is left of the whole" { @for _ in &lit.map { i { } } }
        }
        @if !lit.files.is_empty() {
            details open[lit.files.len() <= 40] {
                summary { "Files (" (count(search.whole.base().files().count())) ")" }
                ul class="tree" id="tree" { @for (name, place) in &lit.files { li { span class="gauge" aria-hidden="true" { i { } } " " code { (name) } " " span class="muted" { (human::bytes(place.len())) } " " span class="left" {} } } }
            }
            @if search.whole.base().files().count() > lit.files.len() { p class="muted" { "The largest " (count(lit.files.len())) " are listed." } }
        }
        @if !lit.text.is_empty() {
            details open[search.whole.len() < 6000] {
                summary id="whole-h" { "The whole text, with what is left in it" }
                pre class="whole" id="whole" tabindex="0" role="region" aria-labelledby="whole-h" {
                    @for place in &lit.text { span { (plain(search.whole.base().slice(place.clone()))) } } }
            }
        } @else if !lit.map.is_empty() {
            p class="muted" { "The text itself is too large for this page; the run has it in " code { (path(story.seen(&story.run))) "/input" } "." }
        }
    }
}

/// The places of the whole that are lit on their own.
struct Lit {
    map: Vec<Range<u32>>,
    text: Vec<Range<u32>>,
    files: Vec<(String, Range<u32>)>,
}

impl Lit {
    fn of(search: &StorySearch, extent: Extent) -> Lit {
        let base = search.whole.base();
        let length = base.bytes().len() as u64;
        let is_known = search.steps.iter().any(|step| step.kept.is_some());
        // Of arguments and variables, no text is for others.
        if length == 0 || !is_known || gives_words(base) {
            return Lit { map: vec![], text: vec![], files: vec![] };
        }
        let bins = length.min(MAP as u64);
        let bin = |at: u64| (at * length / bins) as u32..((at + 1) * length / bins) as u32;
        let mut files: Vec<(String, Range<u32>)> = base.files().map(|(name, at, _)| (path(name), at)).collect();
        if files.len() > MOST_FILES {
            files.sort_by_key(|(_, at)| std::cmp::Reverse(at.len()));
            files.truncate(MOST_FILES);
            files.sort_by_key(|(_, at)| at.start);
        }
        let is_one = files.len() == 1;
        Lit {
            map: (0..bins).map(bin).collect(),
            text: match extent {
                _ if !is_one || length > MOST_TEXT as u64 => vec![],
                Extent::Whole => stretches(search),
                // The steps to come would cut it elsewhere.
                Extent::Growing => even_stretches(base.bytes()),
            },
            files: if is_one { vec![] } else { files },
        }
    }
}

/// Returns the text in stretches that are lit together: cut where the last steps end, then the earlier ones, and at lines.
fn stretches(search: &StorySearch) -> Vec<Range<u32>> {
    let bytes = search.whole.base().bytes();
    let end = bytes.len() as u32;
    let mut cuts: BTreeSet<u32> = [0, end].into();
    for step in search.steps.iter().rev() {
        let edges = step.kept.iter().flat_map(Config::ranges).flat_map(|range| [range.start, range.end]);
        let new: Vec<u32> = edges.filter(|at| !cuts.contains(at)).collect();
        if cuts.len() + new.len() <= MOST_STRETCHES {
            cuts.extend(new);
        }
    }
    let is_between = |at: &u32| bytes.get(*at as usize).is_none_or(|byte| byte & 0xC0 != 0x80);
    let cuts: Vec<u32> = cuts.into_iter().filter(is_between).collect();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Returns a text in stretches that do not depend on steps: its lines, or neighbours of them, or equal parts.
fn even_stretches(bytes: &[u8]) -> Vec<Range<u32>> {
    let ends: Vec<u32> = (1..=bytes.len()).filter(|at| bytes[at - 1] == b'\n').map(|at| at as u32).collect();
    let is_between = |at: &u32| bytes.get(*at as usize).is_none_or(|byte| byte & 0xC0 != 0x80);
    let ends: Vec<u32> = match ends.len() {
        0..10 => (1..=bytes.len() as u32).filter(is_between).collect(),
        _ => ends,
    };
    let each = ends.len().div_ceil(MOST_STRETCHES).max(1);
    let mut cuts: BTreeSet<u32> = ends.into_iter().step_by(each).collect();
    cuts.extend([0, bytes.len() as u32]);
    let cuts: Vec<u32> = cuts.into_iter().collect();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Returns how much of each place is left, as digits of which each may be followed by how often it comes: `0*118,4,2`.
fn levels(kept: &Config, places: &[Range<u32>]) -> String {
    let level = |place: &Range<u32>| match (kept.count_within(place.clone()), place.len()) {
        (0, _) => 0,
        (part, whole) if part >= whole => FULL,
        (part, whole) => (1 + part * (FULL as usize - 1) / whole).min(FULL as usize - 1) as u8,
    };
    let levels: Vec<u8> = places.iter().map(level).collect();
    let stretch = |stretch: &[u8]| match stretch.len() {
        1 => stretch[0].to_string(),
        more => format!("{}*{more}", stretch[0]),
    };
    levels.chunk_by(|a, b| a == b).map(stretch).collect::<Vec<_>>().join(",")
}

/// Returns what the script of the page needs.
pub(super) fn data(story: &Story, extent: Extent) -> Value {
    let Some(search) = story.search.as_ref().filter(|_| !story.question.is_inquiry()) else { return json!({}) };
    let lit = Lit::of(search, extent);
    let every = search.steps.len().div_ceil(LIT).max(1);
    let mut steps = vec![json!({
        "step": search.branch.map_or(0, |branch| branch.from), "n": 0, "size": search.before.0, "unit": search.before.1, "bytes": search.whole.len(), "pass": "the beginning",
        "lit": lit_by(&Config::full(search.whole.base().bytes().len()), &lit),
    })];
    for (at, step) in search.steps.iter().enumerate().take(MOST_STEPS) {
        let is_lit = at % every == 0 || at + 1 == search.steps.len();
        steps.push(shown(story, step, (true, is_lit.then_some(&lit))));
    }
    let mut data = frame(search);
    (data["steps"], data["full"]) = (json!(steps), json!(FULL));
    data
}

/// So many of the steps that are new on a page have what went in them.
const MOST_NEW: usize = 20;

/// Returns the steps after the first `known` ones: what went in the last ones, and what is left at the very last.
pub(super) fn after(story: &Story, search: &StorySearch, known: usize) -> Vec<Value> {
    let end = search.steps.len().min(MOST_STEPS);
    let lit = Lit::of(search, Extent::Growing);
    let step = |at: usize| {
        let is_last = at + 1 == search.steps.len();
        shown(story, &search.steps[at], (at + MOST_NEW >= end, is_last.then_some(&lit)))
    };
    (known.min(end)..end).map(step).collect()
}

/// Returns a step, with what went if `has_diff`, and what is left in these places.
fn shown(story: &Story, step: &StoryStep, (has_diff, lit): (bool, Option<&Lit>)) -> Value {
    let mut shown = json!({
        "step": step.number, "n": step.n, "size": step.size, "unit": step.unit, "bytes": step.bytes, "pass": story.search.as_ref().map(|search| pass_at(search, step.phase)),
    });
    if has_diff && !step.diff.is_empty() {
        shown["diff"] = step.diff.iter().map(piece).collect();
    }
    if let Some((lit, kept)) = lit.zip(step.kept.as_ref()) {
        shown["lit"] = lit_by(kept, lit);
    }
    shown
}

/// Returns what the script has to know of the grid: its rows, its columns, and where they are.
pub(super) fn frame(search: &StorySearch) -> Value {
    let rows: Vec<Value> =
        grid::rows(search).iter().map(|test| json!([test.n, test.size, test.outcome.name()])).collect();
    let sets: Vec<&Vec<String>> = search.columns.iter().map(|set| &set.labels).collect();
    let (left, wide, top) = grid::frame();
    let height = grid::row_height(rows.len());
    let frame = json!({ "left": left, "wide": wide, "top": top, "row": height });
    json!({ "rows": rows, "sets": sets, "grid": frame })
}

fn lit_by(kept: &Config, lit: &Lit) -> Value {
    let files: Vec<(String, Range<u32>)> = lit.files.clone();
    let places: Vec<Range<u32>> = files.into_iter().map(|(_, place)| place).collect();
    json!([levels(kept, &lit.map), levels(kept, &lit.text), levels(kept, &places)])
}

/// Returns a piece of a difference: what it is, and its text.
fn piece(piece: &DiffPiece) -> Value {
    match piece {
        DiffPiece::Same(text) => json!(["", plain(text)]),
        DiffPiece::Gone(text) => json!(["del", changed(text)]),
        DiffPiece::Put(text) => json!(["ins", changed(text)]),
        DiffPiece::Cut(bytes, gone) => {
            json!(["cut", format!("…{} bytes{}…", count(*bytes), if *gone { " that went" } else { "" })])
        }
        DiffPiece::File(name) => json!(["file", format!("{}\n", path(name))]),
        DiffPiece::EntryGone(name) => json!(["gone", format!("{}\n", path(name))]),
    }
}
