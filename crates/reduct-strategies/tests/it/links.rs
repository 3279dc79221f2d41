//! Files whose blocks say where the next one is: whatever goes, the links lead to the blocks that are left.

use crate::support::{chunked, without};
use reduct_input::Circumstances;

/// The link to the first block stands behind four letters, and the others behind two bytes of a block.
fn linked(blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut text = [b"LNK\x01".to_vec(), if blocks.is_empty() { vec![0; 4] } else { vec![0, 0, 0, 8] }].concat();
    for (at, block) in blocks.iter().enumerate() {
        let next = if at + 1 < blocks.len() { (text.len() + 6 + block.len()) as u32 } else { 0 };
        text.extend([&[0xab, 0xcd][..], &next.to_be_bytes(), block].concat());
    }
    text
}

/// Returns what is in the blocks. `None` if a link leads back, or out of the file.
fn read(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let link = |at: usize| Some(u32::from_be_bytes(*text.get(at..)?.first_chunk()?) as usize);
    let (mut at, mut blocks) = (link(4)?, vec![]);
    while at > 0 {
        let next = link(at + 2)?;
        let end = if next == 0 { text.len() } else { next };
        blocks.push(text.get(at + 6..end)?.to_vec());
        at = next;
    }
    Some(blocks)
}

fn blocks(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|at| vec![0x80 | at as u8; 30 + at * 13 % 29]).collect()
}

#[test]
fn links_lead_to_the_blocks_that_are_left() {
    let all = blocks(7);
    let text = linked(&all);
    assert_eq!(read(&text).unwrap(), all);
    let parts = &chunked(&text)[0];
    assert_eq!(parts.len(), 7);
    for chosen in 0..128usize {
        let left: Vec<_> = (0..7).filter(|at| chosen >> at & 1 == 1).map(|at| all[at].clone()).collect();
        assert_eq!(without(parts, |at| chosen >> at & 1 == 0), linked(&left));
    }
}

#[test]
fn what_is_in_blocks_goes() {
    let all = blocks(20);
    let levels = chunked(&linked(&all));
    let left = read(&without(levels.last().unwrap(), |at| at % 3 == 1)).unwrap();
    let (before, after): (usize, usize) = (all.iter().map(Vec::len).sum(), left.iter().map(Vec::len).sum());
    assert_eq!(left.len(), 20);
    assert!(after < before, "{before} {after}");
}
