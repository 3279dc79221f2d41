//! What a user should know of what was read, in words: sentences without a full stop.

use reduct_sources::{LoadError, NoHistory, NoWay, Remark};

/// Returns what is said of grammars that have died of a text, if any has.
pub fn of_grammars(languages: &[&str]) -> Option<String> {
    (!languages.is_empty()).then(|| {
        format!(
            "The parser of {} crashed or took too long; texts with which it did so are treated as plain text.",
            languages.join(", ")
        )
    })
}

/// Returns the words of a remark on versions, or on the folder that tests run in copies of.
pub fn describe(remark: &Remark) -> String {
    match remark {
        Remark::OfThePlace(path) => format!("{} is left out", path.display()),
        Remark::Special(path) => {
            format!("{} is neither a file nor a folder nor a link: it is left out", path.display())
        }
        Remark::Repository(path) => format!("{} is a repository of its own: it is left out", path.display()),
        Remark::EmptySubmodule(path) => format!("the submodule {} is left empty", path.display()),
        Remark::LastRules(path) => {
            format!("{} changes: files are converted by what it says at last", path.display())
        }
        Remark::Conflicts(path) => {
            format!("{} has conflicts that are not resolved: it is taken as it is, with their marks", path.display())
        }
        Remark::FromIndex(path) => {
            format!("{} is taken as the index has it, which the working tree has not", path.display())
        }
        Remark::NoPatch(name) => format!("{name} has no patch in it: it is left out"),
        Remark::OneChange(why) => format!("{}: all that differs between the two counts as one change", no_way(*why)),
        Remark::OffTheLine { commit, subject } => format!(
            "the version that passes is not on the line of first parents: all in which it differs from {commit} \
             ({subject}) counts as one change"
        ),
        Remark::ForkedBefore(commit) => format!(
            "branches were forked before the version that passes: all is seen from {commit}, which they have in common"
        ),
        Remark::Unreadable { first, more: 0 } => {
            format!("{} cannot be read: it is left out of the copy", first.display())
        }
        Remark::Unreadable { first, more } => {
            format!("{} and {more} more cannot be read: they are left out of the copy", first.display())
        }
        Remark::NoHistory { path, why } => {
            format!("{} is left out of the copy: {}", path.display(), no_history(why))
        }
        Remark::ChangedSince { first, more } => {
            let first: Vec<String> = first.iter().map(|path| path.display().to_string()).collect();
            let more = if *more > 0 { format!(" and {more} more") } else { String::new() };
            format!("Changed in your folder since the run began, and not in its copies: {}{more}", first.join(", "))
        }
    }
}

fn no_way(why: NoWay) -> &'static str {
    match why {
        NoWay::NotAnAncestor { shallow: false } => "the version that passes is not an ancestor of the one that fails",
        NoWay::NotAnAncestor { shallow: true } => {
            "the version that passes is not an ancestor of the one that fails, as far as this shallow clone can tell"
        }
        NoWay::NoCommonBeginning => "the branches that were merged have no common beginning",
    }
}

fn no_history(why: &NoHistory) -> String {
    match why {
        NoHistory::Unreadable(said) => format!("it cannot be read: {said}"),
        NoHistory::TooLarge(excess) => format!("it has more than {excess}"),
        NoHistory::UnreadablePart { path, said: Some(said) } => format!("{} cannot be read: {said}", path.display()),
        NoHistory::UnreadablePart { path, said: None } => format!("{} cannot be read", path.display()),
        NoHistory::OfAnotherFolder(place) => format!("it says that its files are in {}", place.display()),
        NoHistory::Link => "it is a link to a repository elsewhere".into(),
    }
}

/// Returns what to do about an input that cannot be taken.
pub fn advice(error: &LoadError) -> &'static str {
    match error {
        LoadError::Io { .. } => "check its path and its permissions; nothing was changed",
        LoadError::SameName(_) => "put them into one folder and give that",
        LoadError::Twice(_) => "give it once",
        LoadError::Special(_) => "write its output to a file, and give that file",
        LoadError::NoName(_) => "give a file or folder below it",
        LoadError::TooLarge(_) => "give a part of it",
        LoadError::Nowhere { .. } => "give its target, or make the link anew",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_sources::Excess;

    #[test]
    fn many_paths_are_a_few_and_a_number() {
        let unreadable = |more| describe(&Remark::Unreadable { first: "a".into(), more });
        assert_eq!(unreadable(0), "a cannot be read: it is left out of the copy");
        assert_eq!(unreadable(4), "a and 4 more cannot be read: they are left out of the copy");
        let changed = |more| describe(&Remark::ChangedSince { first: vec!["a".into(), "b/c".into()], more });
        assert!(changed(0).ends_with("not in its copies: a, b/c"), "{}", changed(0));
        assert!(changed(7).ends_with("not in its copies: a, b/c and 7 more"), "{}", changed(7));
    }

    #[test]
    fn a_history_that_is_too_large_is_left_out_with_the_bound() {
        let why = NoHistory::TooLarge(Excess::Megabytes(64));
        let words = describe(&Remark::NoHistory { path: ".git".into(), why });
        assert_eq!(words, ".git is left out of the copy: it has more than 64 MB");
    }
}
