//! Exceptions of Ruby that nobody has caught.

use super::FailureReport;
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// ``prog.rb:3:in `check': too big (RuntimeError)``; from 3.4 on, `'Object#check'`.
static HEADLINE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^([^\s:][^:\n]*:\d+):in [`']([^'\n]+)': (.*) \(([A-Z][\w:]*)\)$"));
static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^\tfrom ([^:]+:\d+):in [`']([^']+)'$"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let found = HEADLINE.captures(text)?;
    let is_own = |place: &str| !place.starts_with('<') && !place.contains("/gems/") && !place.contains("/lib/ruby/");
    // What stands in no function is `<main>`, or `<top (required)>`.
    let frame = |place: &str, name: &str| {
        let name = name.rsplit(" in ").next().unwrap_or(name).trim_matches(['<', '>']);
        Frame::managed(name.split(' ').next().unwrap_or(name), is_own(place), place)
    };
    // More lines of the message come before the entries.
    let rest = text[found.get(0)?.end()..].lines().skip_while(|line| !line.starts_with("\tfrom "));
    let entries = rest.take_while(|line| line.starts_with('\t')).filter_map(|line| ENTRY.captures(line));
    let frames = std::iter::once(frame(&found[1], &found[2])).chain(entries.map(|it| frame(&it[1], &it[2]))).collect();
    let class = found[4].to_owned();
    // The names of what is missing are the program's; what lacks it may be shown with an address.
    let is_of_program = matches!(class.as_str(), "NoMethodError" | "NameError");
    let lacks = found[3].find("' for ").filter(|at| is_of_program && !found[3][*at..].starts_with("' for nil"));
    let message = lacks.map_or(&found[3], |at| &found[3][..=at]).to_owned();
    Some(FailureReport { class, message, quotes: !is_of_program, frames, chain: vec![] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_has_the_functions_of_the_program() {
        let text = "prog.rb:9:in `fetch': key not found: :x (KeyError)\n\nfetch(:x)\n^^^\n\tfrom prog.rb:9:in `block in total'\n\
                    \tfrom <internal:kernel>:18:in `tap'\n\tfrom prog.rb:16:in `<main>'\n";
        let report = read(text).unwrap();
        assert_eq!(report.in_short(), "KeyError: key not found: :x");
        let own = report.frames.iter().filter(|it| it.own).map(|it| (it.name.as_str(), it.at.as_ref().unwrap().1));
        assert_eq!(own.collect::<Vec<_>>(), [("fetch", 9), ("total", 9), ("main", 16)]);
        let missing = |of: &str| {
            let text =
                format!("a.rb:1:in `f': undefined method `x' for {of} (NoMethodError)\n\tfrom a.rb:2:in `<main>'\n");
            read(&text).map(|it| (it.message, it.quotes)).unwrap()
        };
        assert_eq!(missing("#<A:0x00007f1e>"), ("undefined method `x'".to_owned(), false));
        assert_eq!(missing("nil:NilClass").0, "undefined method `x' for nil:NilClass");
        let newer = "a.rb:1:in 'Object#f': no (Foo::Bar)\n\tfrom a.rb:2:in '<main>'\n";
        assert_eq!(read(newer).unwrap().in_short(), "Foo::Bar: no");
    }
}
