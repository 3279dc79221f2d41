//! The answer about a program's run: the chain of values that cause the failure, or the switches of threads with which it
//! fails or passes.

use super::text::{beginning, plain};
use crate::excerpt::path;
use crate::human::count;
use crate::inquiries::InquiryAnswer;
use crate::schedules::found::{UNKNOWN, name};
use crate::schedules::{FoundSwitches, NamedSwitch, Sought};
use crate::story::{Story, StoryQuestion};
use crate::turns::{self, CauseTransitions, Turn};
use maud::{Markup, html};

/// So many causes or switches are shown, and so many bytes of a value.
const MOST: usize = 300;
const MOST_VALUE: usize = 2000;

/// Returns what was found.
pub(super) fn found(story: &Story) -> Markup {
    let place = html! { p class="muted" { "It was written to " code { (path(story.seen(&story.out))) } "." } };
    match &story.inquiry {
        Some(InquiryAnswer::Values(found)) if found.turns.is_empty() => html! {
            p { (plain(found.lead().as_bytes())) }
            p class="muted" { (found.compared) }
        },
        Some(InquiryAnswer::Values(found)) => html! { (chain(found)) (place) },
        Some(InquiryAnswer::Switches(found)) => html! { (switches(found)) (place) },
        Some(InquiryAnswer::NoFailure(found)) => html! { p { (found.told(Sought::Failure)) } },
        Some(InquiryAnswer::NoPass(found)) => html! { p { (found.told(Sought::Pass)) } },
        None if story.question == StoryQuestion::Values => html! { p { "No value is known to be a cause yet." } },
        None => html! { p { "No schedule is known to be what is looked for yet." } },
    }
}

/// Returns the causes in the order of the run, and the statement that was executed last.
fn chain(found: &CauseTransitions) -> Markup {
    html! {
        h3 { "The causes" }
        p { (plain(found.lead().as_bytes())) }
        p class="muted" { span class="mark fail" { "✗" } " is the value in the run that fails, " span class="mark pass" { "✓" } " that in the run that passes." }
        ol class="chain" {
            @for (at, turn) in found.turns.iter().enumerate().take(MOST) { (cause(at, turn)) }
            @if let Some(last) = &found.last {
                li class="end" { p {  code { (plain(turns::shown(last, found.last_is_after).as_bytes())) } " the last one before the failure" } }
            }
        }
        @if found.turns.len() > MOST { p class="muted" { "The first " (count(MOST)) " of " (count(found.turns.len())) " are shown; the result has all." } }
        p class="muted" { (found.compared) " " (found.asked()) }
    }
}

/// Returns a cause: where it is changed, and the values of both runs.
fn cause(at: usize, turn: &Turn) -> Markup {
    let function = turn.values.first().map_or("", |value| turns::function(&value.variable));
    html! {
        li {
            p { code { (plain(turns::place(turn).as_bytes())) }
                @if !function.is_empty() { " in " code { (plain(function.as_bytes())) } }
                " " span class="muted" { (turns::file(at)) } }
            dl class="values" {
                @for value in &turn.values {
                    div { dt { code { (plain(value.variable.name.as_bytes())) } }
                        dd { span class="mark fail" { "✗" } " " span class="vh" { "fails with " } code { (shown(&value.failing)) } }
                        dd { span class="mark pass" { "✓" } " " span class="vh" { "passes with " } code { (shown(&value.passing)) } } }
                }
            }
        }
    }
}

/// Returns a value, as far as it is not too long.
fn shown(value: &str) -> String {
    match beginning(value.as_bytes(), MOST_VALUE) {
        (all, 0) => plain(all),
        (part, cut) => format!("{}… and {} bytes more", plain(part), count(cut)),
    }
}

/// Returns the switches in the order in which they happen.
fn switches(found: &FoundSwitches) -> Markup {
    html! {
        h3 { "The switches" }
        p { (plain(found.does().as_bytes())) " Otherwise, a thread runs until it has to wait." }
        ol class="chain" { @for switch in found.switches.iter().take(MOST) { (one(switch)) } }
        @if found.switches.is_empty() { p { "It fails without any switch." } }
        @if found.switches.len() > MOST { p class="muted" { "The first " (count(MOST)) " of " (count(found.switches.len())) " are shown; the schedule has all." } }
        @if let Some((lead, lines)) = found.difference() {
            h3 { "The difference" }
            p { (plain(lead.as_bytes())) }
            ol class="chain" { @for line in lines.iter().take(MOST) { li { p { (plain(line.as_bytes())) } } } }
        }
    }
}

/// Returns a switch: where the thread is, where it would have gone on, and which thread goes on in its place.
fn one(switch: &NamedSwitch) -> Markup {
    let (thread, to) = (name(switch.thread), name(switch.to));
    html! {
        li {
            p { b { (thread) } ", at its point " (count(switch.point))
                @if switch.place != UNKNOWN { ", in " code { (plain(switch.place.as_bytes())) } }
                ": " b { (to) } " runs on instead" }
            @if let Some(source) = &switch.source {
                p class="muted" { "Without the switch, " (thread) " would have gone on from this line:" }
                pre { (plain(source.as_bytes())) }
            }
        }
    }
}
