//! A line for a shell with a path in the place of `{}`, so that the shell reads the path as it is.
//!
//! What a path has to look like depends on where it stands: bare, within either kind of quotes, in a document that
//! follows the line. A path without special characters looks the same everywhere.

mod quoting;
mod scanner;

pub use quoting::{fill_in_word, quoted};
use scanner::Scanner;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// What stands in a command for the folder in which a copy of a project stands. Nobody types it.
pub const TOP: &str = "{\u{1}}";

/// Puts a path in for every `{}` of a command, and one for every [`TOP`]: as they are into its words, as a shell needs them
/// into a line for a shell.
pub fn fill_in_command(argv: &[OsString], path: &OsStr, top: &OsStr) -> Vec<OsString> {
    let line = line_of(argv);
    let filled = argv.iter().enumerate().map(|(at, word)| {
        let fill = |text: &[u8], path: &[u8]| {
            if Some(at) == line { fill_in_line(&argv[0], text, path) } else { fill_in_word(text, path) }
        };
        OsString::from_vec(fill_both(fill, word.as_bytes(), path.as_bytes(), top.as_bytes()))
    });
    filled.collect()
}

/// Programs that read a line after `-c`, and a script else.
pub const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ash", "ksh", "zsh"];

/// Does so with two paths, one after the other.
pub fn fill_both(fill: impl Fn(&[u8], &[u8]) -> Vec<u8>, text: &[u8], path: &[u8], top: &[u8]) -> Vec<u8> {
    // What `{}` is while another path is put in.
    const HELD: &[u8] = b"\x02\x02";
    let top_is_there = text.windows(TOP.len()).any(|part| part == TOP.as_bytes());
    if !top_is_there {
        return fill(text, path);
    }
    let text = replaced(&replaced(text, b"{}", HELD), TOP.as_bytes(), b"{}");
    fill(&replaced(&fill(&text, top), HELD, b"{}"), path)
}

