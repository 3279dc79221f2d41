//! Files that load each other: whatever is put in the place of what loads it, the program prints the same as before.

use crate::support::grammars;
use reduct_core::{Config, Delta};
use reduct_input::{Artifact, ArtifactBuilder, Circumstances, Parts, Subject};
use reduct_passes::Pass;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Texts by the paths of their files.
type Texts<'a> = &'a [(&'a str, &'a str)];

fn artifact(texts: Texts) -> Arc<Artifact> {
    let mut builder = ArtifactBuilder::default();
    let mut sorted = texts.to_vec();
    sorted.sort_by(|(one, _), (other, _)| Path::new(one).cmp(Path::new(other)));
    for (path, text) in sorted {
        builder.file(path, 0o644, text.as_bytes()).unwrap();
    }
    Arc::new(builder.finish())
}

/// Returns what each single edit makes of a program, level by level.
fn edited(base: &Arc<Artifact>) -> Vec<Arc<Artifact>> {
    let subject = Subject::new(base.clone(), Some(grammars()));
    assert!(subject.parses());
    let pass = Pass::named("modules").unwrap();
    let of_level = |spans| {
        let parts = Parts::new(base.clone(), spans);
        let without = |at| Config::full(parts.len()).minus(&Config::from_deltas([Delta(at)]));
        let made = |at| Arc::new(parts.candidate(&without(at)).unwrap().artifact().clone());
        (0..parts.len() as u32).map(made).collect::<Vec<_>>()
    };
    (pass.propose)(&subject).into_iter().flat_map(of_level).collect()
}

/// Returns how many files have a text.
fn filled(artifact: &Artifact) -> usize {
    artifact.files().filter(|(.., text)| !text.is_empty()).count()
}

/// Runs a program, and returns what it printed.
fn printed(artifact: &Artifact, command: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (path, _, text) in artifact.files() {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let output = Command::new(command[0]).args(&command[1..]).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}\n{}", shown(artifact));
    String::from_utf8(output.stdout).unwrap()
}

fn shown(artifact: &Artifact) -> String {
    let file =
        |(path, _, text): (&Path, _, &[u8])| format!("==> {}\n{}\n", path.display(), String::from_utf8_lossy(text));
    artifact.files().map(file).collect()
}

/// Asserts that each edit of a program prints the same, that the first ones one after the other do, too, and that the program becomes so few files.
fn assert_prints_the_same(texts: Texts, command: &[&str], files: usize) {
    let base = artifact(texts);
    let wanted = printed(&base, command);
    assert!(!wanted.is_empty());
    for made in edited(&base) {
        assert_eq!(printed(&made, command), wanted, "{}", shown(&made));
    }
    let mut now = base;
    while let Some(next) = edited(&now).into_iter().next() {
        assert_eq!(filled(&next), filled(&now) - 1, "{}", shown(&next));
        assert_eq!(printed(&next, command), wanted, "{}", shown(&next));
        now = next;
    }
    assert_eq!(filled(&now), files, "{}", shown(&now));
}

#[test]
fn modules_of_python() {
    let texts = [
        (
            "main.py",
            "import sys\nfrom shop import Cart, tax as rate\nfrom shop.report import text\nimport shop.util.sums as sums\nimport shop.util.names\nprint(text.render(Cart(), rate()), sums.add(1, 2), shop.util.names.NAME, len(sys.argv))\n",
        ),
        ("shop/__init__.py", "from .core import (Cart,\n    tax)\n"),
        ("shop/core.py", "from . import money\nclass Cart:\n    rate = money.RATE\ndef tax(): return 'text of tax'\n"),
        ("shop/money.py", "RATE = 7\n"),
        ("shop/report/__init__.py", ""),
        (
            "shop/report/text.py",
            "from ..util.sums2 import twice\ndef render(cart, rate): return twice(cart.rate), rate\n",
        ),
        ("shop/util/__init__.py", ""),
        ("shop/util/names.py", "NAME = 'shop.util.names.NAME'\n"),
        ("shop/util/sums.py", "def add(a, b): return a + b\n"),
        ("shop/util/sums2.py", "def twice(a): return a * 2\n"),
    ];
    assert_prints_the_same(&texts, &["python3", "main.py"], 1);
}

#[test]
fn modules_of_javascript() {
    let texts = [
        ("package.json", "{\"main\": \"lib/index.js\"}\n"),
        (
            "lib/index.js",
            "const {Store} = require('./store')\nconst plugins = [require('./plugins/up'), require('./plugins/down.js')]\nfunction build() { return plugins.reduce((s, p) => p.install(s), new Store().at) }\nmodule.exports = {build, Store}\n",
        ),
        ("lib/plugins/down.js", "module.exports = {install(s) { return s - 1 }}\n"),
        ("lib/plugins/up.js", "exports.install = s => s + 10\n"),
        (
            "lib/store.js",
            "const start = require('./values').start\nclass Store { constructor() { this.at = start } }\nmodule.exports = {Store: Store}\n",
        ),
        ("lib/values.js", "exports.start = 5;\n"),
        ("names.js", "function name() { return 'exports.name' }\nexports.name = name\n"),
        ("sum.js", "module.exports = function (a, b) { return a + b }\n"),
        (
            "test/run.js",
            "const {build: make} = require('..')\nconst sum = require('../sum')\nconst names = require('../names')\nrequire('../used')\nconsole.log(make(), sum(1, 2), names.name())\n",
        ),
        ("used.js", "console.log('used')\n"),
    ];
    // What describes the package stays.
    assert_prints_the_same(&texts, &["node", "test/run.js"], 2);
}

