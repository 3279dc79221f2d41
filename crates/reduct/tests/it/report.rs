//! The page about a run, in a real browser: for every kind of run, with hostile inputs, by mouse and by keyboard.

use crate::browser::Browser;
use crate::check::Check;
use crate::workshop::Workshop;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Whether nothing of a page is cut off at its side.
pub(crate) const FITS: &str = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";

/// Writes the page of the last run, and returns where.
pub(crate) fn report(workshop: &Workshop, of: &str) -> PathBuf {
    let page = workshop.path("page-of-it.html");
    workshop.reduct(["report", of, "-o", page.to_str().unwrap()]).run().exits_with(0);
    page
}

/// Example 5.8 of the book, with `axe-core` if it is there.
#[test]
fn the_page_of_example_5_8_works_by_mouse_and_by_keyboard() {
    let workshop = Workshop::with_page();
    workshop.reduct("--by chars --search ddmin --no-cache -j1 ./test.sh page.html".split(' ')).run().exits_with(0);
    let page = report(&workshop, ".");
    let mut browser = Browser::start();
    browser.open(&page, 1280);
    assert_eq!(browser.heard, Vec::<String>::new());
    let say = |browser: &mut Browser| browser.value("document.getElementById('stepsay').textContent");
    assert_eq!(browser.value("document.querySelectorAll('#tests tbody tr').length"), 48);
    assert_eq!(browser.value("document.querySelector('#r-result-0').textContent"), "<SELECT>");
    // The slider.
    let last = say(&mut browser);
    assert!(last.as_str().unwrap().starts_with("Step 6 of 6: test 33, "), "{last}");
    browser.value("document.getElementById('step').focus()");
    browser.press("ArrowLeft");
    let fifth = say(&mut browser);
    assert!(fifth.as_str().unwrap().starts_with("Step 5 of 6: test 22, "), "{fifth}");
    browser.click("#on");
    assert_eq!(say(&mut browser), last);
    let lit = "[...document.querySelectorAll('#whole .l4')].map(e => e.textContent).join('')";
    assert_eq!(browser.value(lit), "<SELECT>");
    // The filter.
    let rows = "[...document.querySelectorAll('#tests tbody tr')].filter(row => !row.hidden).length";
    browser.click("#filter input[value=accepted]");
    assert_eq!(browser.value(rows), 6);
    browser.press(" ");
    assert_eq!(browser.value(rows), 48);
    // The grid.
    browser.value("document.getElementById('gridview').focus()");
    browser.press("ArrowDown");
    browser.press("ArrowRight");
    let cell = browser.value("document.getElementById('gridsay').textContent");
    assert_eq!(cell, "Test 1: pass, size 20. Column 2 of 40: S");
    browser.point("#gridview svg", (0.5, 0.5));
    let pointed = browser.value("document.getElementById('gridsay').textContent");
    assert!(pointed.as_str().unwrap().contains("Column ") && pointed != cell, "{pointed}");
    // The slider by mouse: its middle is the third of six steps.
    browser.click("#step");
    let third = say(&mut browser);
    assert!(third.as_str().unwrap().starts_with("Step 3 of 6: test 11, "), "{third}");
    // Copy, by mouse and by keyboard: what is copied is what stands there.
    let clipboard = "{ value: { writeText: async text => { window.copied = text } } }";
    browser.value(&format!("Object.defineProperty(navigator, 'clipboard', {clipboard}); 0"));
    let label = |of: &str| {
        format!(
            "new Promise(done => {{ const b = document.querySelector('{of} .copy').firstChild; \
             const at = () => b.textContent === 'Copy' ? setTimeout(at, 10) : done(b.textContent); at() }})"
        )
    };
    browser.click("#answer .copy");
    assert_eq!(browser.value(&label("#answer")), "Copied");
    assert_eq!(browser.value("copied"), "<SELECT>");
    browser.value("document.querySelector('#commands .copy').focus()");
    browser.press(" ");
    assert_eq!(browser.value(&label("#commands")), "Copied");
    assert_eq!(browser.value("copied === document.getElementById('c0').textContent && copied !== '<SELECT>'"), true);
    // The head names the input and the test, as they were typed.
    let head = browser.value("document.querySelector('header').textContent");
    assert!(head.as_str().unwrap().contains("page.html") && head.as_str().unwrap().contains("./test.sh"), "{head}");
    assert_eq!(browser.heard, Vec::<String>::new());
    for width in [1280, 360] {
        browser.open(&page, width);
        assert_eq!(browser.value(FITS), true, "at {width}");
        assert_eq!(browser.violations(), json!([]), "{width}");
    }
}

