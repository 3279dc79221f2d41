//! The result itself, coloured by what is known of its parts; and what passes beside it.

use super::text::{beginning, changed, plain};
use super::{Extent, changes, executions, inquiry};
use crate::excerpt::{gives_words, path};
use crate::human::{self, count};
use crate::story::{DiffPiece, Story, StoryNeighbour, StoryQuestion};
use maud::{Markup, html};
use reduct_input::situation::{Given, SituationRole};
use reduct_input::{Candidate, What};
use serde_json::Value;
use std::ops::Range;

/// So many bytes of a result are shown, and so many files.
const MOST: usize = 100_000;
const MOST_GROWING: usize = 20_000;
const MOST_FILES: usize = 40;

/// Returns the result, or what stands in its place.
pub(super) fn result(story: &Story, extent: Extent) -> Markup {
    let most = if extent == Extent::Growing { MOST_GROWING } else { MOST };
    let files =
        |title: &str, id: &str, candidate: &Candidate, marks: &[Mark]| files(most, (title, id), candidate, marks);
    if story.question.is_inquiry() {
        return inquiry::found(story);
    }
    let Some(search) = &story.search else {
        return html! {
            @if story.answer_text.is_some() { (to_blame(story)) }
            @else { p { "The result is " code { (path(story.seen(&story.out))) } "; it is not in the journal." } }
        };
    };
    html! {
        @match story.question {
            StoryQuestion::Changes => (to_blame(story)),
            StoryQuestion::Situation => (given(&search.best)),
            StoryQuestion::Isolate => {
                @if let Some(passing) = &search.passing {
                    h3 { "What differs" }
                    p class="muted" { "Text that is struck out is only in the passing side, underlined text only in the failing side." }
                    (diff(&search.sides_differ))
                    div class="sides" {
                        (files("It passes", "passing", passing, &[]))
                        (files("It fails", "failing", &search.best, &[]))
                    }
                }
            },
            StoryQuestion::Minima => {
                @match &search.passing {
                    Some(all) => (files("The minimal inputs", "result", all, &[])),
                    None => (files("Result", "result", &search.best, &[])),
                }
            },
            StoryQuestion::Executions => (executions::left(story, files("The plan", "result", &search.best, &[]))),
            StoryQuestion::Reduce | StoryQuestion::Values | StoryQuestion::Switches => (files("Result", "result", &search.best, &marks(story, &search.best))),
        }
        p class="muted" { "It was written to " code { (path(story.seen(&story.out))) } "." }
    }
}

/// Returns the changes to blame. What is not narrowed down yet is in the text of the terminal only.
fn to_blame(story: &Story) -> Markup {
    let causes = changes::causes(story);
    let is_all = causes.is_some() && story.end.as_ref().is_some_and(|end| end.is_done);
    let text = story.answer_text.as_ref().filter(|_| !is_all);
    html! {
        @if let Some(causes) = causes { (causes) }
        @if let Some(text) = text { (answer_text(text)) }
    }
}

fn answer_text(text: &str) -> Markup {
    html! {
        h3 id="r-answer-h" { "Answer of the run" }
        pre class="result" tabindex="0" role="region" aria-labelledby="r-answer-h" { (plain(text.as_bytes())) }
    }
}

/// Returns what is left of what a command is given: of variables, whose values may be secrets, the names.
fn given(best: &Candidate) -> Markup {
    let given = Given::of(best);
    let files: Vec<String> = best
        .pieces()
        .filter(|(entry, _)| SituationRole::of(&entry.path) == SituationRole::File && !entry.holds_entries())
        .map(|(entry, _)| path(&entry.path))
        .collect();
    html! {
        h3 { "What matters" }
        dl class="given" {
            div { dt { "Arguments" } dd { @if given.arguments.is_empty() { "none, or they did not vary" }
                @for (_, word) in &given.arguments { code { (plain(word.as_encoded_bytes())) } " " } } }
            div { dt { "Variables" } dd { @if given.variables.is_empty() { "none, or they did not vary" }
                @for (name, _) in &given.variables { code { (plain(name.as_encoded_bytes())) } " " } } }
            div { dt { "Files" } dd { @if files.is_empty() { "none, or they did not vary" }
                @for file in files.iter().take(200) { code { (file) } " " } } }
        }
        p class="muted" { "Values of variables are not shown: they may be secrets." }
    }
}

