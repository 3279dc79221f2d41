//! What can be looked for: a function for each question, which returns its builder.

use super::Builder;
use crate::goal::Goal;
use std::path::PathBuf;

/// Prepares to reduce a file or folder to the smallest that still fails. [`Builder::run`] does it.
///
/// ```standalone_crate
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let page = std::env::temp_dir().join(format!("{}.html", std::process::id()));
///     std::fs::write(&page, "<p>\n<SELECT NAME=\"priority\" MULTIPLE>\n</p>\n")?;
///     let test = reduct_lib::Test::shell("grep -q '<SELECT.*>' {}").exit_zero();
///     let result = reduct_lib::reduce(&page).test(test).jobs(2).run()?;
///     assert_eq!(result.bytes(), b"<SELECT>");
///     Ok(std::fs::remove_file(page)?)
/// }
/// ```
pub fn reduce(input: impl Into<PathBuf>) -> Builder<'static> {
    Builder::new(vec![input.into()], Goal::Reduce)
}

/// Prepares to find the smallest difference of two inputs, of which one passes and the other fails.
///
/// ```standalone_crate
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let [old, new] = ["old", "new"].map(|name| std::env::temp_dir().join(format!("{name}-{}", std::process::id())));
///     std::fs::write(&old, "width 3\nheight 5\ncolor red\n")?;
///     std::fs::write(&new, "width 3\nheight 0\ncolor blue\n")?;
///     let test = reduct_lib::Test::shell("! grep -q 'height 0' {}");
///     let result = reduct_lib::isolate(&old, &new).test(test).run()?;
///     let passing = result.passing.as_ref().map(|side| side.artifact().bytes().to_vec());
///     // They differ in one digit; the color is the same in both.
///     assert_eq!(passing.map(|bytes| bytes.len()), Some(result.bytes().len()));
///     [old, new].iter().try_for_each(std::fs::remove_file)?;
///     Ok(())
/// }
/// ```
pub fn isolate(passing: impl Into<PathBuf>, failing: impl Into<PathBuf>) -> Builder<'static> {
    Builder::new(vec![failing.into()], Goal::Isolate(passing.into()))
}

/// Prepares to find all minima of an input, `most` at most: every choice of its lines, or of other parts named with
/// [`Builder::by`], that fails and of which nothing can go. They are files in [`JobResult::files`](crate::JobResult::files).
///
/// ```standalone_crate
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let list = std::env::temp_dir().join(format!("list-{}", std::process::id()));
///     std::fs::write(&list, "a\nb\nc\nd\n")?;
///     let test = reduct_lib::Test::shell("grep -q '[bd]' {}").exit_zero();
///     let result = reduct_lib::minima(&list, 10).test(test).run()?;
///     assert!(matches!(result.evidence.claim, reduct_lib::Claim::Minima { count: 2, .. }));
///     Ok(std::fs::remove_file(list)?)
/// }
/// ```
pub fn minima(input: impl Into<PathBuf>, most: usize) -> Builder<'static> {
    Builder::new(vec![input.into()], Goal::Minima(most))
}

/// Prepares to find the changes in a range of commits (`good..bad`) of a git repository because of which the test fails.
/// They are patches in [`JobResult::files`](crate::JobResult::files).
///
/// ```no_run
/// let test = reduct_lib::Test::command(["./check"]);
/// let result = reduct_lib::changes(".", "v1.4..HEAD").build(["make"]).test(test).run()?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
pub fn changes(repository: impl Into<PathBuf>, range: impl Into<String>) -> Builder<'static> {
    Builder::new(vec![repository.into()], Goal::BlameRange(range.into()))
}

/// Prepares to find the changes between two folders, the earlier of which passes, because of which the test fails. They
/// are patches in [`JobResult::files`](crate::JobResult::files).
///
/// ```standalone_crate
/// use std::fs::{create_dir_all, remove_dir_all, write};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let top = std::env::temp_dir().join(format!("versions-{}", std::process::id()));
///     for (version, width) in [("old", "3"), ("new", "4")] {
///         create_dir_all(top.join(version))?;
///         write(top.join(version).join("width"), width)?;
///     }
///     let test = reduct_lib::Test::shell("grep -q 3 width");
///     let result = reduct_lib::changes_since(top.join("old"), top.join("new")).test(test).run()?;
///     assert!(matches!(result.evidence.claim, reduct_lib::Claim::Causes { count: 1, .. }));
///     Ok(remove_dir_all(top)?)
/// }
/// ```
pub fn changes_since(earlier: impl Into<PathBuf>, later: impl Into<PathBuf>) -> Builder<'static> {
    Builder::new(vec![later.into()], Goal::BlameFolder(earlier.into()))
}
