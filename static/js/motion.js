// Motion: tells what has happened, and nothing else. The page is right without it: the table is
// final before anything moves, and what moves are copies, so nothing waits for it: the next table
// takes them away. Only el.animate and el.style are used, which a strict CSP allows. places() before
// a swap, tell() after it.
"use strict";

const motion = (() => {
  const TWO_AT_ONCE = 0.6; // of two plays in one table each is told in so much of the usual time
  const STAGGER_MS = 35;
  const COUNT_MS = 420;
  const root = document.documentElement;
  const ms = (token) => parseFloat(getComputedStyle(root).getPropertyValue(token)) || 0;
  const less = matchMedia("(prefers-reduced-motion: reduce)");
  const isOff = () => less.matches || document.hidden || root.classList.contains("motion-off") || !document.body.animate;
  const box = (el) => el?.getBoundingClientRect();
  let era = 0; // copies of an earlier table have no say any more

  // Where each open card lies, the hidden hands, and what is counted: what a telling starts from.
  function places(table) {
    const cards = new Map();
    for (const el of table.querySelectorAll("#floor [data-card], #hand [data-card]")) {
      cards.set(el.dataset.card, { box: box(el), picture: picture(el) });
    }
    const held = document.querySelector(".card.ghost.is-held");
    if (held && cards.has(held.dataset.copyOf)) cards.get(held.dataset.copyOf).box = box(held);
    const hidden = {};
    const backs = {};
    for (const [by, list] of Object.entries(hands(table))) {
      backs[by] = list?.children.length || 0;
      if (backs[by]) hidden[by] = box(list.lastElementChild);
    }
    const floor = box(table.querySelector(".floor-wrap"));
    const points = { ...table.querySelector("#score")?.dataset };
    return { cards, hidden, backs, floor, points, counted: table.querySelector(".counted")?.dataset.deal };
  }

  function hands(table) {
    return { opponent: table.querySelector(".seat .backs"), me: table.querySelector(".hand-backs .backs") };
  }

  function picture(el) {
    return el.querySelector("svg").cloneNode(true);
  }

  // The face of a card that lies nowhere any more, from any picture of the same sheet.
  function faceOf(card) {
    const some = document.querySelector("#hand svg, #floor svg, .backs svg, .pile svg");
    if (!some) return null;
    const face = some.cloneNode(true);
    const use = face.querySelector("use");
    use.setAttribute("href", use.getAttribute("href").replace(/#.*$/, `#card-${card}`));
    return face;
  }

  function ghost(face, at) {
    const copy = document.createElement("div");
    copy.className = "card ghost";
    copy.setAttribute("aria-hidden", "true");
    copy.append(face.cloneNode(true));
    Object.assign(copy.style, { left: `${at.left}px`, top: `${at.top}px`, width: `${at.width}px` });
    document.body.append(copy);
    return copy;
  }

  function shift(from, to) {
    return `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(${to.width / from.width})`;
  }

  // Calls `then` when `animation` is over, unless another table has come.
  function after(animation, then) {
    const mine = era;
    animation.finished.then(() => { if (mine === era) then(); }, () => {});
  }

  function slide(el, from, delay, duration) {
    const to = box(el);
    if (Math.abs(from.left - to.left) < 1 && Math.abs(from.top - to.top) < 1) return;
    el.animate(
      [{ transformOrigin: "0 0", transform: shift(to, from), zIndex: 3 }, { transformOrigin: "0 0", transform: "none", zIndex: 3 }],
      { delay, duration, easing: easing(), fill: "backwards" },
    );
  }

  const easing = () => getComputedStyle(root).getPropertyValue("--ease-out").trim() || "ease-out";

  // A card that is laid: thrown from the hand, it lands and settles.
  function land(el, from, delay, duration) {
    const to = box(el);
    const settle = { transformOrigin: "0 0", transform: "translate(-3.5%, -3.5%) scale(1.07)", zIndex: 3 };
    el.animate(
      [
        { transformOrigin: "0 0", transform: shift(to, from), zIndex: 3 }, { ...settle, offset: 0.72 },
        { transformOrigin: "0 0", transform: "none", zIndex: 3 },
      ],
      { delay, duration: duration * 1.4, easing: easing(), fill: "backwards" },
    );
    if (delay) el.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay });
  }

  // One play from `at` on; `known` is where the cards lie before it. Gives when its card has come down
  // and when all is told.
  function one(known, table, play, at, pace) {
    const [t, hold, away] = ["--t-play", "--t-hold", "--t-pile"].map((token) => ms(token) * pace);
    const start = known.cards.get(play.card)?.box || known.hidden[play.by];
    const face = known.cards.get(play.card)?.picture || faceOf(play.card);
    const down = at + t;
    if (!start || !face) return { down: at, end: at };
    if (!play.took.length) {
      const lies = table.querySelector(`#floor [data-card="${play.card}"]`);
      if (lies) land(lies, start, at, t);
      else known.cards.set(play.card, { box: middle(known.floor, start), picture: face, flies: { from: start, at, t } });
      return { down, end: down };
    }
    const pile = table.querySelector(`[data-pile="${play.by}"] .pile-cards`);
    const taken = play.took.map((card) => known.cards.get(card)).filter(Boolean);
    if (!pile || !taken.length) return { down: at, end: at };
    const target = box(pile);
    const first = taken[0].box;
    const beside = { left: first.left + first.width * 0.34, top: first.top + first.height * 0.22, width: first.width };
    for (const { box: from, picture: own, flies } of taken) {
      const copy = ghost(own, from);
      if (flies) copy.animate([{ transform: shift(from, flies.from) }, { transform: "none" }], { delay: flies.at, duration: flies.t, easing: easing(), fill: "backwards" });
      copy.animate([{ transform: "none" }, { transform: shift(from, target) }], { delay: down + hold, duration: away, easing: "ease-in", fill: "forwards" })
        .finished.then(() => copy.remove(), () => {});
    }
    const copy = ghost(face, start);
    const isOpen = known.cards.has(play.card);
    if (!isOpen && at) copy.animate([{ opacity: 0 }, { opacity: 0 }], { duration: at });
    copy.animate([{ transform: "none" }, { transform: shift(start, beside) }], { delay: at, duration: t, easing: easing(), fill: "both" });
    const last = copy.animate([{ transform: shift(start, beside) }, { transform: shift(start, target) }], { delay: down + hold, duration: away, easing: "ease-in", fill: "forwards" });
    last.finished.then(() => copy.remove(), () => {});
    after(last, () => {
      pile.parentElement.classList.add("just-grew");
      if (!play.basra) return;
      pile.parentElement.classList.add("is-basra");
      table.querySelector(".basra-flash")?.classList.add("is-on");
    });
    return { down, end: down + hold + away };
  }

  function middle(floor, like) {
    return { left: floor.left + (floor.width - like.width) / 2, top: floor.top + (floor.height - like.height) / 2, width: like.width, height: like.height };
  }

  // A batch: from the stock to the hands, the own cards face up.
  function deal(before, table, at) {
    const stock = box(table.querySelector(".stock .icon"));
    if (!stock) return;
    const fresh = [...table.querySelectorAll("#hand [data-card]")].filter((el) => !before.cards.has(el.dataset.card));
    for (const [by, list] of Object.entries(hands(table))) {
      if (list && list.children.length > before.backs[by]) fresh.push(...list.children);
    }
    fresh.forEach((el, place) => appear(el, stock, at + STAGGER_MS * (place % 4)));
  }

  // A copy flies in; what it stands for lies there already, can be tapped, and is only not yet seen.
  function appear(el, from, delay) {
    const [to, t] = [box(el), ms("--t-play")];
    const copy = ghost(picture(el), to);
    copy.animate([{ transform: shift(to, from), opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "none" }], { delay, duration: t, easing: easing(), fill: "backwards" })
      .finished.then(() => copy.remove(), () => {});
    el.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + t });
  }

  // A deal is counted: its lines light up one after the other, and what they add rises from the points.
  function count(before, table) {
    const counted = table.querySelector(".counted");
    if (!counted || counted.hidden || counted.dataset.deal === before.counted) return;
    const wash = getComputedStyle(counted).getPropertyValue("--felt-raised");
    counted.querySelectorAll("tbody tr, tfoot tr").forEach((row, place) => {
      row.animate([{ backgroundColor: wash }, { backgroundColor: "transparent" }], { delay: 90 * place, duration: COUNT_MS, fill: "backwards" });
    });
    const added = counted.querySelectorAll("tfoot tr:first-child td");
    ["me", "opponent"].forEach((side, place) => {
      const key = `points${side[0].toUpperCase()}${side.slice(1)}`;
      const points = table.querySelector(`.player-${side} .points`);
      if (!points || table.querySelector("#score").dataset[key] === before.points[key]) return;
      points.animate([{}, { scale: 1.25 }, {}], { duration: COUNT_MS });
      rise(points, `+${added[place]?.textContent.trim()}`);
    });
  }

  function rise(el, text) {
    const copy = document.createElement("span");
    copy.className = "ghost plus";
    copy.setAttribute("aria-hidden", "true");
    copy.textContent = text;
    const at = box(el);
    Object.assign(copy.style, { left: `${at.left}px`, top: `${at.top}px` });
    document.body.append(copy);
    copy.animate([{ opacity: 0, translate: "0 60%" }, { opacity: 1, offset: 0.3 }, { opacity: 0, translate: "0 -90%" }], { duration: 2 * COUNT_MS, easing: "ease-out" })
      .finished.then(() => copy.remove(), () => {});
  }

  // plays: none, one or two, oldest first, each {card, took: [card, …], by: "me" or "opponent",
  // basra: boolean}. Two that come in one table are told one after the other, faster.
  function tell(before, table, plays) {
    if (isOff()) return;
    const known = { ...before, cards: new Map(before.cards) };
    const pace = plays.length > 1 ? TWO_AT_ONCE : 1;
    let told = { down: 0, end: 0 };
    let lastAt = 0;
    for (const play of plays) {
      lastAt = told.end;
      told = one(known, table, play, lastAt, pace);
    }
    const laid = new Set(plays.filter((play) => !play.took.length).map((play) => play.card));
    for (const el of table.querySelectorAll("#floor [data-card]")) {
      const from = before.cards.get(el.dataset.card)?.box;
      if (from && !laid.has(el.dataset.card)) slide(el, from, lastAt, ms("--t-play") * pace);
    }
    deal(before, table, told.down);
    count(before, table);
  }

  // What is still under way is dropped: the next play is told from how things are.
  function clear() {
    era += 1;
    for (const copy of document.querySelectorAll("body > .ghost")) copy.remove();
  }

  return { places, tell, clear, ghost, picture };
})();
