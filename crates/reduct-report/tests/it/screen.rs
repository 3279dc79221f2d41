use crate::fixture::{Paper, Watch, began, every, improved, phase, printed, ran, retired, show, started};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use reduct_core::Outcome;
use reduct_report::keys::{Panel, Pressed};
use reduct_report::screen::view::View;
use reduct_report::{Screen, SessionState};
use reduct_session::event::Event;
use reduct_session::executor::Request;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// After ten seconds of ten tests each, half a second after the last progress.
fn state() -> SessionState {
    let mut state = SessionState::default();
    let at = Duration::from_millis;
    state.take(&Event::Began(Box::new(began())), at(0));
    state.take(&phase(), at(0));
    state.take(&started(3), at(0));
    for n in 1..=100 {
        state.take(&printed(b"all is well\n", b"\x1b[31merror: needle\n"), at(n * 100));
        state.take(&ran(), at(n * 100));
        state.take(&started(3), at(n * 100));
        state.take(&retired(n, if n % 4 == 0 { Outcome::Unresolved } else { Outcome::Pass }), at(n * 100));
        if n == 10 || n == 95 {
            state.take(&improved(n, if n == 10 { 20 } else { 11 }, if n == 10 { 44 } else { 20 }), at(n * 100));
        }
    }
    state
}

fn drawn(state: &SessionState, columns: u16, rows: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let now = Duration::from_millis(10_000);
    terminal
        .draw(|frame| {
            frame.render_widget(
                View { state, now, keys: true, discreet: false, panel: (Panel::Progress, &[]) },
                frame.area(),
            )
        })
        .unwrap();
    let buffer = terminal.backend().buffer().clone();
    buffer.content.chunks(columns.into()).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
}

#[test]
fn size_phase_and_rate_are_seen_on_every_terminal() {
    for columns in [20, 80, 200] {
        for rows in 3..=10 {
            let lines = drawn(&state(), columns, rows);
            let text = lines.join("\n");
            assert!(lines[0].starts_with("44 → 11 bytes"), "{text}");
            assert!(text.contains("lines, round 1"), "{text}");
            assert!(text.contains("10.0 tests/s"), "{text}");
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
        }
    }
}

#[test]
fn a_usual_terminal_has_it_all() {
    let lines = drawn(&state(), 80, 10);
    let text = lines.join("\n");
    assert!(lines[0].starts_with("44 → 11 bytes   25.0 %"), "{text}");
    assert!(lines[1].starts_with("signal 11 ␛[31mred"), "{text}");
    assert!(lines[2].starts_with("44 "), "{text}");
    assert!(lines[5].starts_with("10 "), "{text}");
    assert!(lines[2..6].iter().any(|line| line.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c))), "{text}");
    assert!(lines[6].starts_with("10.0 tests/s   100 tests   3 of 4 running   25.0 % unresolved   10.0 s"), "{text}");
    assert!(lines[7].starts_with("lines, round 1   ██░░░░░░░░░░░░░░░░░░░░░░░░░░░░   100 of 1,204 parts"), "{text}");
    // The bytes 11..20 of the input.
    assert!(lines[8].starts_with("−9 bytes, 500 ms ago   good text "), "{text}");
    assert!(
        lines[9].starts_with("? help · p pause · s skip phase · d diff · o output · q stop · Ctrl-C interrupt"),
        "{text}"
    );
}

/// What every terminal shows, as it shows it: `REDUCT_ACCEPT=1` writes it.
#[test]
fn screens_are_as_they_were_looked_at() {
    for (columns, rows) in [(20, 9), (40, 14), (80, 22), (120, 22), (200, 22)] {
        let lines = drawn(&state(), columns, rows);
        let text: String = lines.iter().map(|line| format!("{}\n", line.trim_end())).collect();
        let place = format!("{}/tests/it/screens/{columns}x{rows}.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("REDUCT_ACCEPT").is_some() {
            std::fs::write(&place, &text).unwrap();
        }
        assert_eq!(text, std::fs::read_to_string(&place).unwrap_or_default(), "{place}");
    }
}

/// The numbers of the table are those of the events: 100 tests of lines, two of them accepted, 24 and 9 bytes.
#[test]
fn the_table_has_what_each_pass_has_done() {
    let lines = drawn(&state(), 80, 22);
    let row = lines.iter().find(|line| line.starts_with("▸ lines")).expect("there is a row of the pass");
    assert_eq!(row.split_whitespace().collect::<Vec<&str>>(), ["▸", "lines", "100", "2", "33", "100", "%"]);
}

