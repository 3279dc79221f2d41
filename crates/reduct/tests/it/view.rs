//! The page of a run while it goes on, in a real browser.

use crate::browser::Browser;
use crate::report::FITS;
use crate::workshop::{Running, Workshop};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The address that was printed.
pub(crate) fn address(running: &mut Running) -> String {
    running.wait_for("seen at http://");
    let said = running.so_far();
    said.rsplit("seen at ").next().unwrap().split_whitespace().next().unwrap().to_owned()
}

/// A run of lines of which one matters, whose tests wait from the sixth and from the eighth on until they may go on.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    let lines: String = (0..40).map(|n| if n == 25 { "needle\n".to_owned() } else { format!("line {n}\n") }).collect();
    workshop.write("input", lines);
    let wait = |from: u32, until: &str| {
        format!("[ \"$(wc -l <\"$LOG\")\" -lt {from} ] || while [ ! -e \"$WORKSHOP/{until}\" ]; do sleep 0.02; done\n")
    };
    let waits = wait(6, "some") + &wait(8, "go");
    workshop.script("test.sh", &format!("echo >>\"$LOG\"\n{waits}echo looking\ngrep -q needle input"));
    workshop
}

/// A picture of the page, where one is asked for.
fn shoot(browser: &mut Browser, name: &str) {
    if let Some(folder) = std::env::var_os("REDUCT_SHOTS") {
        browser.shoot(&PathBuf::from(folder), name);
    }
}

/// Whether the page says of a run what another page, given as text, says of it.
const IS_AS: &str = "text => {
    const other = new DOMParser().parseFromString(text.replace(/<style>[^]*?<.style>/, ''), 'text/html');
    const said = page => ['h1', '#r-result-0', '#tests tbody', '#tests-said', '#tests-foot', '#steps-said']
        .map(part => page.querySelector(part)?.textContent);
    const data = JSON.parse(other.getElementById('data').textContent);
    const steps = all => all.map(({ step, n, size, diff }) => [step, n, size, diff]);
    return JSON.stringify([said(document), steps(reductPage.data.steps)]) === JSON.stringify([said(other), steps(data.steps)]);
}";

