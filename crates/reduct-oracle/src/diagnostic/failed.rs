//! What test runners say of a test that failed.

/// Returns what is said of a test that failed, with what it died of where that is said on other lines.
pub(super) fn of_a_test(text: &str, line: &str) -> String {
    let whole = whole_words(line);
    if line.starts_with("not ok ") {
        let mut behind = text.lines().skip_while(|other| *other != line).skip(1);
        let mut behind = behind.by_ref().take_while(|other| other.starts_with(char::is_whitespace));
        let error = behind.find_map(|other| other.trim().strip_prefix("error: ").map(str::to_owned));
        let error = match error.as_deref() {
            Some("|-" | "|" | ">-") => behind.next().map(|other| other.trim().to_owned()),
            _ => error,
        };
        // What is in quotation marks as a whole is no word of the input.
        let error = error.map(|error| error.trim_matches(['\'', '"']).to_owned());
        return [Some(whole), error].into_iter().flatten().collect::<Vec<String>>().join(": ");
    }
    // pytest has cut off all but the name of the test.
    let kind = text.lines().find_map(|other| other.strip_prefix("E  ")?.split_whitespace().next());
    match kind.filter(|_| line.starts_with("FAILED ") && !whole.contains(" - ")) {
        Some(kind) => format!("{whole} - {}", kind.trim_end_matches(':')),
        None => whole,
    }
}

/// Leaves out a word that is cut. pytest cuts its lines where the screen ends, which depends on numbers in them: then the kind is left.
fn whole_words(line: &str) -> String {
    match (line.strip_suffix("..."), line.split_once(" - ")) {
        (Some(cut), Some((test, _))) => match cut[test.len() + 3..].split_once(": ") {
            Some((kind, _)) => format!("{test} - {kind}"),
            None => test.to_owned(),
        },
        _ => line.to_owned(),
    }
}
