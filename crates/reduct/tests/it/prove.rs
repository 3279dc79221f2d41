//! What is proved of removals that leave a text that does not parse.

use crate::usage::split;
use crate::workshop::Workshop;

/// A list of numbers, of which each is needed, in its place.
fn numbers() -> Workshop {
    let workshop = Workshop::new();
    let both = (10..50).map(|at| format!("{at}, \"x\"")).collect::<Vec<_>>().join(", ");
    let needed = (10..50).map(|at| at.to_string()).collect::<Vec<_>>().join(r#",( *"x",)? *"#);
    workshop.write("input.json", format!("[{both}]\n"));
    workshop.script("test.sh", &format!(r#"grep -Eq '^\[{needed}(, *"x")? *\]' input.json"#));
    workshop
}

#[test]
fn what_does_not_parse_is_tried_for_as_long_as_it_may_help_and_the_claim_says_so() {
    let limited = "any one node or token that leaves a text that parses is removed";
    let workshop = numbers();
    let quick = workshop.reduct(split("--by nodes,tokens ./test.sh input.json")).run().exits_with(0);
    quick.says(limited);
    let result = workshop.read("input.reduced.json");
    workshop.reduct(["verify"]).run().exits_with(0).says(limited);
    let thorough = workshop.reduct(split("--prove --force --by nodes,tokens ./test.sh input.json")).run().exits_with(0);
    thorough.says("any one token is removed, or any one node that leaves a text that parses");
    assert_eq!(workshop.read("input.reduced.json"), result);
    workshop
        .reduct(["verify"])
        .run()
        .exits_with(0)
        .says("any one token is removed, or any one node that leaves a text that parses");
}
