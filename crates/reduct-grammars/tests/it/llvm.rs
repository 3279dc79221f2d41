//! Passes for LLVM's intermediate language, by what its reference says of declarations and of metadata.

use crate::support::grammars;
use reduct_core::{Config, Delta};
use reduct_input::{Artifact, ArtifactBuilder, Circumstances, Parts, Subject};
use reduct_passes::Pass;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns what each single edit of a pass makes of a text, level by level.
fn edited(pass: &str, text: &str) -> Vec<Vec<String>> {
    let base = Arc::new(Artifact::of_file("a.ll", text.as_bytes()).unwrap());
    let subject = Subject::new(base.clone(), Some(grammars()));
    assert!(subject.parses());
    let pass = Pass::named(pass).unwrap();
    let level = |spans| {
        let parts = Parts::new(base.clone(), spans);
        let made = |at| {
            let config = Config::full(parts.len()).minus(&Config::from_deltas([Delta(at)]));
            let made = parts.candidate(&config).unwrap().artifact();
            assert!(Subject::new(Arc::new(made.clone()), Some(grammars())).parses());
            String::from_utf8(made.bytes().to_vec()).unwrap()
        };
        (0..parts.len() as u32).map(made).collect()
    };
    (pass.propose)(&subject).into_iter().map(level).collect()
}

#[test]
fn a_declaration_lacks_what_only_a_definition_has() {
    let text = "define linkonce_odr dso_local noundef i32 @f(i32 noundef %a) local_unnamed_addr #0 comdat align 2 personality ptr @p !dbg !7 {\n  ret i32 %a\n}\n";
    let declared = "declare dso_local noundef i32 @f(i32 noundef %a) local_unnamed_addr #0 align 2\n";
    assert_eq!(edited("llvm-bodies", text)[0], [declared]);
    // What is linked from elsewhere is so as a declaration, too.
    let text = "define dllexport void @f() comdat($c) { ret void }\n";
    assert_eq!(edited("llvm-bodies", text)[0], ["declare dllexport void @f()\n"]);
    assert_eq!(edited("llvm-bodies", "define internal void @f() { ret void }\n")[0], ["declare void @f()\n"]);
}

#[test]
fn a_body_is_emptied_where_the_definition_stays_and_once() {
    let text = "define void @f() {\n  ret void\n}\n\ndefine i32 @long(i32 %a) {\n  %b = add i32 %a, 1\n  %c = add i32 %b, 1\n  ret i32 %c\n}\n";
    let all = edited("llvm-bodies", text);
    let emptied = |at: usize, function: &str| all[1][at].contains(&format!("{function} {{unreachable}}"));
    // The largest one is asked about first: it stands last.
    assert!(all.len() == 2 && emptied(0, "@f()") && emptied(1, "@long(i32 %a)"), "{all:?}");
    assert_eq!(edited("llvm-bodies", "define void @f() {unreachable}\n").len(), 1);
}

