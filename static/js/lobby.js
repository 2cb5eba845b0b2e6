// The lobby: writes times as the reader's own clock has them, and keeps the focus where it was when
// the live part comes anew.
"use strict";

(() => {
  const { lang, dataset } = document.documentElement;
  const arab = dataset.digits === "arab";
  const language = lang ? `${lang}-u-nu-${arab ? "arab" : "latn"}` : undefined;

  const localise = () => {
    for (const place of document.querySelectorAll("time[data-local]")) {
      place.removeAttribute("data-local");
      const when = new Date(place.dateTime);
      const today = when.toDateString() === new Date().toDateString();
      const how = { hour: "numeric", minute: "2-digit", ...(today ? {} : { weekday: "long" }) };
      place.textContent = new Intl.DateTimeFormat(language, how).format(when);
    }
  };
  localise();
  document.addEventListener("htmx:afterSwap", localise);

  // htmx gives the focus back after its own requests, but not after what comes over the socket.
  let focused = "";
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const at = document.activeElement;
    focused = event.detail.target.contains(at) ? at.id : "";
  });
  document.addEventListener("htmx:oobAfterSwap", () => {
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    focused = "";
  });
})();
