//! A text that takes the place of another one.

use crate::artifact::Artifact;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A text that takes the place of another one: bytes of its own, or such as an artifact has anyway, of which there is no
/// second copy. Of a text that nests 100,000 deep, the parts that could take the place of the whole are the square of that
/// together.
#[derive(Clone)]
pub struct Replacement(Kind);

#[derive(Clone)]
enum Kind {
    Own(Arc<[u8]>),
    Part(Arc<Artifact>, Range<u32>),
}

impl Replacement {
    /// Returns the text that an artifact has at these addresses.
    pub fn part(of: &Arc<Artifact>, at: Range<u32>) -> Replacement {
        Replacement(Kind::Part(Arc::clone(of), at))
    }
}

impl Deref for Replacement {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Kind::Own(text) => text,
            Kind::Part(of, at) => of.slice(at.clone()),
        }
    }
}

impl AsRef<[u8]> for Replacement {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl PartialEq for Replacement {
    fn eq(&self, other: &Replacement) -> bool {
        **self == **other
    }
}

impl Eq for Replacement {}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl From<Arc<[u8]>> for Replacement {
    fn from(text: Arc<[u8]>) -> Replacement {
        Replacement(Kind::Own(text))
    }
}

impl From<&[u8]> for Replacement {
    fn from(text: &[u8]) -> Replacement {
        Arc::<[u8]>::from(text).into()
    }
}

impl<const N: usize> From<[u8; N]> for Replacement {
    fn from(text: [u8; N]) -> Replacement {
        Arc::<[u8]>::from(text).into()
    }
}

impl From<Vec<u8>> for Replacement {
    fn from(text: Vec<u8>) -> Replacement {
        Arc::<[u8]>::from(text).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_the_same_as_a_copy_of_it() {
        let artifact = Arc::new(Artifact::of_file("a", b"f(x + 1)").unwrap());
        let part = Replacement::part(&artifact, 2..7);
        assert_eq!(&*part, b"x + 1");
        assert_eq!(part, b"x + 1".as_slice().into());
        assert_ne!(part, Replacement::part(&artifact, 2..6));
        assert!(Replacement::part(&artifact, 3..3).is_empty());
    }
}
