//! Parts that go with their neighbours only: requests with their responses.

use crate::workshop::Workshop;
use std::fmt::Write;

/// Each request has its response right after it, and one of them failed.
const TEST: &str = r#"awk 'BEGIN { RS = ""; FS = "\n" }
    NR % 2 == 1 { if ($1 !~ /^GET \/[^ ]* HTTP\/1.1$/) bad = 1; pay = $1 ~ /refund/ }
    NR % 2 == 0 { if ($1 !~ /^HTTP\/1.1 [0-9][0-9][0-9] /) bad = 1; if (pay && $1 ~ / 500 /) seen = 1 }
    END { exit !(seen && !bad && NR % 2 == 0) }' "$1""#;

fn capture() -> String {
    let mut text = String::new();
    for at in 0..120 {
        let (path, status) = if at == 83 { ("refund", "500 Error") } else { ("items", "200 OK") };
        let _ = write!(text, "GET /{path}/{at} HTTP/1.1\nHost: shop{}.example\nAccept: */*\n\n", at * 7 % 5);
        let _ = write!(text, "HTTP/1.1 {status}\nServer: shop\nETag: {}\nContent-Length: 0\n\n", at * 7919 % 10007);
    }
    text
}

#[test]
fn requests_go_with_their_responses() {
    let workshop = Workshop::new();
    workshop.write("capture.http", capture());
    workshop.script("test.sh", TEST);
    workshop.reduct(["capture.http", "--out", "left", "--", "./test.sh", "{}"]).run().exits_with(0).says("1-minimal");
    let left = workshop.text("left");
    let messages: Vec<&str> = left.split("\n\n").filter(|message| !message.trim().is_empty()).collect();
    assert!(messages.len() < 12, "{left}");
}

#[test]
fn lines_of_two_are_left_by_lines() {
    let workshop = Workshop::new();
    let lines: String = (0..400).map(|at| format!("begin {at}\nend {at}\n")).collect();
    workshop.write("log.txt", lines);
    let test = r#"awk 'NR % 2 == 1 { name = $2; if ($1 != "begin") bad = 1; if (name == 251) seen = 1 }
        NR % 2 == 0 { if ($1 != "end" || $2 != name) bad = 1 }
        END { exit !(seen && !bad && NR % 2 == 0) }' "$1""#;
    workshop.script("test.sh", test);
    let call = ["log.txt", "--by", "lines", "--tests", "100", "--out", "left", "--", "./test.sh", "{}"];
    workshop.reduct(call).run().exits_with(0).says("1-minimal in lines");
    let left = workshop.text("left");
    assert_eq!(left, "begin 251\nend 251\n");
}
