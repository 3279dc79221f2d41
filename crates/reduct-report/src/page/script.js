"use strict";
const reductPage = (() => {
  const $ = id => document.getElementById(id);
  const number = n => n.toLocaleString("en");
  const page = { data: {} };

  // Copy: what stands in the element, or in full in the button.
  const copy = async button => {
    const label = button.dataset.label ??= button.firstChild.textContent;
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
  };

  // The slider over the steps.
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
  page.step = () => {
    const slider = $("step"), steps = page.data.steps;
    if (!slider || !steps) return;
    const at = +slider.value, step = steps[at], before = steps[at - 1];
    const less = before && before.unit === step.unit ? ` (−${number(before.size - step.size)})` : "";
    const last = number(steps[steps.length - 1].step);
    slider.dataset.step = step.step;
    const say = at === 0 ? `Step ${number(step.step)} of ${last}: the beginning, ${number(step.size)} ${step.unit}`
      : `Step ${number(step.step)} of ${last}: test ${number(step.n)}, ${step.pass}, ${number(step.size)} ${step.unit}${less}`;
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
    while (lit > 0 && !steps[lit].lit) lit--;
    const [map, whole, files] = steps[lit].lit || [];
    light("map", map, (child, level) => { child.className = `l${level}`; });
    light("whole", whole, (child, level) => { child.className = `l${level}`; });
    light("tree", files, (child, level) => {
      child.firstElementChild.firstElementChild.className = `l${level}`;
      child.lastElementChild.textContent = words[level];
    });
  };
  const go = by => { const slider = $("step"); slider.value = +slider.value + by; page.step(); };

  // The filter of the tests.
  page.filter = () => {
    const filter = $("filter");
    if (!filter) return;
    const on = {};
    for (const box of filter.querySelectorAll("input")) on[box.value] = box.checked;
    const rows = document.querySelectorAll("#tests tbody tr:not(.gap)");
    let shown = 0;
    for (const row of rows) {
      const has = name => row.classList.contains(name);
      const hide = on.accepted && !has("accepted") || !on.again && has("again")
        || ["fail", "pass", "unresolved"].some(name => !on[name] && has(name));
      if (row.hidden !== hide) row.hidden = hide;
      shown += !hide;
    }
    for (const row of document.querySelectorAll("#tests tr.gap")) row.hidden = shown < rows.length;
    $("filtered").textContent = `${number(shown)} of ${number(rows.length)} rows`;
  };

  // The grid: what a column is, and what the cell under the pointer, or the one chosen by keys, is.
  let row = -1, column = 0;
  const sets = () => [...document.querySelectorAll("#gridview .gridset")];
  const set = () => Math.max(0, sets().findIndex(one => !one.hidden));
  const labels = () => page.data.sets[set()] || [""];
  const has = () => page.data.rows && page.data.rows.length;
  const read = move => {
    const { data } = page, frame = data.grid, all = labels(), view = $("gridview");
    row = Math.max(0, Math.min(data.rows.length - 1, row));
    column = Math.max(0, Math.min(all.length - 1, column));
    const [n, size, outcome] = data.rows[row];
    $("gridsay").textContent = `Test ${number(n)}: ${outcome}, size ${number(size)}. Column ${column + 1} of ${all.length}: ${all[column]}`;
    const svg = (sets()[set()] || view).querySelector("svg");
    let here = svg.querySelector(".here");
    if (!here) {
      here = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      here.setAttribute("class", "here");
      svg.append(here);
    }
    const wide = frame.wide / all.length;
    const box = { x: frame.left + column * wide, y: frame.top + row * frame.row, width: Math.max(2, wide), height: frame.row };
    for (const [name, value] of Object.entries(box)) here.setAttribute(name, value);
    if (move) {
      const scale = svg.clientWidth / svg.viewBox.baseVal.width;
      view.scrollTop = Math.max(0, (box.y - 60) * scale);
    }
  };
  const point = event => {
    const svg = event.target.closest("#gridview svg");
    if (!svg || !has()) return;
    const place = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / place.width, frame = page.data.grid;
    row = Math.floor(((event.clientY - place.top) * scale - frame.top) / frame.row);
    column = Math.floor(((event.clientX - place.left) * scale - frame.left) / frame.wide * labels().length);
    if (row >= 0 && row < page.data.rows.length) read(false);
  };
  const press = event => {
    if (event.target.id !== "gridview" || !has()) return;
    const by = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [20, 0], PageUp: [-20, 0] }[event.key];
    if (!by) return;
    event.preventDefault();
    row += by[0]; column += by[1];
    read(true);
  };

  // What happens is heard here, so that parts of the page can be put in anew.
  document.addEventListener("click", event => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.classList.contains("copy")) copy(button);
    if (button.id === "back") go(-1);
    if (button.id === "on") go(1);
  });
  document.addEventListener("input", event => { if (event.target.id === "step") page.step(); });
  document.addEventListener("change", event => {
    if (event.target.closest("#filter")) page.filter();
    if (event.target.name !== "set") return;
    sets().forEach((one, at) => { one.hidden = at !== +event.target.value; });
    column = 0;
    if (row >= 0) read(false);
  });
  document.addEventListener("pointermove", point);
  document.addEventListener("keydown", press);

  // Reads what stands on the page.
  page.read = () => {
    page.data = JSON.parse($("data").textContent);
    row = -1; column = 0;
    page.step();
    page.filter();
  };
  return page;
})();
reductPage.read();
globalThis.reductPage = reductPage;
