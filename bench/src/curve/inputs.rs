//! The inputs, each with its test.

mod hard;
mod references;

use super::judge;
use reduct_core::Outcome;
use reduct_core::laws::Chance;
use reduct_grammars::Languages;
use reduct_input::{Artifact, ArtifactBuilder, Grammars};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What fails, and whether a candidate does.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) artifact: Artifact,
    pub(super) test: Box<dyn Fn(&Artifact) -> Outcome>,
}

impl Input {
    fn of_file(name: &str, file: &str, text: Vec<u8>, test: impl Fn(&[u8]) -> Outcome + 'static) -> Input {
        let artifact = Artifact::of_file(file, &text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Input { name: name.into(), artifact, test: Box::new(move |artifact| test(artifact.bytes())) }
    }
}

/// Returns all, the programs of `fixtures/languages` last.
pub(super) fn all() -> Vec<Input> {
    let nested = |text: &[u8]| judge::words(text, &["needle"]);
    let mut all = vec![
        Input::of_file("nest-c", "a.c", nest_c(300), nested),
        Input::of_file("nest-json", "a.json", nest_json(300, 0), nested),
        Input::of_file("nest-html", "a.html", nest_html(300), |text| judge::elements(text, "needle")),
        Input::of_file("nest-smt", "a.smt2", nest_smt(150), nested),
        Input::of_file("json-front", "a.json", nest_json(100, 60_000), nested),
        program("cpp-many", "a.cpp", 160, 12),
        program("c-few", "a.c", 80, 2),
        program("c-some", "a.c", 40, 6),
        package(),
        Input::of_file("bin-offsets", "a.bin", offsets(), |data| judge::offsets(data, b"needle")),
        Input::of_file("bin-needed", "a.bin", noise(16_000), needs_bytes),
        Input::of_file("lines-many", "a.txt", lines(), |text| judge::words(text, MARKS)),
        records(),
    ];
    all.extend(hard::all());
    all.extend(references::all());
    all.extend(fixtures());
    all
}

/// Returns a call within 300 blocks, a statement before and after each.
fn nest_c(levels: usize) -> Vec<u8> {
    let mut text = String::from("int main(void) {\n");
    for level in 0..levels {
        let _ = writeln!(text, "x{level} = {level}; if (x{level}) {{");
    }
    text.push_str("needle();\n");
    for level in 0..levels {
        let _ = writeln!(text, "}} y{level} = f({level});");
    }
    text.push_str("return 0;\n}\n");
    text.into_bytes()
}

/// Objects within each other, of some keys each, and a list of large ones in front.
fn nest_json(levels: usize, front: usize) -> Vec<u8> {
    let mut text = String::from("{\"front\": [");
    let mut at = 0;
    while text.len() < front {
        let _ = write!(
            text,
            "{}{{\"id\": {at}, \"tags\": [1, 2, {at}], \"name\": \"item {at}\"}}",
            if at > 0 { ",\n" } else { "" }
        );
        at += 1;
    }
    text.push_str("],\n\"rest\": ");
    for level in 0..levels {
        let _ = writeln!(text, "{{\"a{level}\": [{level}, {level}], \"b\":");
    }
    text.push_str("\"needle\"");
    for level in 0..levels {
        let _ = write!(text, ", \"c{level}\": {{\"d\": {level}}}}}");
    }
    text.push('}');
    text.into_bytes()
}

fn nest_html(levels: usize) -> Vec<u8> {
    let mut text = String::new();
    for level in 0..levels {
        let _ = writeln!(text, "<div class=\"c{level}\"><p>before {level}</p>");
    }
    text.push_str("<b>needle</b>\n");
    for level in 0..levels {
        let _ = writeln!(text, "<i>after {level}</i></div>");
    }
    text.into_bytes()
}

fn nest_smt(levels: usize) -> Vec<u8> {
    let mut text = String::from("(set-logic QF_LIA)\n(declare-fun it () Int)\n(assert ");
    for level in 0..levels {
        let _ = writeln!(text, "(and (= x{level} {level}) (or (< y {level})");
    }
    text.push_str("(= needle 1)");
    for level in 0..levels {
        let _ = writeln!(text, ") (> z {level}))");
    }
    text.push_str(")\n(check-sat)\n");
    text.into_bytes()
}

/// Returns a program of structures and functions that use those before them, in some of which a local variable has to stay.
fn program(name: &str, file: &str, functions: usize, needed: usize) -> Input {
    let mut chance = Chance(functions as u64);
    let mut text = String::new();
    let every = functions / needed;
    let mut wanted = vec![];
    for at in 0..functions {
        let _ = writeln!(text, "struct s{at} {{\n  int a{at};\n  int b{at};\n}};");
        let _ = writeln!(text, "int f{at}(int p{at}, int q{at}) {{");
        let other = |chance: &mut Chance| at.saturating_sub(1 + chance.below(30.min(at).max(1)));
        let (uses, calls) = (other(&mut chance), other(&mut chance));
        let _ = writeln!(text, "  struct s{uses} v{at};\n  int r{at} = p{at} * {at};");
        for line in 0..6 + chance.below(6) {
            let _ = writeln!(
                text,
                "  if (r{at} > {line}) {{\n    r{at} = r{at} + q{at} - {line};\n    while (p{at}) {{ p{at} = p{at} - 1; }}"
            );
            if at > 0 && line % 4 == 0 {
                let _ = writeln!(text, "    r{at} = f{calls}(r{at}, {line});");
            }
            if at % every == every / 2 && line == 2 {
                let _ = writeln!(
                    text,
                    "    for (int i{at} = 0; i{at} < 9; i{at}++) {{ int keep{at} = r{at}; f{calls}(keep{at}, v{at}.a{uses}); }}"
                );
                wanted.push(format!("keep{at}"));
            }
            text.push_str("  }\n");
        }
        let _ = writeln!(text, "  return r{at};\n}}\n");
    }
    text.push_str("int main(void) {\n  return f0(1, 2);\n}\n");
    Input::of_file(name, file, text.into_bytes(), move |text| judge::compiles(text, &wanted))
}

/// Returns a package of 20 modules of which two matter, each a line.
fn package() -> Input {
    let mut builder = ArtifactBuilder::default();
    for module in 0..20 {
        let mut text = format!("import os\nimport m{}\n\n", (module + 7) % 20);
        for at in 0..120 {
            let _ = writeln!(
                text,
                "def f{module}_{at}(a, b):\n    c = a + b * {at}\n    if c > {at}:\n        c = f{module}_{}(c, b)\n    return [c, a, b]\n",
                at / 2
            );
        }
        match module {
            4 => text.push_str("def first(x):\n    return FIRST_MARK + x\n"),
            13 => text.push_str(
                "class Second:\n    def run(self):\n        for i in range(3):\n            print(SECOND_MARK, i)\n",
            ),
            _ => {}
        }
        let _ = builder.file(format!("pkg/m{module}.py"), 0o644, text.as_bytes());
    }
    let test = |artifact: &Artifact| {
        let mut counts = [0; 2];
        for (_, _, text) in artifact.files() {
            for (count, word) in counts.iter_mut().zip(["FIRST_MARK", "SECOND_MARK"]) {
                *count += usize::from(judge::words(text, &[word]) == Outcome::Fail);
            }
        }
        Outcome::from(counts == [1, 1])
    };
    Input { name: "package".into(), artifact: builder.finish(), test: Box::new(test) }
}

/// Returns 60 blobs behind a table of their offsets.
fn offsets() -> Vec<u8> {
    const COUNT: usize = 60;
    let mut chance = Chance(11);
    let (mut table, mut blobs) = (vec![], vec![]);
    for blob in 0..COUNT {
        let mut contents: Vec<u8> = (0..200 + chance.below(400)).map(|_| chance.number() as u8).collect();
        if blob == 37 {
            contents.extend_from_slice(b"needle");
        }
        table.extend_from_slice(&((8 + 4 * COUNT + blobs.len()) as u32).to_le_bytes());
        blobs.extend_from_slice(&(contents.len() as u32).to_le_bytes());
        blobs.append(&mut contents);
    }
    [b"OFFS".to_vec(), (COUNT as u32).to_le_bytes().to_vec(), table, blobs].concat()
}

fn noise(length: usize) -> Vec<u8> {
    let mut chance = Chance(5);
    (0..length).map(|_| chance.number() as u8).collect()
}

/// Returns whether 40 runs of the bytes that `noise` makes are still there, in their order.
fn needs_bytes(data: &[u8]) -> Outcome {
    let whole = noise(16_000);
    let mut chance = Chance(6);
    let mut at: Vec<usize> = (0..40).map(|_| chance.below(whole.len() / 8) * 8).collect();
    at.sort_unstable();
    at.dedup();
    // Runs of eight, so that they are not found elsewhere by chance.
    let mut from = 0;
    for start in at {
        let wanted = &whole[start..start + 8];
        let Some(found) = data[from..].windows(8).position(|window| window == wanted) else { return Outcome::Pass };
        from += found + 8;
    }
    Outcome::Fail
}

const MARKS: &[&str] = &["mark-07", "mark-19", "mark-23", "mark-31", "mark-44", "mark-52", "mark-61", "mark-78"];

fn lines() -> Vec<u8> {
    let mut text = String::new();
    for at in 0..4000 {
        let _ = writeln!(text, "line {at} of some log, with nothing in it");
        if at % 40 == 7 {
            let _ = writeln!(text, "an entry mark-{:02} of it", at / 40);
        }
    }
    text.into_bytes()
}

/// Returns a list of records, two members of one of which matter, with the shape of all of them.
fn records() -> Input {
    let mut text = String::from("[\n");
    for at in 0..400 {
        let _ = writeln!(
            text,
            "  {{\"id\": {at}, \"user\": {{\"name\": \"u{at}\", \"mail\": \"u{at}@example.org\"}}, \"log\": [{at}, {}]}},",
            at * 7
        );
    }
    text.push_str("  {}\n]\n");
    Input::of_file("json-records", "a.json", text.into_bytes(), |text| {
        judge::words(text, &["\"id\": 200", "u201@example.org", "2107"])
    })
}

/// Returns the programs that the languages are tested with: `needle` has to stay, and what follows its language has to do so.
fn fixtures() -> Vec<Input> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/languages");
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![] };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let input = |path: PathBuf| {
        let file = path.file_name()?.to_str()?.to_owned();
        let text = std::fs::read(&path).ok()?;
        let (grammars, path) = (Languages::all(), PathBuf::from(&file));
        let errors = grammars.errors(&path, &text);
        Some(Input::of_file(&file, &file, text, move |text| match grammars.errors(&path, text) > errors {
            true => Outcome::Unresolved,
            false => Outcome::from(text.windows(6).any(|window| window == b"needle")),
        }))
    };
    files.into_iter().filter_map(input).collect()
}
