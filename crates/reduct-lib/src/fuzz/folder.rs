//! The folder of a failure: the input, what it looks like, and a script that shows it again.

use super::finding_store::{Filed, FindingStore};
use crate::errors::Refusal;
use crate::shell::{quoted, words_below_d};
use reduct_report::fuzzing::{InputOrigin, RepeatScript};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

impl FindingStore {
    /// Writes the folder of a failure, as a whole.
    pub(super) fn put(&self, filed: &Filed, bytes: &[u8]) -> Result<(), Refusal> {
        let all = &self.fuzzing.job.out;
        let (place, aside) = (all.join(&filed.folder), all.join(".new"));
        let (name, script) = (self.name()?, self.script(filed)?);
        let write = || -> io::Result<()> {
            if aside.exists() {
                fs::remove_dir_all(&aside)?;
            }
            fs::create_dir(&aside)?;
            fs::write(aside.join(name), bytes)?;
            fs::write(aside.join("signature.txt"), format!("{}\n", filed.failure.replace('\n', " ")))?;
            fs::write(aside.join("repeat.sh"), script)?;
            fs::set_permissions(aside.join("repeat.sh"), fs::Permissions::from_mode(0o755))?;
            if place.exists() {
                fs::remove_dir_all(&place)?;
            }
            fs::rename(&aside, &place)
        };
        write().map_err(Refusal::io("write", &place))
    }

    /// Returns a script that runs the command on what was reduced, or on any file.
    fn script(&self, filed: &Filed) -> Result<String, Refusal> {
        let job = &self.fuzzing.job;
        let invocation = job.invocation()?;
        let name = self.name()?;
        let mut words = words_below_d(&invocation.argv, name.as_os_str());
        let name = quoted(name.as_os_str());
        let reduced = quoted(self.reduced_name()?.as_os_str());
        let path = format!("\"$d\"/{name}");
        if invocation.path_argument {
            words.push(path.clone());
        }
        let stdin = if invocation.stdin { format!("<{path}") } else { "</dev/null".into() };
        let (failure, origin, command) = (&*filed.failure, self.input_origin(filed), &*words.join(" "));
        let (name, reduced, path, stdin) = (&*name, &*reduced, &*path, &*stdin);
        Ok(RepeatScript { failure, origin, name, reduced, path, command, stdin }.text())
    }

    /// Returns under which name the program gets its input.
    pub(super) fn name(&self) -> Result<PathBuf, Refusal> {
        Ok(self.fuzzing.job.subject()?.unwrap_or_else(|| "input".into()))
    }

    /// Returns under which name the reduced one stands beside it.
    pub(super) fn reduced_name(&self) -> Result<PathBuf, Refusal> {
        let name = self.name()?;
        let reduced = name.extension().map_or_else(|| "reduced".into(), |end| Path::new("reduced").with_extension(end));
        Ok(if reduced == name {
            Path::new("result").with_extension(name.extension().unwrap_or_default())
        } else {
            reduced
        })
    }

    /// Returns where its input is from, in words.
    pub(super) fn origin(&self, filed: &Filed) -> String {
        self.input_origin(filed).describe()
    }

    fn input_origin<'a>(&'a self, filed: &'a Filed) -> InputOrigin<'a> {
        let (seed, recipe) = (self.fuzzing.seed, &*self.fuzzing.recipe);
        let made = || InputOrigin::Made { seed, generator: &filed.generator, trial: filed.trial, recipe };
        filed.file.as_deref().map_or_else(made, InputOrigin::File)
    }
}