/// Nodes in a circle, nodes that a call, a variable and a list name, and some that nothing names.
const MODULE: &str = "@g = global i32 1, align 4, !dbg !3
define i32 @f(i32 %a) #0 !dbg !7 {
  %b = add i32 %a, 1, !dbg !8, !tbaa !9
  call void @llvm.dbg.value(metadata i32 %a, metadata !8, metadata !DIExpression()), !dbg !12
  call void @keep(metadata !10), !srcloc !11
  ret i32 %b, !dbg !12
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @keep(metadata)
attributes #0 = { nounwind }
!llvm.dbg.cu = !{!0}
!llvm.ident = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, enums: !{!5})
!1 = !DIFile(filename: \"a.c\", directory: \"/!6\")
!3 = !DIGlobalVariable(scope: !0, file: !1)
!4 = !{!\"clang\"}
!5 = !{!6}
!6 = !{!5, !\"circle\"}
!7 = distinct !DISubprogram(unit: !0, file: !1)
!8 = !DILocalVariable(scope: !7)
!9 = !{!\"int\", !4}
!10 = !{!5}
!11 = !{i32 7}
!12 = !DILocation(line: 1, scope: !7)
!13 = !{!14}
!14 = !{!13}
";

/// Returns which nodes are defined and which are named, strings left out.
fn nodes(text: &str) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let plain: String = text.split('"').step_by(2).collect();
    let number = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>().ok();
    let defined = plain.lines().filter(|line| line.starts_with('!')).filter_map(|line| number(&line[1..])).collect();
    let named = |line: &str| {
        let own = usize::from(line.starts_with('!'));
        line.split('!').skip(1 + own).filter_map(number).collect::<Vec<u32>>()
    };
    (defined, plain.lines().flat_map(named).collect())
}

#[test]
fn all_nodes_that_are_named_stay_and_no_others() {
    let all: Vec<String> = edited("llvm-metadata", MODULE).concat();
    // All, `!dbg`, `!tbaa`, `!srcloc`, `!llvm.ident`, and nodes alone.
    assert_eq!(all.len(), 6, "{all:#?}");
    for text in &all {
        let (defined, named) = nodes(text);
        assert!(named.is_subset(&defined), "{text}");
        assert!(!defined.contains(&13) && defined.contains(&5), "{text}");
    }
    // What a call that is no debugger's needs is there without all that is attached.
    assert_eq!(nodes(&all[0]).0, BTreeSet::from([5, 6, 10]));
    assert!(
        !all[0].contains("dbg") && all[0].contains("ret i32 %b\n}") && all[0].contains("@g = global i32 1, align 4\n")
    );
    let left: Vec<bool> = ["dbg", "tbaa", "srcloc", "ident"].iter().map(|kind| all[5].contains(kind)).collect();
    assert_eq!(left, [true; 4]);
}

/// With a node at the end of one module and one at the beginning of the next, both modules are there without them.
#[test]
fn metadata_goes_from_each_of_several_modules() {
    let module = "!0 = !{i32 1}\ndefine void @f() {\n  ret void\n}\n!1 = !{i32 2}\n";
    let mut builder = ArtifactBuilder::default();
    for path in ["a.ll", "b.ll"] {
        builder.file(path, 0o644, module.as_bytes()).unwrap();
    }
    let base = Arc::new(builder.finish());
    let spans = (Pass::named("llvm-metadata").unwrap().propose)(&Subject::new(base.clone(), Some(grammars())));
    let left = Parts::new(base, spans[0].clone()).candidate(&Config::empty()).unwrap().artifact();
    let texts: Vec<&[u8]> = left.files().map(|(.., text)| text).collect();
    assert_eq!(texts, [b"define void @f() {\n  ret void\n}\n"; 2]);
}

/// Of many kinds only the largest are asked about alone.
#[test]
fn of_many_kinds_of_metadata_the_largest_are_asked_about() {
    let attached = |kind: usize| format!(", !kind{kind} !{{!\"{}\"}}", "x".repeat(kind));
    let text: String = (0..100).map(attached).collect();
    let text = format!("define void @f() {{\n  ret void{text}\n}}\n");
    let all = edited("llvm-metadata", &text).concat();
    assert!(all.len() <= 18, "{}", all.len());
    for large in 90..100 {
        let others_stay =
            |made: &String| (0..100).all(|kind| made.contains(&format!("!kind{kind} ")) == (kind != large));
        assert_eq!(all.iter().filter(|made| others_stay(made)).count(), 1, "{large}");
    }
}

/// Parameters, values and blocks get names everywhere, the first block a label if something refers to it; names that are there stay, and are not given
/// again. Of two functions each has its own.
#[test]
fn numbers_become_names() {
    let text = "define i32 @f(i32 %0, i32 %1) {
  %a = add i32 %1, 1
  br label %3

3:
  %4 = phi i32 [ %0, %2 ], [ %15, %10 ]
  %5 = add i32 %4, %1
  %6 = add i32 %5, 16
  %7 = add i32 %6, 1
  %8 = icmp eq i32 %7, 2
  %9 = xor i1 %8, 1
  br i1 %9, label %10, label %16

10:
  %11 = add i32 %7, 1
  %12 = add i32 %11, 1
  %13 = add i32 %12, %11
  %14 = add i32 %13, %12
  %15 = add i32 %14, %13
  br label %3

16:
  ret i32 %5
}
";
    let named = "define i32 @f(i32 %b, i32 %B) {
$:
  %a = add i32 %B, 1
  br label %c

c:
  %d = phi i32 [ %b, %$ ], [ %o, %j ]
  %e = add i32 %d, %B
  %f = add i32 %e, 16
  %g = add i32 %f, 1
  %h = icmp eq i32 %g, 2
  %i = xor i1 %h, 1
  br i1 %i, label %j, label %p

j:
  %k = add i32 %g, 1
  %l = add i32 %k, 1
  %m = add i32 %l, %k
  %n = add i32 %m, %l
  %o = add i32 %n, %m
  br label %c

p:
  ret i32 %e
}
";
    // Names are given as numbers are met.
    let given: String = edited("llvm-names", text).concat().concat();
    assert_eq!(canonical(&given), canonical(named));
    assert!(given.contains("  %a = add i32 %") && given.len() <= text.len());
    let small = "define i32 @g(i32 %0) {\n  %2 = add i32 %0, 1\n  ret i32 %2\n}\n";
    let each: Vec<String> = edited("llvm-names", &small.repeat(2).replacen("@g", "@h", 1)).concat();
    let named = "define i32 @g(i32 %$) {\n  %a = add i32 %$, 1\n  ret i32 %a\n}\n";
    assert_eq!(
        BTreeSet::from_iter(each),
        BTreeSet::from([
            format!("{}{named}", small.replace("@g", "@h")),
            format!("{}{small}", named.replace("@g", "@h")),
        ])
    );
}

/// Returns a function with its names numbered in the order in which they are met, so that texts are the same that differ in names only.
fn canonical(text: &str) -> String {
    let mut names: Vec<String> = vec![];
    let mut number = |name: &str| {
        let at = names.iter().position(|it| it == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        format!("<{at}>")
    };
    let mut lines = vec![];
    for line in text.lines() {
        if let Some(label) = line.strip_suffix(':') {
            lines.push(number(label) + ":");
            continue;
        }
        let mut parts = line.split('%');
        let mut made = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find([',', ')', ' ']).unwrap_or(part.len());
            made += &(number(&part[..end]) + &part[end..]);
        }
        lines.push(made);
    }
    lines.join("\n")
}

/// Where a number is nobody's, numbers stay; and where all have names there is nothing to do.
#[test]
fn numbers_stay_where_something_else_needs_them() {
    let function = "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  br label %3\n3:\n  ret i32 %2\n}\n";
    assert_eq!(edited("llvm-names", function).concat().len(), 1);
    assert!(edited("llvm-names", &function.replace("ret i32 %2", "ret i32 %7")).is_empty());
    assert!(edited("llvm-names", "define void @f(i32 %4294967295) {\n  ret void\n}\n").is_empty());
    assert!(edited("llvm-names", "define i32 @f(i32 %a) {\n  ret i32 %a\n}\n").is_empty());
}

/// The address of a block names it from another function or a global: it gets the same name there, and keeps it in the others.
#[test]
fn blocks_get_their_names_where_their_addresses_are_taken() {
    let function = |name: &str, other: &str, other_block: &str| {
        format!("define ptr @{name}() {{\n  br label %1\n1:\n  ret ptr blockaddress(@{other}, %{other_block})\n}}\n")
    };
    let global = |block: &str| format!("@t = global ptr blockaddress(@f, %{block})\n");
    let (f, g) = (function("f", "g", "1"), function("g", "f", "1"));
    let made = edited("llvm-names", &format!("{}{f}{g}", global("1"))).concat();
    assert_eq!(made.len(), 2);
    for text in &made {
        // Blocks and all that names them agree: per function one block, its branch and its addresses.
        let (of_f, of_g) = (name_of(text, "@f"), name_of(text, "@g"));
        assert!(text.starts_with(&global(of_f)), "{text}");
        assert_eq!(text.matches(&format!("blockaddress(@f, %{of_f})")).count(), 2, "{text}");
        assert_eq!(text.matches(&format!("blockaddress(@g, %{of_g})")).count(), 1, "{text}");
        assert!((of_f == "1") != (of_g == "1"), "{text}");
    }
}

/// Returns to which block a function branches first.
fn name_of<'a>(text: &'a str, function: &str) -> &'a str {
    let body = &text[text.find(&format!("define ptr {function}")).unwrap()..];
    body[body.find("label %").unwrap() + "label %".len()..].split('\n').next().unwrap()
}

