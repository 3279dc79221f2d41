//! Compiles the scheduler, a library that is preloaded into programs.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=src/scheduler.c");
    let out = env::var_os("OUT_DIR").expect("cargo says where to build");
    let library = Path::new(&out).join("scheduler.so");
    let mut build = cc::Build::new();
    build.opt_level(2).pic(true).warnings(true).flag("-std=gnu11").debug(false);
    let mut command = build.get_compiler().to_command();
    command.args(["-shared", "-pthread", "-o"]).arg(&library).arg("src/scheduler.c").arg("-ldl");
    let status = command.status().expect("the C compiler runs");
    assert!(status.success(), "the scheduler does not compile");
}
