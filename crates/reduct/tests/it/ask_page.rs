//! A person as the test who is asked on a page: played by a plain client that answers like one.

use crate::workshop::{Running, Workshop};
use std::collections::HashSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const LINES: usize = 896;

fn page(workshop: &Workshop, guilty: &[usize]) {
    let line = |n| if guilty.contains(&n) { format!("guilty {n}\n") } else { format!("line {n}\n") };
    workshop.write("page.txt", (0..LINES).map(line).collect::<String>());
}

fn fails(candidate: &str, guilty: &[usize]) -> bool {
    guilty.iter().all(|n| candidate.lines().any(|line| line == format!("guilty {n}")))
}

/// Where a page is served.
#[derive(Clone, Debug)]
struct Address {
    host: String,
    root: String,
}

/// What came back.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: String,
    body: String,
}

impl Address {
    /// The last one that was printed.
    fn of(running: &mut Running) -> Address {
        running.wait_for("asked at http://");
        let said = running.so_far();
        let address = said.rsplit("asked at http://").next().unwrap().split_whitespace().next().unwrap();
        let (host, path) = address.split_once('/').unwrap();
        Address { host: host.into(), root: format!("/{path}") }
    }

    /// Sends a request with these headers, and returns what comes back, if anything does.
    fn send(&self, line: &str, headers: &[&str], body: &str) -> Option<Reply> {
        let mut stream = TcpStream::connect(&self.host).ok()?;
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = body.len();
        let request =
            format!("{line} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).ok()?;
        let mut all = vec![];
        stream.read_to_end(&mut all).ok()?;
        let all = String::from_utf8_lossy(&all).into_owned();
        let (headers, body) = all.split_once("\r\n\r\n")?;
        let status = headers.split(' ').nth(1)?.parse().ok()?;
        Some(Reply { status, headers: headers.to_owned(), body: body.to_owned() })
    }

    fn get(&self, path: &str) -> Reply {
        let host = format!("Host: {}", self.host);
        self.send(&format!("GET {}{path}", self.root), &[&host], "").expect("there is a reply")
    }

    fn post(&self, body: &str) -> Reply {
        let (host, origin) = (format!("Host: {}", self.host), format!("Origin: http://{}", self.host));
        self.send(&format!("POST {}answer", self.root), &[&host, &origin], body).expect("there is a reply")
    }

    /// The open question: what its answer has to name, and the candidate.
    fn question(&self) -> (String, String) {
        let page = self.get("");
        assert_eq!(page.status, 200, "{page:?}");
        let number = between(&page.body, "name=\"question\" value=\"", "\"").to_owned();
        let raw = self.get(between(&page.body, "<h3><a href=\"", "\""));
        assert_eq!(raw.status, 200, "{raw:?}");
        (number, raw.body)
    }

    fn say(&self, number: &str, word: &str) -> Reply {
        self.post(&format!("question={number}&say={word}"))
    }

    /// Answers until the end; returns the candidates.
    fn answer_all(&self, judge: impl Fn(&str) -> bool) -> Vec<String> {
        let mut asked = vec![];
        loop {
            let (number, candidate) = self.question();
            let reply = self.say(&number, if judge(&candidate) { "fails" } else { "passes" });
            asked.push(candidate);
            if reply.status == 200 {
                assert!(reply.body.contains("The run has ended"), "{reply:?}");
                return asked;
            }
            assert_eq!(reply.status, 303, "{reply:?}");
        }
    }
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from}: {text}"));
    rest.split_once(to).unwrap().0
}

#[test]
fn a_page_asks_as_little_as_a_terminal_and_needs_none() {
    let workshop = Workshop::new();
    page(&workshop, &[447]);
    let mut running = workshop.reduct(["page.txt", "--ask=page"]).start();
    let address = Address::of(&mut running);
    assert!(address.host.starts_with("127.0.0.1:"), "{address:?}");
    let first = address.get("").body;
    assert!(first.contains("<progress value=\"0\" max=\"11\" "), "{first}");
    assert!(first.contains("The best so far: 896 of 896 lines. This candidate: 448 lines."), "{first}");
    for words in ["Question 1:", "at most 11, if one of the lines is to blame", "896 of 896 lines", "more lines"] {
        assert!(first.contains(words), "{words}: {first}");
    }
    let asked = address.answer_all(|candidate| fails(candidate, &[447]));
    running.wait().exits_with(0).says("by your answers");
    let different: HashSet<_> = asked.iter().collect();
    assert!(asked.len() <= 12 && different.len() == asked.len(), "{} questions", asked.len());
    assert_eq!(workshop.text("page.reduced.txt"), "guilty 447\n");
    assert!(!workshop.path(".reduct/asked").exists());
}

