//! A file of events, as a run has written it.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// What `--events` wrote.
pub struct Events(pub(super) Vec<Value>);

impl Events {
    pub fn read(path: impl AsRef<Path>) -> Events {
        let text = fs::read_to_string(path).unwrap();
        Events(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.0.iter().filter(|event| event["type"] == kind).collect()
    }

    pub fn last(&self) -> &Value {
        self.0.last().expect("there are events")
    }

    /// The tests: size and outcome.
    pub fn tests(&self) -> Vec<(u64, String)> {
        Events(self.of("test").into_iter().cloned().collect()).pairs()
    }

    pub(super) fn pairs(&self) -> Vec<(u64, String)> {
        let pair = |event: &Value| (event["size"].as_u64().unwrap(), event["outcome"].as_str().unwrap().to_owned());
        self.0.iter().map(pair).collect()
    }
}
