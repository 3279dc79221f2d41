//! Sections of a text that no grammar reads: what nothing leads to goes at once.

use crate::support::{file, levels};
use reduct_core::laws::Chance;
use reduct_core::{Outcome, Search};
use reduct_input::{Circumstances, Parts};
use reduct_passes::Pass;
use reduct_strategies::{Plan, Reduction};
use std::collections::HashSet;

/// Returns rules, each of which calls a few that are defined anywhere, by number.
fn rules(chance: &mut Chance, count: usize) -> Vec<Vec<usize>> {
    (0..count).map(|_| (0..chance.below(3)).map(|_| chance.below(count)).collect()).collect()
}

fn text(rules: &[Vec<usize>]) -> String {
    let rule = |(at, calls): (usize, &Vec<usize>)| {
        let calls: String = calls.iter().map(|to| format!("  (rule-{to}-of x)\n")).collect();
        format!("(define (rule-{at}-of x)\n  (note {at})\n{calls})\n")
    };
    rules.iter().enumerate().map(rule).collect()
}

/// Returns whether what is called is defined, and all brackets are closed.
fn is_valid(text: &str) -> bool {
    let words: Vec<&str> = text.split(|it: char| !it.is_alphanumeric() && it != '-').collect();
    let defined: HashSet<&str> = words.windows(3).filter(|it| it[0] == "define").map(|it| it[2]).collect();
    let brackets = text.chars().try_fold(0usize, |open, it| match it {
        '(' => Some(open + 1),
        ')' => open.checked_sub(1),
        _ => Some(open),
    });
    brackets == Some(0) && words.iter().filter(|it| it.starts_with("rule-")).all(|it| defined.contains(it))
}

/// One rule and what it calls are needed; by hand, what it leads to.
#[test]
fn a_needed_rule_is_found_by_halves() {
    let mut chance = Chance(71);
    let rules = rules(&mut chance, 400);
    let text = text(&rules);
    let mark = "(note 123)";
    assert!(is_valid(&text) && text.len() > 16 << 10);
    let (mut led_to, mut todo) = (HashSet::from([123]), vec![123]);
    while let Some(rule) = todo.pop() {
        todo.extend(rules[rule].iter().copied().filter(|to| led_to.insert(*to)));
    }
    let (mut reduction, mut asked) = (Reduction::new(file(text.as_bytes()), Plan::standard()), 0);
    while let Some(candidate) = reduction.ask().filter(|_| asked < 60) {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(Outcome::from(text.contains(mark) && is_valid(&text)));
    }
    // What leads to it from a root stays, too, until sections go alone.
    let share = led_to.len() * text.len() / rules.len();
    assert!(
        reduction.best().len() < share * 2 + text.len() / 8,
        "{} bytes left of {}",
        reduction.best().len(),
        text.len()
    );
}

/// Returns how many roots each level has.
fn roots(text: &str) -> Vec<usize> {
    levels(&Pass::named("unreached").unwrap(), &file(text.as_bytes())).iter().map(Parts::len).collect()
}

#[test]
fn what_defines_nothing_leads_to_all_it_names() {
    let define = |at: usize| format!("(define (rule{at}x x)\n  (rule{}x x))\n", (at + 2) % 12);
    let all: String = (0..12).map(define).collect();
    // Two circles: of even numbers, and of odd ones.
    assert_eq!(roots(&all), [2]);
    assert_eq!(roots(&format!("{all}(print\n  (rule3x 1))\n")), [1]);
    assert_eq!(roots(&format!("{all}(print\n  (rule3x (rule4x 1)))\n")), [0; 0]);
}

/// A word that many sections have where names stand is the name of none: each of 20,000 sections would lead to a thousand others.
#[test]
fn what_many_sections_are_called_is_no_name() {
    let define = |at: usize| format!("(define (rule{} x)\n  (rule{} {at}))\n", at % 20, (at * 7 + 3) % 20);
    assert_eq!(roots(&(0..20_000).map(define).collect::<String>()), [0; 0]);
}

/// What describes a definition stands before its head, whatever names it has, and what it says leads to nothing.
#[test]
fn what_describes_a_definition_is_part_of_it() {
    let notes = [
        "\"\"\"\nMuch the same as rule{} is.\n\"\"\"\n",
        "\"the one behind rule{}\"\n",
        "# some kind of rule{}\n",
        "// see rule{}\n",
        "/* As long as\n * rule{} is.\n */\n",
        "/* for rule{} */\n@marked\n",
    ];
    for note in notes {
        let define = |at: usize| {
            let note = note.replace("{}", &format!("{}x", (at + 1) % 12));
            format!("{note}type rule{at}x {{\n  number: Int\n  next: rule{}x\n}}\n\n", (at + 2) % 12)
        };
        let all: String = (0..12).map(define).collect();
        assert_eq!(roots(&all), [2], "two circles: {note}");
        assert_eq!(roots(&format!("{all}print {{\n  it: rule3x\n}}\n")), [1], "{note}");
    }
}

/// A mark is no description: what it names is needed.
#[test]
fn what_marks_a_definition_leads_to_what_it_names() {
    let define = |at: usize, mark: &str| format!("{mark}type rule{at}x {{\n  next: rule{}x\n}}\n\n", (at + 2) % 12);
    let all = |mark: &str| (0..12).map(|at| define(at, if at == 4 { mark } else { "" })).collect::<String>();
    assert_eq!(roots(&all("// rule3x\n")), [2]);
    assert_eq!(roots(&all("@like(rule3x)\n")), [1], "the odd ones are used by an even one");
}
