//! A person as the test: played by a script that looks at each candidate and answers.

use crate::workshop::{Running, Workshop, files_below, pause};
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

const LINES: usize = 896;

/// A page of so many lines, of which these are to blame together.
fn page(workshop: &Workshop, guilty: &[usize]) {
    let line = |n| if guilty.contains(&n) { format!("guilty {n}\n") } else { format!("line {n}\n") };
    workshop.write("page.html", (0..LINES).map(line).collect::<String>());
}

/// Whether a candidate holds all lines that are to blame.
fn fails(candidate: &str, guilty: &[usize]) -> bool {
    guilty.iter().all(|n| candidate.lines().any(|line| line == format!("guilty {n}")))
}

/// The candidate of a question, once it is put. `None` if the command ends before.
fn question(running: &mut Running, number: usize) -> Option<String> {
    let sign = format!("{number}: does it fail? ");
    loop {
        let said = running.so_far();
        // The last one: what was answered may be asked again.
        if let Some((_, rest)) = said.rsplit_once("Question ")
            && let Some(rest) = rest.strip_prefix(&sign)
            && let Some((place, rest)) = rest.split_once(['\r', '\n'])
            && rest.contains("[q]uit")
        {
            return Some(fs::read_to_string(PathBuf::from(place)).unwrap());
        }
        if running.is_over() {
            return None;
        }
        pause();
    }
}

/// Answers each question from the given one on; returns the candidates.
fn answer_all(running: &mut Running, from: usize, end: &str, judge: impl Fn(&str) -> bool) -> Vec<String> {
    let mut asked = vec![];
    while let Some(candidate) = question(running, from + asked.len()) {
        running.press(&format!("{}{end}", if judge(&candidate) { "f" } else { "p" }));
        asked.push(candidate);
    }
    asked
}

fn is_once_each(asked: &[String]) -> bool {
    asked.iter().collect::<HashSet<_>>().len() == asked.len()
}

/// M21.
#[test]
fn one_line_of_896_takes_at_most_twelve_questions() {
    for line in [0, 447, 895] {
        let workshop = Workshop::new();
        page(&workshop, &[line]);
        let mut running = workshop.reduct(["page.html", "--ask"]).with_keys().start();
        let asked = answer_all(&mut running, 1, "\n", |candidate| fails(candidate, &[line]));
        let done = running.wait().exits_with(0);
        assert!(asked.len() <= 12 && is_once_each(&asked), "line {line}: {} questions", asked.len());
        assert_eq!(workshop.text("page.reduced.html"), format!("guilty {line}\n"));
        done.says("by your answers").says(&format!("{} tests", asked.len()));
        // What was shown is gone.
        assert!(!workshop.path(".reduct/asked").exists());
    }
}

