//! Whether JSON is as a JSON Schema says.
//!
//! The schemas that are used here have a dozen words of JSON Schema; those are read, and any other one is refused, so that
//! nothing is taken to be right because it was not looked at.

use serde_json::Value;

/// The schema, and what is wrong so far.
pub struct Check {
    schema: Value,
    /// Whether keys that the schema does not name are wrong, though it allows them.
    is_closed: bool,
    wrong: Vec<String>,
}

impl Check {
    /// Returns what is wrong with a document by a schema.
    pub fn of(schema: &Value, document: &Value) -> Vec<String> {
        Check::begun(schema, false, document)
    }

    /// Returns likewise what is wrong, and which keys the schema does not name.
    pub fn strictly(schema: &Value, document: &Value) -> Vec<String> {
        Check::begun(schema, true, document)
    }

    fn begun(schema: &Value, is_closed: bool, document: &Value) -> Vec<String> {
        let mut check = Check { schema: schema.clone(), is_closed, wrong: vec![] };
        check.value(schema, document, "");
        check.wrong
    }

    fn wrong(&mut self, place: &str, what: impl std::fmt::Display) {
        self.wrong.push(format!("{place}: {what}"));
    }

    fn value(&mut self, schema: &Value, value: &Value, place: &str) {
        for (word, says) in schema.as_object().unwrap() {
            match word.as_str() {
                "$schema" | "$id" | "title" | "description" | "default" | "definitions" | "$defs" => {}
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
                "const" => {
                    if says != value {
                        self.wrong(place, format!("{value} is not {says}"));
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
                ("properties", _) if self.is_closed => self.wrong(&place, "not named in the schema"),
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
fn each_word_is_checked() {
    let schema = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for (says, right, wrong) in [
        (r#"{"type":["string","null"]}"#, "null", "1"),
        (r#"{"type":"integer","minimum":1}"#, "1", "0"),
        (r#"{"type":"integer"}"#, "1", "1.5"),
        (r#"{"type":"number","maximum":1}"#, "0.5", "1.5"),
        (r#"{"enum":["a",null]}"#, "null", "\"b\""),
        (r#"{"const":2}"#, "2", "1"),
        (r#"{"items":{"type":"boolean"},"minItems":1}"#, "[true]", "[true,1]"),
        (r#"{"items":{"type":"boolean"},"minItems":1}"#, "[true]", "[]"),
        (r#"{"required":["a"]}"#, r#"{"a":1}"#, r#"{"b":1}"#),
        (r#"{"properties":{"a":{"type":"null"}}}"#, r#"{"b":1}"#, r#"{"a":1}"#),
        (r#"{"oneOf":[{"minimum":1},{"maximum":2}]}"#, "0", "1"),
        (r#"{"anyOf":[{"type":"null"},{"const":3}]}"#, "3", "4"),
        (r##"{"$ref":"#/$defs/a","$defs":{"a":{"const":1}}}"##, "1", "2"),
        (r#"{"type":"array","wordOfTomorrow":1}"#, "", "[]"),
    ] {
        let says = schema(says);
        assert!(right.is_empty() || Check::of(&says, &schema(right)).is_empty(), "{says}: {right}");
        assert!(!Check::of(&says, &schema(wrong)).is_empty(), "{says}: {wrong}");
    }
    let open = schema(r#"{"properties":{"a":{}}}"#);
    assert!(Check::of(&open, &schema(r#"{"b":1}"#)).is_empty());
    assert_eq!(Check::strictly(&open, &schema(r#"{"b":1}"#)), ["/b: not named in the schema"]);
}
