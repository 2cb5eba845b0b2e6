// The lobby: counts how long the reader has waited, and writes times as the reader's own clock has
// them.
"use strict";

(() => {
  const { lang, dataset } = document.documentElement;
  const arab = dataset.digits === "arab";
  const language = lang ? `${lang}-u-nu-${arab ? "arab" : "latn"}` : undefined;
  const inDigits = (text) => (arab ? text.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[digit]) : text);

  // The server says how long it has been; from there on the reader's wall clock doesn't matter.
  let shown = null;
  let began = 0;
  const count = () => {
    const place = document.querySelector("[data-waited]");
    if (!place) return;
    if (place !== shown) {
      shown = place;
      began = performance.now() - Number(place.dataset.waited) * 1000;
    }
    const seconds = Math.floor((performance.now() - began) / 1000);
    const text = inDigits(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    const digits = place.firstElementChild ?? place;
    if (digits.textContent !== text) digits.textContent = text;
  };

  const localise = () => {
    for (const place of document.querySelectorAll("time[data-local]")) {
      place.removeAttribute("data-local");
      const when = new Date(place.dateTime);
      const today = when.toDateString() === new Date().toDateString();
      const how = { hour: "numeric", minute: "2-digit", ...(today ? {} : { weekday: "long" }) };
      place.textContent = new Intl.DateTimeFormat(language, how).format(when);
    }
  };

  const tick = () => { count(); localise(); };
  tick();
  setInterval(tick, 250);
})();