#[test]
fn what_a_test_printed_last_and_what_is_under_way_is_seen() {
    let text = drawn(&state(), 80, 22).join("\n");
    assert!(text.contains("last test: exit status 0, pass   ␛[31merror: needle"), "{text}");
    assert!(text.contains("testing   30 bytes for"), "{text}");
}

/// A screen of 80 columns and 24 rows that has seen a run begin, and what it shows after these keys.
fn after(keys: &[Pressed]) -> (Vec<Option<Request>>, String) {
    let (watch, paper) = (Watch::default(), Paper::default());
    let mut screen = Screen::new(paper.clone(), watch.clock()).sized_by(Box::new(|| (80, 24)));
    show(&mut screen, &every()[..10]);
    let asked = keys.iter().map(|key| screen.press(*key)).collect();
    (asked, Emulator::after(&paper.text()).rows.join("\n"))
}

#[test]
fn keys_show_panels_and_what_they_ask_for_is_acknowledged() {
    use Pressed::{Ask, Show};
    for (panel, expected) in [
        (Panel::Help, "switch this pass off"),
        (Panel::Diff, "@@"),
        (Panel::Output, "No test has ended yet."),
        (Panel::History, "     1        2       30 bytes  -            −14 bytes"),
    ] {
        let (asked, text) = after(&[Show(panel)]);
        assert_eq!(asked, [None]);
        assert!(text.contains(expected), "{panel:?}: {text}");
        assert!(!after(&[Show(panel), Show(panel)]).1.contains(expected), "{panel:?} is closed by the same key");
    }
    assert!(after(&[Ask(Request::Skip)]).1.contains("skipping lines…"));
    assert_eq!(after(&[Ask(Request::Pause)]).0, [Some(Request::Pause)]);
    let once = after(&[Ask(Request::Disable)]);
    assert_eq!(once.0, [None], "nothing is switched off by one key");
    assert!(once.1.contains("x once more: lines is not tried again"), "{}", once.1);
    assert_eq!(after(&[Ask(Request::Disable), Ask(Request::Disable)]).0, [None, Some(Request::Disable)]);
    let between = [Ask(Request::Disable), Ask(Request::Pause), Ask(Request::Disable)];
    assert_eq!(after(&between).0, [None, Some(Request::Pause), None]);
}

/// The curve goes down from left to right.
#[test]
fn the_curve_falls() {
    let lines = drawn(&state(), 80, 10);
    let heights: Vec<usize> = (3..80)
        .map(|column| (2..6).find(|row| lines[*row].chars().nth(column).is_some_and(|c| c > '\u{2800}')).unwrap())
        .collect();
    assert!(heights.is_sorted(), "{heights:?}");
    assert!(heights[0] < heights[76]);
}

#[test]
fn nothing_is_known_yet() {
    for (columns, rows) in [(1, 1), (2, 2), (20, 10), (80, 10)] {
        drawn(&SessionState::default(), columns, rows);
        drawn(&state(), columns, rows);
    }
    assert!(drawn(&SessionState::default(), 80, 10)[0].starts_with("running the whole input"));
}

/// A terminal that understands what the screen sends, and nothing else. Like most, it moves what does not fit any more when it
/// becomes lower out of its top, and back when it becomes higher.
struct Emulator {
    rows: Vec<String>,
    row: usize,
    height: usize,
    scrolled: Vec<String>,
}

impl Emulator {
    fn new(height: usize) -> Emulator {
        Emulator { rows: vec!["$ reduct".to_owned(), String::new()], row: 1, height, scrolled: vec![] }
    }

    fn after(text: &str) -> Emulator {
        let mut emulator = Emulator::new(usize::MAX);
        emulator.take(text);
        emulator
    }

