//! What a triage writes for dashboards is SARIF 2.1.0, by the schema of OASIS.

use crate::check::Check;
use crate::workshop::Workshop;
use serde_json::Value;

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
    let text = include_str!("../../../../fixtures/sarif/sarif-schema-2.1.0.json");
    let schema: Value = serde_json::from_str(text).unwrap();
    assert_eq!(Check::of(&schema, &sarif), Vec::<String>::new());
    assert_eq!(sarif["runs"][0]["results"][0]["relatedLocations"].as_array().unwrap().len(), 2);
    // What is wrong is found.
    let result = &mut sarif["runs"][0]["results"][0];
    result["level"] = "terrible".into();
    result["occurrenceCount"] = 0.into();
    result["color"] = "red".into();
    result["message"].as_object_mut().unwrap().clear();
    result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b".into();
    let wrong = Check::of(&schema, &sarif);
    for part in ["terrible", "/color: unknown", "minimum", "anyOf", "\"a b\""] {
        assert!(wrong.iter().any(|line| line.contains(part)), "{part}: {wrong:?}");
    }
}