/// Of each value that is used a literal of its type can take the place, so that what it names can go.
#[test]
fn literals_take_the_place_of_values() {
    let text = "@t = global ptr blockaddress(@f, %b)
@u = global { i32, ptr } { i32 1, ptr @f }
define float @f(i32 %long, float %other) {
  %sum = add i32 %long, 1
  store <2 x i32> %vector, ptr %pointer
  br label %block
block:
  ret float %other
}
";
    let made = edited("llvm-values", text).concat();
    let expected = [
        ("ptr blockaddress(@f, %b)", "ptr null"),
        ("{ i32 1, ptr @f }\n", "undef\n"),
        ("i32 %long, 1", "i32 0, 1"),
        ("%vector", "undef"),
        ("%pointer", "null"),
        ("ret float %other", "ret float 0.0"),
    ];
    let expected: BTreeSet<String> = expected.iter().map(|(now, then)| text.replace(now, then)).collect();
    // What gets shorter by a literal that may stand there, and nothing else: not `1`, `@f`, a block or a parameter.
    let mut also = expected.clone();
    also.insert(text.replace("i32 1, ptr @f", "i32 0, ptr @f"));
    let made: BTreeSet<String> = made.into_iter().collect();
    assert!(expected.is_subset(&made) && made.is_subset(&also), "{made:#?}");
}

