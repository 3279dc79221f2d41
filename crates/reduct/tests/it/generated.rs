//! What `--generate` prints: the man page is roff and has all commands, and shells complete with the scripts.

use crate::help::COMMANDS;
use crate::workshop::Workshop;

fn generated(kind: &str) -> String {
    Workshop::new().reduct(["--generate", kind]).run().exits_with(0).stdout
}

#[test]
fn the_man_page_is_roff_with_all_commands_and_what_each_takes() {
    let page = generated("man");
    let lines: Vec<&str> = page.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with(".TH REDUCT 1 ")), "{page}");
    for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "NOTES"] {
        assert_eq!(lines.iter().filter(|line| **line == format!(".SH {heading}")).count(), 1, "{heading}");
    }
    let sections: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix(".SS reduct ")).collect();
    assert_eq!(sections, COMMANDS);
    // What begins a line with a dot is a request that man pages know, or two that define a quotation mark.
    let requests = ["TH", "SH", "SS", "TP", "PP", "br", "RS", "RE", "IP", "nf", "fi", "ie", "el"];
    for line in lines.iter().filter(|line| line.starts_with(['.', '\''])) {
        let request = line[1..].split(' ').next().unwrap();
        assert!(requests.contains(&request), "{line}");
    }
    let section =
        |name: &str| page.split(&format!(".SS reduct {name}\n")).nth(1).unwrap().split("\n.S").next().unwrap();
    assert!(section("log").contains("\\-\\-json\\fR\nPrint one JSON object a test"), "{}", section("log"));
    // What short help leaves out is explained, too; what a command refuses is not offered.
    assert!(section("minima").contains("Parse the input as this language"), "{}", section("minima"));
    assert!(section("triage").contains("\\-\\-timeout") && !section("triage").contains("\\-\\-stall"));
}

#[test]
fn bash_completes_commands_options_and_values() {
    let workshop = Workshop::new();
    workshop.write("complete.bash", generated("complete-bash"));
    let completed = |words: &[&str]| {
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let at = words.len() - 1;
        let words = words.join(" ");
        let line = format!(
            "source complete.bash && COMP_WORDS=({words}) COMP_CWORD={at} && _reduct reduct '{last}' '{before}' && \
             echo \"${{COMPREPLY[@]}}\""
        );
        workshop.call("bash", ["--norc", "-c", &line]).run().exits_with(0).stdout.trim().to_owned()
    };
    assert_eq!(completed(&["reduct", "iso"]), "isolate");
    assert_eq!(completed(&["reduct", "log", "--js"]), "--json");
    assert_eq!(completed(&["reduct", "--until"]), "--until-granularity");
    assert_eq!(completed(&["reduct", "reduce", "--split", "jo"]), "joints");
}

#[test]
fn each_shell_has_a_script_with_all_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = generated(&format!("complete-{shell}"));
        let missing: Vec<&&str> = COMMANDS.iter().filter(|name| !script.contains(**name)).collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
    }
}

#[test]
fn it_is_done_alone() {
    let workshop = Workshop::new();
    for words in [&["--generate", "man", "x"][..], &["--generate", "html"], &["reduce", "--generate", "man"]] {
        let done = workshop.reduct(words).run().exits_with(2);
        assert_eq!(done.stdout, "");
    }
    workshop.reduct(["--generate", "html"]).run().says("complete-bash");
    assert!(!workshop.exists(".reduct"));
}
