//! What differs between what passes and what fails, narrowed to what makes the difference.
//!
//! * `narrow.rs`: between two configurations of a weave, coarse groups first
//! * `isolation.rs`: between two inputs, down to characters
//! * `causes.rs`: among the changes of a history, with what they need, and what undoing them does
//! * `patches.rs`: what was shown of a cause, and what a patch can say of it

mod causes;
mod isolation;
mod narrow;
mod patches;

pub use causes::{Cause, Causes, Tried};
pub use isolation::Isolation;
pub use patches::PatchScope;
