"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const number = n => n.toLocaleString("en");
  const section = $("live"), goesBack = section.dataset.back === "true";
  let known = null, shown = null, loading = false, due = 0;

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

  const page = globalThis.reductPage;
  const key = () => known && `${known.alive} ${known.ended}`;
  const reach = () => known && `${known.tests} ${known.steps}`;

  // Replaces parts of the page below. What was open, focused or scrolled in them stays so.
  const keeping = replace => {
    const open = [...document.querySelectorAll("main details[open]")].map(one => one.id).filter(Boolean);
    const at = document.activeElement;
    const focus = at && (at.id ? `#${CSS.escape(at.id)}` : at.dataset.copy && `[data-copy="${CSS.escape(at.dataset.copy)}"]`);
    const scrolled = [...document.querySelectorAll("main [id]")].filter(one => one.scrollTop || one.scrollLeft)
      .map(one => [one.id, one.scrollTop, one.scrollLeft]);
    replace();
    open.forEach(id => { const one = $(id); if (one) one.open = true; });
    for (const [id, top, left] of scrolled) if ($(id)) $(id).scrollTo({ top, left, behavior: "instant" });
    const now = focus && document.querySelector(focus);
    if (now && now !== document.activeElement) now.focus({ preventScroll: true });
  };

  // The whole page below is read anew at the first step, at the end, and if the run has begun anew. What was chosen stays so.
  const load = async () => {
    const text = await (await fetch("")).text();
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const slider = $("step"), at = slider && slider.value !== slider.max ? slider.value : null;
    const filters = [...document.querySelectorAll("#filter input")].map(box => box.checked);
    keeping(() => {
      for (const part of ["header", "nav", "main", "footer"]) {
        const [now, next] = [document.querySelector(part), fresh.querySelector(part)];
        if (now && next) now.replaceWith(next);
        else if (next) document.body.insertBefore(next, $("data"));
      }
      $("data").textContent = fresh.getElementById("data").textContent;
      document.title = fresh.title;
      if (at !== null && $("step")) $("step").value = at;
      [...document.querySelectorAll("#filter input")].forEach((box, k) => { if (k in filters) box.checked = filters[k]; });
      page.read();
    });
    section.dataset.loads = 1 + +(section.dataset.loads ?? 0);
    return text.length;
  };

  // Of many tests, the first and the last rows stay, and the first of those that were accepted.
  const [ENDS, ACCEPTED] = [400, 600];
  const addRows = text => {
    const body = document.querySelector("#tests tbody");
    body.insertAdjacentHTML("beforeend", text);
    let accepted = 0;
    const rows = [...body.querySelectorAll("tr:not(.gap)")];
    const others = rows.filter(row => !row.classList.contains("accepted") || ++accepted > ACCEPTED);
    others.slice(ENDS, Math.max(ENDS, others.length - ENDS)).forEach(row => row.remove());
    for (const gap of body.querySelectorAll(".gap")) gap.remove();
    let before = 0;
    for (const row of body.children) {
      const n = +row.firstElementChild.textContent.replaceAll(",", "");
      if (before && n > before + 1) {
        const gap = document.createElement("tr"), cell = document.createElement("td");
        gap.className = "gap";
        cell.colSpan = 4;
        cell.textContent = `… ${number(n - before - 1)} tests …`;
        gap.append(cell);
        row.before(gap);
      }
      before = n;
    }
    page.filter();
  };
  const addSteps = steps => {
    if (!steps.length) return;
    const slider = $("step"), isLast = slider.value === slider.max;
    page.data.steps.push(...steps);
    slider.max = page.data.steps.length - 1;
    if (isLast) slider.value = slider.max;
    page.step();
  };
  const draw = pictures => {
    document.querySelector("#curve .scroll").innerHTML = pictures.curve;
    if ($("phase-rows")) $("phase-rows").innerHTML = pictures.phases;
    const sets = document.querySelectorAll("#gridview .gridset");
    pictures.sets.forEach((svg, at) => { (sets[at] || $("gridview")).innerHTML = svg; });
    $("gridsay").textContent = pictures.say;
    Object.assign(page.data, pictures.frame);
  };

  // Only what is new is asked for.
  const grow = async () => {
    const has = page.data.known;
    if (!has || !known.alive || known.ended) return load();
    const text = await (await fetch(`grown?${new URLSearchParams(has)}`)).text();
    const grown = JSON.parse(text);
    if (grown.anew || grown.pictures && grown.pictures.frame.sets.length !== page.data.sets.length) return text.length + await load();
    page.data.known = grown.known;
    if (document.querySelector("header").outerHTML !== grown.header) document.querySelector("header").outerHTML = grown.header;
    document.title = `${document.querySelector("h1").textContent} · ${document.querySelector(".subject").textContent} · reduct`;
    if (grown.answer !== null) keeping(() => { $("answer").outerHTML = grown.answer; });
    for (const [id, html] of Object.entries(grown.said)) if ($(id)) $(id).innerHTML = html;
    addSteps(grown.steps);
    if (grown.rows) addRows(grown.rows);
    if (grown.pictures) draw(grown.pictures);
    section.dataset.grows = 1 + +(section.dataset.grows ?? 0);
    return text.length;
  };
  const update = async () => {
    loading = true;
    const begin = performance.now(), is = `${key()} ${reach()}`, whole = shown === null ? !known.alive : !shown.startsWith(`${key()} `);
    try {
      const bytes = await (whole ? load() : grow());
      section.dataset.bytes = bytes + +(section.dataset.bytes ?? 0);
      shown = is;
    } catch { note("The page cannot be read any more."); }
    const cost = performance.now() - begin;
    section.dataset.cost = cost + +(section.dataset.cost ?? 0);
    due = Date.now() + Math.max(1500, 10 * cost);
    loading = false;
    if ($("step") && known && !known.alive) $("live-back").hidden = !goesBack;
  };
  setInterval(() => {
    if (known && !loading && `${key()} ${reach()}` !== shown && Date.now() > due) update();
  }, 250);

  const show = state => {
    known = state;
    section.dataset.state = !state.alive ? "rest" : state.paused ? "paused" : state.searching ? "searching" : "busy";
    const keys = state.alive && state.searching;
    for (const button of section.querySelectorAll("[data-what]"))
      button.hidden = !keys || !state.skips && ["skip", "disable"].includes(button.dataset.what);
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
