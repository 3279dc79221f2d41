//! Repositories in which `reduct changes` looks for the changes to blame.

use crate::workshop::Workshop;
use serde_json::Value;
use std::fs;

/// A repository in the workshop's home, made by these lines.
pub fn repository(script: &str) -> Workshop {
    let workshop = Workshop::new();
    let begin = "set -e\ngit init -q -b main .\ngit config user.name Ann\ngit config user.email ann@example.org\n\
                 commit() { git add -A; git -c commit.gpgsign=false commit -q --allow-empty -m \"$1\"; }\n";
    workshop.git(&format!("{begin}{script}"));
    workshop
}

impl Workshop {
    /// Runs a script that uses git, with nothing of the machine's settings.
    pub fn git(&self, script: &str) -> String {
        let done = self
            .shell(script)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", "2024-05-01T12:00:00Z")
            .env("GIT_COMMITTER_DATE", "2024-05-01T12:00:00Z")
            .run();
        assert_eq!(done.status, 0, "{}", done.stderr);
        done.stdout
    }

    pub fn changes(&self, words: &[&str]) -> crate::workshop::Call<'_> {
        self.reduct([&["changes", "--scratch", "../scratch"], words].concat())
    }

    pub fn answer(&self) -> Value {
        serde_json::from_slice(&fs::read(self.run_folder().join("answer/answer.json")).unwrap()).unwrap()
    }

    /// The subjects of the changes to blame, cause by cause.
    pub fn subjects(&self) -> Vec<Vec<String>> {
        let answer = self.answer();
        let causes = answer["causes"].as_array().unwrap().iter();
        let subject = |change: &Value| change["subject"].as_str().unwrap().to_owned();
        let of_cause = |cause: &Value| {
            let parts = cause["parts"].as_array().unwrap().iter();
            let mut all: Vec<String> =
                parts.flat_map(|part| part["changes"].as_array().unwrap().iter().map(subject)).collect();
            all.sort();
            all
        };
        causes.map(of_cause).collect()
    }
}

/// Ten commits; the seventh changes a number, and more.
pub(crate) const TEN: &str = "
mkdir src; printf 'one\\ntwo\\nthree\\nfour\\nfive\\n' >src/words; echo 0 >count; commit first; git tag good
for i in 1 2 3 4 5 6 7 8 9 10; do
  echo $i >count
  if [ $i = 3 ]; then echo six >>src/words; fi
  if [ $i = 7 ]; then sed -i 's/two/TWO/; s/five/FIVE/' src/words; echo seven >>src/words; fi
  commit \"change $i\"
done";

/// Works as long as there is a `two`.
pub(crate) const WORDS: &str = "echo run >>\"$LOG\"; grep -qx two src/words";

pub(crate) fn ten() -> Workshop {
    let workshop = repository(TEN);
    workshop.script("test.sh", WORDS);
    workshop
}
