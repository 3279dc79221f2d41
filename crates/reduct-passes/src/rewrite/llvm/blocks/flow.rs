//! The blocks of a function: which leads to which, and which uses values of which.

use reduct_input::{Subject, Tree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A function. Its first block is where it begins.
#[derive(Default)]
pub(super) struct Flow {
    pub blocks: Vec<Block>,
    pub phis: Vec<Phi>,
    /// Where values and blocks get numbers, with the blocks of these.
    pub numbered: Vec<(u32, usize)>,
    /// Of each block, whether something leads to it.
    pub is_led_to: Vec<bool>,
}

/// A block of a function.
pub(super) struct Block {
    /// What goes with it: all from the end of the block before.
    pub at: Range<u32>,
    /// The instruction that ends it.
    pub end: usize,
    /// The blocks to which it leads, each as often as it is named there, and where it is.
    pub next: Vec<(usize, Range<u32>)>,
    /// The blocks that cannot stay without it, although it leads to none of them: they use its values.
    pub users: Vec<usize>,
    /// Which functions for ways into blocks have an entry for it.
    pub phis: Vec<usize>,
    /// Whether its address is taken.
    is_addressed: bool,
}

/// A function for ways into a block.
pub(super) struct Phi {
    pub block: usize,
    /// Its entries, each with the block it is for.
    pub entries: Vec<(Range<u32>, usize)>,
}

/// What a name is given to, and in which block.
#[derive(Clone, Copy)]
enum Named {
    Block(usize),
    Value(usize),
}

/// A block as it is read: its label, and its instructions.
#[derive(Default)]
struct Lines {
    label: Option<usize>,
    instructions: Vec<usize>,
    has_ended: bool,
}

/// The names of a function.
struct Names<'a> {
    names: HashMap<&'a [u8], Named>,
    /// How many of its parameters have numbers.
    parameters: usize,
}

impl Flow {
    /// Returns the blocks of a definition. `None` if it has a block without label besides the first one, or a name that
    /// is not understood.
    pub fn of(
        subject: &Subject,
        tree: &Tree,
        definition: usize,
        addressed: &HashMap<&[u8], Vec<usize>>,
    ) -> Option<Flow> {
        let child = |kind: &str| tree.children(definition).find(|at| tree.kind(*at) == kind);
        let (header, body) = (child("function_header")?, child("function_body")?);
        let lines = lines(tree, body)?;
        let mut flow = Flow::default();
        let number = parameters(subject, tree, header)?.to_string();
        let mut names = Names { names: HashMap::new(), parameters: number.parse().ok()? };
        let mut start = tree.node(body).start + 1;
        for (at, block) in lines.iter().enumerate() {
            flow.name(subject, tree, at, block, &mut names.names);
            let end = *block.instructions.last()?;
            let (at, next) = (start..tree.node(end).end, vec![]);
            start = at.end;
            flow.blocks.push(Block { at, end, next, users: vec![], phis: vec![], is_addressed: false });
        }
        if lines.first()?.label.is_none() {
            names.names.insert(number.as_bytes(), Named::Block(0));
        }
        for (at, block) in lines.iter().enumerate() {
            block.instructions.iter().try_for_each(|instruction| flow.read(subject, tree, at, *instruction, &names))?;
        }
        let function = tree.children(header).find(|at| tree.kind(*at) == "global_var")?;
        for taken in addressed.get(subject.text(tree.range(function))).into_iter().flatten() {
            let Named::Block(block) = names.of(subject, tree, *taken)?? else { return None };
            flow.blocks[block].is_addressed = true;
        }
        flow.finish();
        Some(flow)
    }

