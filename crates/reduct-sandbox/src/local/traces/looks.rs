//! Why all files that were laid may have to be looked at: a test may have written to one of them by another name (a hard
//! link) that is gone, or that stands where nobody has watched.
//!
//! Temporary files look the same, and a look at many files takes long. So what was a reason in vain time and again is none
//! any more.

/// So often a reason to look is followed in vain.
const MOST: u32 = 16;

/// What a test did that may have been more than could be heard of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reasons {
    /// It wrote to a name that is gone.
    pub(super) gone: bool,
    /// It made a folder: what was done in it before it was watched is not known.
    pub(super) folder: bool,
    /// It made something in the folder for temporary files.
    pub(super) beside: bool,
}

impl Reasons {
    fn all(self) -> [bool; 3] {
        [self.gone, self.folder, self.beside]
    }
}

/// How often each reason was followed in vain.
#[derive(Debug, Default)]
pub(super) struct Looks([u32; 3]);

impl Looks {
    pub(super) fn are_worth_it(&self, reasons: Reasons) -> bool {
        self.0.iter().zip(reasons.all()).any(|(vain, is_one)| is_one && *vain < MOST)
    }

    pub(super) fn were_in_vain(&mut self, reasons: Reasons) {
        for (vain, is_one) in self.0.iter_mut().zip(reasons.all()) {
            *vain = vain.saturating_add(u32::from(is_one));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_in_vain_time_and_again_is_no_reason_and_others_stay_one() {
        let mut looks = Looks::default();
        assert!(!looks.are_worth_it(Reasons::default()));
        let temporary = Reasons { beside: true, ..Reasons::default() };
        for _ in 0..MOST {
            assert!(looks.are_worth_it(temporary));
            looks.were_in_vain(temporary);
        }
        assert!(!looks.are_worth_it(temporary));
        assert!(looks.are_worth_it(Reasons { folder: true, ..temporary }));
        assert!(looks.are_worth_it(Reasons { gone: true, ..Reasons::default() }));
    }
}