/// Example 5.8 as text and as pictures: 48 tests, of which six were accepted, with the sizes that the book prints.
#[test]
fn the_other_forms_have_the_numbers_of_example_5_8() {
    let workshop = Workshop::with_page();
    workshop.reduct("--by chars --search ddmin --no-cache -j1 ./test.sh page.html".split(' ')).run().exits_with(0);
    let printed = |words: &[&str]| workshop.reduct(words.iter().copied()).run().exits_with(0).stdout;
    let markdown = printed(&["report", "--markdown"]);
    for said in ["## 40 → 8 characters", "```html\n<SELECT>\n```", "reduct verify", "Tests: 48"] {
        assert!(markdown.contains(said), "{said}: {markdown}");
    }
    for (picture, shapes) in [("grid", "<rect"), ("curve", "<path"), ("table", "<text")] {
        let svg = printed(&["report", "--svg", picture]);
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && svg.contains(shapes), "{svg}");
        assert!(svg.contains("in 48 tests, 6 accepted"), "{svg}");
    }
    let curve = printed(&["log", "--curve"]);
    assert!(curve.lines().next().unwrap().starts_with("40 │") && curve.contains("48 tests"), "{curve}");
    let grid = printed(&["log", "--grid"]);
    let sizes: Vec<&str> =
        grid.lines().filter(|line| line.ends_with('←')).filter_map(|line| line.rsplit(['(', ')']).nth(1)).collect();
    assert_eq!(sizes, ["30", "20", "15", "13", "10", "8"], "{grid}");
}

#[test]
fn the_object_is_as_its_schema_says_and_has_the_numbers_of_the_journal() {
    let workshop = Workshop::with_page();
    workshop.reduct("--by chars --search ddmin --no-cache -j1 ./test.sh page.html".split(' ')).run().exits_with(0);
    // Elsewhere, and without what it was made from.
    let run = workshop.run_folder();
    let moved = workshop.path("moved");
    std::fs::rename(run, &moved).unwrap();
    for gone in ["page.html", "page.reduced.html", "test.sh"] {
        std::fs::remove_file(workshop.path(gone)).unwrap();
    }
    let text = workshop.reduct(["report", "--json", "moved"]).run().exits_with(0).stdout;
    let object: Value = serde_json::from_str(&text).unwrap();
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/run.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    assert_eq!(Check::of(&schema, &object), Vec::<String>::new());
    let sizes = |list: &str, key: &str| -> Vec<u64> {
        let list = object["search"][list].as_array().unwrap();
        list.iter().map(|one| one[key].as_u64().unwrap()).collect()
    };
    // As printed in the book: these are the tests that fail, and their sizes.
    assert_eq!(sizes("tests", "n"), (1..=48).collect::<Vec<u64>>());
    assert_eq!(sizes("steps", "n"), [4, 6, 11, 18, 22, 33]);
    assert_eq!(sizes("steps", "size"), [30, 20, 15, 13, 10, 8]);
    assert_eq!(sizes("tests", "size")[..8], [20, 20, 30, 30, 20, 20, 10, 10]);
    assert_eq!(object["search"]["result"][0]["text"], "<SELECT>");
    assert_eq!((&object["confirmed"], &object["claim"]["kind"]), (&json!(true), &json!("one-minimal")));
    let grid = workshop.reduct(["log", "--grid", "moved"]).run().exits_with(0).stdout;
    let rows: Vec<&str> = grid.lines().skip(1).collect();
    assert_eq!(rows.len(), 48);
    let (gone, left) = ("·".repeat(20), "█".repeat(20));
    assert_eq!(rows[0], format!(" 1 {gone}{left} (20) ✓"));
    assert_eq!(rows[3], format!(" 4 {}{}{left} (30) ✗ ←", "█".repeat(10), "·".repeat(10)));
}

#[test]
fn hostile_inputs_are_text_on_the_page() {
    let workshop = Workshop::new();
    let name = "ev<b>il\u{1b}\u{202e}\"x.html";
    let hostile =
        b"</script><script>alert(1)</script>\n<img src=x onerror=alert(2)>\x1b[31m\xe2\x80\xae\xff\0\r\nneedle\n";
    workshop.write(name, hostile);
    workshop.reduct([name, "--", "sh", "-c", "! grep -aq '</script>' {}"]).run().exits_with(0);
    let page = report(&workshop, ".");
    let mut browser = Browser::start();
    browser.open(&page, 1280);
    assert_eq!(browser.heard, Vec::<String>::new());
    assert_eq!(browser.value("document.querySelectorAll('img, b.il, script').length"), 2);
    let text = browser.value("document.body.textContent");
    let text = text.as_str().unwrap();
    assert!(text.contains("</script>") && text.contains("\u{27e8}U+202E\u{27e9}"), "{text}");
    let hidden = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
    assert!(!text.contains(hidden));
    assert_eq!(browser.violations(), json!([]));
}
