// The moderators' keys: J and K go to the next and the one before of what can be opened or pressed,
// C claims the case. By the place of the key, so that they work on an Arabic keyboard too. All of
// it can be done with Tab and Enter.
"use strict";

(() => {
  const TYPING = "input:not([type=radio]), textarea, select, [contenteditable]";
  const items = () => [...document.querySelectorAll("[data-key-item]")];

  function go(step) {
    const all = items();
    if (!all.length) return;
    const at = all.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step;
    all[Math.min(all.length - 1, Math.max(0, next))].focus();
  }

  const ACTS = {
    KeyJ: () => go(1),
    KeyK: () => go(-1),
    KeyC: () => document.querySelector('[data-key="c"]')?.click(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.(TYPING)) return;
    const act = ACTS[event.code];
    if (!act) return;
    event.preventDefault();
    act();
  });
})();