    /// Notes the names that a block and its values have.
    fn name<'a>(
        &mut self,
        subject: &'a Subject,
        tree: &Tree,
        block: usize,
        lines: &Lines,
        names: &mut HashMap<&'a [u8], Named>,
    ) {
        let label = lines.label.map(|at| (at, Named::Block(block)));
        let values = lines.instructions.iter().filter_map(|at| Some((defined(tree, *at)?, Named::Value(block))));
        for (at, named) in label.into_iter().chain(values) {
            let name = name(subject.text(tree.range(at)));
            names.insert(name, named);
            if is_number(name) {
                self.numbered.push((tree.node(at).start, block));
            }
        }
    }

    /// Notes where an instruction leads, and of which blocks it uses values.
    fn read(&mut self, subject: &Subject, tree: &Tree, block: usize, instruction: usize, names: &Names) -> Option<()> {
        if let Some(phi) = tree.children(instruction).find(|at| tree.kind(*at) == "instruction_phi") {
            return self.read_phi(subject, tree, block, phi, names);
        }
        for at in tree.descendants(instruction).filter(|at| is_use(tree, instruction, *at)) {
            match names.of(subject, tree, at)? {
                Some(Named::Block(to)) => self.blocks[block].next.push((to, tree.range(at))),
                Some(Named::Value(of)) if of != block => self.blocks[of].users.push(block),
                _ => {}
            }
        }
        Some(())
    }

    /// Notes the entries of a function for ways. What an entry uses is used where its way begins.
    fn read_phi(&mut self, subject: &Subject, tree: &Tree, block: usize, phi: usize, names: &Names) -> Option<()> {
        let (mut entries, mut start, mut used) = (vec![], 0, vec![]);
        for at in tree.children(phi) {
            match tree.kind(at) {
                "[" => start = tree.node(at).start,
                "value" => used = tree.descendants(at).filter(|at| is_use(tree, phi, *at)).collect(),
                "local_var" => {
                    let Some(Named::Block(from)) = names.of(subject, tree, at)? else { return None };
                    entries.push((start..start, from));
                    self.blocks[from].phis.push(self.phis.len());
                    for at in used.drain(..) {
                        if let Some(Named::Value(of)) = names.of(subject, tree, at)?
                            && of != from
                        {
                            self.blocks[of].users.push(from);
                        }
                    }
                }
                "]" => entries.last_mut()?.0.end = tree.node(at).end,
                _ => {}
            }
        }
        self.phis.push(Phi { block, entries });
        Some(())
    }

    /// Notes to which blocks something leads. Of the others, those that lead to a block cannot stay without it.
    fn finish(&mut self) {
        self.is_led_to = self.reached(None);
        for from in (0..self.blocks.len()).filter(|at| !self.is_led_to[*at]) {
            for to in self.blocks[from].next.iter().map(|(to, _)| *to).collect::<HashSet<_>>() {
                self.blocks[to].users.push(from);
            }
        }
        for block in &mut self.blocks {
            block.users.sort_unstable();
            block.users.dedup();
            block.phis.dedup();
        }
    }

    /// Returns of each block whether something leads to it, if one goes on to only one other.
    fn reached(&self, way: Option<(usize, usize)>) -> Vec<bool> {
        let mut is_reached: Vec<bool> = self.blocks.iter().map(|block| block.is_addressed).collect();
        is_reached[0] = true;
        let mut open: Vec<usize> = (0..self.blocks.len()).filter(|at| is_reached[*at]).collect();
        while let Some(at) = open.pop() {
            let only = way.filter(|(from, _)| *from == at).map(|(_, to)| to);
            for (to, _) in self.blocks[at].next.iter().filter(|(to, _)| only.is_none_or(|only| only == *to)) {
                if !std::mem::replace(&mut is_reached[*to], true) {
                    open.push(*to);
                }
            }
        }
        is_reached
    }

    /// Returns of each block whether nothing leads to it then that does so now; without a way, whether nothing does so now.
    pub fn gone(&self, way: Option<(usize, usize)>) -> Vec<bool> {
        match way {
            None => self.is_led_to.iter().map(|is_led_to| !is_led_to).collect(),
            Some(_) => self.is_led_to.iter().zip(self.reached(way)).map(|(now, then)| *now && !then).collect(),
        }
    }
}

impl Names<'_> {
    /// Returns what has the name at a node in its function: nothing if it is a parameter. `None` if it is a number that nothing has.
    fn of(&self, subject: &Subject, tree: &Tree, at: usize) -> Option<Option<Named>> {
        let name = name(subject.text(tree.range(at)));
        let named = self.names.get(name).copied();
        let is_parameter = || std::str::from_utf8(name).ok()?.parse::<usize>().ok().filter(|at| *at < self.parameters);
        (named.is_some() || !is_number(name) || is_parameter().is_some()).then_some(named)
    }
}

/// Returns the blocks of a body as they stand there.
fn lines(tree: &Tree, body: usize) -> Option<Vec<Lines>> {
    let mut blocks: Vec<Lines> = vec![];
    for at in tree.children(body).filter(|at| tree.is_named(*at)) {
        let is_open = blocks.last().is_some_and(|block| !block.has_ended);
        match tree.kind(at) {
            "label" if !is_open => blocks.push(Lines { label: Some(at), ..Lines::default() }),
            "instruction" => {
                if blocks.is_empty() {
                    blocks.push(Lines::default());
                } else if !is_open {
                    return None;
                }
                let block = blocks.last_mut()?;
                block.instructions.push(at);
                block.has_ended = tree.children(at).any(|at| ENDS.contains(&tree.kind(at)));
            }
            "comment" => {}
            _ => return None,
        }
    }
    blocks.last()?.has_ended.then_some(blocks)
}

/// The instructions that end a block.
const ENDS: &[&str] = &[
    "instruction_br",
    "instruction_callbr",
    "instruction_catchret",
    "instruction_catchswitch",
    "instruction_cleanupret",
    "instruction_indirectbr",
    "instruction_invoke",
    "instruction_resume",
    "instruction_ret",
    "instruction_switch",
    "instruction_unreachable",
];

/// Returns how many parameters have numbers, also such as are not written.
fn parameters(subject: &Subject, tree: &Tree, header: usize) -> Option<usize> {
    let list = tree.children(header).find(|at| tree.kind(*at) == "argument_list")?;
    let has_number = |argument: &usize| {
        let value = tree.children(*argument).find(|at| tree.kind(*at) == "value");
        value.is_none_or(|at| is_number(name(subject.text(tree.range(at)))))
    };
    let arguments = tree.children(list).filter(|at| tree.kind(*at) == "argument");
    Some(arguments.filter(|at| subject.text(tree.range(*at)) != b"...").filter(has_number).count())
}

/// Returns the name that an instruction gives to its value.
fn defined(tree: &Tree, instruction: usize) -> Option<usize> {
    tree.children(instruction).find(|at| tree.kind(*at) == "local_var")
}

/// Returns whether a node below an instruction names a value or a block of the function, besides what it defines.
fn is_use(tree: &Tree, instruction: usize, at: usize) -> bool {
    let is_within = |parent: usize| parent != instruction && !matches!(tree.kind(parent), "type" | "blockaddress");
    tree.kind(at) == "local_var" && tree.parent(at).is_some_and(is_within)
}

/// Returns a name without its sign, and without quotes.
fn name(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b":").unwrap_or(text);
    let text = text.strip_prefix(b"%").unwrap_or(text);
    text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text)
}

fn is_number(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}
