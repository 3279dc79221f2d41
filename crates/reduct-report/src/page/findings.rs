//! The page of several failures: what `reduct fuzz` has found, the groups of `reduct triage`.

mod told;

use super::frame;
use super::text::plain;
use crate::human::{self, counted};
use maud::html;
use std::path::PathBuf;
pub use told::{FindingFiles, inputs_of, of_fuzz, of_triage};

/// Several failures, for a page.
#[derive(Clone, Debug, Default)]
pub struct FindingsPage {
    /// The command that left them.
    pub command: &'static str,
    /// What was asked: a sentence.
    pub question: &'static str,
    /// What ran.
    pub subject: String,
    /// The test, if the subject does not say it.
    pub test: String,
    /// In one line, what came of it.
    pub title: String,
    /// What the groups or findings are: a sentence.
    pub are: &'static str,
    /// The folder it was read from.
    pub place: PathBuf,
    /// The groups or findings.
    pub groups: Vec<GroupPage>,
    /// Inputs that do not fail, with what was seen.
    pub not_failing: Vec<(String, String)>,
    /// What to type: what it does, and the line.
    pub commands: Vec<(&'static str, String)>,
}

/// A finding, or a group of inputs that fail for one reason.
#[derive(Clone, Debug, Default)]
pub struct GroupPage {
    /// What it is called.
    pub name: String,
    /// What it looks like.
    pub failure: String,
    /// How it stands, in words.
    pub state: String,
    /// The smallest input; `None` if it could not be read.
    pub smallest: Option<SmallestInput>,
    /// Its size before, if that is known.
    pub before: Option<usize>,
    /// The others that belong to it, with the reason.
    pub members: Vec<FindingShown>,
    /// How to see it again.
    pub repeat: Option<String>,
}

/// The smallest input of a group, as far as it was read.
#[derive(Clone, Debug, Default)]
pub struct SmallestInput {
    /// Its beginning.
    pub beginning: Vec<u8>,
    /// How many bytes it has.
    pub bytes: usize,
}

/// One of a group.
#[derive(Clone, Debug, Default)]
pub struct FindingShown {
    /// What it is called.
    pub name: String,
    /// Why it belongs to the group.
    pub why: String,
}

/// So many groups, and members of one, are shown.
const MOST: usize = 300;
/// So many bytes of an input.
const MOST_BYTES: usize = 4000;

impl FindingsPage {
    /// Returns the page.
    pub fn page(&self) -> String {
        let body = html! {
            (frame::skip())
            (frame::head(self.question, &self.title, html! {
                p class="subject" { code { (plain(self.subject.as_bytes())) } }
                @if !self.test.is_empty() { p class="ran" { "The test: " code { (plain(self.test.as_bytes())) } } }
            }))
            main {
                section id="answer" aria-labelledby="answer-h" {
                    h2 id="answer-h" { "Answer" }
                    p { (self.are) }
                    @if self.groups.len() > 1 { ol class="toc" { @for (at, group) in self.groups.iter().enumerate().take(MOST) {
                        li { a href={ "#g" (at) } { (plain(group.failure.as_bytes())) } } } } }
                }
                @for (at, group) in self.groups.iter().enumerate().take(MOST) { (shown(at, group)) }
                @if self.groups.len() > MOST { p { (counted(self.groups.len() - MOST, "more groups")) " are in the folder." } }
                @if !self.not_failing.is_empty() {
                    section id="passing" aria-labelledby="passing-h" { h2 id="passing-h" { "These do not fail" }
                        ul { @for (name, seen) in self.not_failing.iter().take(MOST) { li { code { (plain(name.as_bytes())) } " — " (plain(seen.as_bytes())) } } } }
                }
                @if !self.commands.is_empty() { section id="commands" aria-labelledby="commands-h" { h2 id="commands-h" { "What to type" }
                    @for (at, (what, line)) in self.commands.iter().enumerate() { div class="command" { p id={ "c" (at) "-h" } { (what) }
                        div class="copyable" { pre id={ "c" (at) } tabindex="0" role="region" aria-labelledby={ "c" (at) "-h" } { (plain(line.as_bytes())) }
                            button type="button" class="copy" data-copy={ "c" (at) } { "Copy" span class="vh" { ": " (what) } } } } } } }
            }
            footer { p { "Made by " code { "reduct report" } " from " code { (crate::excerpt::path(&self.place)) } ". This page is one file: it loads nothing and sends nothing." } }
        };
        frame::page((&self.title, &self.subject), &body.into_string(), "{}", None)
    }
}

fn shown(at: usize, group: &GroupPage) -> maud::Markup {
    html! {
        section id={ "g" (at) } aria-labelledby={ "g" (at) "-h" } {
            h2 id={ "g" (at) "-h" } { (plain(group.failure.as_bytes())) }
            p { code { (plain(group.name.as_bytes())) } ": " span class="muted" { (plain(group.state.as_bytes())) } }
            @if let Some(SmallestInput { beginning, bytes }) = &group.smallest {
                @let shown = super::text::beginning(beginning, MOST_BYTES).0;
                h3 { "Smallest input, " (human::bytes(*bytes)) @if let Some(before) = group.before { " (of " (human::bytes(before)) ")" } }
                pre class="result" tabindex="0" role="region" aria-label={ "Smallest input of " (plain(group.name.as_bytes())) } {
                    @if shown.is_empty() { span class="empty" { "(empty)" } } (plain(shown)) }
                @if *bytes > shown.len() { p class="muted" { "… " (human::bytes(bytes - shown.len())) " more stand in the file itself." } }
            }
            @if !group.members.is_empty() {
                h3 { (counted(group.members.len(), "others")) " with the same reason" }
                ul { @for member in group.members.iter().take(MOST) { li { code { (plain(member.name.as_bytes())) } @if !member.why.is_empty() { " — " (plain(member.why.as_bytes())) } } } }
            }
            @if let Some(line) = &group.repeat { p { "See it again: " code { (plain(line.as_bytes())) } } }
        }
    }
}
