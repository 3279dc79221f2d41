"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const number = n => n.toLocaleString("en");
  const section = $("live"), goesBack = section.dataset.back === "true";
  let known = null, shown = null, loading = false, cost = 0, due = 0;

  const note = text => { $("live-note").textContent = text; };

  // Requests. A page of another origin cannot send them: its origin is looked at.
  const ask = async (what, step) => {
    try {
      const reply = await fetch("do", { method: "POST", body: `what=${what}` + (step === undefined ? "" : `&step=${step}`) });
      note(reply.ok ? { pause: "Asked to pause or to go on.", skip: "Asked to skip the phase.", disable: "Asked to switch the pass off.",
        stop: "Asked to stop with the best so far.", back: `The run goes back to step ${step}.` }[what] : await reply.text());
    } catch { note("Nobody answers: the run, or reduct view, has ended."); }
  };
  let armed = 0;
  for (const button of section.querySelectorAll("[data-what]"))
    button.addEventListener("click", () => {
      const what = button.dataset.what;
      if (what === "disable" && Date.now() > armed) {
        armed = Date.now() + 8000;
        return note("Once more to switch it off: nothing is claimed then of what it tries.");
      }
      armed = 0;
      ask(what);
    });
  $("live-back").addEventListener("click", () => ask("back", $("step").dataset.step));

  // The page below is taken anew when a step was accepted, or the run has ended. What was open, chosen or focused stays so.
  const load = async () => {
    if (loading) return;
    loading = true;
    const begin = performance.now();
    try {
      const text = await (await fetch("")).text();
      const page = new DOMParser().parseFromString(text, "text/html");
      const slider = $("step"), at = slider && slider.value !== slider.max ? slider.value : null;
      const open = [...document.querySelectorAll("main details[open]")].map(one => one.id).filter(Boolean);
      const focus = document.activeElement && document.activeElement.id;
      const filters = [...document.querySelectorAll("#filter input")].map(box => box.checked);
      for (const part of ["header", "nav", "main", "footer"]) {
        const [now, next] = [document.querySelector(part), page.querySelector(part)];
        if (now && next) now.replaceWith(next);
        else if (next) document.body.insertBefore(next, $("data"));
      }
      $("data").textContent = page.getElementById("data").textContent;
      document.title = page.title;
      if (at !== null && $("step")) $("step").value = at;
      open.forEach(id => { const one = $(id); if (one) one.open = true; });
      [...document.querySelectorAll("#filter input")].forEach((box, k) => { if (k in filters) box.checked = filters[k]; });
      globalThis.reductPage();
      if (focus && $(focus)) $(focus).focus({ preventScroll: true });
      shown = known && `${known.alive} ${known.steps} ${known.ended}`;
    } catch { note("The page cannot be read any more."); }
    cost = performance.now() - begin;
    due = Date.now() + Math.max(1500, 10 * cost);
    loading = false;
    section.dataset.loads = 1 + +(section.dataset.loads ?? 0);
    if ($("step") && known && !known.alive) $("live-back").hidden = !goesBack;
  };
  setInterval(() => {
    const now = known && `${known.alive} ${known.steps} ${known.ended}`;
    if (known && now !== shown && Date.now() > due) load();
  }, 250);

  const show = state => {
    known = state;
    section.dataset.state = !state.alive ? "rest" : state.paused ? "paused" : state.searching ? "searching" : "busy";
    const keys = state.alive && state.searching;
    for (const button of section.querySelectorAll("[data-what]")) button.hidden = !keys;
    $("live-back").hidden = !goesBack || !$("step");
    if (!state.alive) {
      $("live-say").textContent = "The run is not under way: below is what it has come to.";
      $("live-bar").hidden = true;
      $("live-more").textContent = "";
      return;
    }
    $("live-pause").textContent = state.paused ? "Go on" : "Pause";
    $("live-say").textContent = [state.paused && "Paused", state.ended && "Ended", state.sizes, state.share,
      `${number(state.tests)} tests`, state.rate, state.phase].filter(Boolean).join(" · ");
    const bar = $("live-bar");
    bar.hidden = !state.decided;
    if (state.decided) { bar.value = state.decided[0]; bar.max = state.decided[1]; }
    $("live-more").textContent = [state.decided && `${number(state.decided[0])} of ${number(state.decided[1])} parts decided`,
      state.running.length && `testing ${state.running.join(", ")}`, state.last_test && `last test: ${state.last_test}`,
      state.trouble].filter(Boolean).join(" · ");
    $("live-passes").hidden = !state.passes.length;
    const rows = state.passes.map(([name, tests, accepted, bytes, off]) => {
      const row = document.createElement("tr");
      for (const text of [name + (off ? " (off)" : ""), number(tests), number(accepted), number(bytes)]) {
        const cell = document.createElement("td");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    });
    $("live-rows").replaceChildren(...rows);
    $("live-output").hidden = state.printed === null;
    $("live-printed").textContent = state.printed || "It printed nothing.";
  };

  const events = new EventSource("events");
  events.onmessage = event => show(JSON.parse(event.data));
  events.onerror = () => {
    if (events.readyState !== EventSource.CLOSED && section.dataset.state !== "rest" && known && known.alive)
      $("live-say").textContent = "The run has ended, or cannot be reached. reduct view shows it again.";
  };
})();
