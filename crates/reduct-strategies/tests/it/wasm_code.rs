//! Code of WebAssembly: what can go of it, and what is left then.

use crate::support::{chunked, without};
use reduct_input::{Circumstances, Parts};
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::Range;
use std::process::{Command, Stdio};

/// Instructions, as the specification numbers them.
const END: u8 = 0x0b;
const VOID: u8 = 0x40;

/// A number in two bytes, so that it keeps its length when it falls.
fn wide(number: usize) -> [u8; 2] {
    [number as u8 | 0x80, (number >> 7) as u8]
}

fn section(kind: u8, entries: &[Vec<u8>]) -> Vec<u8> {
    let inside = [&wide(entries.len())[..], &entries.concat()].concat();
    [&[kind], &wide(inside.len())[..], &inside].concat()
}

/// A function: groups of variables, each a number and a kind, and instructions without the last end.
struct Function {
    kind: u8,
    locals: Vec<[u8; 2]>,
    code: Vec<u8>,
}

/// Returns a module of these functions with a memory and a global, and where the instructions of each are.
///
/// The types are 0: nothing to nothing; 1: an i32 to nothing; 2: an i64 to an f64; 3: two i32 to an i32; 4: nothing to two i32.
fn module(functions: &[Function]) -> (Vec<u8>, Vec<Range<u32>>) {
    let types = [
        &[0x60, 0, 0][..],
        &[0x60, 1, 0x7f, 0],
        &[0x60, 1, 0x7e, 1, 0x7c],
        &[0x60, 2, 0x7f, 0x7f, 1, 0x7f],
        &[0x60, 0, 2, 0x7f, 0x7f],
    ];
    let kinds = functions.iter().map(|function| vec![function.kind]).collect::<Vec<_>>();
    let bodies = functions.iter().map(|Function { locals, code, .. }| {
        let inside = [&[locals.len() as u8], locals.concat().as_slice(), code, &[END]].concat();
        [&wide(inside.len())[..], &inside].concat()
    });
    let bodies: Vec<_> = bodies.collect();
    let global = vec![0x7f, 1, 0x41, 0, END];
    let before = [(1, types.map(Vec::from).to_vec()), (3, kinds), (5, vec![vec![0, 1]]), (6, vec![global])];
    let mut text = b"\0asm\x01\0\0\0".to_vec();
    before.iter().for_each(|(kind, entries)| text.extend(section(*kind, entries)));
    let mut at = text.len() + 5;
    text.extend(section(10, &bodies));
    let instructions = functions.iter().zip(&bodies).map(|(function, body)| {
        at += body.len();
        (at - 1 - function.code.len()) as u32..at as u32 - 1
    });
    let instructions = instructions.collect();
    (text, instructions)
}

/// Returns a module of one function.
fn single(kind: u8, code: &[u8]) -> Vec<u8> {
    module(&[Function { kind, locals: vec![], code: code.to_vec() }]).0
}

/// Returns all modules that are made from one of this function by leaving out one part of its code.
fn left(kind: u8, code: &[u8]) -> Vec<Vec<u8>> {
    let (text, places) = module(&[Function { kind, locals: vec![], code: code.to_vec() }]);
    let levels = inside(&text, &places);
    let each = levels.iter().flat_map(|level| (0..level.len()).map(move |part| without(level, |at| at == part)));
    each.collect()
}

/// Returns the levels all parts of which are in code.
fn inside(text: &[u8], places: &[Range<u32>]) -> Vec<Parts> {
    let within = |at: &Range<u32>| places.iter().any(|place| place.start <= at.start && at.end <= place.end + 1);
    let in_code = |level: &Parts| (0..level.len() as u32).all(|at| within(&level.addresses(reduct_core::Delta(at))));
    chunked(text).into_iter().filter(in_code).collect()
}