fn replaced(text: &[u8], part: &[u8], by: &[u8]) -> Vec<u8> {
    let (mut whole, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(at) = rest.windows(part.len()).position(|here| here == part) {
        whole.extend_from_slice(&rest[..at]);
        whole.extend_from_slice(by);
        rest = &rest[at + part.len()..];
    }
    whole.extend_from_slice(rest);
    whole
}

/// Returns which word of a command is a line for a shell, if one is: `sh -c LINE`.
pub fn line_of(argv: &[OsString]) -> Option<usize> {
    let [program, option, _, ..] = argv else { return None };
    let is_shell = Path::new(program).file_name().is_some_and(|name| SHELLS.iter().any(|shell| name == *shell));
    (is_shell && option == "-c").then_some(2)
}

/// Puts a path in for every `{}` of a line for this shell.
pub fn fill_in_line(shell: &OsStr, line: &[u8], path: &[u8]) -> Vec<u8> {
    let dollar_quotes = line.windows(2).any(|two| two == b"$'") && knows_dollar_quotes(shell);
    Scanner::new(line, path, dollar_quotes).filled_in()
}

/// Returns whether a shell takes `$'it\'s'` for one word. To one that does not, a dollar sign stands before ordinary
/// quotes. What `sh` is, its file tells.
fn knows_dollar_quotes(shell: &OsStr) -> bool {
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&search_path).map(|folder| folder.join(shell)).find(|path| path.is_file());
    let program = found.and_then(|path| path.canonicalize().ok()).unwrap_or_else(|| shell.into());
    program.file_name().is_some_and(|name| name != "dash")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// All that a shell could take for its own.
    const ODD: &str = "/tmp/it's a \"$HOME\" `x` \\ #;&|<*>(?)";

    fn filled(line: &str, path: &str) -> String {
        filled_for("sh", line, path)
    }

    fn filled_for(shell: &str, line: &str, path: &str) -> String {
        String::from_utf8(fill_in_line(OsStr::new(shell), line.as_bytes(), path.as_bytes())).unwrap()
    }

    /// Returns the arguments that a program has where this shell runs a line.
    fn arguments(shell: &str, line: &str) -> String {
        let line = format!("show() {{ printf '[%s]' \"$@\"; }}\n{line}");
        let output = Command::new(shell).args(["-c", &line]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{shell}: {line}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Compares with the shell itself, given a path in which nothing is special.
    fn reads_an_odd_path_as_a_plain_one(shell: &str, line: &str) {
        let plain = arguments(shell, &line.replace("{}", "/plain"));
        assert!(plain.contains("/plain"), "{shell}: {line} shows it");
        let odd = filled_for(shell, line, ODD);
        assert_eq!(arguments(shell, &odd), plain.replace("/plain", ODD), "{shell}: {line} is {odd}");
    }

    #[test]
    fn a_plain_path_stands_as_it_is_everywhere() {
        for line in ["{}", "'{}'", "\"{}\"", "a{}b \"$(x {} '{}')\" `y {}`", "cat <<E\n{}\nE\n{}", "$((1<<2)) {}"] {
            assert_eq!(filled(line, "/a/b.c"), line.replace("{}", "/a/b.c"), "{line}");
        }
    }

    #[test]
    fn the_time_it_takes_is_linear_in_the_length_of_a_word() {
        let long = "a".repeat(400_000);
        assert_eq!(filled(&format!("{long} {{}}"), "/a"), format!("{long} /a"));
    }

    #[test]
    fn a_shell_reads_the_path_as_it_is_wherever_it_stands() {
        for line in [
            "printf %s {}",
            "printf %s '{}'",
            "printf %s \"{}\"",
            "printf %s \"$(printf %s {})\"",
            "printf %s \"$(printf %s \"{}\")\"",
            "printf %s \"$(printf %s '{}')\"",
            "printf %s \"$( (true); printf %s {})\"",
            "(printf %s {})",
            "# don't\nprintf %s {}",
            "true it\\'s; printf %s {}",
            "x=$((1<<2)); printf %s {}",
            "printf %s ${x-}{}",
            "printf %s \"`printf %s '{}'`\"",
            "x=`printf %s {}`; printf %s \"$x\"",
            "x=`printf %s \"{}\"`; printf %s \"$x\"",
            "x=$(cat <<'E'\n{}\nE\n); printf %s \"$x\"",
            "x=$(cat <<E\n{}\nE\n); printf %s \"$x\"",
            "x=$(cat <<-\\E\n\t{}\n\tE\n); printf %s \"$x\"",
            "cat >/dev/null <<E; printf %s {}\nit's \"\nE",
        ] {
            let output = Command::new("sh").arg("-c").arg(filled(line, ODD)).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(String::from_utf8_lossy(&output.stdout), ODD, "{line}: {} {errors}", filled(line, ODD));
        }
    }

    #[test]
    fn the_parenthesis_of_a_pattern_closes_nothing() {
        for line in [
            r#"show "$(case x in x) printf %s {};; esac)""#,
            r#"show "$(case x in (y) ;; (x) printf %s {};; esac)" "{}""#,
            r#"show "$(case "x" in "y") ;; x|z) printf %s "{}" ;; *) esac; printf %s {})""#,
            r#"show "$(case x in x) (printf %s {}) ;; esac)" '{}'"#,
            r#"show "$(if case y in x) true;; y) false;; esac; then :; else printf %s {}; fi)" {}"#,
            r#"show "$(case x in x) case y in y) printf %s {};; esac;; esac)" "{}""#,
            r#"show "$(case x in x) if :; then printf %s {}; fi esac)" "{}""#,
            r#"show "$(f() { case $1 in x) printf %s {};; esac; }; f x)" "{}""#,
            r#"show "$(case in in in) printf %s {};; esac)""#,
            r#"show "$(case x in esac; printf %s {})" "{}""#,
            r#"show "$(case case in case) printf %s {};; esac)" "{}""#,
            r#"show "$(case $(echo x) in # it's a)
                x) printf %s {};; # one)
            esac)" "{}""#,
            r#"show "`case x in x) printf %s {};; esac`" {}"#,
            r#"show "$(case `echo x` in x) printf %s {};; esac)" "{}""#,
            r#"show "$(case `echo a`in in ain) printf %s {};; esac)" "{}""#,
            r#"show "$(case `echo {}` in /*) printf %s "{}";; esac)" '{}'"#,
            r#"show "$(echo case x in; printf %s {})" {}"#,
            r#"show "$(for case in esac; do echo $case \; case; printf %s {}; done)" {}"#,
            r#"show "$(printf %s esac case; (printf %s {}))" "{}""#,
            r#"case x in x) show {} "{}";; esac; show '{}'"#,
        ] {
            for shell in ["sh", "bash"] {
                reads_an_odd_path_as_a_plain_one(shell, line);
            }
        }
        for line in [
            r#"show "$(case x in y) ;; x) printf %s {} ;;& *) printf %s '{}';; esac)" "{}""#,
            r#"show "$(case x in x) printf %s {} ;& z) printf %s "{}";; esac)" "{}""#,
        ] {
            reads_an_odd_path_as_a_plain_one("bash", line);
        }
    }

    #[test]
    fn in_quotes_after_a_dollar_sign_a_backslash_keeps_a_quote() {
        for line in [
            r"show $'it\'s' {}",
            r"show $'it\'s {}' '{}'",
            r"show $'\\' {}",
            r#"show "$'" {} "'{}'""#,
            r#"show "$(printf %s $'it\'s' {})" "{}""#,
            r#"show "`printf %s $'a{}'`" {}"#,
            r"test $$'' = $$ && show {}",
            r"show \$'{}' {}",
        ] {
            reads_an_odd_path_as_a_plain_one("bash", line);
        }
        // What a shell without them makes of the same signs, or one that has them: to that, the last one has no end.
        let knows_them = arguments("sh", "show $'a'") == "[a]";
        assert_eq!(knows_dollar_quotes(OsStr::new("sh")), knows_them);
        let rows = ["show $'it' {}", "show $'{}'", "show $'a' '{}'", r"show $'a\' {}"];
        for line in &rows[..if knows_them { 3 } else { 4 }] {
            reads_an_odd_path_as_a_plain_one("sh", line);
        }
    }

    #[test]
    fn only_the_line_of_a_shell_is_read_as_one() {
        let fill = |argv: &[&str]| {
            let argv: Vec<OsString> = argv.iter().map(OsString::from).collect();
            fill_in_command(&argv, OsStr::new("/a b"), OsStr::new("/t p"))
        };
        assert_eq!(fill(&["/bin/bash", "-c", "x {}", "{}"]), ["/bin/bash", "-c", "x '/a b'", "/a b"]);
        assert_eq!(fill(&["sh", "{}", "-{}-"]), ["sh", "/a b", "-/a b-"]);
        assert_eq!(fill(&["python3", "-c", "open('{}')"]), ["python3", "-c", "open('/a b')"]);
        assert_eq!(fill(&["", "{{}}", "{ }"]), ["", "{/a b}", "{ }"]);
        let with_top = |line: &str| line.replace('^', TOP);
        assert_eq!(fill(&[&with_top("^/x"), "{}", &with_top("-I^")]), ["/t p/x", "/a b", "-I/t p"]);
        let line = with_top("cd ^ && cat {} '^/x' \"$(ls {} \"^\")\"");
        assert_eq!(fill(&["sh", "-c", &line])[2], "cd '/t p' && cat '/a b' '/t p/x' \"$(ls '/a b' \"/t p\")\"");
    }

    #[test]
    fn a_backslash_takes_the_braces_from_it() {
        assert_eq!(filled(r"echo \{}", "/a b"), r"echo \{}");
        assert_eq!(filled("# {}", "/a b"), "# {}");
    }
}
