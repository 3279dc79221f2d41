//! A supervisor and nothing else, for the tests.

fn main() {
    reduct_sandbox::supervisor::run_if_asked();
    eprintln!("this example is for the tests to call");
}
