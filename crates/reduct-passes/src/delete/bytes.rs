//! Bytes.

use crate::pass::{Pass, Proposals};
use reduct_input::Subject;
use reduct_input::parts::Bytes;

pub(crate) const PASS: Pass = Pass { single_list: true, ..Pass::deleting("bytes", "bytes", "single bytes", propose) };

fn propose(subject: &Subject) -> Proposals {
    let artifact = subject.artifact();
    if artifact.bytes().is_empty() { vec![] } else { vec![Bytes.into()] }
}
