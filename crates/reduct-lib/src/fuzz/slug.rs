//! A failure as part of a name of a folder.

use reduct_oracle::signature::{Signature, signal_name};
use reduct_oracle::{Exit, Limit};

/// Returns a signature as part of a name.
pub(super) fn slug(signature: &Signature) -> String {
    let exit = match &signature.exit {
        Exit::Signal(number) => format!("SIG{}", signal_name(*number)),
        Exit::Limit(Limit::Time) => "hang".into(),
        Exit::Code(code) => format!("exit{code}"),
        _ => "other".into(),
    };
    let text = signature.text.as_deref().unwrap_or_default();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 1);
    let slug = words.fold(exit, |slug, word| slug + "-" + word);
    slug.chars().take(48).collect::<String>().trim_end_matches('-').to_owned()
}
