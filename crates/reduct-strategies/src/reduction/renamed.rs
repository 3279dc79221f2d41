//! What names were called before they were shortened, so that what was learned of a text holds after that.

use reduct_core::Keyed;
use reduct_input::names::{is_word, words};
use reduct_input::{Artifact, Edit};
use std::collections::{HashMap, HashSet};

/// Each new name, with what it stood for first.
#[derive(Clone, Debug, Default)]
pub(super) struct Renamed(HashMap<Vec<u8>, Vec<u8>>);

impl Renamed {
    /// Adds names that were given in a text. A name that the text has already would be two things: what was learned of
    /// either no longer holds.
    pub(super) fn extend(&mut self, renamings: Vec<(Vec<u8>, Vec<u8>)>, text: &[u8]) {
        let new: HashSet<&[u8]> = renamings.iter().map(|(_, new)| new.as_slice()).collect();
        let taken: HashSet<Vec<u8>> = words(text)
            .map(|at| &text[at.start as usize..at.end as usize])
            .filter(|word| new.contains(word))
            .map(<[u8]>::to_vec)
            .collect();
        // All at once: what is renamed here was called so before.
        let first = |old: Vec<u8>| self.0.get(&old).cloned().unwrap_or(old);
        let added: Vec<_> =
            renamings.into_iter().filter(|(_, new)| !taken.contains(new)).map(|(old, new)| (new, first(old))).collect();
        self.0.extend(added);
        taken.iter().for_each(|new| drop(self.0.remove(new)));
    }

    /// Adds a text to a key, with each name as it was first.
    pub(super) fn add(&self, keyed: &mut Keyed, text: &[u8]) {
        if self.0.is_empty() {
            return add(keyed, text);
        }
        let mut first: Vec<u8> = Vec::with_capacity(text.len());
        let mut from = 0;
        for word in words(text).map(|at| at.start as usize..at.end as usize) {
            first.extend_from_slice(&text[from..word.start]);
            from = word.end;
            let word = &text[word];
            first.extend_from_slice(self.0.get(word).map_or(word, Vec::as_slice));
        }
        first.extend_from_slice(&text[from..]);
        add(keyed, &first);
    }
}

/// Returns the old and the new name if an edit renames something: all that it does is to put one word in the place of another one.
pub(super) fn renaming(edit: &Edit, base: &Artifact) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut pairs = edit.splices().iter().map(|splice| (base.slice(splice.at.clone()), splice.with.as_ref()));
    let (old, new) = pairs.next()?;
    let is_name = |text: &[u8]| !text.is_empty() && !text[0].is_ascii_digit() && text.iter().all(|byte| is_word(*byte));
    (is_name(old) && is_name(new) && pairs.all(|pair| pair == (old, new))).then(|| (old.to_vec(), new.to_vec()))
}

fn add(keyed: &mut Keyed, text: &[u8]) {
    keyed.add(text.len() as u64);
    text.chunks(8).for_each(|chunk| keyed.add(chunk.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_core::Key;
    use reduct_input::Splice;

    fn key(names: &Renamed, text: &str) -> Key {
        let mut keyed = Keyed::default();
        names.add(&mut keyed, text.as_bytes());
        keyed.finish()
    }

    fn edit(text: &str, old: &str, new: &str) -> Edit {
        let at = text.match_indices(old).map(|(at, _)| at as u32..at as u32 + old.len() as u32);
        Edit::new(at.map(|at| Splice { at, with: new.as_bytes().into() }).collect()).expect("an edit")
    }

    /// Renames in a text, and returns what it is then.
    fn rename(names: &mut Renamed, text: &str, old: &str, new: &str) -> String {
        let base = Artifact::of_file("it", text.as_bytes()).expect("small");
        let renaming = renaming(&edit(text, old, new), &base).expect("a renaming");
        names.extend(vec![renaming], text.as_bytes());
        text.replace(old, new)
    }

    #[test]
    fn a_text_with_shorter_names_is_the_same() {
        let mut names = Renamed::default();
        let text = "int counter = 1; counter++;";
        let shorter = rename(&mut names, text, "counter", "ab");
        let shortest = rename(&mut names, &shorter, "ab", "c");
        assert_eq!(shortest, "int c = 1; c++;");
        assert_eq!(key(&names, text), key(&names, &shorter));
        assert_eq!(key(&names, text), key(&names, &shortest));
        assert_ne!(key(&names, text), key(&names, "int d = 1; d++;"));
    }

    #[test]
    fn two_names_that_become_one_are_not_the_same() {
        let mut names = Renamed::default();
        let text = "int counter = a;";
        let shorter = rename(&mut names, text, "counter", "a");
        assert_ne!(key(&names, text), key(&names, &shorter));
    }

    #[test]
    fn an_edit_that_does_more_is_no_renaming() {
        let base = Artifact::of_file("it", b"f(x, y)").expect("small");
        let no_name = Edit::replace(2..3, b"x + 1");
        let gone = Edit::delete(2..3);
        let two = Edit::new(vec![
            Splice { at: 2..3, with: b"z".as_slice().into() },
            Splice { at: 5..6, with: b"z".as_slice().into() },
        ]);
        for edit in [no_name, gone, two] {
            assert_eq!(renaming(&edit.expect("an edit"), &base), None);
        }
    }
}
