//! The command line as it was typed, which the journal keeps and reports show: without values of variables, which may be secrets.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// The options that give a variable.
const VARIABLES: [&str; 2] = ["--good-env", "--env"];

/// Returns the words of a command line, the first of which is the program.
pub(super) fn words(line: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let (mut is_value, mut is_test) = (false, false);
    let word = |(at, word): (usize, OsString)| {
        if at == 0 {
            return Path::new(&word).file_name().map(OsStr::to_owned).unwrap_or(word);
        }
        is_test |= word == "--";
        if is_test {
            return word;
        }
        let option = VARIABLES.iter().find_map(|option| word.as_bytes().strip_prefix(option.as_bytes()));
        let given = option.and_then(|rest| rest.strip_prefix(b"="));
        let hidden = match given {
            Some(given) => Some([&word.as_bytes()[..word.len() - given.len()], &without_value(given)].concat()),
            None => is_value.then(|| without_value(word.as_bytes())),
        };
        is_value = option.is_some_and(<[u8]>::is_empty);
        hidden.map_or(word, OsString::from_vec)
    };
    line.enumerate().map(word).collect()
}

/// Returns a variable with its value left out.
fn without_value(variable: &[u8]) -> Vec<u8> {
    match variable.iter().position(|byte| *byte == b'=') {
        Some(at) => [&variable[..=at], "…".as_bytes()].concat(),
        None => variable.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_variables_are_left_out_and_all_else_stays() {
        let typed = |line: &[&str]| -> Vec<String> {
            let words = words(line.iter().map(OsString::from));
            words.into_iter().map(|word| word.into_string().unwrap()).collect()
        };
        let line =
            ["/usr/bin/reduct", "state", "--good-env", "KEY=secret", "--good-env=B=secret", "--", "p", "--env", "A=b"];
        let kept = ["reduct", "state", "--good-env", "KEY=…", "--good-env=B=…", "--", "p", "--env", "A=b"];
        assert_eq!(typed(&line), kept);
        assert_eq!(typed(&["reduct", "a b", "--by", "lines"]), ["reduct", "a b", "--by", "lines"]);
        assert_eq!(typed(&["reduct", "--good-env", "HOME", "x=y"]), ["reduct", "--good-env", "HOME", "x=y"]);
    }
}
