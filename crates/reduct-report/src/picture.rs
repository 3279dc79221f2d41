//! The three pictures of a search, as SVG and as text for a terminal: the table of tests with what was left out in grey
//! (book, Example 5.8), the grid of configurations (AADEBUG 2000, figures 2 and 5), and the size over the tests on a
//! logarithmic axis (book, figures 5.2 and 5.3).

pub mod curve;
pub mod grid;
pub mod phases;
pub mod table;
pub mod terminal;

use crate::human::count;
use crate::story::StorySearch;
use crate::words;
use std::fmt::Write;

/// Which picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// The grid of configurations.
    Grid,
    /// The size over the tests.
    Curve,
    /// The table of tests.
    Table,
}

impl Picture {
    /// All pictures with their names.
    pub const ALL: &[(&str, Picture)] =
        &[("grid", Picture::Grid), ("curve", Picture::Curve), ("table", Picture::Table)];

    /// Returns it as a file of its own.
    pub fn svg(self, search: &StorySearch) -> String {
        match self {
            Picture::Grid => grid::svg(search, 0, Look::Alone),
            Picture::Curve => curve::svg(search, Look::Alone),
            Picture::Table => table::svg(search),
        }
    }
}

/// Whether a picture stands on a page that has its colours, or alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Its colours are those of the page.
    OnPage,
    /// It brings its colours.
    Alone,
}

/// What a picture alone brings: the colours of the page, light and dark.
const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#55565e}\
.p{font:13px ui-monospace,monospace;fill:#1d1e22}\
.fail{fill:#b3261e}.pass{fill:#23744a}.unresolved{fill:#8a6100}\
.gone{fill:#8b8c93;text-decoration:line-through}\
.axis{stroke:#c9c8c2}.line{fill:none;stroke:#23458c;stroke-width:2}.band{fill:#8083901f}.plain{fill-opacity:0}.paper{fill:#fbfaf7}\
@media(prefers-color-scheme:dark){text{fill:#b4b4ba}.p{fill:#e9e7e2}.fail{fill:#ff8f85}.pass{fill:#7fd0a2}\
.unresolved{fill:#e2b65a}.gone{fill:#85868d}.axis{stroke:#46474d}.line{stroke:#9dbbf5}.paper{fill:#17181b}}";

/// Begins a picture of this size, which says what it is.
fn begin(svg: &mut String, (width, height): (usize, usize), (title, told): (&str, &str), look: Look) {
    let (title, told) = (escaped(title), escaped(told));
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}. {told}\">"
    );
    if look == Look::Alone {
        let _ = write!(svg, "<title>{title}</title><desc>{told}</desc><style>{STYLE}</style>");
        let _ = write!(svg, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
    }
}

/// Returns a text as XML takes it; what XML has no place for is shown by signs.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\u{fffe}' | '\u{ffff}' => safe.push('�'),
            other => safe.push(crate::excerpt::visible(other)),
        }
    }
    safe
}

/// Returns what a phase is called: `lines, round 1`.
pub(crate) fn phase(search: &StorySearch, at: usize) -> String {
    let phase = search.phases.get(at).and_then(|phase| phase.phase);
    phase.map_or_else(|| "search".into(), |phase| words::phase(&phase))
}

/// Returns how the run went in one line, for readers who cannot see a picture.
pub(crate) fn told(search: &StorySearch) -> String {
    let ((before, of), (after, unit)) = (search.before, search.after);
    format!(
        "{} in {}, {} accepted",
        crate::human::sizes((before, of), (after, unit)),
        crate::human::counted(search.tests.len(), "tests"),
        count(search.steps.len())
    )
}
