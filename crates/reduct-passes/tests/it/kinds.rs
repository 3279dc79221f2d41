//! What holds for every kind, on random and on nasty inputs.

use crate::support::{addresses, file, folder, levels, outline, rebuilt};
use proptest::prelude::*;
use reduct_core::{Config, Delta};
use reduct_input::parts::Bytes;
use reduct_input::{Artifact, Circumstances, Parts};
use reduct_passes::{Pass, Stage};

/// Parts ascend, are disjoint, lie within their file and are not empty; with all of them the artifact
/// is what it was; without any, nothing is left of flat kinds.
fn check(artifact: &Artifact) {
    for kind in Pass::of(Stage::Delete) {
        let levels = levels(&kind, artifact);
        let last = levels.len().saturating_sub(1);
        assert!(!kind.single_list || levels.len() < 2, "{} is flat", kind.name);
        for (number, parts) in levels.iter().enumerate() {
            check_parts(&kind, artifact, parts);
            // Of very many levels the first and the last.
            if number < 3 || number == last {
                check_configs(&kind, artifact, parts);
            }
        }
        if kind.single_list {
            assert_eq!(levels.is_empty(), artifact.bytes().is_empty(), "{}: all bytes are in some part", kind.name);
        }
    }
}

fn check_parts(kind: &Pass, artifact: &Artifact, parts: &Parts) {
    assert!(!parts.is_empty(), "{}: levels without parts are left out", kind.name);
    if kind.name == "files" {
        return;
    }
    let mut files = artifact.files().map(|(_, addresses, _)| addresses).peekable();
    let mut end = 0;
    for part in (0..parts.len() as u32).map(|at| parts.addresses(Delta(at))) {
        assert!(part.start < part.end, "{}: {part:?} is not empty", kind.name);
        assert!(end <= part.start, "{}: {part:?} begins before {end}", kind.name);
        assert!(!kind.single_list || end == part.start, "{}: a gap from {end} to {part:?}", kind.name);
        end = part.end;
        while files.next_if(|file| file.end <= part.start).is_some() {}
        let file = files.peek().expect("a part is in a file");
        assert!(file.start <= part.start && part.end <= file.end, "{}: {part:?} is in one file", kind.name);
    }
    assert!(!kind.single_list || end as usize == artifact.bytes().len(), "{}: a gap at the end", kind.name);
}

