//! The answer about the executions of a program: its lines, how often they are executed in what is left, and what they assign.

use super::text::{beginning, plain};
use crate::human::{count, counted};
use crate::listing::{ListedFunction, ListedStatement, Listing};
use crate::story::Story;
use maud::{Markup, html};

/// So many statements are shown, and so many bytes of a value.
const MOST: usize = 2000;
const MOST_VALUE: usize = 2000;

/// Returns what is left, and the plan, which is for the machine.
pub(super) fn left(story: &Story, plan: Markup) -> Markup {
    html! {
        @if let Some(listing) = &story.listing { (shown(listing)) }
        details open[story.listing.is_none()] {
            summary { "The plan: what is executed, one execution a line" }
            (plan)
        }
    }
}

fn shown(listing: &Listing) -> Markup {
    let statements = listing.functions.iter().map(|it| it.statements.len()).sum::<usize>();
    let has_values = listing.functions.iter().flat_map(|it| &it.statements).any(|it| !it.values.is_empty());
    let mut room = MOST;
    let functions = listing.functions.iter().map_while(|function| {
        let taken = function.statements.len().min(room);
        room -= taken;
        (taken > 0).then(|| (function, &function.statements[..taken]))
    });
    html! {
        h3 { "What is left" }
        p { (listing.summary()) }
        @if let Some(telling) = &listing.telling { p { (telling) } }
        p class="muted" { "Functions stand in the order in which they are entered. " i { "2 of 4" } ": two executions of the statement are left, of four."
            @if has_values { " Values are those of the last one that is left." } }
        @for (at, (function, statements)) in functions.enumerate() { (of_function(at, function, statements)) }
        @if statements > MOST { p class="muted" { "The first " (counted(MOST, "statements")) " are shown; " code { "reduct log" } " lists all of them." } }
    }
}

fn of_function(at: usize, function: &ListedFunction, statements: &[ListedStatement]) -> Markup {
    html! {
        h4 id={ "f" (at) "-h" } { code { (plain(function.file.as_bytes())) } @if let Some(name) = &function.function { " in " code { (plain(name.as_bytes())) } } }
        div class="scroll listing" tabindex="0" role="region" aria-labelledby={ "f" (at) "-h" } {
            table {
                thead { tr { th scope="col" class="number" { "Line" } th scope="col" { "Executed" } th scope="col" { "Statement" } th scope="col" { "Values" } } }
                tbody { @for statement in statements { (row(statement)) } }
            }
        }
    }
}

fn row(statement: &ListedStatement) -> Markup {
    html! {
        tr {
            td class="number" { (statement.number()) }
            td { (count(statement.left)) span class="muted" { " of " (count(statement.executed)) } }
            td class="p" { (" ".repeat(statement.indent)) (plain(statement.text.as_bytes())) }
            td class="p" {
                @if let Some(iterations) = &statement.iterations { div class="muted" { (plain(iterations.as_bytes())) } }
                @for value in &statement.values {
                    div { (plain(value.name.as_bytes())) " = " (value_of(&value.value))
                        @if let Some(whole) = statement.whole_of(value) { (in_whole_run(whole)) } }
                }
                @for it in statement.read() {
                    div { "reads " (plain(it.name.as_bytes())) " = " (value_of(&it.here)) (in_whole_run(&it.whole)) }
                }
                @if statement.is_last { div class="mark fail" { "✗ the last one" } }
            }
        }
    }
}

fn in_whole_run(value: &str) -> Markup {
    html! { span class="muted" { " (whole run: " (value_of(value)) ")" } }
}

/// Returns a value, as far as it is not too long.
fn value_of(value: &str) -> String {
    match beginning(value.as_bytes(), MOST_VALUE) {
        (all, 0) => plain(all),
        (part, cut) => format!("{}… and {} bytes more", plain(part), count(cut)),
    }
}
