//! What `fuzz` and `triage` have left, in words for their page.

use super::{FindingShown, FindingsPage, GroupPage, SmallestInput};
use crate::{excerpt, human};
use serde_json::Value;
use std::path::Path;

/// Where the inputs of findings and groups are, for their readers.
pub trait FindingFiles {
    /// Returns the smallest input of a finding or a group, as far as it can be read.
    fn smallest(&self, name: &str) -> Option<SmallestInput>;

    /// Returns the line for a shell that shows a finding again, if there is one.
    fn repeat(&self, name: &str) -> Option<String>;

    /// Returns where the smallest input of a group is, as a shell takes it, if it is a file.
    fn place(&self, name: &str) -> Option<String>;

    /// Returns the folder, as a shell takes it; of a triage, that of the inputs.
    fn quoted(&self) -> String;
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn count(value: &Value, key: &str) -> Option<u64> {
    value.get(key).and_then(Value::as_u64)
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Returns the page of what `fuzz` has found, by the state that it has left.
pub fn of_fuzz(folder: &Path, state: &Value, files: &dyn FindingFiles) -> FindingsPage {
    let job = state.get("fuzzing").and_then(|fuzzing| fuzzing.get("job")).unwrap_or(&Value::Null);
    let words: Vec<String> = list(job, "command").map(|word| word.as_str().unwrap_or("�").to_owned()).collect();
    let groups: Vec<GroupPage> = list(state, "findings").map(|finding| finding_of_fuzz(finding, files)).collect();
    let trials = count(state, "next").unwrap_or(0);
    let here = files.quoted();
    FindingsPage {
        command: "fuzz",
        question: "Failures with generated inputs",
        subject: words.join(" "),
        test: String::new(),
        title: format!("{} in {}", human::counted(groups.len(), "findings"), human::counted(trials, "trials")),
        are: "Each finding is another failure of the program, with the smallest input that shows it. Inputs that fail in the same way stand below it.",
        place: folder.to_owned(),
        groups,
        not_failing: vec![],
        commands: vec![("Go on with the trials", format!("reduct resume {here}"))],
    }
}

fn finding_of_fuzz(finding: &Value, files: &dyn FindingFiles) -> GroupPage {
    let name = text(finding, "folder");
    let (seen, tests) = (count(finding, "seen").unwrap_or(1), count(finding, "tests").unwrap_or(0));
    let state = match text(finding, "standing").as_str() {
        "reduced" => "nothing more can go",
        "bounded" => "as small as it got in the time it had",
        "empty" => "it occurs without any input",
        "flaky" => "it did not occur again, so it was not reduced",
        "unreduced" => "it could not be reduced",
        _ => "it is still to be reduced",
    };
    let from = format!("made by {}, trial {}", text(finding, "generator"), count(finding, "trial").unwrap_or(0));
    let same = |one: &Value| FindingShown { name: text(one, "folder"), why: text(one, "why") };
    GroupPage {
        failure: text(finding, "failure"),
        state: format!("{state}; met {}; {from}; {}", human::times(seen), human::counted(tests, "tests")),
        smallest: files.smallest(&name),
        before: count(finding, "bytes").map(|bytes| bytes as usize),
        members: list(finding, "same").map(same).collect(),
        repeat: files.repeat(&name),
        name,
    }
}

/// Returns the page of the groups that `triage` has left.
pub fn of_triage(folder: &Path, triage: &Value, files: &dyn FindingFiles) -> FindingsPage {
    let test = text(triage, "test");
    let groups: Vec<GroupPage> = list(triage, "groups").map(|group| group_of_triage(group, &test, files)).collect();
    let options = text(triage, "options");
    let options = if options.is_empty() { options } else { format!("{options} ") };
    let again = format!("reduct triage {options}{} -- {test}", files.quoted());
    let commands = if test.is_empty() { vec![] } else { vec![("Group the failures again", again)] };
    let inputs: usize = groups.iter().map(|group| group.members.len() + 1).sum();
    let not_failing = list(triage, "not_failing").map(|one| (text(one, "name"), text(one, "seen"))).collect();
    FindingsPage {
        command: "triage",
        question: "Groups of failures with one cause",
        subject: excerpt::path(inputs_of(folder)),
        test,
        title: format!("{} fail in {}", human::counted(inputs, "inputs"), human::counted(groups.len(), "ways")),
        are: "Each way has its own group: its smallest input, and the other inputs that fail for the same reason, with what shows that.",
        place: folder.to_owned(),
        groups,
        not_failing,
        commands,
    }
}

/// Returns the folder of the inputs, of the one that a triage has left in it.
pub fn inputs_of(folder: &Path) -> &Path {
    let is_in_them = folder.ends_with(".reduct/triage");
    folder
        .parent()
        .and_then(Path::parent)
        .filter(|inputs| is_in_them && !inputs.as_os_str().is_empty())
        .unwrap_or(folder)
}

fn group_of_triage(group: &Value, test: &str, files: &dyn FindingFiles) -> GroupPage {
    let name = text(group, "name");
    let members: Vec<&Value> = list(group, "members").collect();
    let first = members.iter().find(|member| text(member, "name") == name).or(members.first());
    let others = members.iter().filter(|member| text(member, "name") != name);
    let why = |member: &&Value| FindingShown { name: text(member, "name"), why: text(member, "why") };
    let left = first.map(|first| text(first, "left").into_bytes());
    let left = left.map(|beginning| SmallestInput { bytes: beginning.len(), beginning });
    GroupPage {
        failure: text(group, "signature"),
        state: format!(
            "the smallest of {} that fail so; {}",
            human::counted(members.len(), "inputs"),
            reduced(first.copied())
        ),
        smallest: files.smallest(&name).or(left),
        before: first.and_then(|first| count(first, "bytes")).map(|bytes| bytes as usize),
        members: others.map(why).collect(),
        repeat: files.place(&name).and_then(|place| with_input(test, &place)),
        name,
    }
}

/// Returns a line for a shell with a quoted path in the place of `{}`; `None` if that stands nowhere, or within a longer word or
/// quotes, where the path would need other quotes.
fn with_input(line: &str, path: &str) -> Option<String> {
    let (mut is_escaped, mut quote) = (false, ' ');
    let mut words = vec![String::new()];
    for sign in line.chars() {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' if quote != '\'' => is_escaped = true,
            '\'' | '"' if quote == ' ' => quote = sign,
            _ if sign == quote && quote != ' ' => quote = ' ',
            ' ' if quote == ' ' => {
                words.push(String::new());
                continue;
            }
            _ => {}
        }
        words.last_mut()?.push(sign);
    }
    let is_alone = words.iter().all(|word| word == "{}" || !word.contains("{}"));
    let is_named = words.iter().any(|word| word == "{}");
    (is_alone && is_named)
        .then(|| words.iter().map(|word| if word == "{}" { path } else { word }).collect::<Vec<_>>().join(" "))
}

/// Returns how far an input was reduced, in words.
fn reduced(member: Option<&Value>) -> String {
    let is_reduced = member.and_then(|member| member.get("reduced")?.as_bool());
    match (is_reduced, member.map(|member| text(member, "note")).filter(|note| !note.is_empty())) {
        (_, Some(note)) => note,
        (Some(true), None) => "nothing more can go from it".into(),
        _ => "it was not reduced".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::with_input;

    #[test]
    fn a_path_is_put_where_its_quotes_hold() {
        let path = "'a;b'";
        assert_eq!(with_input("./p {} -x", path).as_deref(), Some("./p 'a;b' -x"));
        assert_eq!(with_input("./p 'it'\\''s' {}", path).as_deref(), Some("./p 'it'\\''s' 'a;b'"));
        for line in
            ["./p", "sh -c 'grep {} x'", "sh -c 'it'\\''s {} x'", "./p --in={}", "./p \"a {} b\"", "./p {} 'x {} y'"]
        {
            assert_eq!(with_input(line, path), None, "{line}");
        }
    }
}
