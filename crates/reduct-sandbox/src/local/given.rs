//! What a candidate gives to its command beside files, on the way to the supervisor: words that end with NUL.

use super::protocol::Blobs;
use reduct_input::Candidate;
use reduct_input::situation::Given;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Arguments and variables, to be sent.
pub(super) struct ProcessInputs {
    /// See [`arguments`] and [`variables`].
    pub blobs: Blobs,
    /// Whether they can be handed over: no process can be given a NUL, nor a variable whose name holds `=`.
    pub can_be: bool,
}

impl ProcessInputs {
    /// Returns what a candidate gives, and its files.
    pub(super) fn of(candidate: &Candidate) -> (ProcessInputs, Cow<'_, Candidate>) {
        let given = Given::of(candidate);
        if given.is_empty() {
            return (ProcessInputs { blobs: Blobs::default(), can_be: true }, Cow::Borrowed(candidate));
        }
        let mut blobs = Blobs::default();
        let arguments = given.arguments.iter().map(|(_, word)| word);
        let names = given.variables.iter().map(|(name, _)| name);
        let has_nul = arguments.clone().chain(given.variables.iter().map(|(_, value)| value)).any(|text| has(text, 0));
        let can_be = !has_nul && !names.clone().any(|name| name.is_empty() || has(name, 0) || has(name, b'='));
        arguments.for_each(|word| add(&mut blobs[0], &[word]));
        given.variables.iter().for_each(|(name, value)| add(&mut blobs[1], &[name, OsStr::new("="), value]));
        (ProcessInputs { blobs, can_be }, Cow::Owned(candidate.files_only()))
    }
}

fn has(text: &OsStr, byte: u8) -> bool {
    text.as_bytes().contains(&byte)
}

fn add(blob: &mut Vec<u8>, parts: &[&OsStr]) {
    parts.iter().for_each(|part| blob.extend_from_slice(part.as_bytes()));
    blob.push(0);
}

/// Returns the arguments in a blob.
pub(crate) fn arguments(blob: &[u8]) -> Vec<OsString> {
    blob.split_inclusive(|byte| *byte == 0).map(|word| OsString::from_vec(without_end(word).to_vec())).collect()
}

/// Returns the variables in a blob.
pub(crate) fn variables(blob: &[u8]) -> Vec<(OsString, OsString)> {
    let pair = |word: &[u8]| {
        let word = without_end(word);
        let end = word.iter().position(|byte| *byte == b'=').unwrap_or(word.len());
        let value = word.get(end + 1..).unwrap_or_default();
        (OsString::from_vec(word[..end].to_vec()), OsString::from_vec(value.to_vec()))
    };
    blob.split_inclusive(|byte| *byte == 0).map(pair).collect()
}

fn without_end(word: &[u8]) -> &[u8] {
    word.strip_suffix(&[0]).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_input::ArtifactBuilder;
    use reduct_input::situation::SituationRole;

    fn candidate(arguments: &[&[u8]], variables: &[(&[u8], &[u8])]) -> Candidate {
        let mut builder = ArtifactBuilder::default();
        for (number, text) in arguments.iter().enumerate() {
            builder.file(SituationRole::Argument(number).path().unwrap(), 0o600, text).unwrap();
        }
        for (name, value) in variables {
            let role = SituationRole::Variable(OsString::from_vec(name.to_vec()));
            builder.file(role.path().unwrap(), 0o600, value).unwrap();
        }
        Candidate::whole(builder.finish().into())
    }

    #[test]
    fn words_arrive_as_they_were_sent() {
        let given = candidate(&[b"", b"-x\xff", b"a b\n"], &[(b"A", b""), (b"B", b"x=y\xfe")]);
        let (words, files) = ProcessInputs::of(&given);
        assert!(words.can_be);
        assert_eq!(files.entry_count(), 0);
        let sent: Vec<Vec<u8>> = arguments(&words.blobs[0]).into_iter().map(OsString::into_vec).collect();
        assert_eq!(sent, [b"".to_vec(), b"-x\xff".to_vec(), b"a b\n".to_vec()]);
        let sent: Vec<_> = variables(&words.blobs[1]).into_iter().map(|(n, v)| (n.into_vec(), v.into_vec())).collect();
        assert_eq!(sent, [(b"A".to_vec(), b"".to_vec()), (b"B".to_vec(), b"x=y\xfe".to_vec())]);
    }

    #[test]
    fn no_process_is_given_what_cannot_be() {
        assert!(!ProcessInputs::of(&candidate(&[b"a\0b"], &[])).0.can_be);
        assert!(!ProcessInputs::of(&candidate(&[], &[(b"A", b"\0")])).0.can_be);
        assert!(!ProcessInputs::of(&candidate(&[], &[(b"A=B", b"")])).0.can_be);
    }
}