#[track_caller]
fn has(modules: &[Vec<u8>], kind: u8, code: &[u8]) {
    assert!(modules.contains(&single(kind, code)), "no module is left with the code {code:x?}");
}

#[test]
fn statements_go_with_their_operands() {
    let (set, store) = ([0x41, 1, 0x21, 0], [0x41, 4, 0x20, 0, 0x36, 2, 0]);
    let call_and_drop = [0x41, 9, 0x10, 0];
    let all = [&set[..], &store, &call_and_drop].concat();
    let modules = left(1, &all);
    has(&modules, 1, &[&store[..], &call_and_drop].concat());
    has(&modules, 1, &[&set[..], &call_and_drop].concat());
    has(&modules, 1, &[&set[..], &store].concat());
}

#[test]
fn code_goes_but_for_what_never_goes_on_or_a_result() {
    let modules = left(2, &[0x20, 0, 0xb9]);
    has(&modules, 2, &[0]);
    // The result is a number of eight bytes, which is longer than such code.
    let long = [0x20, 0, 0xb9, 0x9f, 0x9f, 0x9f, 0x9f, 0x9f, 0x9f, 0x9f];
    has(&left(2, &long), 2, &[0x44, 0, 0, 0, 0, 0, 0, 0, 0]);
    has(&left(1, &[0x41, 1, 0x21, 0]), 1, &[]);
    has(&left(1, &[0]), 1, &[]);
}

#[test]
fn contents_of_blocks_go_and_blocks_without_their_contents() {
    // Two alternatives in a loop in a block.
    let (first, second) = ([0x41, 1, 0x21, 0], [0x41, 2, 0x21, 0]);
    let both = |first: &[u8], second: &[u8]| {
        let alternatives = [&[0x20, 0, 0x04, VOID], first, &[0x05], second, &[END]].concat();
        [&[0x02, VOID, 0x03, VOID], &alternatives[..], &[END, END]].concat()
    };
    let modules = left(1, &both(&first, &second));
    has(&modules, 1, &both(&[0], &second));
    has(&modules, 1, &both(&first, &[0]));
    has(&modules, 1, &[0x02, VOID, 0x03, VOID, 0, END, END]);
    has(&modules, 1, &[0x02, VOID, 0, END]);
    // The condition is dropped.
    let dropped = [&[0x20, 0, 0x1a][..], &first].concat();
    has(&modules, 1, &[&[0x02, VOID, 0x03, VOID][..], &dropped, &[END, END]].concat());
    let alternatives = &both(&first, &second)[4..];
    let alternatives = &alternatives[..alternatives.len() - 2];
    has(&modules, 1, &[&[0x03, VOID], alternatives, &[END]].concat());
    has(&modules, 1, &[&[0x02, VOID], alternatives, &[END]].concat());
}

#[test]
fn branches_go_on_to_where_they_went() {
    // In three blocks, branches to each of them, and one to the function.
    let code = |labels: [u8; 4], blocks: usize| {
        let [first, second, third, all] = labels;
        let branches = [0x20, 0, 0x0d, first, 0x20, 0, 0x0e, 2, second, third, all];
        [[0x02, VOID].repeat(blocks), branches.to_vec(), [END].repeat(blocks)].concat()
    };
    let modules = left(1, &code([0, 1, 2, 3], 3));
    // Without the innermost block a branch to it goes to the one around it.
    has(&modules, 1, &code([0, 0, 1, 2], 2));
    // Without the next one.
    has(&modules, 1, &code([0, 1, 1, 2], 2));
    // Without the outermost.
    has(&modules, 1, &code([0, 1, 2, 2], 2));
}

