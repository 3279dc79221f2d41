//! `--view`: the page about a run for as long as it goes on, and a browser that is led to it.

use super::say::say;
use reduct_lib::{InquiryReader, Refusal, Viewer};
use reduct_report::live;
use reduct_session::event::{Event, Observer};
use std::io;
use std::path::{Path, PathBuf};

/// The page of a run while it goes on.
pub(super) struct LivePage {
    viewer: Viewer,
    opens: bool,
    place: Option<Leading>,
}

impl LivePage {
    /// Begins to serve it, and says where. Runs of several searches are read by `inquiries`.
    pub(super) fn start(how: &str, inquiries: InquiryReader) -> Result<LivePage, Refusal> {
        let viewer = Viewer::start(inquiries, None)?;
        say(&live::seen_at(viewer.address()));
        Ok(LivePage { viewer, opens: how == "browser", place: None })
    }
}

impl Observer for LivePage {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        if let Event::Kept { folder } = event {
            self.viewer.show(folder);
            if std::mem::take(&mut self.opens) {
                self.place = open_in_browser(folder, self.viewer.address());
            }
        }
        Ok(())
    }
}

/// A file that leads a browser to a page, and is gone with this.
pub(super) struct Leading(PathBuf);

impl Drop for Leading {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Opens a page as the user would have it opened: by a file that leads there, since all users of a machine see what commands
/// are started with. Says if that cannot be done.
pub(super) fn open_in_browser(folder: &Path, address: &str) -> Option<Leading> {
    let file = folder.join("view.html");
    match reduct_lib::open_in_browser(&file, address) {
        Ok(()) => Some(Leading(file)),
        Err(error) => {
            say(&format!("The page cannot be opened: {error}"));
            None
        }
    }
}
