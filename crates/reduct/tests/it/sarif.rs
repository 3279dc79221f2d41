//! What a triage writes for dashboards is SARIF 2.1.0, by the schema of OASIS.
//!
//! The schema uses a dozen words of JSON Schema; those are read here, and any other one is refused, so that nothing is
//! taken to be right because it was not looked at.

use crate::workshop::Workshop;
use serde_json::Value;

/// The schema, and what is wrong so far.
struct Check {
    schema: Value,
    wrong: Vec<String>,
}

impl Check {
    fn of(document: &Value) -> Vec<String> {
        let text = include_str!("../../../../fixtures/sarif/sarif-schema-2.1.0.json");
        let schema: Value = serde_json::from_str(text).unwrap();
        let mut check = Check { schema: schema.clone(), wrong: vec![] };
        check.value(&schema, document, "");
        check.wrong
    }

    fn wrong(&mut self, place: &str, what: impl std::fmt::Display) {
        self.wrong.push(format!("{place}: {what}"));
    }

    fn value(&mut self, schema: &Value, value: &Value, place: &str) {
        for (word, says) in schema.as_object().unwrap() {
            match word.as_str() {
                "$schema" | "$id" | "title" | "description" | "default" | "definitions" => {}
                "$ref" => {
                    let target =
                        self.schema.pointer(says.as_str().unwrap().strip_prefix('#').unwrap()).unwrap().clone();
                    self.value(&target, value, place);
                }
                "type" => self.kind(says, value, place),
                "enum" => {
                    if !says.as_array().unwrap().contains(value) {
                        self.wrong(place, format!("{value} is none of {says}"));
                    }
                }
                "minimum" | "maximum" => self.bound(word, says, value, place),
                "required" | "properties" | "additionalProperties" => {
                    if value.is_object() {
                        self.object(word, (schema, says), value, place);
                    }
                }
                "items" | "minItems" | "uniqueItems" => {
                    if value.is_array() {
                        self.array(word, says, value, place);
                    }
                }
                "anyOf" | "oneOf" => self.one_of(word, says, value, place),
                "format" => {
                    let text = value.as_str().unwrap();
                    let is_uri = text.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&b));
                    match says.as_str().unwrap() {
                        "uri" if is_uri && text.contains(':') => {}
                        "uri-reference" if is_uri => {}
                        format => self.wrong(place, format!("{text:?} is no {format} that is known here")),
                    }
                }
                word => self.wrong(place, format!("`{word}` is not checked here")),
            }
        }
    }

    fn kind(&mut self, says: &Value, value: &Value, place: &str) {
        let is = |kind: &Value| match kind.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "null" => value.is_null(),
            kind => panic!("no such type: {kind}"),
        };
        if !says.as_array().map_or_else(|| is(says), |kinds| kinds.iter().any(is)) {
            self.wrong(place, format!("{value} is no {says}"));
        }
    }

    fn bound(&mut self, word: &str, says: &Value, value: &Value, place: &str) {
        let (Some(bound), Some(number)) = (says.as_f64(), value.as_f64()) else { return };
        if (word == "minimum" && number < bound) || (word == "maximum" && number > bound) {
            self.wrong(place, format!("{number} is beyond the {word} {bound}"));
        }
    }

    fn object(&mut self, word: &str, (schema, says): (&Value, &Value), value: &Value, place: &str) {
        for name in says.as_array().into_iter().flatten().filter(|_| word == "required") {
            if value.get(name.as_str().unwrap()).is_none() {
                self.wrong(place, format!("{name} is missing"));
            }
        }
        for (name, inner) in value.as_object().unwrap() {
            let named = &schema["properties"][name];
            let place = format!("{place}/{name}");
            match (word, says) {
                ("properties", _) if named.is_object() => self.value(named, inner, &place),
                ("additionalProperties", Value::Bool(false)) if named.is_null() => self.wrong(&place, "unknown"),
                ("additionalProperties", Value::Object(_)) if named.is_null() => self.value(says, inner, &place),
                _ => {}
            }
        }
    }

    fn array(&mut self, word: &str, says: &Value, value: &Value, place: &str) {
        let all = value.as_array().unwrap();
        match word {
            "minItems" if (all.len() as u64) < says.as_u64().unwrap() => self.wrong(place, "too few"),
            "uniqueItems" if says == true && all.iter().enumerate().any(|(at, one)| all[..at].contains(one)) => {
                self.wrong(place, "twice the same");
            }
            "items" => {
                for (at, inner) in all.iter().enumerate() {
                    self.value(says, inner, &format!("{place}/{at}"));
                }
            }
            _ => {}
        }
    }

    fn one_of(&mut self, word: &str, says: &Value, value: &Value, place: &str) {
        let before = self.wrong.len();
        let mut right = 0;
        for schema in says.as_array().unwrap() {
            self.value(schema, value, place);
            right += usize::from(self.wrong.len() == before);
            self.wrong.truncate(before);
        }
        if right == 0 || (word == "oneOf" && right > 1) {
            self.wrong(place, format!("{right} of {word} hold"));
        }
    }
}

#[test]
fn what_a_triage_writes_is_sarif() {
    let workshop = Workshop::new();
    workshop.script("reader", "if grep -q goto \"$1\"; then echo 'fatal: no \"such\" item' >&2; exit 3; fi\nexit 0");
    for name in ["a.txt", "with space & \u{e4}.txt", "100%.txt"] {
        workshop.write(format!("inputs/{name}"), "one\ngoto two\n");
    }
    workshop.write("inputs/fine.txt", "one\n");
    workshop.reduct(["triage", "--scratch", "../scratch", "inputs", "--", "./reader", "{}"]).run().exits_with(0);
    let mut sarif: Value = serde_json::from_str(&workshop.text("inputs/.reduct/triage/triage.sarif")).unwrap();
    assert_eq!(Check::of(&sarif), Vec::<String>::new());
    assert_eq!(sarif["runs"][0]["results"][0]["relatedLocations"].as_array().unwrap().len(), 2);
    // What is wrong is found.
    let result = &mut sarif["runs"][0]["results"][0];
    result["level"] = "terrible".into();
    result["occurrenceCount"] = 0.into();
    result["color"] = "red".into();
    result["message"].as_object_mut().unwrap().clear();
    result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b".into();
    let wrong = Check::of(&sarif);
    for part in ["terrible", "/color: unknown", "minimum", "anyOf", "\"a b\""] {
        assert!(wrong.iter().any(|line| line.contains(part)), "{part}: {wrong:?}");
    }
}
