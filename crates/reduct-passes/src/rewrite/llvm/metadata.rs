//! LLVM: removes metadata with all that refers to it, and nodes to which nothing leads then.
//!
//! ## What it tries
//! All at once: what is attached to functions, variables and instructions, calls that only describe variables to a debugger, lists of
//! metadata with a name, and each node to which nothing leads any more. Then the same of one kind at a time, as all `!dbg` or all
//! `!tbaa`, of the 16 kinds that hold most; and the nodes alone to which nothing leads.
//!
//! ## When it helps
//! A node has to be there as long as something refers to it, and nodes refer to each other, also in circles: of a
//! module with debug information, most of the text.
//!
//! ## Before
//! ```llvm
//! define void @f() !dbg !1 {
//!   ret void, !dbg !3
//! }
//! !llvm.dbg.cu = !{!0}
//! !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)
//! !1 = distinct !DISubprogram(unit: !0, file: !2)
//! !2 = !DIFile(filename: "f.c", directory: "/")
//! !3 = !DILocation(line: 1, scope: !1)
//! ```
//! ## After
//! ```llvm
//! define void @f() {
//!   ret void
//! }
//! ```

use super::{modules, with_blanks_before};
use crate::pass::{Pass, Proposals};
use crate::rewrite::{propose_in_order, removal};
use reduct_input::siblings::lines_of;
use reduct_input::{Subject, Tree, united};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting(
    "llvm-metadata",
    "LLVM: removes metadata with all that refers to it, and nodes to which nothing leads",
    0.5,
    propose,
);

/// So many kinds are tried, those that hold most by themselves.
const MOST: usize = 16;

fn propose(subject: &Subject) -> Proposals {
    let modules: Vec<Module> = modules(subject).map(|tree| Module::of(subject, tree)).collect();
    let mut kinds: BTreeMap<&[u8], usize> = BTreeMap::new();
    for (kind, gone) in
        modules.iter().flat_map(|module| &module.uses).filter_map(|found| Some((found.kind, found.gone.as_ref()?)))
    {
        *kinds.entry(kind).or_default() += gone.len();
    }
    let mut kinds: Vec<(&[u8], usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, size)| Reverse(*size));
    let without = |goes: &dyn Fn(&[u8]) -> bool| {
        removal(subject, united(modules.iter().flat_map(|module| module.without(goes)).collect()))
    };
    let all = without(&|_| true);
    let largest = kinds.iter().take(MOST).filter(|_| kinds.len() > 1);
    let single = largest.map(|(kind, _)| without(&|other| other == *kind));
    let edits = [all].into_iter().chain(single).chain([without(&|_| false)]);
    // Each is a question of its own, in this order.
    edits.flatten().flat_map(|edit| propose_in_order(subject, vec![edit])).collect()
}

/// Returns the lines of the nodes to which nothing leads.
pub(super) fn unled(subject: &Subject) -> Vec<Range<u32>> {
    united(modules(subject).flat_map(|tree| Module::of(subject, tree).without(&|_| false)).collect())
}

/// What there is of metadata in a module.
#[derive(Default)]
struct Module<'a> {
    nodes: Vec<Node<'a>>,
    uses: Vec<Use<'a>>,
}

/// A node of metadata.
struct Node<'a> {
    name: &'a [u8],
    lines: Range<u32>,
    /// The nodes that it names.
    names: Vec<&'a [u8]>,
}

/// What names nodes from elsewhere.
struct Use<'a> {
    kind: &'a [u8],
    /// What goes with it; `None` if it cannot go by itself.
    gone: Option<Range<u32>>,
    names: Vec<&'a [u8]>,
}

impl<'a> Module<'a> {
    fn of(subject: &'a Subject, tree: &Tree) -> Module<'a> {
        let mut module = Module::default();
        let text = |at: usize| subject.text(tree.range(at));
        let lines = |at: usize| lines_of(subject.artifact().bytes(), &tree.range(0), tree.range(at));
        let mut at = 1;
        while at < tree.len() {
            let after = tree.node(at).after as usize;
            let within = |kind: &'static str| (at..after).filter(move |at| tree.kind(*at) == kind).map(text);
            let names = || within("metadata_ref").filter(|name| is_node(name)).collect::<Vec<_>>();
            let found = match tree.kind(at) {
                "global_metadata" => {
                    let name = tree.children(at).next().map_or(&b""[..], text);
                    if is_node(name) {
                        module.nodes.push(Node { name, lines: lines(at), names: names() });
                        at = after;
                        continue;
                    }
                    Use { kind: kind_of_list(name), gone: Some(lines(at)), names: names() }
                }
                "metadata_refs" | "metadata_attachment" => {
                    let kind = within("metadata_name").next().unwrap_or_default();
                    Use { kind, gone: Some(with_blanks_before(subject, tree.range(at))), names: names() }
                }
                "instruction" | "declare" if is_of_debugger(text(at)) => {
                    Use { kind: DEBUGGER, gone: Some(lines(at)), names: names() }
                }
                "metadata_ref" => Use { kind: b"", gone: None, names: names() },
                _ => {
                    at += 1;
                    continue;
                }
            };
            module.uses.push(found);
            at = after;
        }
        module
    }

    /// Returns what goes with all uses of these kinds: these, and the nodes to which none of the others leads.
    fn without(&self, goes: &dyn Fn(&[u8]) -> bool) -> Vec<Range<u32>> {
        let (gone, stay): (Vec<&Use>, Vec<&Use>) =
            self.uses.iter().partition(|found| found.gone.is_some() && goes(found.kind));
        let by_name: HashMap<&[u8], &Node> = self.nodes.iter().map(|node| (node.name, node)).collect();
        let mut open: Vec<&[u8]> = stay.iter().flat_map(|found| found.names.iter().copied()).collect();
        let mut is_led_to: HashSet<&[u8]> = HashSet::new();
        while let Some(name) = open.pop() {
            if is_led_to.insert(name) {
                open.extend(by_name.get(name).iter().flat_map(|node| node.names.iter().copied()));
            }
        }
        let nodes = self.nodes.iter().filter(|node| !is_led_to.contains(node.name)).map(|node| node.lines.clone());
        gone.into_iter().filter_map(|found| found.gone.clone()).chain(nodes).collect()
    }
}

/// The kind of what is there for a debugger.
const DEBUGGER: &[u8] = b"!dbg";

/// Returns whether this names a node: by a number.
fn is_node(name: &[u8]) -> bool {
    name.len() > 1 && name[1..].iter().all(u8::is_ascii_digit)
}

/// Returns the kind of a list with this name: its name, but for what debuggers are told.
fn kind_of_list(name: &[u8]) -> &[u8] {
    if name.starts_with(b"!llvm.dbg") { DEBUGGER } else { name }
}

fn is_of_debugger(text: &[u8]) -> bool {
    const FUNCTIONS: &[u8] = b"@llvm.dbg.";
    text.windows(FUNCTIONS.len()).any(|word| word == FUNCTIONS)
}