#[test]
fn undo_reload_and_two_tabs() {
    let workshop = Workshop::new();
    page(&workshop, &[300, 700]);
    let mut running = workshop.reduct(["page.txt", "--ask=page"]).start();
    let address = Address::of(&mut running);
    let (number, first) = address.question();
    assert_eq!(address.say(&number, "undo").status, 303);
    assert!(address.get("").body.contains("There is no answer to take back"));
    // Read again, it is the same question.
    assert_eq!(address.question(), (number.clone(), first.clone()));
    address.say(&number, "fails");
    let (later, second) = address.question();
    assert!(second.len() < first.len() && address.get("").body.contains("Question 2:"));
    // Another tab still shows the first one: its answer does not count, and it gets the open question.
    let reply = address.say(&number, "passes");
    assert!(reply.status == 303 && reply.headers.contains(&address.root), "{reply:?}");
    assert_eq!(address.question(), (later.clone(), second));
    // The first answer was wrong.
    address.say(&later, "undo");
    assert_eq!(address.question().1, first);
    assert!(address.get("").body.contains("Question 1:"));
    address.answer_all(|candidate| fails(candidate, &[300, 700]));
    running.wait().exits_with(0);
    assert_eq!(workshop.text("page.reduced.txt"), "guilty 300\nguilty 700\n");
}

#[test]
fn strangers_neither_see_nor_answer_anything() {
    let workshop = Workshop::new();
    page(&workshop, &[1]);
    let mut running = workshop.reduct(["page.txt", "--ask=page"]).start();
    let address = Address::of(&mut running);
    let (host, root) = (format!("Host: {}", address.host), address.root.clone());
    let (number, _) = address.question();
    let body = format!("question={number}&say=fails");
    let status = |line: &str, headers: &[&str]| address.send(line, headers, &body).unwrap().status;
    // Without the token, there is nothing.
    for path in ["/", "/answer", "/0123456789abcdef0123456789abcdef/", "/favicon.ico"] {
        assert_eq!(status(&format!("GET {path}"), &[&host]), 404, "{path}");
        assert_eq!(status(&format!("POST {path}"), &[&host]), 404, "{path}");
    }
    // A name that somebody made point here; none at all.
    for other in [&["Host: evil.example"][..], &["Host: 127.0.0.1.evil.example:80"], &[]] {
        assert_eq!(status(&format!("GET {root}"), other), 403, "{other:?}");
        assert_eq!(status(&format!("POST {root}answer"), other), 403, "{other:?}");
    }
    // Another page that knows the address; what is shown in a frame; another server on this machine.
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://evil.example"] {
        let headers: [&str; 2] = [&host, &format!("Origin: {origin}")];
        assert_eq!(status(&format!("POST {root}answer"), &headers), 403, "{origin}");
    }
    for body in ["", "say=fails", "question=x&say=fails", &format!("question={number}&say=maybe"), &"x".repeat(5000)] {
        assert_eq!(address.post(body).status, 400, "{body}");
    }
    assert_eq!(status(&format!("DELETE {root}"), &[&host]), 405);
    assert_eq!(address.get(&format!("raw/{number}/../../etc/passwd")).status, 404);
    // Nothing of all that was an answer; a port that is forwarded from elsewhere is here, too.
    assert_eq!(address.question().0, number);
    assert_eq!(status(&format!("GET {root}"), &["Host: localhost:8080"]), 200);
    let mut running = {
        address.say(&number, "stop");
        running
    };
    while !running.is_over() {
        crate::workshop::pause();
    }
    running.wait().exits_with(4).says("Stopped before the end").says("reduct resume");
}

