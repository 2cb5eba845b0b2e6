// Who waits for a ranked match: counts how long, and the seconds that are left to answer when an
// opponent is found; and says once, for who cannot see it, that it has come to that.
"use strict";

(() => {
  const PAST_MS = 6000;
  const arab = document.documentElement.dataset.digits === "arab";
  const inDigits = (text) => (arab ? text.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[digit]) : text);

  // The server says how many seconds it has been or will be; from its answer on the reader's own
  // clock, which may be wrong, doesn't matter.
  const answeredAt = performance.getEntriesByType?.("navigation")[0]?.responseStart || performance.now();
  const began = new WeakMap();
  for (const place of document.querySelectorAll("[data-waited], [data-left]")) began.set(place, answeredAt);

  function count() {
    const now = performance.now();
    for (const place of document.querySelectorAll("[data-waited], [data-left]")) {
      if (!began.has(place)) began.set(place, now);
      const since = (now - began.get(place)) / 1000;
      const { waited, left } = place.dataset;
      const text = left === undefined ? minutes(Math.floor(Number(waited) + since)) : String(Math.max(0, Math.ceil(Number(left) - since)));
      const digits = place.firstElementChild ?? place;
      if (digits.textContent !== inDigits(text)) digits.textContent = inDigits(text);
    }
  }
  const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

  let state = document.getElementById("waiting-bar")?.dataset.state;
  function say() {
    const bar = document.getElementById("waiting-bar");
    if (!bar || bar.dataset.state === state) return;
    state = bar.dataset.state;
    document.getElementById("waiting-said").textContent = bar.dataset.say;
    const words = state === "none" ? bar.querySelector("p") : null; // read once, and past
    if (words) setTimeout(() => words.remove(), PAST_MS);
  }

  document.addEventListener("htmx:afterSwap", () => { count(); say(); });
  count();
  setInterval(count, 250);
})();