/// A part of a result, and what is known of it.
type Mark = (Range<usize>, &'static str);

/// Returns what `reduct explain` has found, if it is of this result.
fn marks(story: &Story, best: &Candidate) -> Vec<Mark> {
    let parts = story.explanation.as_ref().and_then(|all| all.get("parts")?.as_array());
    let mut marks = vec![];
    for part in parts.into_iter().flatten() {
        let class = match part.get("may_be").and_then(Value::as_str) {
            Some("exactly") => "exactly",
            Some("partly") => "partly",
            Some("anything") => "anything",
            _ => "unknown",
        };
        for place in part.get("places").and_then(Value::as_array).into_iter().flatten() {
            let at = |n: usize| place.get(n).and_then(Value::as_u64).map(|at| at as usize);
            if let (Some(start), Some(end)) = (at(0), at(1))
                && start < end
                && end <= best.len()
            {
                marks.push((start..end, class));
            }
        }
    }
    marks.sort_by_key(|(place, _)| place.start);
    // What overlaps is shown once.
    let mut end = 0;
    marks.retain(|(place, _)| {
        let is_apart = place.start >= end;
        end = end.max(place.end);
        is_apart
    });
    marks
}

/// Returns the files of a candidate, with a button that copies.
fn files(most: usize, (title, id): (&str, &str), candidate: &Candidate, marks: &[Mark]) -> Markup {
    let artifact = candidate.artifact();
    let files: Vec<_> = artifact.files().collect();
    let is_one = files.len() == 1;
    let links: Vec<_> = artifact.entries().iter().filter(|entry| matches!(entry.what, What::Link { .. })).collect();
    html! {
        div class="part" {
            h3 id={ "r-" (id) "-h" } { (title) ", " (human::bytes(candidate.len())) }
            @if !marks.is_empty() { (legend()) }
            @if gives_words(&artifact) { p { "It holds arguments or variables, which are not shown." } }
            @else {
                @for (at, (name, place, bytes)) in files.iter().enumerate().take(MOST_FILES) {
                    @if !is_one { h4 { code { (path(name)) } } }
                    div class="copyable" {
                        (text(most, (&format!("r-{id}-{at}"), &format!("{title}: {}", path(name))), bytes, &within(marks, place)))
                        @if is_copied(bytes, most) {
                            button type="button" class="copy" data-copy={ "r-" (id) "-" (at) } data-text=[unlike_shown(bytes)] {
                                "Copy" span class="vh" { ": " (path(name)) } }
                        }
                    }
                }
                @if files.len() > MOST_FILES { p class="muted" { "… and " (human::counted(files.len() - MOST_FILES, "more files")) } }
                @for link in links.iter().take(MOST_FILES) { p { code { (path(&link.path)) } " is a link" } }
                @if files.is_empty() && links.is_empty() { p class="empty" { "Nothing is left: it fails without any file." } }
            }
        }
    }
}

/// Returns whether a button copies a text as it is: a page has no place for some characters.
fn is_copied(bytes: &[u8], most: usize) -> bool {
    let is_plain = |byte: &u8| *byte >= b' ' || matches!(byte, b'\n' | b'\t');
    bytes.len() <= most && !bytes.is_empty() && bytes.iter().all(is_plain) && std::str::from_utf8(bytes).is_ok()
}

/// Returns a text, if it is not what is shown of it.
fn unlike_shown(bytes: &[u8]) -> Option<String> {
    Some(String::from_utf8_lossy(bytes).into_owned()).filter(|text| plain(bytes) != *text)
}

/// Returns the marks of a file, from its beginning.
fn within(marks: &[Mark], place: &Range<u32>) -> Vec<Mark> {
    let (start, end) = (place.start as usize, place.end as usize);
    let inside = marks.iter().filter(|(at, _)| start <= at.start && at.end <= end);
    inside.map(|(at, class)| (at.start - start..at.end - start, *class)).collect()
}

/// Returns a text, with its marks, as far as it is not too long.
fn text(most: usize, (id, label): (&str, &str), bytes: &[u8], marks: &[Mark]) -> Markup {
    let (shown, cut) = beginning(bytes, most);
    let mut at = 0;
    let mut pieces: Vec<(&[u8], Option<&str>)> = vec![];
    for (place, class) in marks.iter().filter(|(place, _)| place.end <= shown.len()) {
        pieces.push((&shown[at..place.start], None));
        pieces.push((&shown[place.clone()], Some(class)));
        at = place.end;
    }
    pieces.push((&shown[at..], None));
    html! {
        pre class="result" id=(id) tabindex="0" role="region" aria-label=(label) {
            @if bytes.is_empty() { span class="empty" { "(empty)" } }
            @for (piece, class) in pieces {
                @match class { Some(class) => span class=(class) { (plain(piece)) }, None if marks.is_empty() => (long(piece)), None => (plain(piece)) }
            }
        }
        @if cut > 0 { p class="muted" { "… " (count(cut)) " more bytes stand in the file itself." } }
    }
}

/// So many bytes of a long text are laid out together.
const STRETCH: usize = 4000;

/// Returns a text, a long one in stretches of whole lines, of which a browser lays out only those that are seen.
fn long(text: &[u8]) -> Markup {
    if text.len() <= 2 * STRETCH {
        return html! { (plain(text)) };
    }
    let mut stretches: Vec<&[u8]> = vec![];
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.iter().skip(STRETCH).position(|byte| *byte == b'\n');
        let (stretch, after) = rest.split_at(end.map_or(rest.len(), |end| STRETCH + end + 1));
        stretches.push(stretch);
        rest = after;
    }
    html! { @for stretch in stretches { span class="stretch" { (plain(stretch)) } } }
}