#[test]
fn modules_with_import_and_export() {
    let texts = [
        (
            "main.mjs",
            "import go, {} from './go.mjs'\nimport {a, b as c} from './ab.mjs'\nimport * as all from './lib/all.mjs'\nimport run from './run.mjs'\nconsole.log(a, c(), all.x, all.y(), run())\n",
        ),
        ("ab.mjs", "export const a = 1\nfunction b() { return 'b' }\nexport {b}\n"),
        ("go.mjs", "export default 3\n"),
        (
            "lib/all.mjs",
            "import {x0} from './deep/x.mjs'\nexport const x = x0\nexport function y() { return 'all.y' }\n",
        ),
        ("lib/deep/x.mjs", "export const x0 = 8\n"),
        ("run.mjs", "export default function () { return 'run' }\n"),
    ];
    // An import of a value and of names is left as it is.
    assert_prints_the_same(&texts, &["node", "main.mjs"], 2);
}

#[test]
fn modules_of_lua() {
    let texts = [
        (
            "main.lua",
            "local shop = require(\"shop.core\")\nlocal M = require 'names'\ndofile(\"said.lua\")\nprint(shop.total(3), M.name)\n",
        ),
        ("names.lua", "return { name = 'M.name' }\n"),
        ("said.lua", "print('said')\n"),
        ("shop/core.lua", "local M = {}\nfunction M.total(n) return n * 2 end\nreturn M\n"),
    ];
    assert_prints_the_same(&texts, &["lua5.4", "main.lua"], 1);
}

#[test]
fn statements_that_load_files() {
    let ruby = [
        ("main.rb", "require 'set'\nrequire_relative 'lib/a'\nputs total(Set.new([1, 2]))\n"),
        ("lib/a.rb", "require_relative 'b'\ndef total(s) = s.sum + ONE\n"),
        ("lib/b.rb", "ONE = 1\n"),
    ];
    assert_prints_the_same(&ruby, &["ruby", "main.rb"], 1);
    // A path that is a letter of the word before it, and one that leads up.
    let ruby = [
        ("lib/a/main.rb", "require_relative '../e'\nputs E\n"),
        ("lib/e.rb", "require_relative 'r'\nE = R + 1\n"),
        ("lib/r.rb", "R = 1\n"),
    ];
    assert_prints_the_same(&ruby, &["ruby", "lib/a/main.rb"], 1);
    let twice = [
        (
            "main.c",
            "#include <stdio.h>\n#include \"lib/sub/a.h\"\n#include \"lib/x.h\"\nint main(void) { printf(\"%d\\n\", A + X); }\n",
        ),
        ("lib/sub/a.h", "#include \"../x.h\"\n#define A (X + 1)\n"),
        ("lib/x.h", "#pragma once\n#define X 1\n"),
    ];
    assert_prints_the_same(&twice, &["sh", "-c", "cc main.c -o main && ./main"], 2);
    let php = [
        ("main.php", "<?php\nrequire_once __DIR__ . '/lib/a.php';\necho total(2), \"\\n\";\n"),
        ("lib/a.php", "<?php\ninclude('b.php');\nfunction total($n) { return $n + ONE; }\n?>\n"),
        ("lib/b.php", "<?php\nconst ONE = 1;\n"),
    ];
    assert_prints_the_same(&php, &["php", "main.php"], 1);
    let bash = [("main.sh", "source ./lib/a.sh\nhello world\n"), ("lib/a.sh", "hello() { echo \"hello $1\"; }\n")];
    assert_prints_the_same(&bash, &["bash", "main.sh"], 1);
    let c = [
        ("src/main.c", "#include <stdio.h>\n#include \"list.h\"\nint main(void) { printf(\"%d\\n\", TWO); }\n"),
        ("include/list.h", "#ifndef LIST_H\n#define LIST_H\n#include \"deep/one.h\"\n#define TWO (ONE + 1)\n#endif\n"),
        ("include/deep/one.h", "#define ONE 1\n"),
    ];
    assert_prints_the_same(&c, &["sh", "-c", "cc -Iinclude src/main.c -o main && ./main"], 1);
}

/// A file that two others load is a part of neither, and a path that leads nowhere loads nothing.
#[test]
fn what_is_loaded_twice_stays() {
    let twice = [("a.rb", "require_relative 'c'\n"), ("b.rb", "require_relative 'c'\n"), ("c.rb", "C = 1\n")];
    assert!(edited(&artifact(&twice)).is_empty());
    let deeper = [("a.py", "import m\n"), ("b.py", "def f():\n  import m\n"), ("m.py", "x = 1\n")];
    assert!(edited(&artifact(&deeper)).is_empty(), "one of two imports cannot be replaced, and both load it");
    let nowhere = [("a.py", "import os, b.c.d\nfrom ....e import f\n"), ("b/c.py", "x = 1\n")];
    assert!(edited(&artifact(&nowhere)).is_empty());
    let not_alone = [
        ("a.php", "<?php $a = require 'b.php'; f(include('c.php'));\n"),
        ("b.php", "<?php return 1;\n"),
        ("c.php", "<?php return 1;\n"),
    ];
    assert!(edited(&artifact(&not_alone)).is_empty());
    let not_alone = [("a.lua", "print(require('b'))\n"), ("b.lua", "return 1\n")];
    assert!(edited(&artifact(&not_alone)).is_empty());
    let itself = [("a.js", "const a = require('./a')\n"), ("b.js", "0\n")];
    assert!(edited(&artifact(&itself)).is_empty());
}
