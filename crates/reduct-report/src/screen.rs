//! The live view: a block of lines at the bottom of what the terminal shows, drawn again as things happen.
//!
//! It is drawn *inline*: what was on the terminal before stays, and at the end the block is replaced by the summary.
//! [`view`] draws a [`SessionState`] with ratatui's widgets into a buffer, and [`block`] sends that to the terminal, moving
//! the cursor only relative to where it is. ratatui's own inline viewport is not used, because it asks the terminal
//! where the cursor is, at the start and at each resize: the answer comes on standard input, where the keys are read,
//! and while it is awaited Ctrl-C is a byte and not a signal. This way nothing is ever asked, no mode of the terminal
//! is changed and the cursor is not hidden: there is nothing to restore, even after `kill -9`.

pub mod block;
mod curve;
pub mod view;

use crate::Clock;
use crate::state::SessionState;
use crate::summary::summary;
use block::Block;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;
use reduct_session::event::{Event, Observer};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;
use view::View;

/// Tells how many columns and rows a terminal has at the moment.
pub type Extent = Box<dyn Fn() -> (u16, u16) + Send>;

/// Shows a session on a terminal.
pub struct Screen<W: Write> {
    output: W,
    clock: Clock,
    extent: Extent,
    state: SessionState,
    block: Block,
    place: Option<PathBuf>,
    keys: bool,
    /// When it was last drawn.
    drawn: Option<Duration>,
}

const PAUSE: Duration = Duration::from_millis(100);

impl<W: Write> Screen<W> {
    /// Shows a session on `output`, with colours and with the line of keys.
    pub fn new(output: W, clock: Clock) -> Screen<W> {
        Screen {
            output,
            clock,
            extent: Box::new(extent),
            state: SessionState::default(),
            block: Block::new(true),
            place: None,
            keys: true,
            drawn: None,
        }
    }

    /// Says at the end that the result is at `place`.
    pub fn result_at(mut self, place: impl Into<PathBuf>) -> Screen<W> {
        self.place = Some(place.into());
        self
    }

    /// Returns whether to use colours.
    pub fn colored(mut self, colored: bool) -> Screen<W> {
        self.block = Block::new(colored);
        self
    }

    /// Returns whether to name the keys: not if nobody reads them.
    pub fn with_keys(mut self, keys: bool) -> Screen<W> {
        self.keys = keys;
        self
    }

    /// Asks `extent` for the size of the terminal, and not standard error and standard output.
    pub fn sized_by(mut self, extent: Extent) -> Screen<W> {
        self.extent = extent;
        self
    }

    /// Draws again if something may have changed: the time, the size of the terminal. To be called a few times a
    /// second.
    pub fn tick(&mut self) {
        let now = (self.clock)();
        let due = self.drawn.is_none_or(|drawn| now >= drawn + PAUSE);
        if due && self.state.ended.is_none() {
            self.draw(now);
        }
    }

    fn draw(&mut self, now: Duration) {
        let (columns, rows) = (self.extent)();
        // The cursor rests below the block, so that what others write does not end up in it.
        let height = view::HEIGHT.min(rows.saturating_sub(1));
        let area = Rect::new(0, 0, columns.max(1), height);
        let mut buffer = Buffer::empty(area);
        View { state: &self.state, now, keys: self.keys }.render(area, &mut buffer);
        // A terminal that cannot be written to is gone; the search goes on without it.
        let _ = self.block.paint(&mut self.output, &buffer);
        self.drawn = Some(now);
    }

    fn finish(&mut self, lines: &[String]) {
        let (columns, _) = (self.extent)();
        let _ = self.block.clear(&mut self.output, columns.max(1)).and_then(|()| {
            lines.iter().try_for_each(|line| writeln!(self.output, "{line}"))?;
            self.output.flush()
        });
    }
}

impl<W: Write> Observer for Screen<W> {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        let now = (self.clock)();
        if self.state.ended.is_some() {
            return Ok(());
        }
        self.state.take(event, now);
        match event {
            Event::Ended(ended) => self.finish(&summary(self.state.began.as_ref(), ended, self.place.as_deref())),
            _ => self.tick(),
        }
        Ok(())
    }
}

impl<W: Write> Drop for Screen<W> {
    /// Takes the block away. Not while panicking: then the message stands below it already, and the lines above the
    /// cursor are no longer the block.
    fn drop(&mut self) {
        if self.state.ended.is_none() && !std::thread::panicking() {
            self.finish(&[]);
        }
    }
}

/// Returns the size of the terminal that standard error or standard output is, or what terminals used to have.
fn extent() -> (u16, u16) {
    use rustix::termios::tcgetwinsize;
    let size = tcgetwinsize(rustix::stdio::stderr()).or_else(|_| tcgetwinsize(rustix::stdio::stdout()));
    match size {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
        _ => (80, 24),
    }
}
