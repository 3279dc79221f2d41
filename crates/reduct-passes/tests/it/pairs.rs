//! Texts of pairs of lines.

use crate::support::{addresses, file, levels};
use reduct_passes::Pass;

/// Returns the parts of each level, with blanks in the place of line ends.
fn parts(text: &str) -> Vec<Vec<String>> {
    let artifact = file(text.as_bytes());
    let shown = |at| String::from_utf8_lossy(artifact.slice(at)).trim().replace('\n', " ");
    let found = levels(&Pass::named("brackets").unwrap(), &artifact);
    found.iter().map(|level| addresses(level).into_iter().map(shown).collect()).collect()
}

#[test]
fn what_has_a_beginning_and_an_end_is_one() {
    let text = " 0\nSECTION\n 2\nBLOCKS\n 0\nBLOCK\n 2\nb\n 0\nLINE\n 8\nx\n 0\nENDBLK\n 0\nENDSEC\n 0\nEOF\n";
    let line = "0 LINE  8 x";
    let block = format!("0 BLOCK  2 b  {line}  0 ENDBLK");
    let section = format!("0 SECTION  2 BLOCKS  {block}  0 ENDSEC");
    let expected: [&[&str]; 6] = [&[&section, "0 EOF"], &["2 BLOCKS"], &[&block], &["2 b"], &[line], &["8 x"]];
    assert_eq!(parts(text), expected);
}

#[test]
fn what_stands_alike_in_a_group_is_a_part_of_it() {
    let text = "0\nPOLY\n10\n1.5\n20\n2.5\n10\n3.5\n20\n4.5\n10\n5.5\n20\n6.5\n0\nEOF\n";
    let found = parts(text);
    assert_eq!(found[0], ["0 POLY 10 1.5 20 2.5 10 3.5 20 4.5 10 5.5 20 6.5", "0 EOF"]);
    assert_eq!(found[1], ["10 1.5 20 2.5", "10 3.5 20 4.5", "10 5.5 20 6.5"]);
    assert_eq!(found[2], ["10 1.5", "20 2.5", "10 3.5", "20 4.5", "10 5.5", "20 6.5"]);
}

#[test]
fn numbers_alone_are_no_pairs() {
    assert_eq!(parts("1\n2\n3\n4\n5\n6\n7\n8\n"), [["1", "2", "3", "4", "5", "6", "7", "8"]]);
    let odd = parts("1\nab\n2\nab\n3\nab\n4\nab\n5\n");
    assert_eq!(odd[0].len(), 9, "a key without a value");
}