#[test]
fn what_is_shown_is_escaped_and_kept_from_running() {
    let workshop = Workshop::new();
    let name = "a'\"<b>&.html";
    workshop.write(name, "<script>alert(1)</script>\n<b>bold</b>\nneedle\n");
    let mut running = workshop.reduct([name, "--ask=page"]).start();
    let address = Address::of(&mut running);
    let page = address.get("");
    assert!(!page.body.contains("<script>alert") && page.body.contains("&lt;script&gt;alert(1)"), "{}", page.body);
    assert!(page.body.contains("a&#39;&quot;&lt;b&gt;&amp;.html") && !page.body.contains(name));
    assert!(page.body.contains("<iframe sandbox src=\"raw/1/a%27%22%3Cb%3E%26.html\" "), "{}", page.body);
    // Beside it, the whole page, which fails, as sandboxed.
    assert!(page.body.contains("<iframe sandbox src=\"raw/best/a%27%22%3Cb%3E%26.html?1\" "), "{}", page.body);
    let best = address.get("raw/best/a%27%22%3Cb%3E%26.html?1");
    assert_eq!(best.body, workshop.text(name));
    assert!(best.headers.contains("Content-Security-Policy: sandbox; default-src 'none'"), "{}", best.headers);
    let policy = between(&page.headers, "Content-Security-Policy: ", "\r\n");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let raw = address.get("raw/1/a%27%22%3Cb%3E%26.html");
    assert!(raw.headers.contains("Content-Security-Policy: sandbox; default-src 'none'"), "{}", raw.headers);
    assert!(
        raw.headers.contains("text/html") && raw.headers.contains("nosniff") && raw.headers.contains("no-referrer")
    );
    address.answer_all(|candidate| candidate.contains("needle"));
    running.wait().exits_with(0);
}