#[test]
fn values_go_to_zero_and_to_their_operands() {
    let (first, second) = ([0x20, 0, 0x45], [0x20, 1, 0x67]);
    let modules = left(3, &[&first[..], &second, &[0x6c]].concat());
    has(&modules, 3, &first);
    has(&modules, 3, &second);
    has(&modules, 3, &[0x41, 0]);
    has(&modules, 3, &[&[0x41, 0][..], &second, &[0x6c]].concat());
    has(&modules, 3, &[&first[..], &[0x41, 0, 0x6c]].concat());
    has(&modules, 3, &[&[0x20, 0][..], &second, &[0x6c]].concat());
    // A comparison of numbers of another kind is none of them.
    let compared = [0x42, 1, 0x42, 2, 0x51];
    let modules = left(3, &compared);
    has(&modules, 3, &[0x41, 0]);
    assert!(!modules.contains(&single(3, &[0x42, 1])), "a value of another kind is left");
}

#[test]
fn variables_keep_their_places() {
    let function = |locals: &[[u8; 2]], place: u8| Function {
        kind: 1,
        locals: locals.to_vec(),
        code: vec![0x20, 0, 0x1a, 0x43, 0, 0, 0, 0, 0x21, place],
    };
    // A parameter, two i32, an i64 and an f32.
    let text = module(&[function(&[[2, 0x7f], [1, 0x7e], [1, 0x7d]], 4)]).0;
    let levels = chunked(&text);
    let all: Vec<_> =
        levels.iter().flat_map(|level| (0..level.len()).map(move |part| without(level, |at| at == part))).collect();
    assert!(all.contains(&module(&[function(&[[1, 0x7e], [1, 0x7d]], 2)]).0));
    assert!(all.contains(&module(&[function(&[[2, 0x7f], [1, 0x7d]], 3)]).0));
}

/// Behind an instruction that is not known, too.
#[test]
fn variables_keep_their_places_behind_vectors() {
    let function = |locals: &[[u8; 2]], place: u8| {
        let vector = [&[0xfd, 12][..], &[0; 16], &[0x1a]].concat();
        let code = [&[0x20, place, 0x1a][..], &vector, &[0x20, place, 0x1a]].concat();
        Function { kind: 1, locals: locals.to_vec(), code }
    };
    let text = module(&[function(&[[2, 0x7f], [1, 0x7e]], 3)]).0;
    let levels = chunked(&text);
    let mut all = levels.iter().flat_map(|level| (0..level.len()).map(move |part| without(level, |at| at == part)));
    assert!(all.any(|left| left == module(&[function(&[[1, 0x7e]], 1)]).0));
}

/// Each group is as large as engines take, all of them together are not: none is taken note of, and none goes.
#[test]
fn too_many_variables_stay() {
    let locals = |code: Vec<u8>| {
        let groups = [&wide(400)[..], &[0xd0, 0x86, 0x03, 0x7f].repeat(400)].concat();
        let inside = [groups, code, vec![END]].concat();
        let sections = [section(1, &[vec![0x60, 0, 0]]), section(3, &[vec![0]])].concat();
        let body = [&wide(inside.len())[..], &inside].concat();
        [b"\0asm\x01\0\0\0".to_vec(), sections, section(10, &[body])].concat()
    };
    let text = locals(vec![0x20, 0, 0x1a]);
    let groups = text.windows(4).position(|window| window == [0xd0, 0x86, 0x03, 0x7f]).unwrap() as u32;
    for level in chunked(&text) {
        for part in 0..level.len() as u32 {
            let at = level.addresses(reduct_core::Delta(part));
            assert!(at.end <= groups || at.start >= groups + 1600 || at.start < groups, "{at:?}");
        }
    }
}

/// However deep the blocks are, each statement can go while the blocks around it stay.
#[test]
fn statements_in_deep_blocks_go() {
    let code = |gone: usize| {
        let inside = |at: usize| if at == gone { vec![] } else { vec![0x41, at as u8, 0x21, 0] };
        let begins = (0..60).flat_map(|at| [vec![0x02, VOID], inside(at)].concat());
        begins.chain([END; 60]).collect::<Vec<u8>>()
    };
    let modules = left(1, &code(60));
    for gone in 0..60 {
        has(&modules, 1, &code(gone));
    }
}

