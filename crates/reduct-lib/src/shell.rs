//! Words as a shell takes them.

pub use reduct_oracle::shell_line::quoted as quoted_bytes;
use reduct_oracle::shell_line::{TOP, fill_both, fill_in_line, line_of};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Returns a word as a shell takes it, to be shown: what is not UTF-8 is replaced.
pub fn quoted(word: &OsStr) -> String {
    String::from_utf8_lossy(&quoted_bytes(word.as_bytes())).into_owned()
}

/// Returns words as a line for a shell, in which `{}` stands as it was typed.
///
/// ```
/// let words = ["./p".into(), "a b".into(), "{}".into()];
/// assert_eq!(reduct_lib::as_typed(&words), "./p 'a b' {}");
/// ```
pub fn as_typed(words: &[OsString]) -> String {
    let word = |word: &OsString| if word == "{}" { "{}".to_owned() } else { quoted(word) };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns the words of a command as a shell takes them, with the path of `name` in the folder `$d` in the place of
/// `{}`, and that folder in the place of [`TOP`].
pub fn words_below_d(argv: &[OsString], name: &OsStr) -> Vec<String> {
    let path = format!("\"$d\"/{}", quoted(name));
    let line = line_of(argv);
    let word = |(at, word): (usize, &OsString)| match word.as_bytes() {
        b"{}" if Some(at) != line => path.clone(),
        text if Some(at) == line => line_below_d(&argv[0], text, name),
        [b'{', b'}', b'/', rest @ ..] if !rest.windows(2).any(|two| two == b"{}") => {
            format!("{path}/{}", quoted(OsStr::from_bytes(rest)))
        }
        text => match text.strip_prefix(TOP.as_bytes()) {
            Some(rest) if !rest.contains(&b'{') => format!("\"$d\"{}", plainly_quoted(rest)),
            _ => quoted(word).replace("{}", &format!("'{path}'")).replace(TOP, "'\"$d\"'"),
        },
    };
    argv.iter().enumerate().map(word).collect()
}

/// Returns what follows a path, which may be nothing.
fn plainly_quoted(rest: &[u8]) -> String {
    if rest.is_empty() { String::new() } else { quoted(OsStr::from_bytes(rest)) }
}

/// Returns a line for a shell as one word.
fn line_below_d(shell: &OsStr, line: &[u8], name: &OsStr) -> String {
    // The folder has a name without special characters. No text has this one, and with it the line stands in quotes.
    const FOLDER: &str = "\u{1}";
    let path = [FOLDER.as_bytes(), b"/", name.as_bytes()].concat();
    // Where the path stands in quotes of its own, they are needed by its name or do no harm.
    let line = fill_both(|text, path| fill_in_line(shell, text, path), line, &path, FOLDER.as_bytes());
    quoted(&OsString::from_vec(line)).replace(FOLDER, "'\"$d\"'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_is_shown_does_the_same_in_a_shell() {
        for name in ["plain.c", "it's in \"put\" $x.c"] {
            for line in ["printf %s {}", "printf %s '{}'", "printf %s \"{}\""] {
                let argv = ["sh", "-c", line].map(OsString::from);
                let typed = format!("d=/tmp/d; {}", words_below_d(&argv, OsStr::new(name)).join(" "));
                let output = Command::new("sh").args(["-c", &typed]).output().unwrap();
                assert_eq!(String::from_utf8_lossy(&output.stdout), format!("/tmp/d/{name}"), "{typed}");
            }
        }
    }
}