#[test]
fn images_other_bytes_and_folders_are_shown() {
    let workshop = Workshop::new();
    workshop.write("folder/picture.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    workshop.write("folder/data", b"ab\0\xff");
    workshop.write("folder/sub/needle.txt", "one\nneedle\n");
    let mut running = workshop.reduct(["folder", "--ask=page"]).start();
    let address = Address::of(&mut running);
    let mut seen = String::new();
    let in_page = |page: &str| page.contains("needle.txt</a>");
    loop {
        let page = address.get("").body;
        let number = between(&page, "name=\"question\" value=\"", "\"").to_owned();
        let word =
            if in_page(&page) && page.contains("needle") && !page.contains("<del>needle") { "fails" } else { "passes" };
        seen += &page;
        if address.say(&number, word).status == 200 {
            break;
        }
    }
    running.wait().exits_with(0);
    assert!(
        seen.contains("<img src=") && seen.contains("61 62 00 ff") && seen.contains("not in this candidate"),
        "{seen}"
    );
}

#[test]
fn killed_it_goes_on_tomorrow_on_another_page() {
    let workshop = Workshop::new();
    page(&workshop, &[123]);
    let judge = |candidate: &str| fails(candidate, &[123]);
    let mut running = workshop.reduct(["page.txt", "--ask=page"]).start();
    let before = Address::of(&mut running);
    for _ in 0..4 {
        let (number, candidate) = before.question();
        before.say(&number, if judge(&candidate) { "fails" } else { "passes" });
    }
    let (_, unanswered) = before.question();
    running.kill();
    running.wait();
    let mut running = workshop.reduct(["resume"]).start();
    let address = Address::of(&mut running);
    assert_ne!(address.root, before.root);
    assert_eq!(address.question().1, unanswered);
    assert!(address.get("").body.contains("Question 5:"));
    let asked = address.answer_all(judge);
    running.wait().exits_with(0).does_not_say("exits with 0").says("what you say it is");
    assert!(asked.len() <= 8, "{} more questions", asked.len());
    assert_eq!(workshop.text("page.reduced.txt"), "guilty 123\n");
}

#[test]
fn ctrl_c_ends_it_with_the_best_so_far() {
    let workshop = Workshop::new();
    page(&workshop, &[5]);
    let mut running = workshop.reduct(["page.txt", "--ask=page"]).start();
    let address = Address::of(&mut running);
    let (number, first) = address.question();
    address.say(&number, "fails");
    running.process().kill(rustix::process::Signal::INT);
    running.wait().exits_with(130).says("reduct resume");
    assert_eq!(workshop.text("page.reduced.txt"), first);
}

#[test]
fn a_terminal_and_a_page_go_together_and_the_page_is_opened_if_asked_for() {
    let workshop = Workshop::new();
    page(&workshop, &[600]);
    workshop.script("browser", "echo \"$1\" >\"$WORKSHOP/opened\"");
    let line = "BROWSER=./browser \"$REDUCT\" page.txt --ask=browser";
    let mut running = workshop.call("script", ["-qefc", line, "/dev/null"]).with_keys().start();
    let address = Address::of(&mut running);
    let opened = || fs::read_to_string(workshop.beside("opened")).unwrap_or_default();
    workshop.eventually("it is opened", || if opened().ends_with(".html\n") { Ok(()) } else { Err(opened()) });
    // Not by its address, which would be seen by all users of the machine.
    let opened = opened();
    let path = opened.trim_end().strip_prefix("file://").expect("it is a file");
    let leads = format!("content=\"0;url=http://{}{}\"", address.host, address.root);
    assert!(fs::read_to_string(path).unwrap().contains(&leads));
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    running.wait_for("Question 1: does it fail?");
    let (number, first) = address.question();
    address.say(&number, if fails(&first, &[600]) { "fails" } else { "passes" });
    running.wait_for("(said on the page)");
    running.wait_for("Question 2: does it fail?");
    let (_, second) = address.question();
    running.press(if fails(&second, &[600]) { "f" } else { "p" });
    running.wait_for("Question 3: does it fail?");
    address.answer_all(|candidate| fails(candidate, &[600]));
    running.wait().exits_with(0);
    assert_eq!(workshop.text("page.reduced.txt"), "guilty 600\n");
    assert!(!Path::new(path).exists());
}

/// What somebody else on this machine may send: the session goes on, and an answer counts.
#[test]
fn nobody_without_the_token_holds_it_up() {
    let workshop = Workshop::new();
    workshop.write("page.txt", format!("{}\nneedle\n", "x".repeat(8 << 20)));
    let mut running = workshop.reduct(["page.txt", "--ask=page"]).start();
    let address = Address::of(&mut running);
    let (host, root) = (format!("Host: {}", address.host), address.root.clone());
    let sent = |text: &str| {
        let mut stream = TcpStream::connect(&address.host).unwrap();
        // Some are turned away before they have said it all.
        let _ = stream.write_all(text.as_bytes());
        stream
    };
    let mut open = vec![];
    for length in ["5000", "1000", "1000000000000000", "18446744073709551615", "99999999999999999999999", "-1", "x"] {
        for target in ["/", &format!("{root}answer")] {
            let head = format!("POST {target} HTTP/1.1\r\n{host}\r\nContent-Length: {length}\r\n\r\n");
            open.push(sent(&format!("{head}question=")));
        }
    }
    // A head without an end, one that is no head, many clients that send nothing, and two that do not read the reply.
    open.push(sent(&format!("GET / HTTP/1.1\r\n{}", "X: y\r\n".repeat(10_000))));
    open.push(sent("\0\r\n\r\n"));
    for number in 1..=2 {
        open.push(sent(&format!("GET {root}raw/{number}/page.txt HTTP/1.1\r\n{host}\r\n\r\n")));
    }
    open.extend((0..40).map(|_| sent("")));
    let asked = address.answer_all(|candidate| candidate.contains("needle"));
    running.wait().exits_with(0);
    assert!(!asked.is_empty());
    drop(open);
}

#[test]
fn a_form_says_where_it_comes_from_and_a_style_is_taken_for_one() {
    let workshop = Workshop::new();
    workshop.write("a.css", "p{}\nneedle\nq{}\n");
    let mut running = workshop.reduct(["a.css", "--ask=page"]).start();
    let address = Address::of(&mut running);
    let page = address.get("");
    // Under `no-referrer`, a browser says `null`, as everybody may.
    assert!(page.headers.contains("Referrer-Policy: same-origin\r\n"), "{}", page.headers);
    let number = between(&page.body, "name=\"question\" value=\"", "\"").to_owned();
    // What is framed is of no origin, so that what belongs to it comes from another one.
    let raw = address.get(&format!("raw/{number}/a.css")).headers;
    for line in ["Content-Type: text/css", "Cross-Origin-Resource-Policy: cross-origin", "Referrer-Policy: no-referrer"]
    {
        assert!(raw.contains(&format!("{line}\r\n")), "{line}: {raw}");
    }
    let reply = address.say(&number, "stop");
    assert_eq!(reply.status, 200, "{reply:?}");
    // The end says where the best so far is, and how it is gone on with.
    for said in [
        "The run was stopped.",
        "The best so far: 3 of 3 lines.",
        "a.reduced.css</code>",
        "reduct resume</code> goes on",
    ] {
        assert!(reply.body.contains(said), "{said}: {}", reply.body);
    }
    running.wait().exits_with(4);
}
