//! Those who watch a run.

use reduct_session::event::Observer;
use reduct_session::executor::{Control, Opened};

/// Those who watch a run, and can ask something of it.
pub struct Audience<'a> {
    /// They see all events.
    pub views: Vec<&'a mut dyn Observer>,
    /// Is given what asks something of the session that begins.
    pub requests: Box<dyn FnMut(Control) + 'a>,
}

impl Default for Audience<'_> {
    /// Nobody watches, and nothing is asked.
    fn default() -> Self {
        Audience { views: vec![], requests: Box::new(|_| {}) }
    }
}

impl Audience<'_> {
    /// Lets those who watch ask something of the session at this place.
    pub(crate) fn connect(&mut self, executor: &Opened) {
        (self.requests)(executor.control());
    }

    /// Returns the views, for a part of what is done.
    pub(crate) fn views(&mut self) -> Vec<&mut dyn Observer> {
        self.views.iter_mut().map(|view| &mut **view as &mut dyn Observer).collect()
    }
}
