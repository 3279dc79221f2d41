//! A headless Chromium, spoken to over pipes in its own protocol: opens pages, presses keys, evaluates, and hears what a page
//! asks for and complains of.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// So long a browser may take for one answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    input: File,
    messages: Receiver<Value>,
    session: String,
    next: u64,
    /// How many pages were loaded.
    loads: u64,
    /// What the page asked for besides itself, and what stood in its console.
    pub(crate) heard: Vec<String>,
    profile: tempfile::TempDir,
}

impl Browser {
    /// Starts one.
    pub(crate) fn start() -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let pipes = ["to", "from"].map(|name| profile.path().join(name));
        for pipe in &pipes {
            assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        }
        // The protocol is spoken on the descriptors 3 and 4, a message up to a NUL.
        let line = "exec \"$0\" \"$@\" 3<\"$REDUCT_TO\" 4>\"$REDUCT_FROM\"";
        let flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
                     --disable-component-update --disable-sync --disable-extensions --remote-debugging-pipe";
        let child = Command::new("sh")
            .args(["-c", line, "chromium"])
            .args(flags.split_whitespace())
            .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
            // A browser that is killed leaves its folders behind.
            .env("TMPDIR", profile.path())
            .env("REDUCT_TO", &pipes[0])
            .env("REDUCT_FROM", &pipes[1])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The shell opens both in this order, and waits at each for the other end.
        let input = File::options().write(true).open(&pipes[0]).unwrap();
        let output = File::open(&pipes[1]).unwrap();
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { continue };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser =
            Browser { child, input, messages, session: String::new(), next: 0, loads: 0, heard: vec![], profile };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.ask("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Opens a file as a page of this width, and waits until it is there.
    pub(crate) fn open(&mut self, page: &Path, width: u32) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", size);
        self.heard.clear();
        self.visit(&format!("file://{}", page.display()));
    }

    /// Writes a picture of the page as it is seen in light and in dark.
    pub(crate) fn shoot(&mut self, folder: &Path, name: &str) {
        use base64::Engine;
        for scheme in ["light", "dark"] {
            let feature = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            self.ask("Emulation.setEmulatedMedia", feature);
            let picture = self.ask("Page.captureScreenshot", json!({ "format": "png" }));
            let bytes = base64::engine::general_purpose::STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
            std::fs::write(folder.join(format!("{name}-{scheme}.png")), bytes).unwrap();
        }
    }

    /// Returns what axe-core has to say against the page, if `REDUCT_AXE` names its file.
    pub(crate) fn violations(&mut self) -> Value {
        let Some(axe) = std::env::var_os("REDUCT_AXE") else { return json!([]) };
        self.value(&(std::fs::read_to_string(axe).unwrap() + ";0"));
        let run =
            "axe.run().then(found => found.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target).join(' ')))";
        self.value(run)
    }

    /// Waits until an expression in the page is true.
    pub(crate) fn until(&mut self, expression: &str) {
        self.value(&format!(
            "new Promise(done => {{ const at = () => ({expression}) ? done(1) : setTimeout(at, 20); at() }})"
        ));
    }

    /// Opens an address, and waits until it is there.
    pub(crate) fn visit(&mut self, address: &str) {
        self.ask("Page.navigate", json!({ "url": address }));
        while !self.hear(|message| message["method"] == "Page.loadEventFired") {}
    }

    /// Returns the value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true });
        let answer = self.ask("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Presses a key, as a person does.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            " " => 32,
            _ => 0,
        };
        let text = if key == " " { " " } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": if key == " " { "Space" } else { key },
                "windowsVirtualKeyCode": code, "text": if kind == "keyDown" { text } else { "" } });
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Presses a key that leads to another page, and waits until that is there.
    pub(crate) fn press_to_leave(&mut self, key: &str) {
        let before = self.loads;
        self.press(key);
        while self.loads == before {
            self.hear(|_| true);
        }
    }

    /// Clicks at the middle of an element.
    pub(crate) fn click(&mut self, selector: &str) {
        let place = format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] }})()"
        );
        let place = self.value(&place);
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", event);
        }
    }

    /// Moves the pointer to a place within an element, from its left and its top as shares of its size.
    pub(crate) fn point(&mut self, selector: &str, (right, down): (f64, f64)) {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width * {right}, r.y + r.height * {down}] }})()"
        ));
        let event = json!({ "type": "mouseMoved", "x": place[0], "y": place[1] });
        self.ask("Input.dispatchMouseEvent", event);
    }

    fn ask(&mut self, method: &str, with: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": with });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).unwrap();
        let mut result = Value::Null;
        while !self.hear(|message| {
            let is_answer = message["id"] == id;
            if is_answer {
                assert!(message.get("error").is_none(), "{method}: {message}");
                result = message["result"].clone();
            }
            is_answer
        }) {}
        result
    }

    /// Takes the next message, and notes what a page should not do.
    fn hear(&mut self, mut is_it: impl FnMut(&Value) -> bool) -> bool {
        let message = self.messages.recv_timeout(PATIENCE).expect("the browser answers");
        let told = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" if told["type"] != "Document" => {
                self.heard.push(format!("request: {}", told["request"]["url"]));
            }
            "Page.loadEventFired" => self.loads += 1,
            "Log.entryAdded" => self.heard.push(format!("log: {}", told["entry"]["text"])),
            "Runtime.consoleAPICalled" => self.heard.push(format!("console: {}", told["args"])),
            "Runtime.exceptionThrown" => self.heard.push(format!("exception: {}", told["exceptionDetails"])),
            "Page.javascriptDialogOpening" => self.heard.push(format!("dialog: {}", told["message"])),
            _ => {}
        }
        is_it(&message)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = &self.profile;
    }
}
