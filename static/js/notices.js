// What is new, told by the browser itself while nobody looks at the site: for who has switched it
// on, in a browser that was allowed to. Of several open tabs one tells it, and once.
"use strict";

(() => {
  const WORKER = "/worker.js";
  const NEWEST = "/notifications/newest/";
  const TOLD = "noticed"; // how far they were told in this browser
  const LOOKED_AT = "basra:looked-at"; // a lock that every page in view holds
  const TELLING = "basra:telling"; // a lock that one tab has at a time
  const root = document.documentElement;
  const wanted = root.hasAttribute("data-notices");
  const able = "Notification" in window && "locks" in navigator;
  const allowed = () => able && Notification.permission === "granted";

  // ------------------------------------------------------------ the worker: it opens what is clicked

  async function registration() {
    try {
      return (await navigator.serviceWorker?.register(WORKER)) ?? null;
    } catch {
      return null; // a private window, perhaps: then the page itself shows them
    }
  }

  async function silence(registered) {
    for (const notice of await registered.getNotifications()) notice.close();
  }

  const worker = wanted && allowed() ? registration() : null;
  if (!wanted) kept.dismiss().catch(() => {});

  // ------------------------------------------------------------ telling

  let release = null;
  function look() {
    if (!able) return;
    release?.();
    release = null;
    if (document.hidden) return;
    navigator.locks.request(LOOKED_AT, { mode: "shared" }, () => new Promise((done) => { release = done; }));
    worker?.then((registered) => registered && silence(registered)).catch(() => {});
  }
  document.addEventListener("visibilitychange", look);
  look();

  async function tell() {
    const { held } = await navigator.locks.query();
    if (held.some((lock) => lock.name === LOOKED_AT)) return;
    const answer = await fetch(NEWEST);
    const { lines } = await answer.json();
    const fresh = lines.filter((line) => line.at > Number(kept.read(TOLD)));
    if (fresh.length) kept.write(TOLD, String(Math.max(...fresh.map((line) => line.at))));
    for (const line of fresh) await show(line);
  }

  async function show({ text, tag, address }) {
    const title = document.querySelector(".brand").textContent.trim();
    const how = { body: text, tag, data: address, lang: root.lang, dir: root.dir };
    const registered = await worker;
    if (registered?.active) {
      await registered.showNotification(title, how);
      return;
    }
    const notice = new Notification(title, how);
    notice.onclick = () => { window.focus(); location.assign(address); };
  }

  document.body.addEventListener("news-bell", () => {
    if (!wanted || !allowed() || !document.hidden) return;
    navigator.locks.request(TELLING, tell).catch(() => {}); // no line: the bell has it when there is one
  });

  // ------------------------------------------------------------ the switch

  const panel = document.getElementById("notices");
  if (!panel) return;
  const say = (what) => { for (const el of panel.querySelectorAll("[data-when]")) el.hidden = el.dataset.when !== what; };
  const state = () => (able ? Notification.permission : "unable");
  panel.hidden = false;
  if (wanted || state() !== "default") say(state());

  panel.addEventListener("submit", async (event) => {
    if (!event.target.matches("[data-asks]") || allowed()) return;
    event.preventDefault();
    if (able) await Notification.requestPermission();
    if (allowed()) event.target.submit();
    else say(able && Notification.permission === "default" ? "dismissed" : state());
  });
})();
