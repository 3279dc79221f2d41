//! The texts that a failure has to say: a pass puts what they name in the place of what is computed.

use crate::job::Job;
use reduct_oracle::Criterion;
use reduct_oracle::said::plain;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// So much of a script is read, and so many texts are kept of it.
const LONGEST: u64 = 1 << 14;
const MOST: usize = 32;

/// So many bytes of a text at most.
const LONGEST_TEXT: usize = 1 << 12;

/// Returns the texts that count of what the failure says. Where a script decides, they stand in it: in quotes, or compared with something.
pub(crate) fn said(job: &Job, reading: &Criterion) -> Vec<String> {
    let mut said = match reading {
        Criterion::ExitZero => asked_for(job),
        reading => reading.said(),
    };
    said.retain(|text| text.chars().any(char::is_alphanumeric));
    said.truncate(MOST);
    for text in &mut said {
        text.truncate(text.floor_char_boundary(LONGEST_TEXT));
    }
    said
}

/// Returns what stands in quotes or is compared in the lines of a shell that the command consists of.
fn asked_for(job: &Job) -> Vec<String> {
    let root = Path::new("/");
    let scripts = job.named_below(root).into_iter().filter_map(|path| script(&root.join(path)));
    let lines = job.command.iter().filter_map(|word| word.to_str()).filter(|word| word.contains(' '));
    scripts.chain(lines.map(str::to_owned)).flat_map(|text| asked_in(&text)).collect()
}

/// Returns the text of a file if a shell runs it.
fn script(path: &Path) -> Option<String> {
    let mut text = vec![];
    File::open(path).ok()?.take(LONGEST).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let first = text.lines().next()?.strip_prefix("#!")?;
    let is_shell = |word: &str| word.rsplit('/').next().is_some_and(|name| name.ends_with("sh"));
    first.split_whitespace().any(is_shell).then_some(text)
}

/// Returns what lines of a shell ask for, but for comments.
fn asked_in(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    code.flat_map(|line| quoted(line).into_iter().chain(compared(line)).collect::<Vec<String>>()).collect()
}

/// Returns what stands in quotes in a line, as patterns that name it. A command that is run is none.
fn quoted(line: &str) -> Vec<String> {
    let (mut rest, mut found) = (line, vec![]);
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = rest.as_bytes()[at] as char;
        let Some((inside, after)) = rest[at + 1..].split_once(quote) else { break };
        if !inside.starts_with("$(") && !inside.starts_with('`') {
            found.push(plain(inside));
        }
        rest = after;
    }
    found
}

/// What a shell compares with.
const COMPARISONS: &[&str] = &["=", "==", "!=", "-eq", "-ne"];

/// Returns the words without quotes with which something is compared in a line, other than the exit status of a command.
fn compared(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let compared = words.windows(3).filter(|three| COMPARISONS.contains(&three[1]));
    let compared = compared.filter(|three| three[0].trim_matches('"') != "$?");
    let word = |three: &[&str]| three[2].trim_end_matches([';', ')', ']']).to_owned();
    compared.map(word).filter(|word| !word.contains(['"', '\'', '$', '`'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Failure;

    #[test]
    fn a_script_says_what_it_looks_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.sh");
        std::fs::write(&path, "#!/bin/sh\n# not \"this\"\n./a | grep -q '^sum: 22$' && [ \"$x\" = \"it's\" ]\n")
            .unwrap();
        std::fs::write(folder.path().join("in"), "#!/bin/sh\necho 'input'\n").unwrap();
        let job = |command: &[&str]| {
            let words = command.iter().map(Into::into).collect();
            Job::new(vec!["in".into()], words, "out".into()).with_folder(folder.path().to_owned())
        };
        let path = path.to_str().unwrap();
        assert_eq!(said(&job(&[path, "in"]), &Criterion::ExitZero), [" sum: 22 ", " x", "it's"]);
        assert_eq!(said(&job(&["sh", "-c", "./a in | grep 'total=42'"]), &Criterion::ExitZero), ["total=42"]);
        let lines = "[ \"$(timeout 2 ./a in)\" = 42 ] && [[ $b == done ]] && test $? = 7";
        assert_eq!(said(&job(&["sh", "-c", lines]), &Criterion::ExitZero), ["42", "done"]);
        let conditions = Criterion::Conditions(vec!["stdout~^total=42".parse().unwrap()]);
        let job = job(&[path, "in"]).with_failure(Failure::ExitZero);
        assert_eq!(said(&job, &conditions), [" total=42"]);
    }
}
