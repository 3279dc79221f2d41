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
mod panel;
pub mod view;

use crate::keys::{Panel, Pressed};
use crate::state::SessionState;
use crate::summary::summary;
use crate::{Clock, excerpt, words};
use block::Block;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;
use reduct_session::event::{Event, Observer};
use reduct_session::executor::Request;
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
    discreet: bool,
    panel: Panel,
    /// The last accepted step as a diff, with the number of its test.
    diff: Option<(u64, Vec<String>)>,
    /// When the key was pressed that switches a pass off, as it has to be pressed twice.
    asked_to_disable: Option<Duration>,
    /// When it was last drawn.
    drawn: Option<Duration>,
}

const PAUSE: Duration = Duration::from_millis(100);

/// Within this time a key counts as pressed twice.
const TWICE: Duration = Duration::from_secs(5);

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
            discreet: false,
            panel: Panel::Progress,
            diff: None,
            asked_to_disable: None,
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

    /// Returns the same screen, which shows nothing that tests print: it may hold values of variables.
    pub fn discreet(mut self, discreet: bool) -> Screen<W> {
        self.discreet = discreet;
        self
    }

    /// Takes a key, and returns what is to be asked of the session for it.
    pub fn press(&mut self, pressed: Pressed) -> Option<Request> {
        let now = (self.clock)();
        let request = match pressed {
            Pressed::Show(panel) => {
                self.panel = if self.panel == panel { Panel::Progress } else { panel };
                None
            }
            Pressed::Ask(request) => self.acknowledge(request, now),
        };
        if self.state.ended.is_none() {
            self.draw(now);
        }
        request
    }

    /// Says at once that a request was heard; what it has done, an event says.
    fn acknowledge(&mut self, request: Request, now: Duration) -> Option<Request> {
        let is_searching = self.state.began.is_some() && !self.state.is_finishing;
        let pass = self.state.phase.as_ref().map_or("it", |at| words::kind(at.kind)).to_owned();
        let before = self.asked_to_disable.take();
        let notice = match request {
            Request::Stop | Request::Interrupt => "stopping with the best so far…".to_owned(),
            _ if !is_searching => "the search is not under way".to_owned(),
            Request::Skip => format!("skipping {pass}…"),
            Request::Pause if self.state.is_paused => "going on…".to_owned(),
            Request::Pause => "pausing…".to_owned(),
            Request::Disable if before.is_none_or(|before| now > before + TWICE) => {
                self.asked_to_disable = Some(now);
                let notice =
                    format!("x once more: {pass} is not tried again in this run, and nothing is claimed of it");
                self.state.notice = Some((notice, now));
                return None;
            }
            Request::Disable => format!("switching off {pass}…"),
            Request::Undo => return Some(request),
        };
        self.state.notice = Some((notice, now));
        (is_searching || matches!(request, Request::Stop | Request::Interrupt)).then_some(request)
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
        let shown = match self.panel {
            Panel::Progress => vec![],
            Panel::Help => panel::help(),
            Panel::Output => panel::output(&self.state, self.discreet),
            Panel::History => panel::history(&self.state),
            Panel::Diff => {
                self.look_at_last_step();
                self.diff.iter().flat_map(|(_, lines)| lines.clone()).collect()
            }
        };
        let view =
            View { state: &self.state, now, keys: self.keys, discreet: self.discreet, panel: (self.panel, &shown) };
        view.render(area, &mut buffer);
        // A terminal that cannot be written to is gone; the search goes on without it.
        let _ = self.block.paint(&mut self.output, &buffer, rows);
        self.drawn = Some(now);
    }

    /// Works the last step out if there is another one.
    fn look_at_last_step(&mut self) {
        let test = self.state.history.last().map_or(0, |step| step.test);
        if self.diff.as_ref().is_none_or(|(known, _)| *known != test) {
            self.diff = Some((test, panel::diff(&self.state)));
        }
    }

    fn finish(&mut self, lines: &[String]) {
        let extent = (self.extent)();
        // Lines are broken between words, but not for commands and places, which are to be copied.
        let mut broken = lines.iter().flat_map(|line| excerpt::wrap(line, extent.0.max(1).into()));
        let _ = self.block.clear(&mut self.output, extent).and_then(|()| {
            broken.try_for_each(|line| writeln!(self.output, "{line}"))?;
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
pub fn extent() -> (u16, u16) {
    use rustix::termios::tcgetwinsize;
    let size = tcgetwinsize(rustix::stdio::stderr()).or_else(|_| tcgetwinsize(rustix::stdio::stdout()));
    match size {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
        _ => (80, 24),
    }
}
