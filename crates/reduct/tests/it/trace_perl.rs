//! Executions of Perl programs: the paper's own program, as it is (Cleve and Zeller 2000).

use crate::workshop::{Done, Workshop};
use std::path::Path;

/// Tells of each statement as Perl's debugger would stop there.
const SEEN: &str = "package Devel::Seen; sub DB::DB { my (undef, $file, $line) = caller; push @seen, $line if $file eq 'sample.pl' } \
                    END { print STDERR \"@seen\\n\" } 1;\n";

fn with_sample() -> Workshop {
    let workshop = Workshop::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/stripe");
    std::fs::copy(fixtures.join("sample.pl"), workshop.path("sample.pl")).unwrap();
    workshop.write("numbers", "0\n5\n");
    workshop
}

fn trace(workshop: &Workshop, options: &[&str], program: &[&str]) -> Done {
    let words = [&["trace", "--force"][..], options, &["--"], program].concat();
    workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
}

/// The lines of the program that a plan has executions of, in the order of time.
fn lines(plan: &str) -> Vec<usize> {
    let event = |line: &str| {
        let (place, _) = line.trim_start().split_once(' ')?;
        let (at, time) = place.split_once(':')?.1.rsplit_once('_')?;
        Some((time.parse::<usize>().ok()?, at.split('.').next()?.parse::<usize>().ok()?))
    };
    let mut events: Vec<_> = plan.lines().filter(|line| !line.starts_with('#')).filter_map(event).collect();
    events.sort_unstable();
    events.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn what_is_recorded_is_what_perls_debugger_sees() {
    let workshop = with_sample();
    workshop.write("Devel/Seen.pm", SEEN);
    let told = workshop.call("perl", ["-I.", "-d:Seen", "sample.pl", "numbers"]).run().exits_with(0);
    let told: Vec<usize> = told.stderr.split_whitespace().map(|line| line.parse().unwrap()).collect();
    let expected = [&[1, 2, 3, 3, 4, 4, 5][..], &[6, 7, 8].repeat(6), &[10, 11]].concat();
    assert_eq!((told.len(), &told), (27, &expected));
    trace(&workshop, &["--value", "sum = 15"], &["perl", "sample.pl", "numbers"]).exits_with(0);
    assert_eq!(lines(&workshop.text("sample.pl.trace.txt")), expected);
}

#[test]
fn with_recorded_control_figure_6_is_what_is_left_of_the_papers_program() {
    let workshop = with_sample();
    let left = |preset: &[&str], option: &[&str]| {
        let options = [&["--control", "recorded"], preset, option].concat();
        let done = trace(&workshop, &options, &["perl", "sample.pl", "numbers"]).exits_with(0);
        let (_, tests) = done.stderr.rsplit_once(" executions in ").expect("it says how many tests it took");
        let tests: u32 = tests.split(' ').next().unwrap().parse().unwrap();
        // A straight replay of the paper's algorithm by complements needs 98 for the output; the paper 176.
        assert!(tests <= 98, "{tests}");
        let mut lines = lines(&workshop.text("sample.pl.trace.reduced.txt"));
        lines.sort_unstable();
        lines
    };
    // The prompts are no part of the output that is compared.
    let output = ["--fails-if", r"stdout~(?s)sum = 15\n.*mul = 0\n\z"];
    let of_sum = [&[1, 3][..], &[6; 5], &[8; 5], &[10]].concat();
    let of_all = [&[1, 3][..], &[6; 5], &[7], &[8; 5], &[10, 11]].concat();
    assert_eq!((of_all.len(), of_sum.len()), (15, 13));
    let preset = ["--unset", "4711"];
    assert_eq!(left(&preset, &output), of_all);
    assert_eq!(left(&preset, &["--value", "sum = 15"]), of_sum);
    assert_eq!(left(&preset, &["--value", "mul = 0"]), [3, 7, 11]);
    // Without it, what is not set counts as 0.
    assert_eq!(left(&[], &output).len(), 13);
    assert_eq!(left(&[], &["--value", "sum = 15"]).len(), 11);
    assert_eq!(left(&[], &["--value", "mul = 0"]).len(), 2);
}

const ORDERS: &str = r#"use strict; use warnings;
my %price = (pen => 3, ink => 5);
sub cost {
    my ($name, $count) = @_;
    my $price = $price{$name};
    return $count * $price;
}
my $total = 0;
foreach my $order (['pen', 2], ['ink', 1], ['cap', 4]) {
    my ($name, $count) = @$order;
    my $noise = "$name x $count";
    next if $count == 1;
    $total += cost($name, $count);
}
my @sorted = sort { my $r = $a <=> $b; $r } 3, 1, 2;
my $done = eval { die "no\n" if $total > 100; 1 } ? 'yes' : 'no';
print "$total $done @sorted\n";
die "too little\n" if $total < 7;
"#;

#[test]
fn functions_loops_and_blocks_are_a_tree_that_is_reduced() {
    let workshop = Workshop::new();
    workshop.write("orders.pl", ORDERS);
    let program = ["perl", "orders.pl"];
    let plain = workshop.call("perl", ["orders.pl"]).run().exits_with(255);
    let done = trace(&workshop, &[], &program).exits_with(0);
    let step =
        |plan| workshop.reduct(["step", plan, "--recorded", "orders.pl.trace.txt", "--", "perl", "orders.pl"]).run();
    let whole = step("orders.pl.trace.txt").exits_with(255);
    assert_eq!((whole.stdout, whole.stderr), (plain.stdout, plain.stderr));
    // An unset total is less than 7, too: only the last statement is needed.
    assert_eq!(lines(&workshop.text("orders.pl.trace.reduced.txt")), [18]);
    done.says("too little");
    // Where nothing gives it a value, a price is missing in the first iteration already.
    let done = trace(&workshop, &["--fails-if", "stderr~uninitialized value .price"], &program).exits_with(0);
    assert_eq!(lines(&workshop.text("orders.pl.trace.reduced.txt")), [9, 9, 13, 6]);
    let listed = "     9      1 of 1  foreach my $order (['pen', 2], ['ink', 1], ['cap', 4]) {  iteration 1 of 3: $order = ['pen', 2]";
    assert!(done.stdout.contains(listed), "{}", done.stdout);
    // Where nothing leaves the second iteration, the rest of it is executed, which never was.
    let plan = workshop.text("orders.pl.trace.txt");
    let without: Vec<&str> = plan.lines().filter(|line| !line.contains("next if")).collect();
    workshop.write("without.txt", without.join("\n") + "\n");
    step("without.txt").exits_with(125).says("something is executed that was not when it was recorded");
}

#[test]
fn a_text_that_stands_where_a_file_stood_is_none_of_its_statements() {
    let workshop = Workshop::new();
    // What is compiled has the same form, so it gets the memory that the file had.
    workshop.write("lib.pl", "my $p = 7; my $q = $p + 1; $q *= 2; $q\n");
    workshop.write(
        "prog.pl",
        "my $sum = 0;\nfor my $i (1 .. 9) {\n    $sum += do './lib.pl';\n\
         $sum += eval \"my \\$p = $i; my \\$q = \\$p + 1; \\$q *= 2; \\$q\";\n}\ndie \"sum $sum\\n\";\n",
    );
    trace(&workshop, &[], &["perl", "prog.pl"]).exits_with(0).says("Recorded: 66 statement executions");
    let plan = workshop.text("prog.pl.trace.txt");
    assert_eq!(plan.lines().filter(|line| line.trim_start().starts_with("lib.pl:1")).count(), 9 * 4);
    workshop.reduct(["step", "prog.pl.trace.txt", "--", "perl", "prog.pl"]).run().exits_with(2).says("sum 252");
}

#[test]
fn what_perl_programs_cannot_be_traced_is_said() {
    let workshop = with_sample();
    workshop
        .script("perl", "if [ \"$1\" = -MConfig ]; then printf 'cc\\0\\0\\0\\0/none\\0'; else exec perl \"$@\"; fi");
    let refused = |options: &[&str], program: &[&str], says: &str| {
        trace(&workshop, options, program).exits_with(2).says(says);
    };
    refused(&[], &["./perl", "sample.pl"], "Perl has no headers here: /none/CORE/perl.h is not there");
    refused(&[], &["perl", "-ne", "1"], "the program stands in no file");
    refused(&["--value", "sum = 9"], &["perl", "sample.pl", "numbers"], "the program does not print the line sum = 9");
    workshop.write("list.pl", "for my $x (1, 2) {\n    print $x;\n}\ndie;\n");
    refused(&["--control", "recorded"], &["perl", "list.pl"], "line 1 has a loop over a list");
    workshop.write("input.pl", "while (my $x = <>) {\n    print $x;\n}\ndie;\n");
    refused(
        &["--control", "recorded"],
        &["perl", "input.pl"],
        "line 1 has a test of a loop that does more than to test",
    );
}
