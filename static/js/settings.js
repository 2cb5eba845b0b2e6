// The settings: the sounds can be heard, and this browser can be made to forget.
"use strict";

(() => {
  document.addEventListener("DOMContentLoaded", () => {
    for (const el of document.querySelectorAll("[data-needs-script]")) el.hidden = false;
    const note = document.querySelector("[data-kept-matches]");
    if (note) {
      note.querySelector("span").textContent = String(kept.names("match:").length);
      note.hidden = false;
    }
  });

  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-forget]")) kept.forget();
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest('[data-action="hear"]')) return;
    sound.unlock();
    sound.NAMES.forEach((name, place) => setTimeout(() => sound.play(name), 150 + 700 * place));
  });
})();
