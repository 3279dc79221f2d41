use crate::fixture::{Paper, Watch, began, every, improved, phase, ran, retired, show};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use reduct_core::Outcome;
use reduct_report::screen::view::View;
use reduct_report::{Screen, SessionState};
use reduct_session::event::Event;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// After ten seconds of ten tests each, half a second after the last progress.
fn state() -> SessionState {
    let mut state = SessionState::default();
    let at = Duration::from_millis;
    state.take(&Event::Began(Box::new(began())), at(0));
    state.take(&phase(), at(0));
    state.take(&Event::Started { running: 3 }, at(0));
    for n in 1..=100 {
        state.take(&ran(), at(n * 100));
        state.take(&Event::Started { running: 3 }, at(n * 100));
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
    terminal.draw(|frame| frame.render_widget(View { state, now, keys: true }, frame.area())).unwrap();
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
    assert!(lines[7].starts_with("lines, round 1   1,204 parts"), "{text}");
    // The bytes 11..20 of the input.
    assert!(lines[8].starts_with("−9 bytes, 500 ms ago   good text "), "{text}");
    assert!(lines[9].starts_with("s skip phase · q stop with the best · Ctrl-C"), "{text}");
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

/// A terminal that understands what the screen sends, and nothing else.
#[derive(Default)]
struct Emulator {
    rows: Vec<String>,
    row: usize,
}

impl Emulator {
    fn after(text: &str) -> Emulator {
        let mut emulator = Emulator { rows: vec!["$ reduct".to_owned(), String::new()], row: 1 };
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            rest = &rest[character.len_utf8()..];
            match character {
                '\x1b' => {
                    let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                    emulator.obey(&rest[1..end], &rest[end..=end]);
                    rest = &rest[end + 1..];
                }
                '\n' => emulator.down(),
                '\r' => {}
                _ => emulator.rows[emulator.row].push(character),
            }
        }
        emulator
    }

    fn down(&mut self) {
        self.row += 1;
        if self.row == self.rows.len() {
            self.rows.push(String::new());
        }
    }

    fn obey(&mut self, arguments: &str, command: &str) {
        match command {
            "A" => self.row -= arguments.parse::<usize>().unwrap(),
            "K" => self.rows[self.row].clear(),
            "J" => {
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
    assert_eq!(seen.rows.len(), 1 + 10 + 1);
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
    show(&mut screen, &every()[..9]);
    for size in [(120, 5), (200, 2), (200, 40)] {
        *extent.lock().unwrap() = size;
        watch.pass(100);
        screen.tick();
        let seen = Emulator::after(&paper.text());
        assert_eq!(seen.rows.len(), 1 + usize::from(size.1 - 1).min(10) + 1, "{:?}", seen.rows);
    }
    drop(screen);
    assert_eq!(Emulator::after(&paper.text()).rows, ["$ reduct", ""]);
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
