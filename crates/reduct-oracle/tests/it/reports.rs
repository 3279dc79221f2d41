//! Reports as tools write them, in `tests/reports/`: what is read there stands at the head of each file, by hand.

use reduct_oracle::reports;
use std::fs;
use std::path::Path;

#[test]
fn reports_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let (head, text) = text.split_once("---\n").unwrap();
        let expected: Vec<&str> =
            head.lines().map(|line| line.split_once(": ").map_or("", |(_, value)| value)).collect();
        let report = reports::read(text.as_bytes(), b"");
        let frames = report.iter().flat_map(|report| &report.frames).filter(|frame| frame.own);
        let frames: Vec<&str> = frames.map(|frame| frame.name.as_str()).take(3).collect();
        let (class, message) =
            report.as_ref().map_or(("", ""), |report| (report.class.as_str(), report.message.as_str()));
        assert_eq!([class, message, &frames.join(" ")], expected[..], "{}", path.display());
        // On standard output it is read as well; and not by chance where it is cut off.
        assert_eq!(reports::read(b"", text.as_bytes()), report);
        for end in (0..text.len()).step_by(97).filter(|end| text.is_char_boundary(*end)) {
            reports::read(&text.as_bytes()[..end], &text.as_bytes()[end..]);
        }
        count += 1;
    }
    assert!(count > 15, "{count}");
}