fn check_configs(kind: &Pass, artifact: &Artifact, parts: &Parts) {
    let all = Config::full(parts.len());
    assert!(rebuilt(parts, &all) == *artifact, "{}: with all parts it is what it was", kind.name);
    let nothing = rebuilt(parts, &Config::empty());
    if kind.single_list {
        assert!(nothing.bytes().is_empty(), "{}: nothing is left", kind.name);
        assert_eq!(nothing.entries().len(), artifact.entries().len(), "{}: but the files", kind.name);
    }
    // Chunks change what stays.
    if !matches!(kind.name, "files" | "chunks") {
        let middle = parts.len() / 2;
        let gone = parts.addresses(Delta(middle as u32));
        let without = parts.candidate(&all.without(middle..middle + 1)).unwrap();
        assert_eq!(without.len(), artifact.bytes().len() - gone.len(), "{}", kind.name);
        let (before, after) = (&artifact.bytes()[..gone.start as usize], &artifact.bytes()[gone.end as usize..]);
        let left = without.artifact();
        assert!(left.bytes().starts_with(before) && left.bytes().ends_with(after), "{}", kind.name);
        assert_eq!(parts.size(&Config::from_deltas([Delta(middle as u32)])), gone.len(), "{}", kind.name);
    }
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let fragments = prop::sample::select(vec![
        "a", "bc", " ", "  ", "\t", "\n", "\r", "\r\n", "(", ")", "{", "}", "[", "]", ";", ",", "\"", "'", "`", "\\",
        "//", "/*", "*/", "#", "ä", "😀", "\0", "else", "1.5", "<=", "}\n", ";\n", "\u{85}",
    ]);
    let program = prop::collection::vec(fragments, 0..80).prop_map(|all| all.concat().into_bytes());
    prop_oneof![4 => program, 1 => prop::collection::vec(any::<u8>(), 0..80)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_file(text in text()) {
        check(&file(&text));
    }

    #[test]
    fn any_files(texts in prop::collection::vec(text(), 0..5)) {
        let names: Vec<String> = (0..texts.len()).map(|n| format!("d/{n}")).collect();
        let mut entries: Vec<(&str, &[u8])> = vec![("d/", b"")];
        entries.extend(names.iter().map(String::as_str).zip(texts.iter().map(Vec::as_slice)));
        check(&folder(&entries));
    }

    /// Any set of parts: what is left are the bytes of these parts and what lies between parts.
    #[test]
    fn any_configuration(text in text(), choice in prop::collection::vec(any::<bool>(), 80)) {
        for kind in Pass::of(Stage::Delete).filter(|kind| kind.name != "chunks") {
            for parts in levels(&kind, &file(&text)) {
                let keep = |at: usize| choice[at % choice.len()];
                let config: Config = (0..parts.len()).filter(|&at| keep(at)).map(|at| Delta(at as u32)).collect();
                let mut expected = text.clone();
                for (at, gone) in addresses(&parts).into_iter().enumerate().rev().filter(|(at, _)| !keep(*at)) {
                    prop_assert!(!keep(at));
                    expected.drain(gone.start as usize..gone.end as usize);
                }
                let left = rebuilt(&parts, &config);
                prop_assert_eq!(left.bytes(), expected, "{}", kind.name);
            }
        }
    }

    #[test]
    fn joints_stand_where_text_begins(text in "[ab \n\r]{0,40}") {
        let text = text.into_bytes();
        for parts in levels(&Pass::named("chars").unwrap(), &file(&text)) {
            // Cut in two, the border is at a strongest joint within half a part of the middle.
            let config = Config::full(parts.len());
            prop_assume!(config.len() > 1);
            let borders = reduct_core::Split::Joints(parts.joints()).borders(&config, 2);
            let (border, even) = (borders.subset(0).end, config.len().div_ceil(2));
            let strength = |at: usize| match &text[..at] {
                before if before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n") => 3,
                before if before.ends_with(b"\n") => 2,
                before if before[before.len() - 1].is_ascii_whitespace() => 1,
                _ => 0,
            };
            let reach = even / 2;
            let near = (even - reach).max(1)..=(even + reach).min(config.len() - 1);
            prop_assert!(near.contains(&border));
            prop_assert!(near.clone().all(|other| strength(other) <= strength(border)));
        }
    }
}

/// What a shape of 4 MB looks like: a test of the time it takes too, since all that is more than
/// linear does not end.
fn repeated(piece: &str, size: usize) -> Vec<u8> {
    piece.as_bytes().iter().copied().cycle().take(size).collect()
}

const LARGE: usize = 1 << 20;

#[test]
fn small_and_nasty() {
    let utf_16: Vec<u8> = "ein Wort\r\nnoch {eins; ä}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let nasty: &[&[u8]] = &[
        b"",
        b"x",
        b"\n",
        b"\r",
        b"\r\n",
        b"\0",
        b"no final newline",
        b"one\r\ntwo\r\n",
        b"one\rtwo\rthree",
        b"a\0b\0\0\n",
        b"gr\xfc\xdf\xe9 (\xe4, \xf6)\n",
        b"\xff\xfe\xfd\n\xc3(\xe2\x82\n",
        b"\xef\xbb\xbfint a;\n",
        &utf_16,
        b"(",
        b")",
        b"\"",
        b"\\",
        b"'",
        b"/*",
        b"*/",
        b"/*/",
        b"//",
        b"\"\\",
        b"'\\'",
        b"{};\n#",
        b";;;;",
        b",,,",
        b"}{",
        b"{\n}\n",
        b"   ",
        b"\n\n\n",
        b"\t\ta\n\t}\n  }\n}\n",
        b"else",
        b"}else",
        b"}\n else",
        b"}\t\r\nx",
    ];
    for text in nasty {
        check(&file(text));
        check(&folder(&[("d/", b""), ("d/a", text), ("d/b", text), ("e", b"")]));
    }
    check(&folder(&[]));
    check(&folder(&[("d/", b"")]));
}

#[test]
fn one_long_line() {
    for piece in
        ["a", " ", "a b ", "(", ")", "()", "{};", "\\\"", "\"", "\"'`", "'\\", "/*", "/", "*/ /*", "ä", "\0", ", "]
    {
        check(&file(&repeated(piece, LARGE / 16)));
    }
    check(&file(&repeated("\\\"", LARGE)));
    check(&file(&repeated("f(a, \"b\"); ", LARGE)));
}

#[test]
fn many_lines() {
    for piece in ["\n", "\r", "\r\n", "a\r", "x = 1;\n", "\"\n", "}\n", "#\n", " a\n", "/* \n"] {
        check(&file(&repeated(piece, LARGE / 16)));
    }
    check(&file(&repeated("a\n", 500_000)));
    // Where something ends before very much white space.
    check(&file(&[b"f();", repeated("\n", LARGE / 4).as_slice()].concat()));
    check(&file(&[b"(f)", repeated(" \n", LARGE / 4).as_slice(), b"x"].concat()));
}

