//! The values in a native program that cause a failure, looked at with gdb.

use crate::workshop::{Call, Done, Workshop};

/// The sample of Zeller, *Why Programs Fail* (2009), chapter 1: it sorts one element too many.
const SAMPLE: &str = r#"#include <stdio.h>
#include <stdlib.h>

static void shell_sort(int a[], int size)
{
    int i, j;
    int h = 1;
    do {
        h = h * 3 + 1;
    } while (h <= size);
    do {
        h /= 3;
        for (i = h; i < size; i++)
        {
            int v = a[i];
            for (j = i; j >= h && a[j - h] > v; j -= h)
                a[j] = a[j - h];
            if (i != j)
                a[j] = v;
        }
    } while (h != 1);
}

int main(int argc, char *argv[])
{
    int *a;
    int i;

    a = (int *)malloc((argc - 1) * sizeof(int));
    for (i = 0; i < argc - 1; i++)
        a[i] = atoi(argv[i + 1]);

    shell_sort(a, argc);

    printf("Output: ");
    for (i = 0; i < argc - 1; i++)
        printf("%d ", a[i]);
    printf("\n");

    free(a);
    return 0;
}
"#;

fn compiled(name: &str, text: &str, options: &[&str]) -> Workshop {
    let workshop = Workshop::new();
    let source = format!("{name}.c");
    workshop.write(&source, text);
    workshop.call("cc", [&["-O0", &source, "-o", name][..], options].concat()).run().exits_with(0);
    workshop
}

/// What a program does with values that it never had can be anything: copies of all folders are what keeps it from harm.
fn confined<'a>(workshop: &'a Workshop, words: &[&str]) -> Call<'a> {
    workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "")
}

/// The rows of the listing with a value, without the names of files of the result.
fn rows(listing: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
    listing.lines().filter(|line| line.contains("   instead of ")).map(words).collect()
}

#[track_caller]
fn lists(done: &Done, what: &str) {
    assert!(done.stdout.contains(what), "{what}\n{}", done.stdout);
}

#[test]
fn the_sample_of_the_book_has_the_chain_of_the_book() {
    let workshop = compiled("sample", SAMPLE, &["-g"]);
    let failure = ["--fails-if", "stdout~^Output: 0 "];
    let program = ["--good-args", "9 8 7 6 5 4", "--", "./sample", "11", "14"];
    let words = [&["state", "--tests", "4"][..], &failure, &program].concat();
    confined(&workshop, &words).run().exits_with(4).says("To go on: reduct resume .reduct/");
    let done = confined(&workshop, &["resume"]).run().exits_with(0);
    // In the array, the element behind the last one is 0; when it is sorted, that is the first one (Cleve and Zeller, ICSE 2005).
    let expected = ["sample.c:4 main a[2] = 0 instead of 7", "after sample.c:33 main a[0] = 0 instead of 4"];
    assert_eq!(rows(&workshop.text("sample.state/list.txt")), expected);
    // At the entry of the main function, only the number of arguments differs: with 6 of them, it reads what is not there.
    lists(&done, "at 1 of them, no change of plain values makes it pass.");
    lists(&done, "Proved: with each change the program passes");
    let step =
        |change: &str| workshop.reduct(["step", change, "--", "./sample", "11", "14"]).run().exits_with(0).stdout;
    assert_eq!(step("sample.state/01.txt"), "Output: 7 11 \n");
    assert_eq!(step("sample.state/02.txt"), "Output: 4 11 \n");
    confined(&workshop, &["verify"]).run().exits_with(0).says("with no part of it alone left out");
}

#[test]
fn a_chain_through_functions_is_found_in_its_order() {
    let program = "\
#include <stdio.h>
#include <stdlib.h>
int one(int a) { return a; }
int two(int b) { return b; }
int three(int c) { return c; }
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int y = one(x);
    int z = two(y);
    int w = three(z);
    return 100 / (w - 5) + 100;
}
";
    let workshop = compiled("chain", program, &["-g"]);
    let words = ["state", "--good-args", "4", "--", "./chain", "5"];
    let done = workshop.reduct(words).run().exits_with(0).says("Failure: death by SIGFPE\n");
    let at = ["chain.c:3 one a", "after chain.c:8 main one()", "chain.c:4 two b", "after chain.c:9 main two()"];
    let at = at.into_iter().chain(["chain.c:5 three c", "after chain.c:10 main three()"]);
    assert_eq!(rows(&done.stdout), at.map(|at| format!("{at} = 5 instead of 4")).collect::<Vec<_>>());
    // The failing run with nothing changed ends as without gdb.
    let change = workshop.text("chain.state/01.txt");
    let nothing: String = change.lines().take(2).map(|line| format!("{line}\n")).collect();
    workshop.write("nothing.txt", nothing);
    workshop.reduct(["step", "nothing.txt", "--", "./chain", "5"]).run().exits_with(-8);
}

