//! What is printed on standard error when something was not done, or has to be said beside a result: the one place that
//! knows how such diagnostics look.

use miette::{Diagnostic, MietteHandlerOpts, Report, Severity};
use reduct_lib::Refusal;
use reduct_report::excerpt;
use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// A refusal of the library as a diagnostic.
#[derive(Debug)]
struct Shown(Refusal);

impl Display for Shown {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Error for Shown {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

impl Diagnostic for Shown {
    fn help(&self) -> Option<Box<dyn Display + '_>> {
        self.0.help().map(|help| Box::new(help) as Box<dyn Display>)
    }
}

/// Returns the text of a warning.
pub(super) fn warning(what: &str, help: &str) -> String {
    format!("{:?}", miette::miette!(severity = Severity::Warning, help = help, "{what}"))
}

/// Says why something was not done. Lines are not wrapped: a command among them can be copied.
pub(super) fn complain(refusal: Refusal, colored: bool) {
    // It can be set once only, and is.
    let _ = miette::set_hook(Box::new(move |_| {
        Box::new(MietteHandlerOpts::new().color(colored).wrap_lines(false).build())
    }));
    eprintln!("{}", only_colors(&format!("{:?}", Report::new(Shown(refusal)))));
}

/// Returns the text with nothing that does something to a terminal, but for colours: paths and what a test printed may
/// stand in it.
fn only_colors(text: &str) -> String {
    let mut safe = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "\x1b[;".contains(c)));
        let is_color = rest.starts_with("\x1b[") && end.is_some_and(|end| rest[end..].starts_with('m'));
        match end {
            Some(end) if is_color => {
                safe.push_str(&rest[..=end]);
                rest = &rest[end + 1..];
            }
            _ => {
                safe.push(if character == '\n' { character } else { excerpt::visible(character) });
                rest = &rest[character.len_utf8()..];
            }
        }
    }
    safe
}
