//! Java: guards stand in the files of a copy of the project, which was built ([`GuardedTree`](crate::GuardedTree)). `Guards.java` is put on the
//! boot class path of `java`.

use super::{BuiltLanguage, Driver, Driving, Prepared};
use crate::compiled::Library;
use crate::error::{StepError, write};
use crate::guarded_tree::BuiltTree;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// What guards call, in the folder of a tree.
const JAR: &str = "guards.jar";

/// The folder of what is run in place of `java`, in the folder of a tree.
const PROGRAMS: &str = "bin";

/// The driver itself, and its parts. The first one compiles the others.
const PARTS: [(&str, &str); 3] = [
    (
        "compile.sh",
        "set -e\njavac --release 8 -nowarn -d classes Guards.java Values.java 2>errors || \
         javac -nowarn -d classes Guards.java Values.java\njar cf \"$2\" -C classes reduct\n",
    ),
    ("Guards.java", include_str!("Guards.java")),
    ("Values.java", include_str!("Values.java")),
];

/// What is run in place of `java` if something else starts it, such as a shell.
const JAVA: &str = "#!/bin/sh
# Runs java with what guards call.
here=${0%/bin/java}
PATH=${PATH#\"$here/bin:\"}
export PATH
exec java \"-Xbootclasspath/a:$here/guards.jar\" \"$@\"
";

pub(super) static DRIVER: Driver = Driver::of_guards("java", "Java", command);

pub(super) static LANGUAGE: BuiltLanguage = BuiltLanguage { driver: &DRIVER, extension: "java", foreign: &[], prepare };

/// Compiles what guards call, unless that is done, and writes it.
fn prepare(folder: &Path) -> Result<Prepared, StepError> {
    let made = Library { name: "java", sources: &PARTS, command: vec!["sh".into()], also: b"" }.compiled()?;
    let to = folder.join(JAR);
    fs::copy(made, &to).map_err(|why| StepError::Unwritable { path: to, why })?;
    let programs = folder.join(PROGRAMS);
    fs::create_dir(&programs).map_err(|why| StepError::Unwritable { path: programs.clone(), why })?;
    let java = write(&programs, "java", JAVA.as_bytes())?;
    fs::set_permissions(&java, Permissions::from_mode(0o755))
        .map_err(|why| StepError::Unwritable { path: java, why })?;
    Ok(Prepared::default())
}

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let built = BuiltTree::at(driving.prepared.ok_or(StepError::NoBuild)?)?;
    let instructions = built.instruct(driving)?;
    let words = driving.words_in_copy(&built);
    let (first, rest) = words.split_first().map_or((OsStr::new(""), &[][..]), |(it, rest)| (it, rest));
    let mut command = Command::new(first);
    command.current_dir(built.tree()).env("REDUCT_GUARDS", instructions);
    if Path::new(first).file_name() == Some(OsStr::new("java")) {
        let mut option = OsString::from("-Xbootclasspath/a:");
        option.push(built.folder.join(JAR));
        command.arg(option);
    } else {
        let mut path = built.folder.join(PROGRAMS).into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        command.env("PATH", path);
    }
    command.args(rest);
    Ok(command)
}
