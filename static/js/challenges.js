// Challenges and the offer to play again: a part of the page that changes by itself ("data-states")
// neither takes a press that was meant for what stood there before, nor loses the keyboard; and a
// link is copied or shared. The pages work without it, by plain forms.
"use strict";

(() => {
  const GUARD_MS = 400; // the second half of a double click
  const states = (el) => el?.closest?.("[data-states]");
  const guards = new WeakMap(); // part → the timer that ends its guard
  const shown = new WeakMap(); // part → what came for it last
  const TOKENS = / name="csrfmiddlewaretoken" value="[^"]*"/g;
  let held = null; // the part that had the focus before it changed

  function plain(html) { // as the browser writes it, wherever it came from
    const parsed = document.createElement("template");
    parsed.innerHTML = html;
    return parsed.innerHTML.replace(TOKENS, "").trim();
  }
  for (const part of document.querySelectorAll("[data-states]")) shown.set(part, plain(part.innerHTML));

  const early = (event) => {
    if (!states(event.target)?.classList.contains("is-guarded")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", early, true);
  document.addEventListener("submit", early, true);

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target: part, xhr, shouldSwap } = event.detail;
    if (!part?.hasAttribute?.("data-states") || !shouldSwap) return;
    const text = plain(xhr.responseText);
    event.detail.shouldSwap = text !== shown.get(part); // the same twice would only be in the way
    shown.set(part, text);
    held = part.contains(document.activeElement) ? part : null;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const part = event.detail.target;
    if (!part?.hasAttribute?.("data-states")) return;
    clearTimeout(guards.get(part));
    part.classList.add("is-guarded");
    guards.set(part, setTimeout(() => part.classList.remove("is-guarded"), GUARD_MS));
    const says = part.querySelector("[data-says]");
    if (held === part && !part.contains(document.activeElement)) says?.focus({ preventScroll: true });
    else if (says && part.id === "again") document.dispatchEvent(new CustomEvent("basra:say", { detail: says.textContent.replace(/\s+/g, " ").trim() }));
    held = null;
    offer();
  });

  // ------------------------------------------------------------ sharing

  function offer() {
    for (const share of document.querySelectorAll("[data-action='share']")) share.hidden = !navigator.share;
    for (const copy of document.querySelectorAll("[data-action='copy']")) copy.hidden = false;
  }
  offer();

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-action='share'], [data-action='copy']");
    if (!button) return;
    const place = button.closest(".share");
    const { shareTitle: title, shareText: text, shareUrl: url } = place.dataset;
    if (button.dataset.action === "share") {
      navigator.share({ title, text, url }).catch(() => {}); // put away again: nothing is lost
      return;
    }
    const said = place.querySelector("[data-copy-said]");
    const field = place.querySelector("input");
    field.select();
    try {
      await navigator.clipboard.writeText(url);
      said.textContent = button.dataset.copied;
    } catch {
      said.textContent = button.dataset.select; // no clipboard without https
    }
  });
})();