#[test]
fn an_answer_is_taken_back_and_asked_again() {
    let workshop = Workshop::new();
    page(&workshop, &[300, 700]);
    let judge = |candidate: &str| fails(candidate, &[300, 700]);
    let mut running = workshop.reduct(["page.html", "--ask", "--events", "events"]).with_keys().start();
    let first = question(&mut running, 1).unwrap();
    running.press("u\n");
    running.wait_for("There is no answer to take back");
    // Both are wrong, and taken back one after the other.
    running.press("f\n");
    let second = question(&mut running, 2).unwrap();
    assert!(second.len() < first.len());
    running.press("fails\n");
    assert!(question(&mut running, 3).unwrap().len() < second.len());
    running.press("u\n");
    assert_eq!(question(&mut running, 2), Some(second));
    running.press("undo\n");
    assert_eq!(question(&mut running, 1), Some(first));
    answer_all(&mut running, 1, "\n", judge);
    running.wait().exits_with(0);
    assert_eq!(workshop.text("page.reduced.html"), "guilty 300\nguilty 700\n");
    assert_eq!(
        fs::read_to_string(workshop.run_folder().join("journal")).unwrap().matches(r#""t":"undone""#).count(),
        2
    );
    // A replay shows the answers that count.
    let log = workshop.logged();
    assert!(log.iter().all(|(size, outcome)| (*size >= 2) || outcome == "pass"), "{log:?}");
}

#[test]
fn a_person_who_is_killed_goes_on_tomorrow() {
    let workshop = Workshop::new();
    page(&workshop, &[123]);
    let judge = |candidate: &str| fails(candidate, &[123]);
    let mut running = workshop.reduct(["page.html", "--ask"]).with_keys().start();
    let mut asked = vec![];
    for number in 1..=4 {
        let candidate = question(&mut running, number).unwrap();
        running.press(if judge(&candidate) { "f\n" } else { "p\n" });
        asked.push(candidate);
    }
    let unanswered = question(&mut running, 5).unwrap();
    running.kill();
    running.wait();
    let mut running = workshop.reduct(["resume"]).with_keys().start();
    assert_eq!(question(&mut running, 5), Some(unanswered));
    // Also an answer of yesterday can be taken back.
    running.press("u\n");
    assert_eq!(question(&mut running, 4), asked.pop());
    asked.extend(answer_all(&mut running, 4, "\n", judge));
    running.wait().exits_with(0).says("what you say it is").does_not_say("exits with 0");
    assert!(asked.len() <= 12 && is_once_each(&asked), "{} questions", asked.len());
    assert_eq!(workshop.text("page.reduced.html"), "guilty 123\n");
    // The one that was killed left what it showed; it is swept.
    assert!(!workshop.path(".reduct/asked").exists());
}

#[test]
fn the_best_is_on_the_disk_when_the_person_leaves() {
    for goodbye in ["q\n", ""] {
        let workshop = Workshop::new();
        page(&workshop, &[5]);
        let before = workshop.read("page.html");
        let mut running = workshop.reduct(["page.html", "--ask"]).with_keys().start();
        let first = question(&mut running, 1).unwrap();
        running.press("f\n");
        question(&mut running, 2).unwrap();
        running.press(goodbye);
        running.hang_up();
        let done = running.wait().exits_with(4).says("reduct resume").does_not_say("by key");
        if goodbye.is_empty() {
            done.says("Standard input has ended, so nobody answers any more");
        }
        assert_eq!(workshop.text("page.reduced.html"), first);
        assert_eq!(workshop.read("page.html"), before);
    }
}

#[test]
fn keys_are_enough_on_a_terminal_and_a_command_shows_each_candidate() {
    let workshop = Workshop::new();
    page(&workshop, &[600]);
    workshop.script("show.sh", "cat \"$1\" >\"$WORKSHOP/shown\"; echo shown >>\"$LOG\"");
    let line = "stty -a >before; stty cols 100 rows 40; \"$REDUCT\" page.html --ask -- ./show.sh {}; stty -a >after";
    let mut running = workshop.call("script", ["-qefc", line, "/dev/null"]).with_keys().start();
    question(&mut running, 1).unwrap();
    workshop.eventually("it is shown", || if workshop.runs().len() == 1 { Ok(()) } else { Err(String::new()) });
    running.press("o");
    running.wait_for("Opened again");
    workshop.eventually("it is shown again", || if workshop.runs().len() == 2 { Ok(()) } else { Err(String::new()) });
    let asked = answer_all(&mut running, 1, "", |candidate| fails(candidate, &[600]));
    running.wait().exits_with(0);
    assert!(asked.len() <= 12, "{} questions", asked.len());
    assert_eq!(workshop.text("page.reduced.html"), "guilty 600\n");
    let modes = |name| workshop.text(name).lines().find(|line| line.contains("icanon")).map(str::to_owned);
    assert_eq!(modes("before"), modes("after"));
}

#[test]
fn a_difference_is_isolated_by_asking() {
    let workshop = Workshop::new();
    let text = |word: &str| (0..200).map(|n| format!("{} {n}\n", if n % 7 == 0 { word } else { "same" })).collect();
    let [passing, failing]: [String; 2] = ["old", "new"].map(text);
    workshop.write("good.txt", passing);
    workshop.write("bad.txt", failing);
    let mut running = workshop.reduct(["isolate", "good.txt", "bad.txt", "--ask"]).with_keys().start();
    let asked = answer_all(&mut running, 1, "\n", |candidate| candidate.contains("new 77\n"));
    running.wait().exits_with(0);
    // 29 lines differ, each by itself.
    assert!(asked.len() <= 8 && is_once_each(&asked), "{} questions", asked.len());
    let sides = files_below(&workshop.path("bad.isolated"));
    let side = |name: &str| String::from_utf8(sides[&PathBuf::from(name)].clone()).unwrap();
    let (passing, failing) = (side("passing/bad.txt"), side("failing/bad.txt"));
    let differ: Vec<_> = passing.lines().zip(failing.lines()).filter(|(one, other)| one != other).collect();
    assert_eq!(differ, [("old 77", "new 77")]);
}

#[test]
fn what_cannot_be_told_is_never_accepted() {
    let workshop = Workshop::new();
    page(&workshop, &[40, 800]);
    let mut running = workshop.reduct(["page.html", "--ask"]).with_keys().start();
    let mut number = 1;
    while let Some(candidate) = question(&mut running, number) {
        let either = [[40], [800]].iter().filter(|one| fails(&candidate, &one[..])).count();
        running.press(["p\n", "c\n", "f\n"][either]);
        number += 1;
    }
    running.wait().exits_with(0).says("candidates of which you could not tell");
    assert_eq!(workshop.text("page.reduced.html"), "guilty 40\nguilty 800\n");
}

#[test]
fn what_is_for_tests_is_refused() {
    let workshop = Workshop::new();
    page(&workshop, &[1]);
    for words in ["--ask --no-cache", "--ask -j2", "--ask --fails-if exit=1"] {
        workshop.reduct(["page.html"].into_iter().chain(words.split(' '))).run().exits_with(2);
    }
    assert_eq!(workshop.names(), ["page.html"]);
}

#[test]
fn the_last_answer_of_a_finished_run_can_be_taken_back() {
    let workshop = Workshop::new();
    page(&workshop, &[77]);
    let judge = |candidate: &str| fails(candidate, &[77]);
    let mut running = workshop.reduct(["page.html", "--ask"]).with_keys().start();
    let asked = answer_all(&mut running, 1, "\n", judge);
    running.wait().exits_with(0);
    workshop.reduct(["resume"]).run().exits_with(0).says("reduct resume --undo");
    // Nothing is taken back if nobody would be asked again, however often that is tried.
    for _ in 0..3 {
        workshop.reduct(["resume", "--undo"]).run().exits_with(2).says("standard input has ended");
    }
    let mut running = workshop.reduct(["resume", "--undo"]).with_keys().start();
    assert_eq!(question(&mut running, asked.len()).as_ref(), asked.last());
    // And the one before, from within.
    running.press("u\n");
    assert_eq!(question(&mut running, asked.len() - 1).as_ref(), asked.get(asked.len() - 2));
    answer_all(&mut running, asked.len() - 1, "\n", judge);
    running.wait().exits_with(0);
    assert_eq!(workshop.text("page.reduced.html"), "guilty 77\n");
    // What a test has said is not taken back.
    let other = Workshop::new();
    other.write("input", "one\nneedle\n");
    other.reduct(["-c", "grep -q needle input", "input"]).run().exits_with(0);
    other.reduct(["resume", "--undo"]).run().exits_with(2).says("only what a person has answered");
}

#[test]
fn what_is_no_answer_is_said_and_a_check_that_is_not_finished_too() {
    let workshop = Workshop::new();
    page(&workshop, &[3]);
    let mut running = workshop.reduct(["page.html", "--ask"]).with_keys().start();
    let first = question(&mut running, 1).unwrap();
    running.press("maybe\n");
    running.wait_for("“maybe” is no answer: f says that the failure occurs");
    assert_eq!(question(&mut running, 1), Some(first));
    answer_all(&mut running, 1, "\n", |candidate| fails(candidate, &[3]));
    running.wait().exits_with(0);
    let done = workshop.reduct(["verify"]).run().exits_with(4);
    done.says("could not be checked to the end: it was stopped").says("Standard input has ended");
}