fn legend() -> Markup {
    html! {
        p class="legend" {
            span class="exactly" { "must be exactly so" } " " span class="partly" { "may vary, but not freely" } " "
            span class="anything" { "may be anything of its sort" } " " span class="unknown" { "not known" }
        }
    }
}

/// Returns what passes beside the result.
pub(super) fn neighbour(story: &Story) -> Markup {
    let explained =
        story.explanation.as_ref().and_then(|all| all.get("passing_neighbour").filter(|one| one.is_object()));
    let of = |key: &str| explained.and_then(|one| one.get(key)?.as_str());
    if let (Some(text), Some(with)) = (of("text"), of("with")) {
        return html! {
            h3 { "The nearest input that passes" }
            @if with.is_empty() { p { "Without " code { (plain(text.as_bytes())) } ", the failure does not occur." } }
            @else { p { "With " code { (plain(with.as_bytes())) } " in the place of " code { (plain(text.as_bytes())) } ", the failure does not occur." } }
            @if let Some(passing) = of("passing") {
                pre class="result" tabindex="0" role="region" aria-label="What passes" { (plain(beginning(passing.as_bytes(), 4000).0)) } }
        };
    }
    if matches!(story.question, StoryQuestion::Changes | StoryQuestion::Isolate) {
        return html! {};
    }
    let Some(neighbour) = story.search.as_ref().and_then(|search| search.neighbour.as_ref()) else { return html! {} };
    if !neighbour.executions.is_empty() {
        return plan_beside(neighbour);
    }
    html! {
        h3 { "The nearest input that passes" }
        p { "Test " (count(neighbour.n)) " passed (" (human::bytes(neighbour.bytes)) "): without what is struck out, the failure does not occur." }
        (diff(&neighbour.diff))
    }
}

/// Returns the executions without which the failure does not occur.
fn plan_beside(neighbour: &StoryNeighbour) -> Markup {
    let these = if neighbour.executions.len() == 1 { "this execution" } else { "these executions" };
    html! {
        h3 { "The nearest plan that passes" }
        p { "Test " (count(neighbour.n)) " passed: without " (these) ", the failure does not occur." }
        ol class="chain" {
            @for one in &neighbour.executions {
                li { p { code { (plain(one.place.as_bytes())) } " " code { (plain(one.text.as_bytes())) }
                    " " span class="muted" { "execution " (count(one.number)) " of " (count(one.of)) } } }
            }
        }
    }
}

/// Returns a difference.
pub(super) fn diff(pieces: &[DiffPiece]) -> Markup {
    html! {
        pre class="diff" tabindex="0" role="region" aria-label="Difference" {
            @for piece in pieces {
                @match piece {
                    DiffPiece::Same(text) => (plain(text)),
                    DiffPiece::Gone(text) => del { (changed(text)) },
                    DiffPiece::Put(text) => ins { (changed(text)) },
                    DiffPiece::Cut(bytes, gone) => span class="cut" { "\u{2026}" (count(*bytes)) " bytes" @if *gone { " that went" } "\u{2026}" },
                    DiffPiece::File(name) => span class="file" { (path(name)) "\n" },
                    DiffPiece::EntryGone(name) => del class="file" { (path(name)) "\n" },
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_whole_in_its_stretches() {
        for line in [1, 70, 3000, 50_000] {
            let text = format!("{}\n", "x".repeat(line)).repeat(60_000 / line + 1) + "end";
            let html = long(text.as_bytes()).into_string();
            let parts: Vec<&str> =
                html.split("<span class=\"stretch\">").map(|part| part.trim_end_matches("</span>")).collect();
            assert_eq!(parts.concat(), text);
            // A stretch ends with a line, so that it can stand in a block of its own.
            let inner = parts.iter().skip(1).rev().skip(1);
            assert!(inner.clone().all(|part| part.ends_with('\n')) && (line == 50_000 || inner.count() > 2));
        }
    }
}
