// The replay of a match that is over: its links work by themselves; with this they change the replay
// alone, and keys, the slider and playing by itself come along.
"use strict";

(() => {
  const replay = () => document.getElementById("replay");
  let timer = null;
  let pace = 0;
  let wanted = null; // where to go once the step under way has come
  let going = false;

  async function go(address, focus) {
    if (going) {
      wanted = { address, focus };
      return;
    }
    going = true;
    try {
      await htmx.ajax("GET", address, { source: replay(), target: "#replay", select: "#replay", swap: "outerHTML settle:0ms show:none" });
      history.replaceState(null, "", address);
      came(focus);
    } finally {
      going = false;
      const next = wanted;
      wanted = null;
      if (next) go(next.address, next.focus);
    }
  }

  function came(focus) {
    for (const el of replay().querySelectorAll("[data-needs-script]")) el.hidden = false;
    for (const button of replay().querySelectorAll("[data-auto]")) button.setAttribute("aria-pressed", String(Number(button.dataset.auto) === pace));
    // A link that leads nowhere now is none: who was on it goes on from the board.
    if (focus) (document.getElementById(focus) ?? document.getElementById("replay-board")).focus({ preventScroll: true });
    replay().querySelector('.replay-plays [aria-current]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  const focused = () => (replay().contains(document.activeElement) ? document.activeElement.id || "replay-board" : "");

  function step(name) {
    const link = document.getElementById(`replay-${name}`);
    if (link?.href) go(link.getAttribute("href"), focused());
    return Boolean(link?.href);
  }

  function playBySelf(ms) {
    clearInterval(timer);
    pace = pace === ms ? 0 : ms;
    timer = pace ? setInterval(() => { if (!step("on")) playBySelf(pace); }, pace) : null;
    came("");
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#replay a[data-step]");
    const auto = event.target.closest("#replay [data-auto]");
    if (auto) playBySelf(Number(auto.dataset.auto));
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(link.getAttribute("href"), link.id || "replay-board");
  });

  document.addEventListener("input", (event) => {
    if (event.target.id !== "replay-slider") return;
    const form = new FormData(event.target.form);
    go(`?deal=${form.get("deal")}&play=${form.get("play")}#replay`, "replay-slider");
  });

  document.addEventListener("keydown", (event) => {
    const place = event.target;
    if (!replay() || event.altKey || event.ctrlKey || event.metaKey) return;
    if (place !== document.body && !replay().contains(place)) return;
    if (place.matches("input, select, textarea")) return;
    const forward = getComputedStyle(replay()).direction === "ltr" ? "ArrowRight" : "ArrowLeft";
    const names = { Home: "first", End: "last", ArrowLeft: "back", ArrowRight: "back", [forward]: "on" };
    if (names[event.key]) {
      step(names[event.key]);
      event.preventDefault();
    } else if (event.key === " " && (place === document.body || place.id === "replay-board")) {
      playBySelf(pace || 1200);
      event.preventDefault();
    }
  });
  document.addEventListener("DOMContentLoaded", () => { if (replay()) came(""); });
})();
