//! Paths in journals: as text if they are UTF-8, else as bytes. `serde` itself refuses the latter.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<Written> for OsString {
    fn from(written: Written) -> OsString {
        match written {
            Written::Text(text) => text.into(),
            Written::Bytes(bytes) => OsString::from_vec(bytes),
        }
    }
}

/// Writes one word.
fn word<S: Serializer>(text: &OsStr, to: S) -> Result<S::Ok, S::Error> {
    match text.to_str() {
        Some(text) => to.serialize_str(text),
        None => text.as_bytes().serialize(to),
    }
}

/// Serializes, for `#[serde(serialize_with)]`.
///
/// # Errors
/// If the serializer says so.
pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    word(path.as_os_str(), to)
}

/// Deserializes, for `#[serde(deserialize_with)]`.
///
/// # Errors
/// If it is neither text nor bytes.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    Written::deserialize(from).map(|written| OsString::from(written).into())
}

/// The same for what may be missing.
pub mod optional {
    use super::{Deserialize, Deserializer, OsString, PathBuf, Serializer, Written};

    /// Serializes, for `#[serde(serialize_with)]`.
    ///
    /// # Errors
    /// If the serializer says so.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
        match path {
            Some(path) => super::serialize(path, to),
            None => to.serialize_none(),
        }
    }

    /// Deserializes, for `#[serde(deserialize_with)]`.
    ///
    /// # Errors
    /// If it is neither text nor bytes nor missing.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
        let written = Option::<Written>::deserialize(from)?;
        Ok(written.map(|written| OsString::from(written).into()))
    }
}

/// The same for several.
pub mod several {
    use super::{Deserialize, Deserializer, OsString, Serializer, Written, word};
    use serde::ser::SerializeSeq;
    use std::ffi::OsStr;

    struct Word<'a>(&'a OsStr);

    impl serde::Serialize for Word<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            word(self.0, to)
        }
    }

    /// Serializes, for `#[serde(serialize_with)]`.
    ///
    /// # Errors
    /// If the serializer says so.
    pub fn serialize<S: Serializer, T: AsRef<OsStr>>(words: &[T], to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(words.len()))?;
        words.iter().try_for_each(|word| list.serialize_element(&Word(word.as_ref())))?;
        list.end()
    }

    /// Deserializes, for `#[serde(deserialize_with)]`.
    ///
    /// # Errors
    /// If one is neither text nor bytes.
    pub fn deserialize<'de, D: Deserializer<'de>, T: From<OsString>>(from: D) -> Result<Vec<T>, D::Error> {
        let written = Vec::<Written>::deserialize(from)?;
        Ok(written.into_iter().map(|written| T::from(written.into())).collect())
    }
}
