//! Large inputs that make an engine stall: what has to stay is spread over all of them.

use super::Input;
use crate::curve::judge;
use reduct_core::Outcome;
use reduct_core::laws::Chance;
use reduct_input::{Artifact, ArtifactBuilder};
use std::fmt::Write;

/// Returns them all.
pub(super) fn all() -> Vec<Input> {
    vec![cpp(), package(), json(), tables()]
}

/// Returns 170 kB of C++: 5 namespaces of classes whose methods use classes and functions before them; in 25 of the methods a
/// local variable has to stay, and the program has to compile.
fn cpp() -> Input {
    const CLASSES: usize = 100;
    let mut chance = Chance(100);
    let (mut text, mut wanted) = (String::from("int base(int a, int b) { return a; }\n"), vec![]);
    for class in 0..CLASSES {
        if class % 20 == 0 {
            let _ = writeln!(text, "namespace n{} {{", class / 20);
        }
        let other = class.saturating_sub(1 + chance.below(40.min(class).max(1)));
        let call = if class == 0 { "base".into() } else { format!("g{other}") };
        let _ = writeln!(text, "struct c{class} {{\npublic:\n  int x{class};\n  int y{class};");
        for method in 0..4 {
            let own = class * 10 + method;
            let _ = writeln!(text, "  int m{own}(int p{own}) {{\n    int r{own} = p{own} + {own};");
            for line in 0..2 + chance.below(4) {
                let _ = writeln!(
                    text,
                    "    if (r{own} > {line}) {{\n      r{own} = {call}(r{own}, {line});\n      while (p{own}) {{ p{own} = p{own} - {own}; }}\n    }}"
                );
            }
            if class % 4 == 1 && method == 1 {
                let _ = writeln!(text, "    for (;;) {{ struct c{other} keep{class}; {call}(r{own}, 1); }}");
                wanted.push(format!("keep{class}"));
            }
            let _ = writeln!(text, "    return r{own};\n  }}");
        }
        let _ = writeln!(
            text,
            "}};\nint g{class}(int a, int b) {{\n  struct c{class} v{class};\n  return {call}(a, b);\n}}"
        );
        if class % 20 == 19 {
            text.push_str("}\n");
        }
    }
    Input::of_file("cpp-spread", "a.cpp", text.into_bytes(), move |text| judge::compiles(text, &wanted))
}

/// Returns a package of 20 files in which a chain of calls leads to two lines of the largest, of 43 kB.
fn package() -> Input {
    let mut builder = ArtifactBuilder::default();
    for module in 0..20_usize {
        let next = (module + 3) % 20;
        let mut text = if module == 18 { String::new() } else { format!("from m{next} import step{next}\n\n") };
        let lines = if module == 18 { 380 } else { 60 };
        for at in 0..lines {
            let _ = write!(
                text,
                "def f{module}_{at}(a, b):\n    c = a + b * {at}\n    if c > {at}:\n        c = c - {at}\n        a = c\n    return [c, a, b]\n\n"
            );
        }
        let own = if module == 18 {
            "    a = ERROR_A\n    for b in a:\n        if b:\n            print(ERROR_B)\n".to_owned()
        } else {
            format!("    a = 1\n    if a:\n        step{next}()\n    return a\n")
        };
        let _ = write!(text, "def step{module}():\n{own}");
        if module == 18 {
            for at in 0..40 {
                let _ = write!(text, "\ndef last_{at}(a):\n    return a\n");
            }
        }
        let _ = builder.file(format!("pkg/m{module}.py"), 0o644, text.as_bytes());
    }
    let test = |artifact: &Artifact| {
        let files: Vec<(&str, &[u8])> =
            artifact.files().map(|(path, _, text)| (path.to_str().unwrap_or(""), text)).collect();
        judge::chain(&files, "pkg/m0.py", &["ERROR_A", "ERROR_B"])
    };
    Input { name: "package-chain".into(), artifact: builder.finish(), test: Box::new(test) }
}

/// Returns 378 kB of JSON: sections of records; in each 71st record a member has to stay, in all of them what is around it.
fn json() -> Input {
    let mut text = String::from("{\n");
    let mut wanted = vec![];
    let mut at = 0;
    for section in 0..40 {
        let _ = writeln!(text, "\"section {section}\": {{\"title\": \"t{section}\", \"records\": [");
        for record in 0..40 {
            at += 1;
            let _ = writeln!(
                text,
                "  {{\"id\": {at}, \"user\": {{\"name\": \"u{at}\", \"mail\": [\"u{at}@example.org\", null]}},"
            );
            let mark = if at % 71 == 35 { format!("\"mark {at}\"") } else { format!("{at}") };
            if at % 71 == 35 {
                wanted.push(mark.clone());
            }
            let _ = writeln!(
                text,
                "   \"log\": [{at}, {{\"at\": {}, \"what\": [true, {mark}, {{\"code\": {record}, \"more\": [1, 2, 3]}}]}}, [\"a\", \"b\"]],",
                at * 7
            );
            let _ = writeln!(
                text,
                "   \"tags\": [\"x{record}\", \"y{section}\"], \"note\": \"a record of a section\"}}{}",
                if record < 39 { "," } else { "" }
            );
        }
        let _ = writeln!(text, "]}}{}", if section < 39 { "," } else { "" });
    }
    text.push_str("}\n");
    Input::of_file("json-spread", "a.json", text.into_bytes(), move |text| {
        let words: Vec<&str> = wanted.iter().map(String::as_str).collect();
        judge::words(text, &words)
    })
}

/// Returns 210 kB of a binary: a header, a table of the offsets of 40 sections, in each a table of the offsets of its 20 blobs; in
/// five blobs twelve bytes have to stay.
fn tables() -> Input {
    const MAGIC: &[u8] = b"TBL2";
    let mut chance = Chance(23);
    let mut sections: Vec<Vec<u8>> = vec![];
    let mut wanted: Vec<Vec<u8>> = vec![];
    for section in 0..40 {
        let (mut table, mut blobs) = (vec![], vec![]);
        for blob in 0..20 {
            let contents: Vec<u8> = (0..100 + chance.below(300)).map(|_| chance.number() as u8).collect();
            if blob == 7 && section % 8 == 3 {
                wanted.push(contents[40..52].to_vec());
            }
            table.extend_from_slice(&((4 + 4 * 20 + blobs.len()) as u32).to_be_bytes());
            blobs.extend_from_slice(&(contents.len() as u32).to_be_bytes());
            blobs.extend_from_slice(&contents);
        }
        sections.push([20_u32.to_be_bytes().to_vec(), table, blobs].concat());
    }
    let mut at = 8 + 4 * sections.len();
    let mut data = [MAGIC.to_vec(), (sections.len() as u32).to_be_bytes().to_vec()].concat();
    for section in &sections {
        data.extend_from_slice(&(at as u32).to_be_bytes());
        at += section.len();
    }
    data.extend(sections.concat());
    Input::of_file("bin-tables", "a.bin", data, move |data| {
        judge::tables(data, MAGIC).map_or(Outcome::Unresolved, |blobs| {
            let has = |word: &Vec<u8>| blobs.iter().any(|blob| blob.windows(word.len()).any(|window| window == word));
            Outcome::from(wanted.iter().all(has))
        })
    })
}
