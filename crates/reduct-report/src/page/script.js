"use strict";
const reductPage = () => {
  const $ = id => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const number = n => n.toLocaleString("en");

  // Copy: what stands in the element, or in full in the button.
  for (const button of document.querySelectorAll(".copy")) {
    const label = button.firstChild.textContent;
    button.addEventListener("click", async () => {
      const text = button.dataset.text ?? $(button.dataset.copy).textContent;
      let copied = false;
      try { await navigator.clipboard.writeText(text); copied = true; } catch {
        const area = document.createElement("textarea");
        area.value = text; document.body.append(area); area.select();
        try { copied = document.execCommand("copy"); } catch {}
        area.remove(); button.focus();
      }
      button.firstChild.textContent = copied ? "Copied" : "Select and copy by hand";
      setTimeout(() => { button.firstChild.textContent = label; }, 2000);
    });
  }

  // The slider over the steps.
  const slider = $("step");
  if (slider && data.steps) {
    const levels = text => {
      const all = [];
      for (const part of (text || "").split(",")) {
        if (!part) continue;
        const [level, times] = part.split("*");
        for (let k = 0; k < (times ? +times : 1); k++) all.push(+level);
      }
      return all;
    };
    const light = (id, text, of) => {
      const parent = $(id);
      if (!parent) return;
      const all = levels(text);
      [...parent.children].forEach((child, at) => of(child, all[at] ?? 0));
    };
    const words = ["gone", "some", "some", "some", "all of it"];
    const show = () => {
      const at = +slider.value, step = data.steps[at], before = data.steps[at - 1];
      const less = before && before.unit === step.unit ? ` (−${number(before.size - step.size)})` : "";
      const last = number(data.steps[data.steps.length - 1].step);
      slider.dataset.step = step.step;
      const say = at === 0 ? `Step ${number(step.step)} of ${last}: the beginning, ${number(step.size)} ${step.unit}`
        : `Step ${number(step.step)} of ${last}: test ${number(step.n)}, ${step.phase}, ${number(step.size)} ${step.unit}${less}`;
      $("stepsay").textContent = say;
      slider.setAttribute("aria-valuetext", say);
      const diff = $("stepdiff");
      diff.textContent = "";
      for (const [sort, text] of step.diff || []) {
        const node = document.createElement(sort === "del" || sort === "gone" ? "del" : sort === "ins" ? "ins" : "span");
        if (sort === "cut" || sort === "file") node.className = sort;
        node.textContent = text;
        diff.append(node);
      }
      if (!step.diff) diff.textContent = at === 0 ? "Nothing went yet." : `Not on this page. In a terminal: reduct history diff ${step.step}`;
      let lit = at;
      while (lit > 0 && !data.steps[lit].lit) lit--;
      const [map, whole, files] = data.steps[lit].lit || [];
      light("map", map, (child, level) => { child.className = `l${level}`; });
      light("whole", whole, (child, level) => { child.className = `l${level}`; });
      light("tree", files, (child, level) => {
        child.firstElementChild.firstElementChild.className = `l${level}`;
        child.lastElementChild.textContent = words[level];
      });
    };
    slider.addEventListener("input", show);
    const go = by => { slider.value = +slider.value + by; show(); };
    $("back").addEventListener("click", () => go(-1));
    $("on").addEventListener("click", () => go(1));
    show();
  }

  // The filter of the tests.
  const filter = $("filter");
  if (filter) {
    const rows = [...document.querySelectorAll("#tests tbody tr:not(.gap)")];
    const apply = () => {
      const on = {};
      for (const box of filter.querySelectorAll("input")) on[box.value] = box.checked;
      let shown = 0;
      for (const row of rows) {
        const has = name => row.classList.contains(name);
        const hide = on.accepted && !has("accepted") || !on.again && has("again")
          || ["fail", "pass", "unresolved"].some(name => !on[name] && has(name));
        row.hidden = hide;
        shown += !hide;
      }
      for (const row of document.querySelectorAll("#tests tr.gap")) row.hidden = shown < rows.length;
      $("filtered").textContent = `${number(shown)} of ${number(rows.length)} rows`;
    };
    filter.addEventListener("change", apply);
    apply();
  }

  // The grid: what a column is, and what the cell under the pointer, or the one chosen by keys, is.
  const view = $("gridview");
  if (view && data.rows && data.rows.length) {
    const say = $("gridsay"), frame = data.grid;
    let row = -1, column = 0;
    const sets = [...view.querySelectorAll(".gridset")];
    const set = () => Math.max(0, sets.findIndex(one => !one.hidden));
    const read = move => {
      const labels = data.sets[set()] || [""];
      row = Math.max(0, Math.min(data.rows.length - 1, row));
      column = Math.max(0, Math.min(labels.length - 1, column));
      const [n, size, outcome] = data.rows[row];
      say.textContent = `Test ${number(n)}: ${outcome}, size ${number(size)}. Column ${column + 1} of ${labels.length}: ${labels[column]}`;
      const svg = (sets[set()] || view).querySelector("svg");
      let here = svg.querySelector(".here");
      if (!here) {
        here = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        here.setAttribute("class", "here");
        svg.append(here);
      }
      const wide = frame.wide / labels.length;
      const box = { x: frame.left + column * wide, y: frame.top + row * frame.row, width: Math.max(2, wide), height: frame.row };
      for (const [name, value] of Object.entries(box)) here.setAttribute(name, value);
      if (move) {
        const scale = svg.clientWidth / svg.viewBox.baseVal.width;
        view.scrollTop = Math.max(0, (box.y - 60) * scale);
      }
    };
    view.addEventListener("pointermove", event => {
      const svg = event.target.closest("svg");
      if (!svg) return;
      const place = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / place.width;
      const x = (event.clientX - place.left) * scale, y = (event.clientY - place.top) * scale;
      const labels = data.sets[set()] || [""];
      row = Math.floor((y - frame.top) / frame.row);
      column = Math.floor((x - frame.left) / frame.wide * labels.length);
      if (row >= 0 && row < data.rows.length) read(false);
    });
    view.addEventListener("keydown", event => {
      const by = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [20, 0], PageUp: [-20, 0] }[event.key];
      if (!by) return;
      event.preventDefault();
      row += by[0]; column += by[1];
      read(true);
    });
    for (const radio of document.querySelectorAll("input[name=set]"))
      radio.addEventListener("change", () => { sets.forEach((one, at) => { one.hidden = at !== +radio.value; }); column = 0; if (row >= 0) read(false); });
  }
};
reductPage();
globalThis.reductPage = reductPage;
