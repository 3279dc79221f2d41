//! What a driver has written of the values in a run: what was assigned, and what statements read.

use regex::Regex;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::read_to_string;
use std::path::Path;
use std::sync::LazyLock;

/// Where an object is says nothing about it.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| pattern(" at 0x[0-9a-fA-F]+([>,])"));

/// Returns a pattern that is known to be one.
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is one")
}

/// Names and values, by the number of the execution.
pub type ValuesByTime = HashMap<u32, Vec<(String, String)>>;

/// What a driver has written of values.
#[derive(Clone, Debug, Default)]
pub struct RunValues {
    /// What was assigned.
    pub assigned: ValuesByTime,
    /// What statements read, before they were executed.
    pub read: ValuesByTime,
    /// Names of those that are read and are variables of the module, by the number of the execution: as far as a driver tells it.
    pub of_module: HashMap<u32, Vec<String>>,
}

impl RunValues {
    /// Reads what a driver has written. Nothing is known if there is no file.
    pub fn of(file: &Path) -> RunValues {
        type Names = serde_json::Map<String, serde_json::Value>;
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Line {
            Assigned(u32, Names),
            Read(u32, serde_json::Value, Names),
        }
        let text = read_to_string(file).unwrap_or_default();
        let mut values = RunValues::default();
        for line in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            let (time, names, into) = match line {
                Line::Assigned(time, names) => (time, names, &mut values.assigned),
                Line::Read(time, of_module, names) => {
                    if let Some(of_module) = of_module.as_array() {
                        let of_module = of_module.iter().filter_map(|it| it.as_str().map(str::to_owned));
                        values.of_module.insert(time, of_module.collect());
                    }
                    (time, names, &mut values.read)
                }
            };
            let known: &mut Vec<(String, String)> = into.entry(time).or_default();
            // A driver may write several lines of one execution: of a name, the last one counts.
            for (name, value) in names {
                let value = ADDRESS.replace_all(value.as_str().unwrap_or_default(), "$1").into_owned();
                known.retain(|(other, _)| *other != name);
                known.push((name, value));
            }
        }
        values
    }

    /// Returns those that another run of the same has, too.
    pub fn alike(&self, other: &RunValues) -> RunValues {
        let both = |one: &ValuesByTime, other: &ValuesByTime| {
            let of_both = one.iter().filter_map(|(time, values)| {
                let other = other.get(time)?;
                Some((*time, values.iter().filter(|it| other.contains(it)).cloned().collect()))
            });
            of_both.collect()
        };
        let (assigned, read) = (both(&self.assigned, &other.assigned), both(&self.read, &other.read));
        RunValues { assigned, read, of_module: self.of_module.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("values");
        let text = "[3,{\"a\":\"<A object at 0x7f12ab>\"}]\n[3,{\"a\":\"[<A object at 0x7f12ab>]\"}]\n\
                    [4,{},{\"b\":\"0x12\"}]\nno line\n";
        std::fs::write(&file, text).unwrap();
        let values = RunValues::of(&file);
        assert_eq!(values.assigned, by_time(3, "a", "[<A object>]"));
        assert_eq!(values.read, by_time(4, "b", "0x12"));
        assert_eq!(values.of_module, HashMap::new());
        std::fs::write(&file, "[4,[\"b\"],{\"b\":\"1\"}]\n").unwrap();
        assert_eq!(RunValues::of(&file).of_module, HashMap::from([(4, vec!["b".to_owned()])]));
    }

    fn by_time(time: u32, name: &str, value: &str) -> ValuesByTime {
        [(time, vec![(name.to_owned(), value.to_owned())])].into()
    }
}
