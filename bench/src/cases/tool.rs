//! The tools that are compared, and how each is called on a case.

use super::case::Case;
use super::hdd;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A tool that is installed.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    program: PathBuf,
    /// The folder of a grammar, for the tool that is given one.
    grammar: Option<PathBuf>,
    /// Further arguments, for reduct only.
    extra: Vec<String>,
}

/// Where a trial takes place.
pub(crate) struct Site<'a> {
    pub(crate) case: &'a Case,
    /// The tool's working folder, which holds the input under its name.
    pub(crate) work: &'a Path,
    /// A folder for what else there is.
    pub(crate) folder: &'a Path,
    /// The test that takes a path, or none for the input's name in the current folder.
    pub(crate) by_path: &'a Path,
    /// The test that reads standard input.
    pub(crate) by_stdin: &'a Path,
    pub(crate) jobs: usize,
}

/// A command line, what to set in its environment, and where its result will be: a file, or a folder with one.
pub(crate) struct Call {
    pub(crate) argv: Vec<OsString>,
    pub(crate) env: Vec<(&'static str, OsString)>,
    pub(crate) result: PathBuf,
}

/// All tools besides reduct, by the name of their program.
pub(crate) const PEERS: &[(&str, &str)] = &[
    ("creduce", "creduce"),
    ("cvise", "cvise"),
    ("delta", "multidelta"),
    ("shrinkray", "shrinkray"),
    ("picire", "picire"),
    ("picireny", "picireny"),
    ("lithium", "lithium"),
    ("halfempty", "halfempty"),
    ("treereduce", "treereduce-"),
    ("ddsmt", "ddsmt"),
];

impl Tool {
    /// Returns reduct itself as a tool.
    pub(crate) fn reduct(program: PathBuf, extra: &[String]) -> Tool {
        let name = if extra.is_empty() { "reduct".into() } else { format!("reduct {}", extra.join(" ")) };
        Tool { name, program, grammar: None, extra: extra.to_vec() }
    }

    /// Returns a peer, if it is installed and knows the language of the case.
    pub(crate) fn peer(name: &str, case: &Case) -> Option<Tool> {
        let (_, program) = PEERS.iter().find(|(peer, _)| *peer == name)?;
        let program = match name {
            "treereduce" => format!("{program}{}", grammar(case.ending())?),
            _ => (*program).to_owned(),
        };
        let program = places().into_iter().map(|place| place.join(&program)).find(|path| path.is_file())?;
        let grammar = match name {
            "picireny" => Some(hdd::grammar(case.ending())?),
            "ddsmt" if case.ending() != "smt2" => return None,
            _ => None,
        };
        Some(Tool { name: name.to_owned(), program, grammar, extra: vec![] })
    }

    /// Returns whether this is the project's own tool, which says what it has done.
    pub(crate) fn is_reduct(&self) -> bool {
        self.name.starts_with("reduct")
    }

    /// Returns how to call it.
    pub(crate) fn call(&self, site: &Site) -> Result<Call, String> {
        let Site { case, work, folder, by_path, by_stdin, jobs } = *site;
        let (file, jobs) = (case.file.as_str(), jobs.to_string());
        let mut result = work.join(file);
        let mut env = vec![];
        let mut argv = vec![self.program.clone().into_os_string()];
        let mut add =
            |words: &[&dyn AsRef<std::ffi::OsStr>]| argv.extend(words.iter().map(|word| word.as_ref().into()));
        match self.name.as_str() {
            "creduce" | "cvise" => {
                add(&[&"--n", &jobs, &"--tidy"]);
                if !case.is_c() {
                    add(&[&"--not-c"]);
                }
                add(&[&by_path, &file]);
            }
            "delta" if case.is_c() => {
                let levels = "for level in 0 1 2 10 10; do \"$0\" -level=$level \"$1\" \"$2\" || exit; done";
                argv = ["sh", "-c", levels].map(OsString::from).to_vec();
                argv.extend([self.program.clone().into(), by_path.into(), file.into()]);
            }
            "delta" => {
                let test = format!("-test={}", by_path.display());
                argv = vec![
                    self.program.with_file_name("singledelta").into(),
                    test.into(),
                    "-in_place".into(),
                    file.into(),
                ];
            }
            "shrinkray" => {
                add(&[&"--ui", &"basic", &"--volume", &"quiet", &"--parallelism", &jobs, &"--input-type", &"arg"]);
                add(&[&"--formatter", &"none", &"--trivial-is-not-error", &"--timeout", &"60", &by_path, &file]);
            }
            "picire" => {
                result = folder.join("out");
                add(&[
                    &"-i",
                    &file,
                    &"--test",
                    &by_path,
                    &"--parallel",
                    &"-j",
                    &jobs,
                    &"--atom",
                    &"both",
                    &"--out",
                    &result,
                ]);
            }
            "picireny" => {
                result = folder.join("out");
                let grammar = self.grammar.as_deref().ok_or("picireny: no grammar")?;
                argv.extend(hdd::arguments(site, grammar, &result)?);
            }
            "ddsmt" => {
                result = folder.join("out");
                add(&[&"-j", &jobs, &"--ignore-output", &"--timeout", &"60", &file, &result, &by_path]);
            }
            "lithium" => {
                let module =
                    "import subprocess\n\ndef interesting(words, prefix):\n    return subprocess.call(words) == 0\n";
                fs::write(folder.join("by_command.py"), module).map_err(|error| format!("lithium: {error}"))?;
                env.push(("PYTHONPATH", folder.into()));
                let testcase = format!("--testcase={file}");
                let scratch = format!("--tempdir={}", folder.join("lithium").display());
                fs::create_dir(folder.join("lithium")).map_err(|error| format!("lithium: {error}"))?;
                add(&[&testcase, &scratch, &"by_command", &by_path, &file]);
            }
            "halfempty" => {
                result = folder.join("out");
                let (jobs, output) = (format!("--num-threads={jobs}"), format!("--output={}", result.display()));
                add(&[&jobs, &output, &"--stable", &"--quiet", &by_stdin, &file]);
            }
            "treereduce" => {
                result = folder.join("out");
                let place = format!("@@.{}", case.ending());
                add(&[
                    &"-s",
                    &file,
                    &"-o",
                    &result,
                    &"-j",
                    &jobs,
                    &"--quiet",
                    &"--on-parse-error",
                    &"ignore",
                    &by_path,
                    &place,
                ]);
            }
            _ => {
                result = folder.join("out");
                add(&[&"--unconfined", &"--out", &result, &"-j", &jobs, &"--events", &folder.join("events")]);
                self.extra.iter().for_each(|word| add(&[word]));
                add(&[&file, &"--", &by_path, &"{}"]);
            }
        }
        Ok(Call { argv, env, result })
    }
}

/// Returns where programs are looked for: the search path, then `$PEERS` and the folders in it, and their `bin`s.
fn places() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let Some(peers) = std::env::var_os("PEERS").map(PathBuf::from) else { return places };
    let mut folders: Vec<PathBuf> =
        fs::read_dir(&peers).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.sort();
    places.push(peers);
    places.extend(folders.into_iter().flat_map(|folder| [folder.join("bin"), folder]));
    places
}

/// Returns the name of a language as treereduce has it.
fn grammar(ending: &str) -> Option<&'static str> {
    Some(match ending {
        "c" | "h" | "cc" | "cpp" | "cxx" => "c",
        "java" => "java",
        "js" => "javascript",
        "lua" => "lua",
        "rs" => "rust",
        "swift" => "swift",
        _ => return None,
    })
}
