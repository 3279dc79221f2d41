//! LLVM: removes nodes of metadata to which nothing leads.
//!
//! ## What it tries
//! All nodes to which nothing leads, at once.
//!
//! ## When it helps
//! After the tree, which has removed what led to them. `llvm-metadata` tries the same before, when functions still lead to most; and
//! nodes that name each other in a circle go together only.
//!
//! ## Before
//! ```llvm
//! define void @f() {
//!   ret void, !note !2
//! }
//! !0 = !{!1}
//! !1 = !{!0}
//! !2 = !{}
//! ```
//! ## After
//! ```llvm
//! define void @f() {
//!   ret void, !note !2
//! }
//! !2 = !{}
//! ```

use super::metadata::unled;
use crate::pass::Pass;
use crate::rewrite::{propose_in_order, removal};

pub(crate) const PASS: Pass =
    Pass::rewriting("llvm-nodes", "LLVM: removes nodes of metadata to which nothing leads", 0.9, |subject| {
        propose_in_order(subject, removal(subject, unled(subject)))
    });
