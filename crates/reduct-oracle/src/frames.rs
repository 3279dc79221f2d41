//! The functions of a backtrace: their names without what differs from build to build, and whose they are.

use super::words::{InputVocabulary, strip_name, strip_name_of_no_file};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::LazyLock;

/// A function in a backtrace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its name, without parameters, template arguments, hashes and addresses.
    pub name: String,
    /// Whether it is of the program, and not of what all programs stand on: the runtime, the allocator, the
    /// sanitizer, the C library, what makes a panic or an assertion fail.
    pub own: bool,
    /// The file it is in and the line in that, as far as the report says so.
    pub at: Option<(String, u32)>,
    /// The column in that line, where a program may be one line.
    pub column: Option<u32>,
}

/// So many functions tell the place.
const SPOTS: usize = 3;

/// Of longer names only the beginning counts.
const LONGEST: usize = 400;

/// A function that tells where a failure happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Spot {
    /// Its name, without words of the input if it is the input's; or what a [`Stack`] is called.
    pub name: String,
    /// The name of its file and the line in that, if that is known, and not the candidate.
    pub at: Option<(String, u32)>,
    /// The column in that line, where a program may be one line.
    pub column: Option<u32>,
}

/// What a backtrace shows where no function tells the place by its name: the input has those names, and they are other ones from candidate
/// to candidate. A program that the test makes of the input is such a one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// The innermost function is the program's own.
    Own,
    /// A function of a library is the innermost one.
    Library,
    /// There are so many calls as hardly come but of a recursion without an end.
    Deep,
}

impl Stack {
    const ALL: [Stack; 3] = [Stack::Own, Stack::Library, Stack::Deep];

    /// Returns what stands where else the name of a function does. No function has a name with spaces.
    fn name(self) -> &'static str {
        match self {
            Stack::Own => OWN,
            Stack::Library => LIBRARIES,
            Stack::Deep => DEEP,
        }
    }
}

const OWN: &str = "a function that the input names";
const LIBRARIES: &str = "a library";
const DEEP: &str = "a recursion of 64 calls or more";

/// A spot as journals have it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Name(String),
    Placed {
        #[serde(rename = "in")]
        name: String,
        at: (String, u32),
        #[serde(default, skip_serializing_if = "Option::is_none")]
        column: Option<u32>,
    },
}

impl From<Stored> for Spot {
    fn from(stored: Stored) -> Spot {
        match stored {
            Stored::Name(name) => Spot { name, at: None, column: None },
            Stored::Placed { name, at, column } => Spot { name, at: Some(at), column },
        }
    }
}

impl From<Spot> for Stored {
    fn from(Spot { name, at, column }: Spot) -> Stored {
        match at {
            Some(at) => Stored::Placed { name, at, column },
            None => Stored::Name(name),
        }
    }
}

impl From<Stack> for Spot {
    fn from(stack: Stack) -> Spot {
        Spot { name: stack.name().into(), at: None, column: None }
    }
}

impl Spot {
    /// Returns what is known of the stack, if no function tells by its name.
    pub(super) fn stack(&self) -> Option<Stack> {
        Stack::ALL.into_iter().find(|stack| self.name == stack.name())
    }

    /// Returns what of a frame tells: where it is in a file of the candidate, neither its line nor what the input
    /// names.
    fn of(frame: &Frame, words: &InputVocabulary) -> Option<Spot> {
        let short = |name: &str| name.chars().take(LONGEST).collect::<String>();
        let (name, at) = match &frame.at {
            Some((file, _)) if words.are_of(file, Some(&frame.name)) => (strip_name(&frame.name, words)?, None),
            Some((file, line)) => (frame.name.clone(), Some((short(file_name(file)), *line))),
            None => (strip_name_of_no_file(&frame.name, words)?, None),
        };
        let column = frame.column.filter(|_| at.is_some());
        Some(Spot { name: short(&name), at, column })
    }

