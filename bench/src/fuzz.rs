//! Everything that reads bytes from outside is given bytes that nobody thought of: what is real, mutated. A panic, more
//! memory or more time than the input explains is a finding.
//!
//! An input is made from the name of its reader and its number, so that it can be made again: `--only READER --from N`.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it comes to")]

mod mutate;
mod readers;
mod watch;

use crate::heap;
use crate::words::{number, refuse_unknown, word};
use mutate::Inputs;
use readers::{READERS, Reader};
use std::fs;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use watch::{Watch, processor_time};

/// So much memory is no matter, as a regular expression may take that by its own limit, and so much for each byte of the input.
const MEMORY: (usize, usize) = (64 << 20, 300);

/// So much processor time is no matter, and so much for each byte of the input. Without optimisation, twenty times as much.
const TIME: (Duration, Duration) = (Duration::from_millis(300), Duration::from_micros(20));

/// Of one reader, so many findings are shown.
const SHOWN: usize = 5;

/// What came of one reader.
#[derive(Default)]
struct Seen {
    inputs: u64,
    findings: usize,
    slowest: Duration,
    most_memory: usize,
}

/// Runs the readers: `[--seconds N] [--inputs N] [--only READER] [--from N]`. The seconds are those of all readers together;
/// of each, at most so many inputs.
///
/// # Errors
/// If something was found, or there is no such reader.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    refuse_unknown(words, &["--seconds", "--inputs", "--from", "--only"], &[])?;
    let seconds = number(words, "--seconds", 60)?;
    let (most, from) = (number(words, "--inputs", u64::MAX)?, number(words, "--from", 0)?);
    let only = word(words, "--only");
    let readers: Vec<&Reader> = READERS.iter().filter(|reader| only.is_none_or(|only| reader.name == only)).collect();
    if readers.is_empty() {
        let names: Vec<&str> = READERS.iter().map(|reader| reader.name).collect();
        return Err(format!("readers: {}", names.join(", ")));
    }
    let time = Duration::from_secs(seconds) / readers.len() as u32;
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let watch = Watch::begin();
    let seen: Vec<(&str, Seen)> =
        readers.iter().map(|reader| (reader.name, try_reader(reader, &watch, (from, most), time))).collect();
    panic::set_hook(hook);
    println!("| reader | inputs | findings | longest | most memory |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (name, Seen { inputs, findings, slowest, most_memory }) in &seen {
        println!(
            "| {name} | {inputs} | {findings} | {:.1} ms | {} KiB |",
            slowest.as_secs_f64() * 1e3,
            most_memory >> 10
        );
    }
    let findings: usize = seen.iter().map(|(_, seen)| seen.findings).sum();
    let inputs: u64 = seen.iter().map(|(_, seen)| seen.inputs).sum();
    println!("{inputs} inputs, findings {findings}");
    if findings == 0 { Ok(()) } else { Err("the readers do not bear all inputs".into()) }
}

fn try_reader(reader: &Reader, watch: &Watch, (from, most): (u64, u64), time: Duration) -> Seen {
    let inputs = Inputs::of(reader);
    let (mut seen, begin) = (Seen::default(), Instant::now());
    while seen.inputs < most && begin.elapsed() < time {
        let n = from + seen.inputs;
        let input = inputs.number(n);
        seen.inputs += 1;
        watch.note(reader.name, n);
        let Some(what) = one(reader, &input, &mut seen) else { continue };
        seen.findings += 1;
        if seen.findings <= SHOWN {
            let file = std::env::temp_dir().join(format!("reduct-fuzz-{}-{n}", reader.name.replace(' ', "-")));
            let kept = fs::write(&file, &input).map_or_else(|error| error.to_string(), |()| file.display().to_string());
            println!("{} {n} ({} bytes): {what}; {kept}", reader.name, input.len());
        }
    }
    watch.rest();
    seen
}

/// Has a reader read an input. Returns what was found.
fn one(reader: &Reader, input: &[u8], seen: &mut Seen) -> Option<String> {
    heap::reset();
    let began = processor_time();
    let read = catch_unwind(AssertUnwindSafe(|| (reader.read)(input)));
    let (took, memory) = (processor_time().saturating_sub(began), heap::peak());
    (seen.slowest, seen.most_memory) = (seen.slowest.max(took), seen.most_memory.max(memory));
    if let Err(panic) = read {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        return Some(format!("it panics: {}", said.unwrap_or("without a word")));
    }
    if memory > MEMORY.0 + MEMORY.1 * input.len() {
        return Some(format!("it takes {} KiB", memory >> 10));
    }
    let slower = if cfg!(debug_assertions) { 20 } else { 1 };
    let allowed = (TIME.0 + TIME.1 * input.len() as u32) * slower;
    (took > allowed).then(|| format!("it takes {:.1} s", took.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    /// The short form. With `cargo xtask bench fuzz`, it takes as long as it is let.
    #[test]
    fn every_reader_bears_any_bytes() {
        super::run(&["--inputs", "60"]).unwrap();
    }
}
