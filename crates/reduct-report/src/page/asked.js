"use strict";
(() => {
  const form = document.querySelector("#asked form");
  // At the end, nothing is asked.
  if (!form) return;
  const now = form.elements.question.value;
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const button = form.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (button) { event.preventDefault(); button.click(); }
  });
  // Another page where the answer was given elsewhere.
  const look = async () => {
    try {
      const reply = await fetch("now");
      if (!reply.ok) throw 0;
      if (await reply.text() !== now) location.reload();
    } catch { document.getElementById("asked-note").textContent = "This run has ended or was stopped: its terminal says more."; }
  };
  setInterval(look, 2000);
})();
