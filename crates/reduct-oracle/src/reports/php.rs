//! Fatal errors of PHP, among them exceptions that nobody has caught.

use super::FailureReport;
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// `PHP Fatal error:  Uncaught Exception: too big in /u/prog.php:3`, on the standard error; without `PHP`, on the output.
static UNCAUGHT: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?m)^(?:PHP )?Fatal error:\s+Uncaught ([\w\\]+)(?:: (.*(?:\n.*)*?))? in ([^\n]+:\d+)\nStack trace:\n")
});
/// `#0 /u/prog.php(15): check(5)`: where what is called is called from.
static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^#\d+ (?:(.+)\((\d+)\)|\[internal function\]): ([^(]+)\("));
static FATAL: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^(?:PHP )?(Fatal error|Parse error):\s+(.*) in (.+) on line (\d+)$"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let Some(found) = UNCAUGHT.captures(text) else {
        let found = FATAL.captures(text)?;
        let frames = vec![Frame::managed("{main}", true, &format!("{}:{}", &found[3], &found[4]))];
        let (class, message) = (format!("PHP {}", found[1].to_lowercase()), found[2].to_owned());
        return Some(FailureReport { class, message, quotes: true, frames, chain: vec![] });
    };
    let mut place = Some(found[3].to_owned());
    let mut frames = vec![];
    for line in text[found.get(0)?.end()..].lines().take_while(|line| line.starts_with('#')) {
        let Some(entry) = ENTRY.captures(line) else { break };
        frames.push(Frame::managed(&entry[3], place.is_some(), place.as_deref().unwrap_or_default()));
        place = entry.get(1).map(|file| format!("{}:{}", file.as_str(), &entry[2]));
    }
    frames.push(Frame::managed("{main}", place.is_some(), place.as_deref().unwrap_or_default()));
    let message = found.get(2).map_or("", |it| it.as_str()).lines().next().unwrap_or_default().to_owned();
    Some(FailureReport { class: found[1].to_owned(), message, quotes: true, frames, chain: vec![] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_has_the_functions_of_the_program() {
        let text = "PHP Fatal error:  Uncaught Exception: too big in /u/a b.php:4\nStack trace:\n#0 /u/a b.php(16): Shop\\Cart->check(5)\n\
                    #1 [internal function]: {closure}(1)\n#2 /u/a b.php(22): array_map(Object(Closure), Array)\n#3 {main}\n  thrown in /u/a b.php on line 4\n";
        let report = read(text).unwrap();
        assert_eq!(report.in_short(), "Exception: too big");
        let own = report.frames.iter().filter(|it| it.own).map(|it| (it.name.as_str(), it.at.as_ref().unwrap().1));
        assert_eq!(own.collect::<Vec<_>>(), [("Shop\\Cart->check", 4), ("{closure}", 16), ("{main}", 22)]);
    }

    #[test]
    fn another_fatal_error_has_its_line() {
        let report =
            read("PHP Fatal error:  Allowed memory size of 9 bytes exhausted in /u/a.php on line 7\n").unwrap();
        assert_eq!(report.class, "PHP fatal error");
        assert_eq!(report.frames[0].at, Some(("/u/a.php".into(), 7)));
    }
}
