//! The commands and their options, as `--help` says them.

use std::path::Path;
use std::process::Command;

/// A command of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spoken {
    /// Its word.
    pub name: String,
    pub options: Vec<Opt>,
}

/// An option of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opt {
    /// With its dashes.
    pub name: String,
    /// The names of its values.
    pub values: Vec<String>,
    /// Whether its value may be left out, and stands behind `=` if it is there.
    pub is_optional: bool,
    /// The only values that there are, if that is said.
    pub possible: Vec<String>,
}

/// Reads all from the program.
///
/// # Errors
/// If it cannot be run, or says nothing that can be read.
pub(super) fn read(program: &Path) -> Result<Vec<Spoken>, String> {
    let help = |words: &[&str]| {
        let ended = Command::new(program).args(words).arg("--help").output().map_err(|error| error.to_string())?;
        Ok::<String, String>(String::from_utf8_lossy(&ended.stdout).into_owned())
    };
    let names = commands(&help(&[])?);
    let spoken = names.into_iter().map(|name| Ok(Spoken { options: options(&help(&[&name])?), name }));
    let all: Vec<Spoken> = spoken.collect::<Result<_, String>>()?;
    let is_read = all.len() > 15 && all.iter().all(|command| !command.options.is_empty());
    if is_read { Ok(all) } else { Err(format!("the help cannot be read: {all:?}")) }
}

/// Returns the words of the table of commands: `  Inputs    reduce, isolate    What they do`.
fn commands(help: &str) -> Vec<String> {
    let table = help.split("Commands:\n").nth(1).unwrap_or_default();
    let lines = table.lines().take_while(|line| !line.is_empty());
    // The first column may be empty.
    let words = lines.filter_map(|line| line.get(12..)?.split("  ").next());
    words
        .flat_map(|words| words.split(", "))
        .map(|word| word.trim().to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

fn options(help: &str) -> Vec<Opt> {
    let mut options: Vec<Opt> = vec![];
    for line in help.lines() {
        let text = line.trim_start();
        if let Some(possible) = text.strip_prefix("[possible values: ").and_then(|text| text.strip_suffix(']')) {
            let possible = possible.split(", ").map(str::to_owned).collect();
            options.iter_mut().last().into_iter().for_each(|option| option.possible.clone_from(&possible));
            continue;
        }
        let indent = line.len() - text.len();
        let long = text.split(' ').position(|word| word.starts_with("--"));
        let Some(at) = long.filter(|at| *at <= 1 && (indent == 2 || indent == 6) && text.starts_with('-')) else {
            continue;
        };
        let words: Vec<&str> = text.split("  ").next().unwrap_or_default().split(' ').skip(at).collect();
        let (name, optional) = words[0].split_once("[=").unwrap_or((words[0], ""));
        let values: Vec<String> = words.iter().skip(1).chain(Some(&optional)).filter_map(|word| value(word)).collect();
        let is_optional = !optional.is_empty();
        options.push(Opt { name: name.trim_end_matches("...").to_owned(), values, is_optional, possible: vec![] });
    }
    options
}

fn value(word: &str) -> Option<String> {
    let (_, inner) = word.split_once('<')?;
    Some(inner.split_once('>')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_off_the_help() {
        let help = "Test:\n  -c, --shell <LINE>\n          Give `--no` test\n\n      --arg\n      --ask[=<WHERE>]\n          Ask\n          \
                    [possible values: terminal, page]\n      --why <NAME> <NAME>\n  -h, --help\n";
        let read = options(help);
        let names: Vec<(&str, usize, bool, usize)> =
            read.iter().map(|it| (&*it.name, it.values.len(), it.is_optional, it.possible.len())).collect();
        let expected = [
            ("--shell", 1, false, 0),
            ("--arg", 0, false, 0),
            ("--ask", 1, true, 2),
            ("--why", 2, false, 0),
            ("--help", 0, false, 0),
        ];
        assert_eq!(names, expected);
    }
}
