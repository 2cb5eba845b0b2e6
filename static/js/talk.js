// Talk at the table: what the opponent says is read aloud once, and shows over the felt while the
// panel is shut, whose button is marked then. What is being typed goes only once it has been said.
"use strict";

(() => {
  const TOAST_MS = 4000;
  const side = document.getElementById("talk-side");
  if (!side) return;
  const toasts = document.getElementById("toasts");
  const unread = document.querySelector("[data-action='talk'] [data-unread]");

  const isSeen = () => side.getClientRects().length > 0;
  const heard = () => [...side.querySelectorAll('[data-by="opponent"]')];
  const number = (line) => Number(line.dataset.line);
  const words = (line) => line.textContent.replace(/\s+/g, " ").trim();
  let last = Math.max(0, ...heard().map(number));

  function toEnd() {
    const log = side.querySelector(".chat-log");
    if (log) log.scrollTop = log.scrollHeight;
  }

  // The lines as they are drawn in the list, so that each name and text keeps its own direction.
  function toast(line) {
    const shown = document.createElement("p");
    shown.className = "toast toast-talk";
    shown.setAttribute("aria-hidden", "true");
    shown.append(...[...line.cloneNode(true).childNodes]);
    shown.querySelector("a")?.remove();
    for (const name of shown.querySelectorAll(".vh")) name.classList.replace("vh", "soft");
    toasts.querySelector(".toast-talk")?.remove();
    toasts.append(shown);
    setTimeout(() => shown.remove(), TOAST_MS);
  }

  function read() {
    if (isSeen() && unread) unread.hidden = true;
  }

  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id !== "talk") return;
    const news = heard().filter((line) => number(line) > last);
    toEnd();
    if (!news.length) return;
    last = Math.max(...news.map(number));
    document.dispatchEvent(new CustomEvent("basra:say", { detail: news.map(words).join(" ") }));
    if (isSeen()) return;
    if (unread) unread.hidden = false;
    toast(news.at(-1));
  });

  side.addEventListener("toggle", () => { read(); toEnd(); });

  // Only what was sent is cleared: whoever types on while it is under way loses nothing.
  let sent = null;
  side.addEventListener("htmx:beforeRequest", (event) => {
    const field = event.target.elements?.text;
    if (field) sent = field.value;
  });
  side.addEventListener("talk-said", (event) => {
    const field = event.target.elements?.text;
    if (field && field.value === sent) field.value = "";
    sent = null;
  });

  toEnd();
})();