/// A branch goes on to one of its blocks, and a call that may throw is one that does not; a branch to one block stays.
#[test]
fn branches_go_on_to_one_block() {
    let text = "define i32 @f(i1 %n) {
  br i1 %n, label %a, label %b
a:
  switch i32 %label, label %d [ i32 1, label %b i32 2, label %a ]
b:
  br label %d
d:
  %r = invoke i32 @g(i32 1) to label %b unwind label %e
}
";
    let (branch, switch) =
        ("i1 %n, label %a, label %b", "switch i32 %label, label %d [ i32 1, label %b i32 2, label %a ]");
    let mut expected: BTreeSet<String> =
        ["%a", "%b"].iter().map(|to| text.replace(branch, &format!("label {to}"))).collect();
    expected.extend(["%a", "%b", "%d"].iter().map(|to| text.replace(switch, &format!("br label {to}"))));
    let invoke = "invoke i32 @g(i32 1) to label %b unwind label %e";
    expected.insert(text.replace(invoke, "call i32 @g(i32 1)\nbr label %b"));
    let made: BTreeSet<String> = edited("llvm-branches", text).concat().into_iter().collect();
    assert_eq!(made, expected);
}

/// Each field goes with one comma, and so do members of lists in fields; commas in strings are none.
#[test]
fn fields_of_metadata_go_with_their_commas() {
    let (first, last) = ("file: !1", "flags: DIFlagA | DIFlagB");
    let list = ["DW_OP_plus", "4", "DW_OP_stack_value"];
    let node = |fields: &[&str]| format!("!0 = distinct !DIThing({})\n", fields.join(", "));
    let expression = |members: &[&str]| format!("expr: !DIExpression({})", members.join(", "));
    let (inner, name) = (expression(&list), "name: \"a, b\"");
    let text = node(&[first, name, &inner, last]);
    let without = |at: usize| expression(&[&list[..at], &list[at + 1..]].concat());
    let mut expected = vec![
        node(&[name, &inner, last]),
        node(&[first, &inner, last]),
        node(&[first, name, last]),
        node(&[first, name, &inner]),
    ];
    expected.extend((0..list.len()).map(|at| node(&[first, name, &without(at), last])));
    let mut found = edited("llvm-fields", &text).concat();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(edited("llvm-fields", &node(&[first])).concat(), [node(&[])]);
    assert!(edited("llvm-fields", "!0 = !{!1, !2}\n").is_empty(), "members of tuples are nodes");
}

/// So many values have to have names of three letters, some of four.
#[test]
fn functions_of_many_values_get_names_too() {
    let lines: String =
        (2..12_000).map(|at| format!("  %{at} = add i32 %{}, 1\n", at - 2 + usize::from(at == 3))).collect();
    let text = format!("define i32 @f(i32 %0) {{\n{lines}  ret i32 %11999\n}}\n");
    let made = edited("llvm-names", &text).concat();
    assert_eq!(made.len(), 1);
    let names: BTreeSet<&str> =
        made[0].lines().filter_map(|line| line.trim().split_once(" = ")).map(|(name, _)| name).collect();
    assert_eq!(names.len(), 11_998);
    assert!(names.iter().all(|name| !name[1..].starts_with(|first: char| first.is_ascii_digit())));
}

/// In a large module little that is unused waits; much of it goes in one edit for each function.
#[test]
fn unused_instructions_go_once_there_are_many() {
    let line = |at: usize| format!("  %value.{at} = add i32 %a, {at}\n");
    let used = |at: usize| format!("  call void @g(i32 %a, i32 {at})\n");
    let text = |unused: usize| {
        let unused: String = (0..unused).map(line).collect();
        let used: String = (0..1000).map(used).collect();
        format!("define void @f(i32 %a) {{\n{unused}{used}  ret void\n}}\ndefine void @h() {{\n  ret void\n}}\n")
    };
    assert!(text(0).len() > 16 << 10 && edited("llvm-unused", &text(2)).is_empty());
    assert_eq!(edited("llvm-unused", &text(40)), [[text(0)]]);
}