    /// Returns the file, the line and the column, as one writes them.
    pub fn place(&self) -> Option<String> {
        let column = self.column.map_or(String::new(), |column| format!(":{column}"));
        self.at.as_ref().map(|(file, line)| format!("{file}:{line}{column}"))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Some(place) => write!(f, "{} at {place}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Returns the functions that tell the place, innermost first. Each counts once, so that a recursion may be less deep.
pub(super) fn innermost(frames: &[Frame], words: &InputVocabulary) -> Vec<Spot> {
    let mut spots: Vec<Spot> = vec![];
    for spot in frames.iter().filter(|frame| frame.own).filter_map(|frame| Spot::of(frame, words)) {
        let file = |spot: &Spot| spot.at.as_ref().map(|(file, _)| file.clone());
        if !spots.iter().any(|known| known.name == spot.name && file(known) == file(&spot)) {
            spots.push(spot);
        }
        if spots.len() == SPOTS {
            break;
        }
    }
    spots
}

impl Frame {
    /// Returns a function of a program that was compiled, by its symbol; `place` is the file or library it is in.
    pub fn native(symbol: &str, place: &str) -> Frame {
        let name = clean(symbol);
        let own = !name.is_empty() && name != "??" && !LIBRARY.is_match(place) && !NATIVE.is_match(&name);
        Frame { name, own, at: in_file(place), column: None }
    }

    /// Returns a function of another language; `place` is where its file is, with the line.
    pub fn managed(name: &str, own: bool, place: &str) -> Frame {
        let name = clean(name);
        Frame { own: own && !name.is_empty(), name, at: in_file(place), column: None }
    }

    /// Returns the same with the column of its place, if that has one.
    pub fn in_column(self, place: &str) -> Frame {
        let column = PLACE.captures(place.trim()).and_then(|found| found.get(3)?.as_str().parse().ok());
        Frame { column, ..self }
    }

    /// Returns the same wherever in its file: for what ends somewhere by chance.
    pub fn anywhere(self) -> Frame {
        Frame { at: None, column: None, ..self }
    }
}

static PLACE: LazyLock<Regex> = LazyLock::new(|| super::regex(r"^(?:file://)?(.+?):(\d+)(?::(\d+))?$"));

/// Returns a file and the line in it.
fn in_file(place: &str) -> Option<(String, u32)> {
    let found = PLACE.captures(place.trim())?;
    Some((found[1].to_owned(), found[2].parse().ok()?))
}

/// Names that programs in C, C++ and Rust have from elsewhere.
static NATIVE: LazyLock<Regex> = LazyLock::new(|| {
    super::regex(concat!(
        r"^(?:_?_?(?:raise|abort|gsignal|kill|tgkill|backtrace)|_?_?pthread_kill\w*|_start|start_thread|_?_?clone3?",
        r"|_?_?restore_rt|killpg",
        r"|malloc|calloc|realloc|reallocarray|free|cfree|posix_memalign|aligned_alloc|memalign|valloc|operator new.*",
        r"|operator delete.*|(?:mem|str|wcs|wmem)(?:n?cpy|n?cmp|n?cat|r?chr|len|nlen|set|move|mem|str|dup|ndup|pbrk|tok|spn|cspn)\w*",
        r"|_?_?v?(?:f|s|sn|as)?printf\w*|puts|fputs|fwrite|fread|fgets|getline|qsort|bsearch|exit|_exit",
        r"|__(?:asan|interceptor|sanitizer|lsan|msan|tsan|ubsan|hwasan|assert|GI|libc|mem|str|wcs|cxa|gxx|rust|fortify|stack_chk",
        r"|cxxabiv1|gnu_cxx|restore|run_exit|chk_fail|\w+_chk)\w*.*|___interceptor_\w+|_dl_\w+|_IO_\w+|_Unwind_\w+",
        r"|(?:std|__asan|__tsan|__msan|__lsan|__ubsan|__sanitizer|__gnu_cxx|__cxxabiv1|__interception)::.*",
        r"|(?:core|alloc|std|backtrace|panic_unwind|test)::(?:panicking|panic|rt|result|option|ops|slice|str|vec|fmt|sys|sys_common|thread|backtrace|alloc|boxed|rc|cell|iter|string|raw_vec|process|hint|intrinsics|__default_lib_allocator)\b.*",
        r"|(?:__rustc::)?rust_(?:begin_unwind|panic\w*|eh_personality)|lang_start\w*|begin_panic\w*|panic_\w+",
        r"|_ZN4core9panicking.*|_?g_(?:log|logv|assertion_message\w*|malloc\w*|free|abort)",
        r"|llvm::sys::.*|llvm::CrashRecoveryContext.*|SignalHandler|CrashRecoverySignalHandler|PrintStackTraceSignalHandler",
        r"|llvm::llvm_unreachable_internal|llvm::report_fatal_error|internal_error|fancy_abort|diagnostic_\w+|crash_signal)$",
    ))
});

/// Where those are that are nobody's own.
static LIBRARY: LazyLock<Regex> = LazyLock::new(|| {
    super::regex(concat!(
        r"(?:^|/)(?:libc|libm|libpthread|libdl|librt|ld-linux[\w-]*|ld|libc-[\d.]+|libstdc\+\+|libgcc_s|libc\+\+|libc\+\+abi",
        r"|lib[almtu]+san|libclang_rt\.\w+[\w-]*|vgpreload_\w+[\w-]*|linux-vdso|linux-gate)(?:-[\d.]+)?\.so[\d.]*",
        r"|(?:^|/)(?:sanitizer_common|compiler-rt|asan|lsan|tsan|msan|ubsan)/|/rustc/|/rustlib/",
        r"|(?:^|/)(?:sysdeps|nptl|csu)/|vg_replace_\w+|(?:asan|lsan|tsan|msan|ubsan|sanitizer)_\w+\.(?:cpp|cc|inc|h)",
    ))
});

static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    super::regex(concat!(
        r"(?:@@?[A-Za-z][\w.]*|@plt|\+0x[0-9a-f]+|::h[0-9a-f]{16}|\.llvm\.\d+",
        r"|\.(?:constprop|isra|part|cold|lto_priv|localalias)(?:\.\d+)*|\s*\[clone [^\]]*\])$"
    ))
});

/// Returns the name in a symbol.
fn clean(symbol: &str) -> String {
    let mut name = symbol.trim();
    while let Some(tail) = TAIL.find(name) {
        name = &name[..tail.start()];
    }
    let name = without_arguments(name);
    // What a function returns stands before it.
    let name = match name.find("operator") {
        Some(at) => name[..at].rsplit_once(' ').map_or(&name[..], |(before, _)| &name[before.len() + 1..]),
        None => name.rsplit_once(' ').map_or(&name[..], |(_, name)| name),
    };
    name.trim_start_matches(['*', '&', ':']).to_owned()
}

/// Returns a symbol without template arguments and parameters. What `<module>` and `(*T)` name is kept.
fn without_arguments(symbol: &str) -> String {
    let symbol = symbol.replace("(anonymous namespace)", "{anonymous}");
    let (mut kept, mut depth, mut rest) = (String::new(), 0usize, &symbol[..]);
    while let Some(c) = rest.chars().next() {
        let named = ["<anonymous>", "<module>", "<lambda>", "<init>", "<clinit>", "<genexpr>", "<listcomp>"];
        let whole = named.iter().find(|name| rest.starts_with(**name));
        let is_operator = kept.ends_with("operator") || kept.ends_with("operator<") || kept.ends_with("operator-");
        if let (0, Some(name)) = (depth, whole) {
            kept.push_str(name);
            rest = &rest[name.len()..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '<' | '>' if depth == 0 && is_operator => kept.push(c),
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            // A method of Go, or the operator of a call.
            '(' if depth == 0 && (rest.starts_with('*') && kept.ends_with('.')) => kept.push(c),
            '(' if depth == 0 && is_operator && rest.starts_with(')') => {
                kept.push_str("()");
                rest = &rest[1..];
            }
            '(' if depth == 0 => break,
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept.trim_end().to_owned()
}

/// Returns the last part of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_what_differs() {
        for (symbol, name) in [
            ("f", "f"),
            ("f.constprop.0.isra.1", "f"),
            ("ns::Box<int, std::less<int> >::get(int) const", "ns::Box::get"),
            ("std::vector<int>& ns::f<char>(char)", "ns::f"),
            ("bool operator< <int>(A const&)", "operator<"),
            ("ns::operator<< (std::ostream&, A)", "ns::operator<<"),
            ("ns::F::operator()(int)", "ns::F::operator()"),
            ("(anonymous namespace)::f(int)", "{anonymous}::f"),
            ("prog::parse::h0123456789abcdef", "prog::parse"),
            ("<prog::T as prog::Show>::show", "show"),
            ("prog::main::{{closure}}", "prog::main::{{closure}}"),
            ("main.(*T).Run", "main.(*T).Run"),
            ("Object.<anonymous>", "Object.<anonymous>"),
            ("<module>", "<module>"),
            ("memcpy@@GLIBC_2.14", "memcpy"),
        ] {
            assert_eq!(clean(symbol), name, "{symbol}");
        }
    }

    #[test]
    fn what_all_programs_stand_on_is_not_their_own() {
        for (symbol, place) in [
            ("raise", ""),
            ("__GI_abort", ""),
            ("__pthread_kill_implementation", "./nptl/pthread_kill.c"),
            ("f", "/lib/x86_64-linux-gnu/libc.so.6"),
            ("whatever", "/usr/lib/gcc/libasan.so.8"),
            ("std::vector<int>::at(unsigned long)", ""),
            ("core::panicking::panic_fmt", "/rustc/90b35a6/library/core/src/panicking.rs"),
            ("operator new(unsigned long)", ""),
            ("__interceptor_malloc", ""),
            ("strlen", ""),
            ("??", ""),
        ] {
            assert!(!Frame::native(symbol, place).own, "{symbol}");
        }
        for symbol in ["main", "parse", "string_to_int", "free_list", "core::Engine::run", "strategy", "memory_full"] {
            assert!(Frame::native(symbol, "/home/u/prog.c").own, "{symbol}");
        }
    }
}
