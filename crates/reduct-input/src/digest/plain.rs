//! BLAKE3 in plain Rust, after the reference implementation in its paper (O'Connor, Aumasson, Neves, Wilcox-O'Hearn:
//! *BLAKE3, one function, fast everywhere*, 2020), section 2: no C, no assembler, and slower for that.

const BLOCK: usize = 64;
const CHUNK: usize = 1024;

const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;

const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

/// By column and by diagonal: which words of the state are mixed.
const QUARTERS: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];

fn mix(state: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    for (word, first, second) in [(x, 16, 12), (y, 8, 7)] {
        state[a] = state[a].wrapping_add(state[b]).wrapping_add(word);
        state[d] = (state[d] ^ state[a]).rotate_right(first);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_right(second);
    }
}

/// What is compressed next, with all that goes into it.
#[derive(Clone, Copy)]
struct Node {
    chaining: [u32; 8],
    words: [u32; 16],
    counter: u64,
    length: u32,
    flags: u32,
}

impl Node {
    fn parent(left: [u32; 8], right: [u32; 8]) -> Node {
        let mut words = [0; 16];
        words[..8].copy_from_slice(&left);
        words[8..].copy_from_slice(&right);
        Node { chaining: IV, words, counter: 0, length: BLOCK as u32, flags: PARENT }
    }

    /// Returns the first half of what the compression function gives: all that a digest of 32 bytes takes.
    fn compress(&self) -> [u32; 8] {
        let mut state = [0; 16];
        state[..8].copy_from_slice(&self.chaining);
        state[8..12].copy_from_slice(&IV[..4]);
        state[12..].copy_from_slice(&[self.counter as u32, (self.counter >> 32) as u32, self.length, self.flags]);
        let mut words = self.words;
        for _ in 0..7 {
            for (at, quarter) in QUARTERS.into_iter().enumerate() {
                mix(&mut state, quarter, words[2 * at], words[2 * at + 1]);
            }
            words = PERMUTATION.map(|from| words[from]);
        }
        std::array::from_fn(|at| state[at] ^ state[at + 8])
    }
}

/// A part of the input of at most 1024 bytes, while it is read.
#[derive(Clone)]
struct Chunk {
    chaining: [u32; 8],
    counter: u64,
    block: [u8; BLOCK],
    filled: usize,
    compressed: usize,
}

impl Chunk {
    fn new(counter: u64) -> Chunk {
        Chunk { chaining: IV, counter, block: [0; BLOCK], filled: 0, compressed: 0 }
    }

    fn len(&self) -> usize {
        self.compressed * BLOCK + self.filled
    }

    fn node(&self, flags: u32) -> Node {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| self.block[4 * at + byte]));
        let start = if self.compressed == 0 { CHUNK_START } else { 0 };
        let (chaining, words) = (self.chaining, std::array::from_fn(word));
        Node { chaining, words, counter: self.counter, length: self.filled as u32, flags: flags | start }
    }

    /// Takes bytes, as many as have room in the block. Returns those that have none.
    fn take<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        if self.filled == BLOCK {
            self.chaining = self.node(0).compress();
            (self.block, self.filled) = ([0; BLOCK], 0);
            self.compressed += 1;
        }
        let (taken, rest) = bytes.split_at(bytes.len().min(BLOCK - self.filled));
        self.block[self.filled..][..taken.len()].copy_from_slice(taken);
        self.filled += taken.len();
        rest
    }
}

/// A digest while it is made.
#[derive(Clone)]
pub(super) struct Hasher {
    chunk: Chunk,
    /// The roots of the full subtrees so far, the largest first.
    subtrees: Vec<[u32; 8]>,
}

impl Default for Hasher {
    fn default() -> Hasher {
        Hasher { chunk: Chunk::new(0), subtrees: vec![] }
    }
}

impl Hasher {
    pub(super) fn update(&mut self, mut bytes: &[u8]) -> &mut Hasher {
        while !bytes.is_empty() {
            if self.chunk.len() == CHUNK {
                let mut root = self.chunk.node(CHUNK_END).compress();
                let chunks = self.chunk.counter + 1;
                // As many subtrees are full with it as the number of chunks ends in zeros.
                for _ in 0..chunks.trailing_zeros() {
                    root = self.subtrees.pop().map_or(root, |left| Node::parent(left, root).compress());
                }
                self.subtrees.push(root);
                self.chunk = Chunk::new(chunks);
            }
            bytes = self.chunk.take(bytes);
        }
        self
    }

    pub(super) fn finalize(&self) -> Digest {
        let last = self.chunk.node(CHUNK_END);
        let root = self.subtrees.iter().rev().fold(last, |node, left| Node::parent(*left, node.compress()));
        let words = Node { flags: root.flags | ROOT, counter: 0, ..root }.compress();
        let mut digest = [0; 32];
        for (to, word) in digest.chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        Digest(digest)
    }
}

/// A digest.
pub(super) struct Digest([u8; 32]);

impl Digest {
    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}
