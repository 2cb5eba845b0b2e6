// The table's own script: keeps the newest table on the page, the focus where it was, the clock
// running, and a play from being made twice. The page works without it, by plain forms.
"use strict";

const atTable = (() => {
  const POLL_MS = 5000; // while the socket is down
  const PATIENCE_MS = 1500; // how long a socket may be down before the page says so
  const DOUBLE_TAP_MS = 350;
  const ANSWER_MS = 1000; // pushes wait this long for the answer to an own post
  const LOW_MS = 10000;
  const [PING, PONG] = ["ping", "<i></i>"];
  const PING_MS = 2500; // with PONG_MS, a dead line is told within 5 s
  const PONG_MS = 2000;
  const TRY_MS = 6000; // an attempt that hangs for so long is given up for a new one
  const BY_HTMX = [1006, 1011, 1012, 1013]; // after these codes htmx itself connects again

  const shell = document.getElementById("main");
  const live = document.getElementById("live");
  const connection = document.getElementById("connection");
  const toasts = document.getElementById("toasts");
  const brand = document.querySelector(".brand").textContent.trim();
  let shown = document.getElementById("table");
  if (!shell || !shown) return null;

  const version = (el) => Number(el.dataset.version);
  const isOver = () => ["finished", "aborted"].includes(shown.dataset.status);
  const hasMore = (el) => Boolean(el.querySelector("#choices, #confirm, #hint, .table-notice"));

  // ------------------------------------------------------------ leaving

  // Going away from a match whose clock runs is asked once; the page's own reloads are not.
  let renewing = false;
  function renew() {
    renewing = true;
    location.reload();
  }
  document.body.addEventListener("htmx:beforeOnLoad", (event) => {
    renewing ||= Boolean(event.detail.xhr.getResponseHeader("HX-Refresh"));
  });
  document.addEventListener("basra:gone", () => { renewing = true; });
  addEventListener("beforeunload", (event) => {
    const running = shown.dataset.status === "playing" && shown.dataset.seat && shown.querySelector(".clock");
    if (running && !renewing) event.preventDefault();
  });

  // ------------------------------------------------------------ which fragment is taken

  let before = null; // what the swap must know of the table that it replaces

  function tableIn(html) {
    return new DOMParser().parseFromString(html, "text/html").getElementById("table");
  }

  // Older than shown: dropped. As old: only an answer to the viewer's own post has more to say.
  function isWanted(next, answersPost) {
    if (next.dataset.match !== shown.dataset.match) return false;
    if (version(next) !== version(shown)) return version(next) > version(shown);
    resync(next);
    return answersPost && (hasMore(next) || hasMore(shown));
  }

  function remember() {
    const focused = document.activeElement;
    before = {
      number: Number(shown.dataset.number),
      deal: shown.dataset.deal,
      status: shown.dataset.status,
      turn: shown.dataset.turn,
      focus: focused && shown.contains(focused) ? focused.id : "",
      armed: shown.querySelector("#hand .is-armed")?.id || "",
      hand: handCards(shown),
      places: motion.places(shown),
    };
  }

  const isHint = (request) => request.path.endsWith("/hint/");

  // An answer: to the table that is shown, or to one that a push has replaced meanwhile, and then
  // only the table in it is of use.
  function answered(event) {
    const { target, xhr, requestConfig } = event.detail;
    if (!event.detail.shouldSwap) return;
    const next = tableIn(xhr.responseText);
    if (next && target !== shown) {
      event.detail.target = shown;
      event.detail.serverResponse = next.outerHTML;
    }
    if (!next) {
      event.detail.shouldSwap = false;
      renew(); // something else than a table: let the browser show it
    } else if (next.dataset.seat !== shown.dataset.seat) {
      event.detail.shouldSwap = false;
      renew(); // somebody else is logged in now
    } else if (isHint(requestConfig) && (sending !== null || (target !== shown && shown.querySelector("#choices, #confirm")))) {
      event.detail.shouldSwap = false; // who has begun to play since asking needs none
    } else if (isWanted(next, requestConfig.verb !== "get")) {
      remember();
    } else {
      event.detail.shouldSwap = false;
    }
  }
  document.body.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.target === shown) answered(event); });

  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    const next = fragment.firstElementChild;
    if (target === shown) {
      if (isWanted(next, false)) remember();
      else event.detail.shouldSwap = false;
    } else if (target.id === "deals") {
      event.detail.shouldSwap = next.dataset.match === target.dataset.match && isNewer(next, target);
      if (event.detail.shouldSwap) heldIn = stops(target).indexOf(document.activeElement);
    }
  });

  // The list of deals is swapped too: who was in it stays there.
  let heldIn = -1;
  const stops = (el) => [...el.querySelectorAll("a, button, summary")];
  document.body.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target.id === "deals" && heldIn >= 0) stops(document.getElementById("deals"))[heldIn]?.focus({ preventScroll: true });
    if (event.detail.target.id === "deals") heldIn = -1;
  });

  // The list of deals changes with the deal, the match's state, time given back and the first hint
  // only; an older one never comes back.
  function isNewer(next, old) {
    const order = { starting: 0, playing: 1, finished: 2, aborted: 2 };
    const [deal, status, ...sums] = next.dataset.key.split("-");
    const [oldDeal, oldStatus, ...oldSums] = old.dataset.key.split("-");
    return Number(deal) > Number(oldDeal) || order[status] > order[oldStatus] || sums.some((sum, at) => Number(sum) > Number(oldSums[at]));
  }

  // While the answer to an own post is on its way a push would take the form away from under it: it
  // is held back until the answer is there.
  let held = null;
  document.body.addEventListener("htmx:wsBeforeMessage", (event) => {
    const { message } = event.detail;
    heardAt = performance.now();
    downSince = null; // the first thing a new socket hears is the whole table
    showConnection();
    const call = /data-go="(\/(?!\/)[^"]*)"/.exec(message)?.[1];
    const pushed = Number(/data-version="(\d+)"/.exec(message)?.[1] || 0);
    if (call && call !== location.pathname) {
      renewing = true;
      location.assign(call);
    } // a ranked match begins elsewhere
    if (message === PONG || call) event.preventDefault();
    if (!pushed || sending === null || performance.now() - sentAt > ANSWER_MS) return;
    if (!held || pushed > held.version) held = { version: pushed, message };
    event.preventDefault();
  });

  function release() {
    const { version: pushed = 0, message } = held || {};
    held = null;
    if (pushed > version(shown)) htmx.swap(document.body, message, { swapStyle: "none", swapDelay: 0, settleDelay: 0 });
  }

  document.body.addEventListener("htmx:wsAfterMessage", arrived);
  document.body.addEventListener("htmx:afterSettle", arrived);

  // Who is away lies beside the table and has no version.
  let away = document.getElementById("presence")?.textContent.trim();
  document.body.addEventListener("htmx:wsAfterMessage", () => {
    const now = document.getElementById("presence")?.textContent.trim();
    if (now && now !== away) announce(now);
    away = now;
  });

  // A new table lies on the page.
  function arrived() {
    const table = document.getElementById("table");
    if (!table || table === shown || !before) return;
    const old = before;
    before = null;
    shown.addEventListener("htmx:beforeSwap", answered); // from there no event comes to the body
    shown = table;
    sending = null;
    arrivedAt = performance.now();
    guardHand(old);
    keepFocus(old);
    foldCount();
    leadToHand();
    tick();
    document.title = `${table.dataset.title} · ${brand}`;
    announce(table.querySelector("#confirm, #hint")?.dataset.say || table.dataset.announce);
    motion.clear();
    const plays = playsSince(old);
    motion.tell(old.places, shown, plays);
    if (plays.some((play) => play.basra)) toast(shell.dataset.sayBasra, true);
    document.dispatchEvent(new CustomEvent("basra:table", { detail: { table, old, plays } }));
    giveSeed();
    if (isOver()) ended();
  }

  // What has been played since the table before, as far as it lies open: the last play, and the one
  // before it if both came at once.
  function playsSince(old) {
    const { number, deal, lastCard, lastTook, lastBy, lastBasra, pastCard, pastTook, pastBasra } = shown.dataset;
    const made = Number(number) - old.number;
    if (made < 1 || !lastCard) return [];
    const play = (card, took, by, basra) => ({ card, took: took ? took.split(",") : [], by, basra: basra !== "none" });
    const last = play(lastCard, lastTook, lastBy, lastBasra);
    if (made !== 2 || !pastCard || deal !== old.deal) return [last];
    return [play(pastCard, pastTook, lastBy === "me" ? "opponent" : "me", pastBasra), last];
  }

  // The page's one live region: each thing said is a line of its own in it, so that what comes next
  // does not take it from a reader's ears, and that the same can be said again.
  const LINES = 3;
  function say(text) {
    const line = document.createElement("p");
    line.textContent = text;
    live.append(line);
    while (live.children.length > LINES) live.firstElementChild.remove();
  }
  document.addEventListener("basra:say", ({ detail }) => { say(detail); });

  let announced = ""; // the same table, drawn anew, is told once
  function announce(text) {
    if (!text || text === announced) return;
    announced = text;
    say(text);
  }

  // ------------------------------------------------------------ focus

  function handCards(table) {
    const cards = {};
    for (const button of table.querySelectorAll("#hand button")) cards[button.id] = button.dataset.card;
    return cards;
  }

  function keepFocus(old) {
    const at = document.activeElement;
    const lost = !at || at === document.body || at.id === "hand"; // the hand holds it while it is empty
    const choice = shown.querySelector("#choices .capture");
    if (choice) {
      choice.focus();
      return;
    }
    if (!lost || !(old.focus || shownHadFocus)) return;
    const isHand = /^hand-slot-/.test(old.focus);
    const id = isHand ? old.focus : old.armed;
    const there = isHand || ["", "hand", "confirm-play"].includes(old.focus) ? null : document.getElementById(old.focus);
    const next = there || document.getElementById(id) || nextSlot(id) || document.querySelector("#result-title, #hand");
    next?.focus({ preventScroll: true });
  }

  // The card at a slot, or the next one that is still held.
  function nextSlot(id) {
    const all = [...shown.querySelectorAll("#hand button")];
    return all.find((button) => button.id >= id) || all[0];
  }

  // The first link of the page leads past everything to the hand, once there is one.
  function leadToHand() {
    const link = document.querySelector(".skip");
    if (!link || !shown.querySelector("#hand") || link.hash === "#hand") return;
    link.href = "#hand";
    link.textContent = link.dataset.hand;
  }

  let shownHadFocus = false; // the focus was in the table when it was last anywhere
  document.addEventListener("focusin", (event) => { shownHadFocus = shown.contains(event.target); });
  document.addEventListener("pointerdown", (event) => { shownHadFocus = shown.contains(event.target); });

  // ------------------------------------------------------------ playing

  let sending = null; // the request of a play that is under way
  let sentAt = 0;
  let tappedAt = -Infinity;

  function mayPlay(button) {
    return sending === null && button.getAttribute("aria-disabled") !== "true" && !button.classList.contains("is-guarded");
  }

  // Before anybody else sees it: a tap out of turn, or on top of another one, goes nowhere.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!shown.contains(form)) return;
    const card = event.submitter?.closest("#hand button");
    if ((card && !mayPlay(card)) || sending !== null) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (form.method === "post" && !form.elements.csrfmiddlewaretoken) addToken(form);
    if (form.id === "seed-form") noteSeed(form.elements.client_seed.value);
    if (card || ["choices", "confirm"].includes(form.id)) tappedAt = performance.now();
  }, true);

  // A table that came by the socket has no tokens in it; htmx sends the page's own, other forms need it.
  function addToken(form) {
    const token = Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken" });
    token.value = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    form.append(token);
  }

  // A second tap where the first one dealt new cards must not play what has slid under the finger.
  function guardHand(old) {
    const left = DOUBLE_TAP_MS - (performance.now() - tappedAt);
    if (left <= 0) return;
    const raised = shown.querySelector("#confirm"); // its second tap is a tap of its own
    const changed = [...shown.querySelectorAll("#hand button")].filter((button) => raised || old.hand[button.id] !== button.dataset.card);
    for (const button of changed) button.classList.add("is-guarded");
    setTimeout(() => { for (const button of changed) button.classList.remove("is-guarded"); }, left);
  }

  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.detail.elt.closest("form");
    if (!form || !shown.contains(form) || form.closest("#hint")) return; // a thought blocks no card
    sending = event.detail.xhr;
    sentAt = performance.now();
    shown.toggleAttribute("data-busy", true);
  });

  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig.verb === "get") return;
    if (sending === event.detail.xhr) sending = null;
    shown.toggleAttribute("data-busy", sending !== null);
    release();
  });

  document.addEventListener("keydown", (event) => {
    const button = event.target.closest?.("#hand button");
    const back = shown.querySelector(":is(#choices, #confirm, #hint) [name=cancel]");
    if (event.key === "Escape" && back && !document.querySelector(":popover-open")) {
      back.click();
    } else if (button && (event.key === "Enter" || event.key === " ") && event.repeat) {
      event.preventDefault();
    } else if (button && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      walk(event, "#hand button");
    } else if (event.target.closest?.("#choices .capture") && /^Arrow|^Home$|^End$/.test(event.key)) {
      walk(event, "#choices .capture");
    } else {
      shortcut(event);
    }
  });

  function walk(event, selector) {
    const from = event.target.closest(selector);
    const all = [...shown.querySelectorAll(selector)];
    const onward = getComputedStyle(from).direction === "ltr" ? "ArrowRight" : "ArrowLeft";
    const place = all.indexOf(from) + ([onward, "ArrowDown"].includes(event.key) ? 1 : -1);
    const next = event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : all[place];
    next?.focus();
    event.preventDefault();
  }

  // 1 to 4 go to that place of the hand, ? shows the keys; not while something is being typed.
  function shortcut(event) {
    const typing = event.target.matches?.("input, textarea, select") || event.ctrlKey || event.altKey || event.metaKey;
    if (typing || document.querySelector(":popover-open")) return;
    if (event.key === "?") document.getElementById("keys")?.showPopover();
    else if (/^[1-4]$/.test(event.key)) document.getElementById(`hand-slot-${event.key - 1}`)?.focus();
  }

  // What a card would take is ringed while the mouse is over it or the keyboard on it.
  function preview(button) {
    const taken = button && mayPlay(button) ? button.dataset.takes.split(",") : [];
    if (shown.querySelector("#choices, #confirm")) return;
    for (const card of shown.querySelectorAll("#floor [data-card]")) {
      card.classList.toggle("is-capturable", taken.includes(card.dataset.card));
    }
  }
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") preview(event.target.closest("#hand button"));
  });
  document.addEventListener("focusin", (event) => {
    const button = event.target.closest("#hand button");
    preview(button && button.matches(":focus-visible") ? button : null);
  });

  // ------------------------------------------------------------ the clock

  // Counted from the milliseconds that the server sent and from their arrival here; never from the
  // time of day, which a reader's machine may have wrong.
  let arrivedAt = performance.getEntriesByType?.("navigation")[0]?.responseStart || performance.now();
  let warned = "";

  function resync(next) {
    const clock = next.querySelector(".clock[data-elapsed]");
    const mine = shown.querySelector(".clock[data-elapsed]");
    if (!clock || !mine) return;
    mine.dataset.elapsed = clock.dataset.elapsed;
    arrivedAt = performance.now();
  }

  function written(ms) {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    return digits(seconds < 60 ? String(seconds) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  }

  // The digits that the reader wants, as everywhere on the page.
  function digits(text) {
    return document.documentElement.dataset.digits === "arab" ? text.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[digit]) : text;
  }

  function tick() {
    const since = performance.now() - arrivedAt;
    const clock = shown.querySelector(".clock[data-elapsed]");
    if (clock) {
      const [free, bank] = [Number(clock.dataset.free), Number(clock.dataset.bank)];
      const spent = Number(clock.dataset.elapsed) + since;
      const inBank = spent >= free;
      const left = inBank ? Math.max(0, bank - (spent - free)) : free - spent;
      const whole = inBank ? Math.max(bank, Number(clock.dataset.whole)) : free;
      clock.querySelector("[data-seconds]").textContent = written(left);
      clock.querySelector(".left").setAttribute("stroke-dasharray", `${Math.round(100 * left / whole)} 100`);
      const low = free + bank - spent <= LOW_MS;
      clock.classList.toggle("is-low", low);
      const turn = shown.dataset.number;
      if (low && shown.dataset.turn === "me" && shown.dataset.seat && warned !== turn) {
        warned = turn;
        announce(shell.dataset.sayLow);
        document.dispatchEvent(new CustomEvent("basra:low"));
      }
    }
    const countdown = shown.querySelector("[data-countdown]");
    if (countdown) {
      countdown.dataset.at ??= String(performance.now() + 1000 * Number(countdown.dataset.countdown));
      countdown.textContent = written(Number(countdown.dataset.at) - performance.now());
    }
  }
  setInterval(tick, 250);

  // ------------------------------------------------------------ the socket

  let socket = null;
  let triedAt = performance.now();
  let channel = null; // htmx's wrapper of it: can reconnect
  const abandoned = new WeakSet(); // sockets given up by this script: that they close means nothing
  let downSince = shell.hasAttribute("ws-connect") ? performance.now() : null;
  const pause = () => 500 + Math.random() * 2500; // spread, so that a restart is no storm

  document.addEventListener("DOMContentLoaded", () => { htmx.config.wsReconnectDelay = pause; });
  document.body.addEventListener("htmx:wsOpen", (event) => {
    socket = event.detail.event.target;
    channel = event.detail.socketWrapper;
  });
  document.body.addEventListener("htmx:wsClose", (event) => {
    const closed = event.detail.event;
    if (abandoned.has(closed.target)) return;
    channel = event.detail.socketWrapper;
    socket = null;
    downSince ??= performance.now();
    if (closed.code === 4401 || closed.code === 4404) renew();
    else if (closed.code !== 4408 && !BY_HTMX.includes(closed.code)) setTimeout(() => { if (!socket) reconnect(); }, pause());
  });

  function reconnect() {
    if (isOver() || !channel) return;
    if (socket) abandoned.add(socket);
    socket = null;
    downSince ??= performance.now();
    triedAt = performance.now();
    channel.reconnect(); // closes the one it has
  }
  setInterval(() => { if (downSince !== null && performance.now() - triedAt > TRY_MS) reconnect(); }, 1000);

  // A line can be dead without either end having noticed: ask, and if nothing comes connect again.
  let heardAt = 0;
  function ping() {
    const asked = socket;
    if (asked?.readyState !== WebSocket.OPEN) return;
    const at = performance.now();
    asked.send(PING);
    setTimeout(() => {
      if (asked !== socket || heardAt >= at) return;
      downSince ??= at;
      reconnect();
      showConnection();
    }, PONG_MS);
  }
  setInterval(() => { if (!document.hidden) ping(); }, PING_MS);

  function showConnection() {
    const away = downSince !== null && !isOver() && performance.now() - downSince >= PATIENCE_MS;
    if (away && connection.hidden) say(connection.textContent.trim());
    connection.hidden = !away;
  }
  setInterval(showConnection, 500);

  let asking = false;
  async function ask() {
    if (asking || isOver()) return;
    asking = true;
    try {
      await htmx.ajax("GET", location.pathname, { source: shell, target: "#table", swap: "outerHTML settle:0ms" });
    } catch {
      // Still no line: the banner says so.
    } finally {
      asking = false;
    }
  }
  setInterval(() => { if (downSince !== null && performance.now() - downSince > PATIENCE_MS) ask(); }, POLL_MS);

  function back() {
    ask();
    ping();
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) back(); });
  addEventListener("online", () => { if (socket) reconnect(); ask(); });
  addEventListener("offline", () => { downSince ??= performance.now(); });
  addEventListener("pageshow", (event) => { if (event.persisted) renew(); });

  // ------------------------------------------------------------ when a request fails

  const isPoll = (event) => event.detail.requestConfig?.verb === "get";

  document.body.addEventListener("htmx:responseError", (event) => {
    const { status } = event.detail.xhr;
    if (event.detail.xhr.getResponseHeader("HX-Refresh")) return; // htmx reloads
    if (status === 403 || status === 404) renew();
    else if (!isPoll(event)) toast(shell.dataset.sayLost);
  });
  document.body.addEventListener("htmx:sendError", (event) => { if (!isPoll(event)) toast(shell.dataset.sayLost); });
  document.body.addEventListener("htmx:timeout", (event) => { if (!isPoll(event)) toast(shell.dataset.saySlow); });

  function toast(text, quiet = false) {
    const line = document.createElement("p");
    line.className = "toast";
    line.setAttribute(quiet ? "aria-hidden" : "role", quiet ? "true" : "alert");
    line.textContent = text;
    toasts.replaceChildren(line);
    setTimeout(() => line.remove(), quiet ? 1600 : 5000);
  }

  // ------------------------------------------------------------ the count of the last deal

  let folded = "";
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.(".counted") && !event.target.open) {
      folded = event.target.dataset.deal;
      event.target.hidden = true;
    }
  }, true);
  function foldCount() {
    const count = shown.querySelector(".counted");
    if (count && count.dataset.deal === folded) count.hidden = true;
  }

  // ------------------------------------------------------------ seeds

  const note = () => `match:${shown.dataset.match}`;
  const noted = () => JSON.parse(kept.read(note()));

  // Kept before the deal, so that this browser can say afterwards what it saw. Of several seeds the
  // server has taken one: which, another tab may know.
  function noteSeed(seed) {
    const { commitment, seeds = [] } = noted() ?? shown.querySelector("#fairness").dataset;
    kept.write(note(), JSON.stringify({ match: shown.dataset.match, commitment, seeds: [...seeds, seed] }));
  }

  function giveSeed() {
    const form = shown.querySelector("#seed-form[data-auto]");
    if (!form || !form.reportValidity || form.dataset.given) return;
    form.dataset.given = "yes";
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    form.elements.client_seed.value = noted()?.seeds.at(-1) || Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    form.requestSubmit(form.querySelector("[type=submit]"));
  }

  // ------------------------------------------------------------ the end

  function ended() {
    const resigned = document.getElementById("resigning")?.matches(":popover-open");
    toasts.replaceChildren();
    for (const id of ["resigning", "keys", "side"]) {
      const open = document.getElementById(id);
      if (open?.matches(":popover-open")) open.hidePopover();
    }
    const lost = document.activeElement === document.body && shownHadFocus;
    if (lost || resigned) document.getElementById("result-title")?.focus({ preventScroll: true });
  }

  // ------------------------------------------------------------ the page has come

  document.addEventListener("DOMContentLoaded", () => {
    document.title = `${shown.dataset.title} · ${brand}`;
    tick();
    giveSeed();
    if (isOver()) ended();
    document.dispatchEvent(new CustomEvent("basra:table", { detail: { table: shown, old: null, plays: [] } }));
  });

  return { mayPlay, preview };
})();
