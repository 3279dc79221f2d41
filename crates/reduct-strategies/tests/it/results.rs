//! Lines that name their results, in a text that no grammar reads: they go with all lines that need these.

use crate::support::{file, folder, levels};
use reduct_core::laws::Chance;
use reduct_core::{Outcome, Search};
use reduct_input::{Circumstances, Parts};
use reduct_passes::Pass;
use reduct_strategies::{Plan, Reduction};
use std::collections::HashMap;

/// Returns calls: handles are opened, others are made of them, and each is closed in the end, before what it is made of.
fn calls(chance: &mut Chance, count: usize) -> String {
    let (mut text, mut open): (String, Vec<usize>) = (String::new(), vec![]);
    for handle in 0..count {
        match open.get(chance.below(open.len() + 2)) {
            Some(of) => text += &format!("handle{handle} = derive(handle{of})\n"),
            None => text += &format!("handle{handle} = open()\n"),
        }
        open.push(handle);
        text += &format!("use(handle{})\n", open[chance.below(open.len())]);
    }
    open.iter().rev().for_each(|handle| text += &format!("close(handle{handle})\n"));
    text
}

/// Returns whether each handle is made before it is used, of one that is open, and closed once.
fn is_valid(text: &str) -> bool {
    let mut open: HashMap<&str, bool> = HashMap::new();
    let ok = text.lines().all(|line| {
        let (made, call) = line.split_once(" = ").map_or((None, line), |(made, call)| (Some(made), call));
        let Some((_, of)) = call.trim_end_matches(')').split_once('(') else { return false };
        let is_open = of.is_empty() || open.get(of) == Some(&true);
        if call.starts_with("close") {
            open.insert(of, false);
        }
        is_open && made.is_none_or(|made| open.insert(made, true).is_none())
    });
    ok && open.values().all(|is_open| !is_open)
}

/// No line can go alone but uses: what is made must be closed, and what is used must be made.
#[test]
fn calls_go_with_all_that_needs_them() {
    let mut chance = Chance(83);
    let text = calls(&mut chance, 150);
    assert!(is_valid(&text) && text.len() > 8 << 10);
    let needed = |text: &str| ["use(handle40)", "handle77 ="].iter().all(|it| text.contains(it));
    let mut reduction = Reduction::new(file(text.as_bytes()), Plan::standard());
    // What is needed, and what that is made of, by hand: follow the handles to the front.
    let all: HashMap<&str, &str> = text.lines().filter_map(|line| line.split_once(" = ")).collect();
    let (mut least, mut todo) = (vec![], vec!["handle40", "handle77"]);
    while let Some(handle) = todo.pop().filter(|handle| !least.contains(handle)) {
        least.push(handle);
        let of = all[handle].trim_end_matches(')').split_once('(').unwrap().1;
        todo.extend(Some(of).filter(|of| !of.is_empty()));
    }
    let mut asked = 0;
    while let Some(candidate) = reduction.ask().filter(|_| asked < 100) {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(Outcome::from(needed(&text) && is_valid(&text)));
    }
    // Each handle takes a line that makes it, one that closes it, and a use at most.
    let left = reduction.best().len();
    let most = least.len() * 3 * "handle100 = derive(handle100)\n".len();
    assert!(left <= most, "{left} bytes are left of {}, at most {most} are needed", text.len());
}

/// Returns how many sets of lines a text has.
fn sets(text: &str) -> Vec<usize> {
    levels(&Pass::named("results").unwrap(), &file(text.as_bytes())).iter().map(Parts::len).collect()
}

#[test]
fn what_names_no_result() {
    let six = |line: fn(usize) -> String| (0..6).map(line).collect::<String>();
    assert_eq!(sets(&six(|at| format!("a{at} = b\nuse a{at}\n"))), [6]);
    assert_eq!(sets(&six(|at| format!("if a{at} == 1\nuse a{at}\n"))), [0; 0], "compared");
    assert_eq!(sets(&six(|at| format!("one of a number of words a{at} = b\nuse a{at}\n"))), [0; 0], "prose");
    assert_eq!(sets(&six(|at| format!("a{at} = b\n"))), [0; 0], "nothing needs them");
    assert_eq!(sets(&six(|at| format!("{at} = b\nuse {at}\n"))), [0; 0], "numbers");
    let five = (0..5).map(|at| format!("a{at} = b\nuse a{at}\n")).collect::<String>();
    assert_eq!(sets(&five), [0; 0], "few");
}

#[test]
fn a_binary_that_is_longer_is_no_hindrance() {
    let calls: String = (0..6).map(|at| format!("a{at} = b\nuse a{at}\n")).collect();
    let both = folder(&[("calls", calls.as_bytes()), ("image", &[0; 5000])]);
    assert_eq!(levels(&Pass::named("results").unwrap(), &both).iter().map(Parts::len).collect::<Vec<_>>(), [6]);
}