#[test]
fn the_page_follows_a_run_that_it_pauses_and_takes_back_to_a_step() {
    let workshop = workshop();
    let words = "--view --plain -j1 --timeout 10m --by lines ./test.sh input";
    let mut running = workshop.reduct(words.split(' ')).start();
    let place = address(&mut running);
    assert!(workshop.wait_for_runs(6, &mut running));
    let mut browser = Browser::start();
    browser.visit(&place);
    browser.until("document.querySelectorAll('#tests tbody tr').length > 0");
    // Before the first step, and before it is known whether the run is under way, the page may be read anew.
    browser.until("reductPage.data.known?.steps > 0 && document.querySelector('#live').dataset.state === 'searching'");
    let loads = "document.querySelector('#live').dataset.loads ?? 0";
    let loaded = browser.value(loads);
    browser.value("document.getElementById('r-result-0').focus()");
    // It grows to what a report of the whole run says.
    std::fs::write(workshop.beside("some"), "").unwrap();
    assert!(workshop.wait_for_runs(8, &mut running));
    let report = workshop.reduct(["report", "-o", "-"]).run().exits_with(0).stdout;
    browser.until(&format!("({IS_AS})({})", serde_json::json!(report)));
    assert_eq!(browser.value(loads), loaded);
    // A person who reads the result there stays there.
    assert_eq!(browser.value("document.activeElement.id"), "r-result-0");
    // It follows: the eighth test waits, and the page says so.
    browser.until("document.querySelector('#live').dataset.state === 'searching'");
    browser.until("document.getElementById('live-more').textContent.includes('testing ')");
    browser.until("document.querySelectorAll('#tests tbody tr').length > 2");
    browser.until("document.getElementById('live-rows').textContent.includes('lines')");
    browser.click("#live-pause");
    browser.until("document.querySelector('#live').dataset.state === 'paused'");
    shoot(&mut browser, "view");
    assert_eq!(browser.violations(), serde_json::json!([]));
    let before = std::fs::read(workshop.run_folder().join("journal")).unwrap().len();
    // Nothing is started in a pause, however far the test that was under way comes.
    std::fs::write(workshop.beside("go"), "").unwrap();
    browser.until(
        "document.getElementById('live-more').textContent.includes('last test: ') && \
                   !document.getElementById('live-more').textContent.includes('testing ')",
    );
    assert!(std::fs::read(workshop.run_folder().join("journal")).unwrap().len() > before);
    let runs = workshop.runs();
    // A page of another origin can neither read nor ask.
    let mut stranger = Browser::start();
    let evil = workshop.path("evil.html");
    std::fs::write(&evil, "<!doctype html><title>evil</title>").unwrap();
    stranger.open(&evil, 800);
    let read = format!("fetch({:?}).then(r => r.text(), e => 'refused')", place);
    assert_eq!(stranger.value(&read), "refused");
    let post = format!(
        "fetch('{place}do', {{method: 'POST', body: 'what=stop', mode: 'no-cors'}}).then(r => r.type, e => 'refused')"
    );
    let said = stranger.value(&post);
    assert!(said == "opaque" || said == "refused", "{said}");
    let events = format!(
        "new Promise(done => {{ const e = new EventSource('{place}events'); e.onmessage = m => done(m.data); e.onerror = () => done('refused') }})"
    );
    assert_eq!(stranger.value(&events), "refused");
    assert_eq!(browser.value("document.querySelector('#live').dataset.state"), "paused");
    assert_eq!(workshop.runs(), runs);
    // It goes on to its end, and the page has the result.
    browser.click("#live-pause");
    browser.until("document.querySelector('#live').dataset.state === 'rest'");
    browser.until("(document.querySelector('#r-result-0') ?? {}).textContent === 'needle\\n'");
    running.wait().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    let strange: Vec<&String> = browser
        .heard
        .iter()
        .filter(|heard| !heard.contains(&place) && !heard.starts_with("log: Failed to load"))
        .collect();
    assert_eq!(strange, Vec::<&String>::new());

    // From elsewhere, and back to a step.
    let opener = workshop.script(
        "open.sh",
        "cat \"${1#file://}\" >\"$WORKSHOP/opened.part\"; mv \"$WORKSHOP/opened.part\" \"$WORKSHOP/opened\"",
    );
    let mut viewing = workshop.reduct(["view", "--open"]).env("BROWSER", opener).start();
    let place = address(&mut viewing);
    browser.visit(&place);
    browser.until("document.getElementById('live-back').hidden === false");
    shoot(&mut browser, "view-ended");
    browser.value(
        "(() => { const s = document.getElementById('step'); s.value = 1; s.dispatchEvent(new Event('input', { bubbles: true })) })()",
    );
    browser.click("#live-back");
    browser.until("document.getElementById('live-note').textContent.includes('goes back to step 1')");
    // The run goes on by itself, from there to its end.
    let journal = || std::fs::read_to_string(workshop.run_folder().join("journal")).unwrap();
    workshop.eventually("the run goes on from the step", || {
        let text = journal();
        let branch = text.split("\"t\":\"branch\"").nth(1).ok_or_else(|| text.clone())?;
        if branch.contains("\"t\":\"ended\"") { Ok(()) } else { Err(text.clone()) }
    });
    browser.until("document.querySelector('#live').dataset.state === 'rest'");
    // What is opened leads to the page.
    let deadline = Instant::now() + Duration::from_secs(60);
    while !workshop.beside("opened").exists() {
        assert!(Instant::now() < deadline, "nothing was opened");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(std::fs::read_to_string(workshop.beside("opened")).unwrap().contains(&place));
    viewing.process().kill(rustix::process::Signal::INT);
    viewing.wait().exits_with(0);
}

/// A person is the test, and answers by keys: what is asked stands above the page of the run.
#[test]
fn a_page_that_asks_is_the_page_of_the_run() {
    let workshop = Workshop::new();
    workshop.write("page.html", "<p>one</p>\n<p>two</p>\n<p>needle</p>\n<p>four</p>\n");
    let mut running = workshop.reduct(["page.html", "--ask=page", "--view"]).start();
    running.wait_for("asked at http://");
    let said = running.so_far();
    // One page is enough.
    assert!(!said.contains("seen at"), "{said}");
    let place = said.rsplit("asked at ").next().unwrap().split_whitespace().next().unwrap().to_owned();
    let mut browser = Browser::start();
    browser.visit(&place);
    browser.until("document.querySelectorAll('#asked iframe').length === 2");
    assert_eq!(browser.violations(), serde_json::json!([]));
    assert_eq!(browser.value(FITS), true);
    shoot(&mut browser, "ask");
    let mut asked = 0;
    while browser.value("document.querySelector('#asked form') !== null") == true {
        let candidate = "document.querySelector('#asked pre').cloneNode(true)";
        let is_there = format!(
            "(() => {{ const c = {candidate}; c.querySelectorAll('del').forEach(d => d.remove()); return c.textContent.includes('needle') }})()"
        );
        let key = if browser.value(&is_there) == true { "f" } else { "p" };
        browser.press_to_leave(key);
        asked += 1;
        // The page of the run has each answer.
        let rows = browser.value("document.querySelectorAll('#tests tbody tr:not(.gap)').length");
        assert!((asked..9).contains(&rows.as_u64().unwrap()), "{rows} after {asked}");
    }
    running.wait().exits_with(0);
    assert_eq!(workshop.text("page.reduced.html"), "<p>needle</p>\n");
    assert_eq!(browser.value("document.querySelector('#r-result-0').textContent"), "<p>needle</p>\n");
    let end = browser.value("document.querySelector('#asked').textContent");
    assert!(end.as_str().unwrap().contains("The run has ended"), "{end}");
}

/// A view of a run in which a person is asked shows the question, and says where it is answered; what goes on with the run serves one
/// page only.
#[test]
fn the_question_that_is_open_is_shown_where_it_cannot_be_answered() {
    let workshop = Workshop::new();
    workshop.write("page.txt", "one\ntwo\n<b>needle</b>\nfour\n");
    let mut running = workshop.reduct(["page.txt", "--ask=page"]).start();
    running.wait_for("asked at http://");
    let mut viewing = workshop.reduct(["view"]).start();
    let mut browser = Browser::start();
    browser.visit(&address(&mut viewing));
    browser.until(
        "(document.querySelector('#answer .note') ?? {textContent: ''}).textContent.includes('Question 1 is open')",
    );
    let said = browser.value("document.querySelector('#answer .note').textContent");
    let said = said.as_str().unwrap();
    assert!(said.contains("on its own page") && said.contains("This page cannot answer it"), "{said}");
    assert_eq!(browser.value("document.querySelector('#answer .note .diff del').textContent.split('\\n').length"), 3);
    assert_eq!(browser.value("document.querySelectorAll('form').length"), 0);
    assert_eq!(browser.violations(), serde_json::json!([]));
    viewing.process().kill(rustix::process::Signal::INT);
    viewing.wait().exits_with(0);
    running.process().kill(rustix::process::Signal::INT);
    running.wait().exits_with(130);
    let mut resumed = workshop.reduct(["resume", "--view"]).start();
    resumed.wait_for("asked at http://");
    assert!(!resumed.so_far().contains("seen at"), "{}", resumed.so_far());
    resumed.process().kill(rustix::process::Signal::INT);
    resumed.wait().exits_with(130).does_not_say("seen at");
}
