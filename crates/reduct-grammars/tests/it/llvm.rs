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