#[test]
fn members_of_structures_and_strings_are_changed_where_they_are() {
    let program = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { long id; short count; };
static char mode[8];
static void load(char *path, struct item *item) {
    FILE *file = fopen(path, \"r\");
    if (!file || fscanf(file, \"%ld %hd %7s\", &item->id, &item->count, mode) != 3)
        exit(2);
}
static int fails(const struct item *item) {
    return item->count == 3 || !strcmp(mode, \"slow\");
}
int main(int argc, char **argv) {
    struct item *item = malloc(sizeof *item);
    load(argv[1], item);
    return fails(item) ? 7 : 0;
}
";
    let workshop = compiled("items", program, &["-g"]);
    workshop.write("good", "10 -2 fast\n");
    workshop.write("evil", "11 3 slow\n");
    let done = workshop.reduct(["state", "good", "evil", "--", "./items", "{}"]).run().exits_with(0);
    let expected = [
        "items.c:6 load path = \"evil\" instead of \"good\"",
        "after items.c:16 mode = \"slow\" instead of \"fast\"",
        "main item->count = 3 instead of -2",
        "after items.c:17 main fails() = 1 instead of 0",
    ];
    // The program is told where its input is.
    let folder = format!("{}/", workshop.path("").display()).replace("//", "/");
    assert_eq!(rows(&done.stdout.replace(&folder, "")), expected);
    assert!(
        workshop.text("evil.state/02.txt").ends_with("0 <globals>:0 mode = \"fast\"\n1 main:14 item->count = -2\n")
    );
}

#[test]
fn a_number_that_is_returned_is_changed_in_its_register() {
    let program = "\
#include <stdlib.h>
static double half(double all) {
    return all / 2;
}
static float third(float all) {
    return all / 3;
}
int main(int argc, char **argv) {
    double one = half(atof(argv[1]));
    float other = third(one);
    return other > 1;
}
";
    let workshop = compiled("parts", program, &["-g"]);
    let done = workshop.reduct(["state", "--good-args", "3", "--", "./parts", "12"]).run().exits_with(0);
    let expected = [
        "parts.c:2 half all = 12.0 instead of 3.0",
        "after parts.c:9 main half() = 6.0 instead of 1.5",
        "parts.c:5 third all = 6.0 instead of 1.5",
        "after parts.c:10 main third() = 2.0 instead of 0.5",
    ];
    assert_eq!(rows(&done.stdout), expected);
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn what_gdb_cannot_look_at_is_refused() {
    let often = "static void tick(void) {}\nint main(int argc, char **argv) {\n    for (int i = 0; i < 250; i++) tick();\n    return argc > 2;\n}\n";
    let workshop = compiled("often", often, &[]);
    let state = |words: &[&'static str]| {
        let words = [&["state", "--good-args", "1"][..], words, &["--", "./often", "1", "2"]].concat();
        workshop.reduct(words)
    };
    state(&[])
        .run()
        .exits_with(2)
        .says("no function has debug information and stands in a file that is looked into")
        .says("compile it with -g");
    state(&[]).env("PATH", "/nonexistent").run().exits_with(2).says("gdb cannot be used").says("install gdb");
    assert!(!workshop.exists(".reduct") && !workshop.exists("often.state"));
    workshop.call("cc", ["-g", "-O0", "often.c", "-o", "often"]).run().exits_with(0);
    state(&["--only", "/usr"]).run().exits_with(2).says("no function has debug information");
    // Later calls are no points; those of the main function still are.
    state(&["--tests", "1"])
        .run()
        .exits_with(4)
        .says("Recorded: 401 points in 1 file")
        .says("Called too often to look at each call, so only the first ones are points: tick.");
    // A function that is put into another one has no point.
    workshop.call("cc", ["-g", "-O2", "often.c", "-o", "often"]).run().exits_with(0);
    state(&["--tests", "1"]).run().exits_with(4).says("The program has one point only: compile it with -O0 -g");
    let quote = workshop.reduct(["state", "--good-args", "'1", "--", "./often", "1"]).run();
    quote.exits_with(2).says("a quote that does not end");
}