#[test]
fn deep() {
    let depth = 100_000;
    let nested = [repeated("(", depth), b"a, b".to_vec(), repeated(")", depth)].concat();
    let outlined = levels(&Pass::named("brackets").unwrap(), &file(&nested));
    assert_eq!(outlined.len(), depth + 1, "a level for each bracket");
    for parts in outlined.iter().step_by(1000) {
        check_parts(&Pass::named("brackets").unwrap(), &file(&nested), parts);
    }
    check(&file(&repeated("(", depth)));
    check(&file(&repeated("({[", depth)));
    check(&file(&repeated(")", depth)));
    let staircase: String = (0..2000).map(|depth| " ".repeat(depth) + "x\n").collect();
    assert_eq!(levels(&Pass::named("blocks").unwrap(), &file(staircase.as_bytes())).len(), 2000);
    check(&file(staircase.as_bytes()));
}

/// Parts of a pass in a text, level by level.
fn texts(pass: &str, text: &str) -> Vec<Vec<String>> {
    let base = file(text.as_bytes());
    let of_level = |parts: &Parts| {
        let at = |part| parts.addresses(Delta(part));
        (0..parts.len() as u32).map(|part| text[at(part).start as usize..at(part).end as usize].to_owned()).collect()
    };
    levels(&Pass::named(pass).unwrap(), &base).iter().map(of_level).collect()
}

#[test]
fn rows_of_values_are_parts_of_their_statement() {
    let rows: Vec<String> = (0..20).map(|row| format!("({row}, 'a')")).collect();
    let levels = texts("brackets", &format!("SET a = 1;\nINSERT INTO t VALUES {};\nSET b = 2;\n", rows.join(",")));
    assert_eq!(levels[0].len(), 3);
    let separated: Vec<String> = rows.iter().map(|row| format!("{row},")).collect();
    assert_eq!(levels[1][..19], separated[..19]);
    assert_eq!(levels[1][19..], rows[19..]);
    // A few, and what is no row, are left to tokens.
    assert!(texts("brackets", "a (1), (2), (3);\nb;\n")[1..].iter().flatten().all(|part| !part.starts_with('(')));
}

#[test]
fn a_dollar_sign_begins_a_token() {
    assert_eq!(
        texts("tokens", "try{echo$g->b($$h1);}$x"),
        [["try", "{", "echo", "$g", "->", "b", "(", "$", "$h1", ")", ";", "}", "$x"]]
    );
}

#[test]
fn many_files() {
    let names: Vec<String> = (0..20_000).map(|n| format!("d/{:03}/{n:05}", n / 100)).collect();
    let mut entries: Vec<(String, &[u8])> = vec![("d/".into(), b"")];
    for (n, name) in names.into_iter().enumerate() {
        if n % 100 == 0 {
            entries.push((format!("d/{:03}/", n / 100), b""));
        }
        entries.push((name, b"a {\n  b;\n}\n"));
    }
    let borrowed: Vec<(&str, &[u8])> = entries.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let artifact = folder(&borrowed);
    check(&artifact);
    let files = levels(&Pass::named("files").unwrap(), &artifact);
    let counts: Vec<usize> = files.iter().map(Parts::len).collect();
    assert_eq!(counts, [1, 200, 20_000], "the folder, the folders in it, the files in these");
}

#[test]
fn ascii_characters_take_no_memory() {
    let outline = outline(&Pass::named("chars").unwrap(), &file(b"plain"));
    assert!(matches!(&outline[..], [spans] if spans.get::<Bytes>().is_some()));
}

#[test]
fn names_find_kinds() {
    for kind in Pass::of(Stage::Delete) {
        assert!(Pass::named(kind.name).is_some_and(|found| found == kind));
    }
    assert!(Pass::named("nothing").is_none());
}

/// A column of a table has a splice for each row, and all columns are proposed at once: those of a large table are not.
#[test]
fn a_large_table_in_lines_has_no_columns() {
    let columns = Pass::documented().find(|pass| pass.name == "columns").unwrap();
    let proposed = |artifact: Artifact| levels(&columns, &artifact).iter().map(Parts::len).sum::<usize>();
    assert_eq!(proposed(file("a,b\n".repeat(90_000).as_bytes())), 2);
    assert_eq!(proposed(file("a,b\n".repeat(110_000).as_bytes())), 0);
    // Of two texts, the one that is too large does not keep the other one from having columns.
    let large = "a,b\n".repeat(110_000);
    let two = folder(&[("a", large.as_bytes()), ("b", b"c,d\ne,f\n")]);
    assert_eq!(proposed(two), 2);
    let beside = folder(&[("a", "a,b\n".repeat(90_000).as_bytes()), ("b", "c,d\n".repeat(90_000).as_bytes())]);
    assert_eq!(proposed(beside), 2);
    // A line with more values than a row can have is no row, and its end is not read.
    assert_eq!(proposed(file("a,".repeat(1_000_000).as_bytes())), 0);
}
