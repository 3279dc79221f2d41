//! What a person and a script see of a session.
//!
//! Everything here is an [`Observer`](reduct_session::event::Observer) of the session's events, or a function of a
//! journal, and writes to an output that it is given:
//!
//! * [`EventFile`]: JSON lines for scripts; the tests in it are the same for any number of jobs.
//! * [`Lines`]: plain progress, for what is not a terminal.
//! * `Screen`: the live view on a terminal, with the feature `screen`; [`keys`] reads its keys.
//! * [`Table`]: the table of tests, as in Example 5.8 of the book.
//!
//! Both views end with the same [`summary()`]. They fold the events into a [`SessionState`], which knows no terminal; drawing
//! is a function of it. Two rules hold for all of them. Nothing of an input or of the output of a test reaches a
//! terminal as it is: it goes through [`excerpt`], which shows control characters instead of sending them. And a view
//! that cannot be written (a closed pipe, a terminal that is gone) never stops a search, while the event file, which
//! somebody may rely on, reports that it could not be written.

pub mod asking;
pub mod blame;
pub mod claims;
pub mod color;
pub mod confidence;
pub mod confinement;
pub mod difference;
pub mod events;
pub mod excerpt;
pub mod facts;
pub mod findings;
pub mod fuzzing;
pub mod history;
pub mod human;
pub mod inquiries;
pub mod keys;
mod lacking;
mod lines;
pub mod listing;
pub mod live;
pub mod markdown;
pub mod measured;
pub mod minima;
pub mod originals;
pub mod own_place;
mod pace;
pub mod page;
mod passes;
pub mod picture;
pub mod preflight;
mod progress;
pub mod remarks;
pub mod report_json;
pub mod run;
pub mod schedules;
pub mod schema;
#[cfg(feature = "screen")]
pub mod screen;
pub mod situation;
mod state;
pub mod story;
mod summary;
mod table;
pub mod timeouts;
pub mod to_type;
pub mod triage;
pub mod turns;
mod words;

use std::time::Duration;

pub use color::Color;
pub use events::EventFile;
pub use lacking::lacking;
pub use lines::Lines;
pub use passes::{PassStats, Statistics};
pub use progress::{Progress, text_row, to_go_on};
#[cfg(feature = "screen")]
pub use screen::Screen;
pub use state::{AcceptedStep, SessionState};
pub use summary::summary;
pub use table::{Row, Table};

/// Tells the time since some beginning. Events carry no time, so that they can be compared and replayed.
pub type Clock = Box<dyn Fn() -> Duration + Send>;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
