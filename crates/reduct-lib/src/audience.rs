//! Those who watch a run.

use crate::parser;
use reduct_session::event::Observer;
use reduct_session::executor::{Control, Opened, Request};

/// Those who watch a run, and can ask something of it.
///
/// ```
/// use reduct_lib::{Audience, Event};
/// use reduct_session::event::Observer;
///
/// struct Counting(usize);
/// impl Observer for Counting {
///     fn on(&mut self, event: &Event) -> std::io::Result<()> {
///         self.0 += usize::from(matches!(event, Event::Retired { .. }));
///         Ok(())
///     }
/// }
/// let mut counting = Counting(0);
/// let audience = Audience::of(vec![&mut counting]);
/// ```
#[non_exhaustive]
pub struct Audience<'a> {
    /// They see all events.
    pub views: Vec<&'a mut dyn Observer>,
    /// Is given what asks something of the session that begins.
    pub requests: Box<dyn FnMut(Control) + 'a>,
}

impl Default for Audience<'_> {
    /// Returns an audience of nobody, which asks nothing.
    fn default() -> Self {
        Audience { views: vec![], requests: Box::new(|_| {}) }
    }
}

impl<'a> Audience<'a> {
    /// Returns views that see all events, and ask nothing.
    pub fn of(views: Vec<&'a mut dyn Observer>) -> Audience<'a> {
        Audience { views, ..Audience::default() }
    }

    /// Returns the same, with what is given the control of each session that begins: by it, a session is asked to stop.
    pub fn with_requests(self, requests: impl FnMut(Control) + 'a) -> Audience<'a> {
        Audience { requests: Box::new(requests), ..self }
    }
}

impl Audience<'_> {
    /// Lets those who watch ask something of the session at this place. If it is interrupted, it does not wait for a text that is being read.
    pub(crate) fn connect(&mut self, executor: &Opened) {
        parser::go_on();
        let control = executor.control();
        (self.requests)(Control::new(move |request| {
            // The session hears of it before it misses what would have been read.
            control.send(request);
            if request == Request::Interrupt {
                parser::give_up();
            }
        }));
    }

    /// Returns the views, for a part of what is done.
    pub(crate) fn views(&mut self) -> Vec<&mut dyn Observer> {
        self.views.iter_mut().map(|view| &mut **view as &mut dyn Observer).collect()
    }
}
