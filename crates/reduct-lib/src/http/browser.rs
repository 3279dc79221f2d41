//! A browser that is led to a page.

use reduct_report::asking::{self, html};
use reduct_report::excerpt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Opens the page at an address as the user would have it opened: by a new file that leads there, since all users of a machine
/// see what commands are started with. That no browser can be started is said on standard error.
///
/// ```no_run
/// # use reduct_lib::Viewer;
/// let viewer = Viewer::start(|_| Ok(None), None)?;
/// reduct_lib::open_in_browser("page.html".as_ref(), viewer.address())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be written.
pub fn open_in_browser(path: &Path, address: &str) -> io::Result<()> {
    let _ = std::fs::remove_file(path);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(
        file,
        "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer>\
         <meta http-equiv=refresh content=\"0;url={address}\"><title>reduct</title><a href=\"{address}\">reduct</a>"
    )?;
    let path = format!("file://{}", html::encoded(path.canonicalize()?.as_os_str().as_encoded_bytes()));
    let browser = std::env::var_os("BROWSER").filter(|browser| !browser.is_empty());
    let program = browser.unwrap_or_else(|| "xdg-open".into());
    let mut command = Command::new(&program);
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        // It may stay as long as it likes.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => {
            let _ = writeln!(io::stderr(), "{}", excerpt::clean(&asking::not_started(&program, &error)));
        }
    }
    Ok(())
}
