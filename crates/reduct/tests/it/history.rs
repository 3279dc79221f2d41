//! `reduct history`, and `reduct resume --from`: what a run has come through, and going back in it.

use crate::workshop::Workshop;
use serde_json::Value;
use std::collections::BTreeMap;

const LIST: &str = "alpha one\nbravo two\ncharlie three\ndelta four\necho five\nfoxtrot six\n";

/// With a list that fails as long as it has `delta` in it, and something of `needle`.
fn workshop(fails: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("list", LIST);
    workshop.script("test.sh", &format!("echo x >>\"$LOG\"\n{fails} && exit 1\nexit 0"));
    workshop
}

fn reduce(workshop: &Workshop, more: &[&str]) {
    let words = [&["-j", "1", "--unconfined"], more, &["list", "--", "./test.sh", "{}"]].concat();
    workshop.reduct(words).run().exits_with(0);
}

/// The steps that are listed.
fn steps(workshop: &Workshop) -> Vec<Value> {
    let done = workshop.reduct(["history", "--json"]).run().exits_with(0);
    let objects = done.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    objects.filter(|object| object["type"] == "step").collect()
}

/// How often the journal has an outcome of each key.
fn outcomes(workshop: &Workshop) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let journal = String::from_utf8(std::fs::read(workshop.run_folder().join("journal")).unwrap()).unwrap();
    for line in journal.lines() {
        let record: Value = serde_json::from_str(line.split('\t').next().unwrap()).unwrap();
        if record["t"] == "outcome" {
            *counts.entry(record["k"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn from_any_step_a_run_comes_to_something_as_small_and_runs_no_known_test() {
    let runs: [(&str, &[&str]); 3] = [
        ("grep -q delta \"$1\"", &["--by", "lines,words"]),
        ("grep -q 'two' \"$1\" && grep -q 'x' \"$1\"", &[]),
        ("[ $(wc -l <\"$1\") -ge 2 ]", &["--by", "lines", "--search", "ddmin"]),
    ];
    for (fails, more) in runs {
        let workshop = workshop(fails);
        reduce(&workshop, more);
        let size = workshop.read("list.reduced").len();
        let listed = steps(&workshop);
        assert!(listed.len() > 1, "{fails}: {listed:?}");
        for step in 0..=listed.len() {
            workshop.reduct(["resume", "--from", &step.to_string()]).run().exits_with(0);
            assert!(workshop.read("list.reduced").len() <= size, "{fails}: from {step}");
        }
        let again: Vec<_> = outcomes(&workshop).into_iter().filter(|(_, count)| *count > 1).collect();
        assert!(again.is_empty(), "{fails}: {again:?}");
        assert_eq!(steps(&workshop)[..listed.len()], listed, "{fails}: earlier steps keep their numbers");
    }
}

#[test]
fn after_a_step_back_a_report_names_the_whole_input_and_the_steps_as_history_does() {
    let workshop = workshop("grep -q delta \"$1\"");
    reduce(&workshop, &["--by", "lines", "--search", "ddmin"]);
    let from = steps(&workshop)[0].clone();
    workshop.reduct(["resume", "--from", "1", "--never", "2"]).run().exits_with(0);
    let listed: Vec<Value> = steps(&workshop).into_iter().filter(|step| step["branch"] == 1).collect();
    let left = workshop.text("list.reduced").lines().count();
    let markdown = workshop.reduct(["report", "--markdown"]).run().exits_with(0).stdout;
    assert!(markdown.starts_with(&format!("## 6 → {left} line")), "{markdown}");
    assert!(markdown.contains(&format!("Began again: from step 1, {} lines", from["size"])), "{markdown}");
    let text = workshop.reduct(["report", "--json"]).run().exits_with(0).stdout;
    let object: Value = serde_json::from_str(&text).unwrap();
    let search = &object["search"];
    assert_eq!((&search["branch"]["from"], &search["branch"]["size"]), (&1.into(), &6.into()));
    assert_eq!(search["before"]["size"], from["size"]);
    let numbers =
        |steps: &[Value], key: &str| -> Vec<u64> { steps.iter().map(|step| step[key].as_u64().unwrap()).collect() };
    assert_eq!(numbers(search["steps"].as_array().unwrap(), "number"), numbers(&listed, "step"));
    // The slider of the page has the same numbers, from the step that it went back to.
    let page = workshop.reduct(["report", "-o", "-"]).run().exits_with(0).stdout;
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let expected: Vec<u64> = [vec![1], numbers(&listed, "step")].concat();
    assert_eq!(numbers(data["steps"].as_array().unwrap(), "step"), expected);
}

#[test]
fn what_a_step_took_away_stays_and_the_proof_says_so() {
    let workshop = workshop("grep -q delta \"$1\"");
    reduce(&workshop, &["--by", "lines"]);
    assert_eq!(workshop.text("list.reduced"), "delta four\n");
    let listed = steps(&workshop);
    let took_echo = listed.iter().find(|step| step["removed_text"].as_str().unwrap().contains("echo")).unwrap();
    let number = took_echo["step"].to_string();
    let taken = took_echo["removed_bytes"].as_u64().unwrap() as usize;
    let done = workshop.reduct(["resume", "--from", "0", "--never", &number]).run().exits_with(0);
    done.says(&format!("but what step {number} removed was kept"));
    let result = workshop.text("list.reduced");
    assert!(result.contains("echo five\n") && result.contains("delta"), "{result:?}");
    assert_eq!(result.len(), "delta four\n".len() + taken);
    workshop.reduct(["verify"]).run().exits_with(0).says("fails; nothing more was checked");
    // It is kept in what begins from a step of that branch, too.
    let last = steps(&workshop).last().unwrap()["step"].to_string();
    workshop.reduct(["resume", "--from", &last]).run().exits_with(0);
    assert_eq!(workshop.text("list.reduced"), result);
    let done = workshop.reduct(["history"]).run().exits_with(0);
    let branches: Vec<&str> = done.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    let stays = format!("what step {number} removed is kept");
    assert_eq!(branches.len(), 3, "{branches:?}");
    assert!(branches[1].contains("from step 0") && branches[1].contains(&stays), "{branches:?}");
    assert!(branches[2].contains(&format!("from step {last}")) && branches[2].contains(&stays), "{branches:?}");
}

#[test]
fn after_kill_9_in_a_branch_the_branch_goes_on() {
    let undisturbed = workshop("grep -q delta \"$1\"");
    let disturbed = workshop("grep -q delta \"$1\"");
    let branch = ["resume", "--from", "0", "--never", "1"];
    for workshop in [&undisturbed, &disturbed] {
        reduce(workshop, &["--by", "lines,words"]);
    }
    undisturbed.reduct(branch).run().exits_with(0);
    let before = disturbed.runs().len();
    let mut running = disturbed.reduct(branch).start();
    if disturbed.wait_for_runs(before + 3, &mut running) {
        running.kill();
        running.wait();
    }
    disturbed.reduct(["resume"]).run().exits_with(0);
    assert_eq!(disturbed.read("list.reduced"), undisturbed.read("list.reduced"));
    let branches = |workshop: &Workshop| workshop.reduct(["history", "--json"]).run().exits_with(0).stdout;
    assert_eq!(branches(&disturbed), branches(&undisturbed));
}

#[test]
fn a_step_is_shown_and_compared_within_a_bound() {
    let workshop = workshop("grep -q delta \"$1\"");
    reduce(&workshop, &["--by", "lines"]);
    let all = steps(&workshop).len().to_string();
    let show = |words: &[&str]| workshop.reduct([&["history"], words].concat()).run().exits_with(0);
    assert_eq!(show(&["show", "0"]).stdout, LIST);
    assert_eq!(show(&["show", &all]).stdout, workshop.text("list.reduced"));
    let cut = show(&["show", "0", "--max", "10"]);
    assert_eq!(cut.stdout, LIST[..10]);
    cut.says("cut after 10 bytes of 67 bytes");
    let diff = show(&["diff", "0", &all]).stdout;
    assert!(diff.contains("-echo five\n") && !diff.contains("-delta"), "{diff}");
    workshop.write("patch", diff);
    workshop.write("again/list", LIST);
    workshop.shell("patch -s -p1 -d again <patch && cmp again/list list.reduced").run().exits_with(0);
    let object: Value = serde_json::from_str(&show(&["diff", "1", "--json"]).stdout).unwrap();
    assert_eq!((&object["from"], &object["to"]), (&0.into(), &1.into()));
}

#[test]
fn what_cannot_be_gone_back_to_is_refused() {
    let forgetful = workshop("grep -q delta \"$1\"");
    reduce(&forgetful, &["--by", "lines", "--no-cache"]);
    forgetful.reduct(["resume", "--from", "1"]).run().exits_with(2).says("--no-cache");
    let workshop = workshop("grep -q delta \"$1\"");
    let refused = |words: &[&str], says: &str| {
        workshop.reduct(words.to_vec()).run().exits_with(2).says(says);
    };
    reduce(&workshop, &["--by", "lines"]);
    let journal = std::fs::read(workshop.run_folder().join("journal")).unwrap();
    refused(&["resume", "--from", "99"], "there is no step 99");
    refused(&["resume", "--from", "1", "--never", "1"], "nothing of what step 1 took away is there in step 1");
    refused(&["resume", "--from", "1", "--never", "0"], "step 0");
    refused(&["history", "show", "99"], "there is no step 99");
    refused(&["history", "diff", "x"], "takes the number of a step");
    refused(&["history", "show", "-1"], "takes the number of a step, from 0 on");
    refused(&["history", "diff", "0"], "nothing comes before the whole input");
    assert_eq!(std::fs::read(workshop.run_folder().join("journal")).unwrap(), journal, "nothing is changed");
    workshop.write("passes", "bravo\n");
    workshop.reduct(["isolate", "passes", "list", "--unconfined", "--", "./test.sh", "{}"]).run().exits_with(0);
    workshop.reduct(["history"]).run().exits_with(0);
    refused(&["resume", "--from", "1"], "does not make one input smaller");
}