/// Functions with everything of which it is said what it takes and gives.
fn functions() -> Vec<Function> {
    let mut code = vec![];
    // A loop that counts down, with branches out of it, and an alternative in it.
    code.extend([0x02, VOID, 0x03, VOID, 0x20, 0, 0x45, 0x0d, 1]);
    code.extend([0x20, 0, 0x41, 1, 0x6b, 0x21, 0, 0x20, 1, 0x20, 0, 0x6a, 0x22, 1, 0x1a]);
    code.extend([0x41, 0, 0x20, 1, 0x36, 2, 0, 0x20, 0, 0x04, VOID, 0x10, 1, 0x0c, 2, 0x05, 0x01, END]);
    code.extend([0x02, VOID, 0x20, 0, 0x0e, 2, 0, 1, 2, END, 0x0c, 0, END, END]);
    // Values of blocks, a choice, a memory, a global, a call that gives a value.
    code.extend([0x20, 0, 0x04, 0x7f, 0x41, 1, 0x05, 0x41, 2, END, 0x24, 0]);
    code.extend([0x42, 7, 0x23, 0, 0xac, 0x20, 0, 0x1b, 0x10, 2, 0xb6, 0x1a]);
    code.extend([0x3f, 0, 0x40, 0, 0x1a, 0x41, 0, 0x28, 2, 0, 0x41, 0, 0x2d, 0, 0, 0x72, 0x1a]);
    code.extend([0x41, 0, 0x41, 0, 0x41, 8, 0xfc, 0x0b, 0, 0x43, 0, 0, 0, 0x40, 0xfc, 0, 0x1a]);
    // A block that takes a value, and a call that gives two.
    code.extend([0x41, 7, 0x02, 1, 0x21, 0, END, 0x10, 3, 0x45, 0x6a, 0x1a]);
    // What is never reached.
    code.extend([0x0f, 0x20, 0, 0x1a]);
    let second = vec![0x02, VOID, 0x00, 0x41, 1, 0x1a, END];
    let third = vec![0x20, 0, 0xb9, 0x44, 0, 0, 0, 0, 0, 0, 0, 0x40, 0xa2, 0x99];
    vec![
        Function { kind: 1, locals: vec![[1, 0x7f]], code },
        Function { kind: 0, locals: vec![], code: second },
        Function { kind: 2, locals: vec![], code: third },
        // A block that a value leaves by a branch, and the same of the function.
        Function { kind: 4, locals: vec![], code: vec![0x02, 0x7f, 0x41, 1, 0x0c, 0, END, 0x41, 2, 0x0f] },
    ]
}

/// Whether engines take a module is asked of one: whatever goes alone, and all that goes together of a level.
#[test]
fn what_is_left_is_valid() {
    let (text, places) = module(&functions());
    let levels = inside(&text, &places);
    // The last one are single instructions; bytes are of types, too.
    let levels = &levels[..levels.len() - 1];
    assert!(levels.len() > 10, "code is taken apart by {} levels", levels.len());
    let mut modules = vec![text];
    for level in levels {
        modules.extend((0..level.len()).map(|part| without(level, |at| at == part)));
        modules.push(without(level, |_| true));
        modules.push(without(level, |at| at % 2 == 0));
    }
    let hex = |module: &Vec<u8>| {
        module.iter().fold(String::new(), |mut line, byte| {
            let _ = write!(line, "{byte:02x}");
            line
        })
    };
    let lines: Vec<String> = modules.iter().map(hex).collect();
    let program = "require('fs').readFileSync(0, 'utf8').trim().split('\\n').forEach((line, at) => {
        try { new WebAssembly.Module(Buffer.from(line, 'hex')) } catch (error) { console.log(at, line, error.message) }
    })";
    let mut node =
        Command::new("node").args(["-e", program]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    node.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}
