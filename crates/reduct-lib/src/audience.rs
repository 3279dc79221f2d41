//! Those who watch a run.

use reduct_session::event::Observer;
use reduct_session::executor::{Executor, Wishes};

/// Those who watch a run, and can ask something of it.
pub struct Audience<'a> {
    /// They see all events.
    pub views: Vec<&'a mut dyn Observer>,
    /// Is given the place where wishes are taken.
    pub wishes: Box<dyn FnMut(Wishes) + 'a>,
}

impl Audience<'_> {
    /// Lets who watches wish for something of this place.
    pub(crate) fn connect(&mut self, lab: &dyn Executor) {
        if let Some(wishes) = lab.wishes() {
            (self.wishes)(wishes);
        }
    }

    /// The views, for a part of what is done.
    pub(crate) fn views(&mut self) -> Vec<&mut dyn Observer> {
        self.views.iter_mut().map(|view| &mut **view as &mut dyn Observer).collect()
    }
}