    fn take(&mut self, text: &str) {
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            rest = &rest[character.len_utf8()..];
            match character {
                '\x1b' => {
                    let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                    self.obey(&rest[1..end], &rest[end..=end]);
                    rest = &rest[end + 1..];
                }
                '\n' => self.down(),
                '\r' => {}
                _ => self.rows[self.row].push(character),
            }
        }
    }

    fn resize(&mut self, height: usize) {
        self.height = height;
        while self.rows.len() < height
            && let Some(row) = self.scrolled.pop()
        {
            self.rows.insert(0, row);
            self.row += 1;
        }
        self.fit();
    }

    fn fit(&mut self) {
        while self.rows.len() > self.height {
            self.scrolled.push(self.rows.remove(0));
            self.row -= 1;
        }
    }

    fn down(&mut self) {
        self.row += 1;
        if self.row == self.rows.len() {
            self.rows.push(String::new());
        }
        self.fit();
    }

    fn seen(&self) -> Vec<&str> {
        let below = self.rows[self.row + 1..].iter().rev().take_while(|row| row.is_empty()).count();
        let shown = &self.rows[..self.rows.len() - below];
        self.scrolled.iter().chain(shown).map(String::as_str).collect()
    }

    fn obey(&mut self, arguments: &str, command: &str) {
        match command {
            "A" => self.row = self.row.saturating_sub(arguments.parse::<usize>().unwrap()),
            "B" => self.row += arguments.parse::<usize>().unwrap(),
            "K" => self.rows[self.row].clear(),
            "J" => {
                assert!(self.row > 0, "this would be kept where one can scroll back to it");
                self.rows.truncate(self.row + 1);
                self.rows[self.row].clear();
            }
            "m" | "h" | "l" => {}
            _ => panic!("{arguments}{command}"),
        }
    }
}

#[test]
fn the_block_is_replaced_by_the_summary() {
    let (watch, paper) = (Watch::default(), Paper::default());
    let mut screen = Screen::new(paper.clone(), watch.clock()).sized_by(Box::new(|| (80, 24))).result_at("small.txt");
    let events = every();
    let (last, others) = events.split_last().unwrap();
    for event in others {
        watch.pass(150);
        show(&mut screen, std::slice::from_ref(event));
    }
    let seen = Emulator::after(&paper.text());
    assert_eq!(seen.rows[0], "$ reduct");
    assert!(seen.rows[1].starts_with("44 → 30 bytes"), "{:?}", seen.rows);
    assert_eq!(seen.rows.len(), 1 + 22 + 1);
    show(&mut screen, std::slice::from_ref(last));
    drop(screen);
    let seen = Emulator::after(&paper.text());
    assert_eq!(seen.rows[..2], ["$ reduct", "Failure: signal 11 ␛[31mred"]);
    assert_eq!(seen.rows[seen.rows.len() - 2..], ["The result is small.txt", ""]);
}

#[test]
fn the_block_follows_the_size_of_the_terminal_and_goes_when_dropped() {
    let (watch, paper) = (Watch::default(), Paper::default());
    let extent = Arc::new(Mutex::new((80, 24)));
    let asked = extent.clone();
    let mut screen = Screen::new(paper.clone(), watch.clock()).sized_by(Box::new(move || *asked.lock().unwrap()));
    let (mut terminal, mut read) = (Emulator::new(24), 0);
    let mut look = |terminal: &mut Emulator| {
        terminal.take(&paper.text()[read..]);
        read = paper.text().len();
    };
    show(&mut screen, &every()[..9]);
    look(&mut terminal);
    // Never narrower: this terminal breaks no lines.
    for size in [(120, 5), (200, 2), (200, 40), (200, 7), (200, 30)] {
        *extent.lock().unwrap() = size;
        terminal.resize(size.1.into());
        watch.pass(100);
        screen.tick();
        look(&mut terminal);
        let block = usize::from(size.1 - 1).min(22);
        if size.1 >= 24 {
            // Nothing is left of the frames before, and what stood there before still does.
            assert_eq!(terminal.seen().len(), 1 + block + 1, "{:?}", terminal.seen());
            assert_eq!(terminal.seen()[0], "$ reduct");
        }
    }
    drop(screen);
    look(&mut terminal);
    assert_eq!(terminal.seen(), ["$ reduct", ""]);
}

#[test]
fn it_is_drawn_at_once_and_then_at_most_ten_times_a_second() {
    let (watch, paper) = (Watch::default(), Paper::default());
    let mut screen = Screen::new(paper.clone(), watch.clock()).sized_by(Box::new(|| (80, 24)));
    let frames = || paper.text().matches("\x1b[?2026h").count();
    show(&mut screen, &[Event::Began(Box::new(began()))]);
    assert_eq!(frames(), 1);
    for n in 1..=1000 {
        watch.pass(1);
        show(&mut screen, &[retired(n, Outcome::Pass)]);
    }
    assert_eq!(frames(), 11);
}
