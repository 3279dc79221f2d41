//! A warden and nothing else, for the tests.

fn main() {
    reduct_sandbox::warden::run_if_asked();
    eprintln!("this example is for the tests to call");
}
