//! Who wrote a patch, when and why, as far as it says so.

use super::PatchError;
use crate::git::{GitError, run};
use crate::workshop::Workshop;
use reduct_input::About;
use std::fs;

/// Returns what a patch says of itself; and the patch, which in a mail may be written in a way of mails.
pub(super) fn about(name: &str, text: &[u8]) -> Result<(About, Vec<u8>), PatchError> {
    let head = head(text);
    if is_mail(head) { of_mail(name, text) } else { Ok((of_text(name, head), text.to_vec())) }
}

/// Reads bytes as what says of itself who wrote it, as far as that is done without git.
pub(super) fn try_bytes(text: &[u8]) {
    let _ = (of_text("patch", head(text)), is_mail(head(text)), is_encoded(text));
    String::from_utf8_lossy(text).lines().for_each(|line| _ = iso(line));
}

/// Returns what comes before the first difference.
fn head(text: &[u8]) -> &[u8] {
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let begins = ["diff ", "--- ", "Index: ", "index ", "==="].iter().any(|word| line.starts_with(word.as_bytes()));
        if begins {
            break;
        }
        at += line.len();
    }
    &text[..at]
}

fn is_mail(head: &[u8]) -> bool {
    let lines = || head.split(|byte| *byte == b'\n').take_while(|line| !line.trim_ascii().is_empty());
    let has = |word: &str| lines().any(|line| line.starts_with(word.as_bytes()));
    lines().next().is_some_and(is_begin) || (has("From: ") && has("Subject: "))
}

/// Returns whether this is the first line of a mail.
pub(super) fn is_begin(line: &[u8]) -> bool {
    let name = line.strip_prefix(b"From ").and_then(|rest| rest.split(|byte| *byte == b' ').next());
    name.is_some_and(|name| matches!(name.len(), 40 | 64) && name.iter().all(u8::is_ascii_hexdigit))
}

/// Has git read the mail, which knows how mails are written.
fn of_mail(name: &str, text: &[u8]) -> Result<(About, Vec<u8>), PatchError> {
    let room = Workshop::open().map_err(PatchError::io(&std::env::temp_dir()))?;
    let mut command = run::Git::own(room.path(), &["mailinfo", "-b", "--encoding=UTF-8", "message", "patch"]);
    run::quiet(&mut command, room.path());
    let said = match run::read(command, text.to_vec()) {
        Ok(said) => String::from_utf8_lossy(&said).into_owned(),
        Err(GitError::NoGit { source }) => return Err(PatchError::NoGit { source }),
        // A mail that cannot be read may still be a patch that can be applied.
        Err(_) => String::new(),
    };
    let field = |word: &str| said.lines().find_map(|line| line.strip_prefix(word)).unwrap_or_default();
    let author = match (field("Author: "), field("Email: ")) {
        ("", "") => String::new(),
        (author, email) => format!("{author} <{email}>"),
    };
    let date = field("Date: ");
    let date = iso(date).unwrap_or_else(|| date.to_owned());
    let subject = Some(field("Subject: ")).filter(|subject| !subject.is_empty()).unwrap_or(name).to_owned();
    let patch = if is_encoded(text) {
        let patch = room.path().join("patch");
        fs::read(&patch).map_err(PatchError::io(&patch))?
    } else {
        text.to_vec()
    };
    Ok((About { id: name.into(), author, date, subject }, patch))
}

/// Returns whether the lines of a mail are not those of the patch.
fn is_encoded(text: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head(text)).to_ascii_lowercase();
    let encoding = head.lines().find_map(|line| line.strip_prefix("content-transfer-encoding:"));
    encoding.is_some_and(|encoding| matches!(encoding.trim(), "quoted-printable" | "base64"))
}

/// Returns, of a text before the difference, the first line; there may be names of fields, as Debian has them.
fn of_text(name: &str, head: &[u8]) -> About {
    let head = String::from_utf8_lossy(head);
    let lines = || head.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let field = |words: &[&str]| lines().find_map(|line| words.iter().find_map(|word| line.strip_prefix(word)));
    let subject = field(&["Description: ", "Subject: "]).or_else(|| lines().next()).unwrap_or(name);
    About {
        id: name.into(),
        author: field(&["Author: ", "From: "]).unwrap_or_default().into(),
        date: String::new(),
        subject: subject.into(),
    }
}

/// Returns a date of a mail, `Mon, 2 Jan 2006 15:04:05 -0700`, as ISO 8601.
fn iso(date: &str) -> Option<String> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let date = date.split_once(',').map_or(date, |(_, rest)| rest);
    let mut words = date.split_whitespace();
    let day: u32 = words.next()?.parse().ok()?;
    let month = words.next().filter(|word| word.len() == 3).and_then(|word| MONTHS.find(word))? / 3 + 1;
    let year: u32 = words.next()?.parse().ok()?;
    let time = words.next()?;
    let zone = words.next().filter(|zone| zone.len() == 5 && zone.is_ascii())?;
    Some(format!("{year:04}-{month:02}-{day:02}T{time}{}:{}", &zone[..3], &zone[3..]))
}
