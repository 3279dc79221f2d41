//! What is said between a process and the one that reads texts for it: numbers of four or eight bytes, least byte first.
//!
//! A question is its kind, the number of a language, the length of a text and the text; an answer is its kind, a count, and
//! for a tree so many nodes of [`NODE`] bytes.

use reduct_input::{Node, Role};
use std::io::{self, Read, Write};

/// The bytes of a node.
pub(super) const NODE: usize = 21;

/// Nodes are written and read so many at a time.
const PORTION: usize = 4096;

/// What is asked of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Its tree.
    Tree,
    /// In how many places it does not follow its language.
    Errors,
}

/// The roles, by the numbers that stand for them.
const ROLES: [Role; 7] =
    [Role::Root, Role::Optional, Role::Item, Role::ItemOfMany, Role::Mandatory, Role::Token, Role::Error];

/// Writes a question.
///
/// # Errors
/// If nobody reads it.
pub(super) fn write_question(to: &mut impl Write, question: Question, language: usize, text: &[u8]) -> io::Result<()> {
    let mut head = vec![u8::from(question == Question::Errors)];
    head.extend((language as u32).to_le_bytes());
    head.extend((text.len() as u64).to_le_bytes());
    to.write_all(&head)?;
    to.write_all(text)
}

/// Reads a question: what is asked, the number of the language, and the text. `None` at the end.
///
/// # Errors
/// If it is cut short.
pub(super) fn read_question(from: &mut impl Read) -> io::Result<Option<(Question, usize, Vec<u8>)>> {
    let mut kind = [0];
    if from.read(&mut kind)? == 0 {
        return Ok(None);
    }
    let language = u32::from_le_bytes(bytes(from)?) as usize;
    let length = u64::from_le_bytes(bytes(from)?);
    let mut text = vec![];
    if from.take(length).read_to_end(&mut text)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((if kind == [0] { Question::Tree } else { Question::Errors }, language, text)))
}

/// Writes a count, or that there is none.
///
/// # Errors
/// If nobody reads it.
pub(super) fn write_count(to: &mut impl Write, count: Option<usize>) -> io::Result<()> {
    to.write_all(&[u8::from(count.is_some())])?;
    to.write_all(&(count.unwrap_or_default() as u64).to_le_bytes())
}

/// Reads a count, or that there is none.
///
/// # Errors
/// If it is cut short.
pub(super) fn read_count(from: &mut impl Read) -> io::Result<Option<usize>> {
    let [is_some] = bytes(from)?;
    let count = u64::from_le_bytes(bytes(from)?);
    Ok((is_some == 1).then_some(usize::try_from(count).unwrap_or(usize::MAX)))
}

/// Writes nodes.
///
/// # Errors
/// If nobody reads them.
pub(super) fn write_nodes(to: &mut impl Write, nodes: &[Node]) -> io::Result<()> {
    let mut portion = Vec::with_capacity(PORTION * NODE);
    for nodes in nodes.chunks(PORTION) {
        portion.clear();
        for node in nodes {
            portion.extend(node.kind.to_le_bytes());
            portion.extend(node.field.to_le_bytes());
            portion.extend(ROLES.iter().position(|role| *role == node.role).map(|at| at as u8));
            for number in [node.parent, node.after, node.start, node.end] {
                portion.extend(number.to_le_bytes());
            }
        }
        to.write_all(&portion)?;
    }
    Ok(())
}

/// Reads so many nodes.
///
/// # Errors
/// If they are cut short, or no nodes.
pub(super) fn read_nodes(from: &mut impl Read, count: usize) -> io::Result<Vec<Node>> {
    let mut nodes = vec![];
    let mut portion = vec![0; PORTION * NODE];
    while nodes.len() < count {
        let portion = &mut portion[..(count - nodes.len()).min(PORTION) * NODE];
        from.read_exact(portion)?;
        for bytes in portion.as_chunks::<NODE>().0 {
            nodes.push(node(bytes).ok_or(io::ErrorKind::InvalidData)?);
        }
    }
    Ok(nodes)
}

/// Reads bytes as questions, counts and nodes.
pub(crate) fn try_bytes(bytes: &[u8]) {
    let (mut questions, mut counts, mut nodes) = (bytes, bytes, bytes);
    while let Ok(Some(_)) = read_question(&mut questions) {}
    while let Ok(Some(count)) = read_count(&mut counts) {
        let _ = read_nodes(&mut nodes, count);
    }
}

fn node(bytes: &[u8; NODE]) -> Option<Node> {
    let short = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let long = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let role = *ROLES.get(usize::from(bytes[4]))?;
    Some(Node {
        kind: short(0)?,
        field: short(2)?,
        role,
        parent: long(5)?,
        after: long(9)?,
        start: long(13)?,
        end: long(17)?,
    })
}

fn bytes<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut told = vec![];
        write_question(&mut told, Question::Errors, 7, b"a: b").unwrap();
        write_question(&mut told, Question::Tree, 0, b"").unwrap();
        let mut from = &told[..];
        assert_eq!(read_question(&mut from).unwrap(), Some((Question::Errors, 7, b"a: b".to_vec())));
        assert_eq!(read_question(&mut from).unwrap(), Some((Question::Tree, 0, vec![])));
        assert_eq!(read_question(&mut from).unwrap(), None);
        assert!(read_question(&mut &told[..told.len() - 1 - 13]).is_err(), "cut short");

        let of_role = |(at, role): (u32, &Role)| Node {
            kind: 258,
            field: 3,
            role: *role,
            parent: at,
            after: u32::MAX - at,
            start: 70_000 + at,
            end: 80_000,
        };
        let nodes: Vec<Node> = (0..).zip(ROLES.iter().cycle().take(2 * PORTION + 5)).map(of_role).collect();
        let mut told = vec![];
        write_count(&mut told, Some(nodes.len())).unwrap();
        write_nodes(&mut told, &nodes).unwrap();
        write_count(&mut told, None).unwrap();
        write_count(&mut told, Some(usize::MAX)).unwrap();
        let mut from = &told[..];
        let count = read_count(&mut from).unwrap().unwrap();
        assert_eq!(read_nodes(&mut from, count).unwrap(), nodes);
        assert_eq!(read_count(&mut from).unwrap(), None);
        assert_eq!(read_count(&mut from).unwrap(), Some(usize::MAX));
        assert!(read_nodes(&mut &told[9..9 + NODE - 1], 1).is_err());
    }
}
