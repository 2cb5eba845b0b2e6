// What this browser keeps for the site, and whose it is. A page of another reader, or of nobody,
// begins by forgetting it all; and a page whose reader has gone drops what it shows.
"use strict";

const kept = (() => {
  const OURS = "basra:";
  const WHOSE = `${OURS}reader`;
  const LOGGED_OUT = 4401;
  const LEAVING_MS = 5000;
  const { reader } = document.body.dataset; // "" for nobody; none where a page can't tell

  // Without storage nothing is kept, and everything works.
  function attempt(act, otherwise = null) {
    try {
      return act();
    } catch {
      return otherwise;
    }
  }

  const isMine = () => attempt(() => localStorage.getItem(WHOSE) ?? "", reader) === reader;
  const works = () => attempt(() => localStorage.getItem(WHOSE)) === reader;
  const read = (name) => attempt(() => localStorage.getItem(OURS + name));
  const names = (start) => attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(OURS + start)), []);

  function write(name, text) {
    if (isMine()) attempt(() => localStorage.setItem(OURS + name, text));
  }

  function forget() {
    attempt(() => localStorage.clear());
    attempt(() => sessionStorage.clear());
    if (reader) attempt(() => localStorage.setItem(WHOSE, reader));
  }

  // The worker that shows notices, and those that it shows.
  async function dismiss() {
    for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
      for (const notice of await worker.getNotifications()) notice.close();
      await worker.unregister();
    }
  }

  // A page that is being left for what its own form leads to is not asked for anew: that would call
  // off the log-out, or the sign-up, that ends its session.
  let leftAt = -Infinity;
  const leave = () => { leftAt = performance.now(); };
  addEventListener("beforeunload", leave);
  addEventListener("submit", (event) => { if (!event.defaultPrevented) leave(); });

  // Somebody else's hand stays on no screen, not even until the page has been asked for anew.
  let dropped = false;
  function drop() {
    const wait = leftAt + LEAVING_MS - performance.now();
    if (wait > 0) setTimeout(drop, wait);
    if (wait > 0 || dropped) return;
    dropped = true;
    document.dispatchEvent(new CustomEvent("basra:gone"));
    document.body.replaceChildren();
    location.reload();
  }

  if (reader !== undefined && !isMine()) forget();

  // The one thing that the server is told of this browser: dates and times are those of its clock.
  const zone = attempt(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (reader && zone) document.cookie = `zone=${zone}; path=/; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  if (reader === "") dismiss().catch(() => {});
  addEventListener("pageshow", (event) => { if (event.persisted && reader && !isMine()) drop(); });
  document.addEventListener("htmx:wsClose", (event) => { if (event.detail.event.code === LOGGED_OUT) drop(); });

  // Every page tells the others of this browser whose it is.
  const others = "BroadcastChannel" in window && reader !== undefined ? new BroadcastChannel(WHOSE) : null;
  others?.addEventListener("message", ({ data }) => { if (reader && data !== reader) drop(); });
  others?.postMessage(reader);

  return { works, read, write, names, forget, dismiss };
})();
