//! Counts questions and successes by pass.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use reduct_circumstances::*;
use reduct_core::{Outcome, Search};
use reduct_grammars::Languages;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

fn words(text: &str) -> Vec<String> {
    let mut out = vec![];
    let mut cur = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || c == '_' {
            cur.push(c)
        } else {
            if !cur.is_empty() {
                out.push(std::mem::take(&mut cur))
            }
            if !c.is_whitespace() {
                out.push(c.to_string())
            }
        }
    }
    if !cur.is_empty() {
        out.push(cur)
    }
    out
}

/// Whether the tokens of a needle stand in this order within one window.
fn near(hay: &[String], needle: &[&str], window: usize) -> bool {
    (0..hay.len()).any(|s| {
        if hay[s] != needle[0] {
            return false;
        }
        let mut at = 0;
        for t in &hay[s..hay.len().min(s + window)] {
            if at < needle.len() && t == needle[at] {
                at += 1
            }
        }
        at == needle.len()
    })
}

/// Every used name has a declaration before: crude: each word that calls or is in keep must be preceded...
fn balanced(hay: &[String]) -> bool {
    let mut d = 0i32;
    for t in hay {
        match t.as_str() {
            "{" | "(" => d += 1,
            "}" | ")" => d -= 1,
            _ => {}
        }
        if d < 0 {
            return false;
        }
    }
    d == 0
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let path = &args[1];
    // needles: each "a b c" in order within a window of 40 tokens
    let needles: Vec<Vec<&str>> = args[2..].iter().map(|n| n.split(' ').collect()).collect();
    let text = std::fs::read(path).unwrap();
    let name = std::path::Path::new(path).file_name().unwrap().to_str().unwrap();
    let grammars = Arc::new(Languages::all());
    let base_errors = grammars.errors(std::path::Path::new(name), &text);
    let script = std::env::var("ORACLE").ok();
    let check = |bytes: &[u8]| {
        if let Some(script) = &script {
            let dir = std::env::temp_dir().join(format!("yields-{}", std::process::id()));
            std::fs::create_dir_all(&dir).unwrap();
            std::fs::write(dir.join(name), bytes).unwrap();
            let status = std::process::Command::new("sh")
                .arg(script)
                .arg(name)
                .current_dir(&dir)
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .status()
                .unwrap();
            return status.success();
        }
        let t = words(&String::from_utf8_lossy(bytes));
        needles.iter().all(|n| near(&t, n, 40))
            && balanced(&t)
            && base_errors.is_none_or(|e| grammars.errors(std::path::Path::new(name), bytes).unwrap_or(0) <= e)
    };
    assert!(check(&text), "does not fail");
    let artifact = Artifact::of_file(name, &text).unwrap();
    let mut plan = Plan::standard();
    if std::env::var("NOGRAMMAR").is_err() {
        plan = plan.with_grammars(grammars.clone());
    }
    if let Ok(skip) = std::env::var("SKIP") {
        plan.kinds.retain(|k| !skip.split(',').any(|s| s == k.name));
    }
    let mut red = Reduction::new(artifact, plan);
    let mut memo: HashMap<u128, bool> = HashMap::new();
    let mut by: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let t0 = std::time::Instant::now();
    let trace = std::env::var("TRACE").unwrap_or_default();
    while let Some(q) = red.ask() {
        let w = red.whereabouts().unwrap();
        let before = red.best().len();
        use reduct_core::Question;
        let key = q.key().0;
        let fresh = !memo.contains_key(&key);
        let bytes = q.artifact().bytes().to_vec();
        let ok = *memo.entry(key).or_insert_with(|| check(&bytes));
        if trace == w.kind && fresh {
            println!(
                "[{} l{} r{} n{}] {} {}",
                w.kind,
                w.level,
                w.round,
                w.parts,
                ok,
                String::from_utf8_lossy(&bytes).replace('\n', "⏎").chars().take(300).collect::<String>()
            );
        }
        red.tell(if ok { Outcome::Fail } else { Outcome::Pass });
        let e = by.entry(w.kind).or_default();
        e[0] += fresh as usize;
        e[1] += !fresh as usize;
        e[2] += ok as usize;
        e[3] += before.saturating_sub(red.best().len());
    }
    println!(
        "{path}: {} -> {} bytes, {} tests, infeasible {}, {:?}",
        text.len(),
        red.best().len(),
        memo.len(),
        red.infeasible(),
        t0.elapsed()
    );
    println!("{:12} {:>6} {:>6} {:>5} {:>7}", "kind", "tests", "memo", "ok", "bytes");
    for (k, e) in by {
        println!("{k:12} {:6} {:6} {:5} {:7}", e[0], e[1], e[2], e[3]);
    }
    println!("{}", String::from_utf8_lossy(red.best().artifact().bytes()));
}
