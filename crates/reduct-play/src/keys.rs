//! What keys are called: by the names of X, and what a terminal sends for them.

/// Names, the symbols of X, and what terminals send.
const NAMED: &[(&str, u32, &[u8])] = &[
    ("return", 0xff0d, b"\r"),
    ("enter", 0xff0d, b"\r"),
    ("tab", 0xff09, b"\t"),
    ("escape", 0xff1b, b"\x1b"),
    ("backspace", 0xff08, b"\x7f"),
    ("delete", 0xffff, b"\x1b[3~"),
    ("insert", 0xff63, b"\x1b[2~"),
    ("home", 0xff50, b"\x1b[H"),
    ("end", 0xff57, b"\x1b[F"),
    ("left", 0xff51, b"\x1b[D"),
    ("up", 0xff52, b"\x1b[A"),
    ("right", 0xff53, b"\x1b[C"),
    ("down", 0xff54, b"\x1b[B"),
    ("page_up", 0xff55, b"\x1b[5~"),
    ("prior", 0xff55, b"\x1b[5~"),
    ("page_down", 0xff56, b"\x1b[6~"),
    ("next", 0xff56, b"\x1b[6~"),
    ("f1", 0xffbe, b"\x1bOP"),
    ("f2", 0xffbf, b"\x1bOQ"),
    ("f3", 0xffc0, b"\x1bOR"),
    ("f4", 0xffc1, b"\x1bOS"),
    ("f5", 0xffc2, b"\x1b[15~"),
    ("f6", 0xffc3, b"\x1b[17~"),
    ("f7", 0xffc4, b"\x1b[18~"),
    ("f8", 0xffc5, b"\x1b[19~"),
    ("f9", 0xffc6, b"\x1b[20~"),
    ("f10", 0xffc7, b"\x1b[21~"),
    ("f11", 0xffc8, b"\x1b[23~"),
    ("f12", 0xffc9, b"\x1b[24~"),
    ("space", 0x20, b" "),
    ("comma", 0x2c, b","),
    ("minus", 0x2d, b"-"),
    ("period", 0x2e, b"."),
    ("slash", 0x2f, b"/"),
    ("colon", 0x3a, b":"),
    ("semicolon", 0x3b, b";"),
    ("equal", 0x3d, b"="),
    ("plus", 0x2b, b"+"),
    ("underscore", 0x5f, b"_"),
    ("backslash", 0x5c, b"\\"),
    ("apostrophe", 0x27, b"'"),
    ("quotedbl", 0x22, b"\""),
    ("shift", 0xffe1, b""),
    ("shift_l", 0xffe1, b""),
    ("shift_r", 0xffe2, b""),
    ("ctrl", 0xffe3, b""),
    ("control", 0xffe3, b""),
    ("control_l", 0xffe3, b""),
    ("control_r", 0xffe4, b""),
    ("caps_lock", 0xffe5, b""),
    ("alt", 0xffe9, b""),
    ("alt_l", 0xffe9, b""),
    ("alt_r", 0xffea, b""),
    ("meta", 0xffe7, b""),
    ("super", 0xffeb, b""),
    ("super_l", 0xffeb, b""),
    ("super_r", 0xffec, b""),
    ("menu", 0xff67, b""),
];

fn named(name: &str) -> Option<&'static (&'static str, u32, &'static [u8])> {
    NAMED.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))
}

/// Returns the symbol of X for a key: a name, or a character.
pub(super) fn symbol(name: &str) -> Option<u32> {
    let mut characters = name.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Some(symbol_of(character)),
        _ => named(name).map(|(_, symbol, _)| *symbol),
    }
}

/// Returns the symbol of X for a character.
pub(super) fn symbol_of(character: char) -> u32 {
    match character as u32 {
        0x0a | 0x0d => 0xff0d,
        0x09 => 0xff09,
        0x1b => 0xff1b,
        0x08 | 0x7f => 0xff08,
        code @ (0x20..=0x7e | 0xa0..=0xff) => code,
        code => 0x0100_0000 + code,
    }
}

/// Returns what a terminal sends for a key with its modifiers.
pub(super) fn sent(chord: &[String]) -> Option<Vec<u8>> {
    let (key, modifiers) = chord.split_last()?;
    let mut bytes = match named(key) {
        Some((.., bytes)) => bytes.to_vec(),
        None if key.chars().count() == 1 => key.as_bytes().to_vec(),
        None => return None,
    };
    for modifier in modifiers {
        match (modifier.to_ascii_lowercase().as_str(), &bytes[..]) {
            ("ctrl" | "control" | "c", [byte]) => bytes = vec![byte & 0x1f],
            ("alt" | "meta" | "m", _) => bytes.insert(0, 0x1b),
            ("shift" | "s", _) => bytes.make_ascii_uppercase(),
            _ => return None,
        }
    }
    Some(bytes)
}

/// Returns the name of what a terminal sent, if it is one key with a name, or with Ctrl.
pub(super) fn name(bytes: &[u8]) -> Option<String> {
    const PLAIN: [u8; 3] = [b' ', b'\t', b'\r'];
    if let [byte @ 1..=26] = bytes {
        return (!PLAIN.contains(byte)).then(|| format!("ctrl-{}", (byte - 1 + b'a') as char));
    }
    let is_special = |byte: &u8| *byte == 0x1b || *byte == 0x7f;
    let found = NAMED.iter().find(|(.., sent)| *sent == bytes && sent.first().is_some_and(is_special));
    found.map(|(name, ..)| (*name).to_owned())
}
