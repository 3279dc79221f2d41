//! Numbers of programs are no lengths of what follows them, whatever ends there by chance.

use reduct_grammars::Languages;
use reduct_input::{Artifact, Grammars, Subject};
use reduct_passes::Pass;
use std::sync::Arc;

/// Returns how many levels of chunks are found in a file, if it is read in its language and if it is not.
fn levels(name: &str, text: &str) -> (usize, usize) {
    let base = Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap());
    let chunks = Pass::named("chunks").unwrap();
    let levels = |grammars: Option<Arc<dyn Grammars>>| (chunks.propose)(&Subject::new(base.clone(), grammars)).len();
    (levels(Some(Arc::new(Languages::all()))), levels(None))
}

/// Behind each of these numbers, what follows the next blank line is as long as it says, and ends with its line.
const PROGRAMS: [(&str, &str); 4] = [
    (
        "case.c",
        "#define DEFAULT_SIZE 1\n\
         static void handle_the_next_request(struct connection *connection) {\n\
         \x20   close_the_connection_and_forget_about_it(connection);\n\n}\n",
    ),
    (
        "case.cpp",
        "namespace a {\nenum class all_of_the_limits_that_are_known : unsigned char {\n    of_its_name = 7,\n    of_its_size = 1\n};\n\
         struct one_that_has_a_limit { all_of_the_limits_that_are_known limit; };\n\n}\n",
    ),
    (
        "case.rb",
        "def handle_the_next_request(of_this_connection, and_of_this_one)\n  length = 3\n\
         \x20 of_this_connection.read_as_much_as_this(and_of_this_one, length)\n\nend\n",
    ),
    (
        "case.go",
        "package connections_and_requests\nfunc handle_the_next_request(of connection_to_a_server) {\n\tvar size = 1\n\
         \tread_from_connection_and_forget(of, size)\n\n}\n",
    ),
];

#[test]
fn numbers_in_programs_are_no_lengths() {
    for (name, text) in PROGRAMS {
        let (read, unread) = levels(name, text);
        assert_eq!(read, 0, "{name}");
        assert!(unread > 0, "{name}: nothing would have been found without the language");
    }
}

/// What its first line counts to its end is meant, though it is read as YAML.
#[test]
fn what_is_counted_as_a_whole_is_meant() {
    let body = "name: somebody\nlives: in a house of many rooms\nrooms: [kitchen, cellar, another one, and one more]\n";
    let (read, _) = levels("case.yaml", &format!("# length {}\n\n{body}", body.len()));
    assert!(read > 0);
}

/// A function of the standard library of C++, and one more namespace: nothing of it is cut at its blank lines before its tree is known.
#[test]
fn a_function_of_the_standard_library_is_no_text_with_lengths() {
    let text = "namespace std
{
  template<typename _CharT, typename _Traits>
    void
    __istream_extract(basic_istream<_CharT, _Traits>& __in, _CharT* __s, streamsize __num)
    {
      streamsize __extracted = 0;
      int_type __c = __in.rdbuf()->sgetc();
      while (__extracted < __num - 1
      && _Traits::eq_int_type(__c, _Traits::eof()))
        __in.width(0);
    }

}
";
    assert_eq!(levels("case.cpp", text), (0, 0));
}
