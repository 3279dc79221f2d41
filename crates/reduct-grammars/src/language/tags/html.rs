//! What the scanner of the grammar of HTML knows of elements, by names in small letters.

/// The elements of HTML of which the scanner keeps a byte in place of the name.
const OF_ONE_BYTE: &str = "\
    a abbr address article aside audio b bdi bdo blockquote body button canvas caption cite code colgroup data \
    datalist dd del details dfn dialog div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head \
    header hgroup html i iframe ins kbd label legend li main map mark math menu meter nav noscript object ol optgroup \
    option output p picture pre progress q rb rp rt rtc ruby s samp script section select slot small span strong style \
    sub summary sup svg table tbody td template textarea tfoot th thead time title tr u ul var video";

/// Elements of HTML that nothing is in.
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "command", "embed", "frame", "hr", "image", "img", "input",
    "isindex", "keygen", "link", "menuitem", "meta", "nextid", "param", "source", "track", "wbr",
];

/// Elements of HTML that end where one of these begins.
const ENDED_BY: &[(&str, &[&str])] = &[
    ("li", &["li"]),
    ("dt", &["dt", "dd"]),
    ("dd", &["dt", "dd"]),
    ("rb", &["rb", "rt", "rp"]),
    ("rt", &["rb", "rt", "rp"]),
    ("rp", &["rb", "rt", "rp"]),
    ("optgroup", &["optgroup"]),
    ("tr", &["tr"]),
    ("td", &["td", "th", "tr"]),
    ("th", &["td", "th", "tr"]),
    ("p", BLOCKS),
];

/// Elements of HTML that are in no paragraph.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "details",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
];

/// Elements of HTML in which there are no tags, and what ends them.
const RAW: &[(&str, &[u8])] = &[("script", b"</script"), ("style", b"</style")];

/// Returns whether the scanner keeps a byte in place of the name of an element.
pub(super) fn is_of_one_byte(name: &[u8]) -> bool {
    OF_ONE_BYTE.split(' ').any(|other| other.as_bytes() == name)
}

/// Returns whether nothing is in an element.
pub(super) fn is_void(name: &[u8]) -> bool {
    is_one_of(name, VOID)
}

/// Returns what ends an element in which there are no tags.
pub(super) fn end_of_raw(name: &[u8]) -> Option<&'static [u8]> {
    RAW.iter().find(|(raw, _)| raw.as_bytes() == name).map(|(_, end)| *end)
}

/// Returns whether an element ends where another one begins.
pub(super) fn ends_before(element: &[u8], next: &[u8]) -> bool {
    match element {
        b"colgroup" => next != b"col",
        _ => ENDED_BY.iter().any(|(ended, by)| ended.as_bytes() == element && is_one_of(next, by)),
    }
}

fn is_one_of(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|other| other.as_bytes() == name)
}
