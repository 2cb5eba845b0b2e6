// Motion: tells what a play did, and nothing else. The page is right without it: the table is
// final before anything moves, and what moves are copies. Only el.animate and el.style are used,
// which a strict CSP allows. places() before a swap, tell() after it.
"use strict";

const motion = (() => {
  const root = document.documentElement;
  const ms = (token) => parseFloat(getComputedStyle(root).getPropertyValue(token)) || 0;
  const less = matchMedia("(prefers-reduced-motion: reduce)");

  // Where each open card lies, and the opponent's hand and the piles.
  function places(table) {
    const cards = new Map();
    for (const el of table.querySelectorAll("#floor [data-card], #hand [data-card]")) {
      cards.set(el.dataset.card, { box: el.getBoundingClientRect(), picture: picture(el) });
    }
    const hidden = {};
    for (const [by, list] of [["opponent", ".seat .backs"], ["me", ".hand-backs .backs"]]) {
      const backs = table.querySelector(list);
      if (backs && backs.lastElementChild) hidden[by] = backs.lastElementChild.getBoundingClientRect();
    }
    return { cards, hidden };
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

  function ghost(face, box) {
    const copy = document.createElement("div");
    copy.className = "card ghost";
    copy.setAttribute("aria-hidden", "true");
    copy.append(face);
    Object.assign(copy.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` });
    document.body.append(copy);
    return copy;
  }

  function shift(from, to) {
    return `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(${to.width / from.width})`;
  }

  function slide(el, from, duration, easing) {
    const to = el.getBoundingClientRect();
    if (Math.abs(from.left - to.left) < 1 && Math.abs(from.top - to.top) < 1) return;
    el.animate([{ transformOrigin: "0 0", transform: shift(to, from), zIndex: 3 }, { transformOrigin: "0 0", transform: "none", zIndex: 3 }], { duration, easing });
  }

  // play: {card, took: [card, …], by: "me" or "opponent", basra: boolean}; before: from places().
  async function tell(before, table, play) {
    if (less.matches || document.hidden || !document.body.animate) return;
    const [t, hold, away] = ["--t-play", "--t-hold", "--t-pile"].map(ms);
    const easing = getComputedStyle(root).getPropertyValue("--ease-out").trim() || "ease-out";
    const start = before.cards.get(play.card)?.box || before.hidden[play.by];
    for (const el of table.querySelectorAll("#floor [data-card]")) {
      const from = before.cards.get(el.dataset.card)?.box || (el.dataset.card === play.card ? start : null);
      if (from) slide(el, from, t, easing);
    }
    const taken = play.took.map((card) => before.cards.get(card)).filter(Boolean);
    const pile = table.querySelector(`[data-pile="${play.by}"] .pile-cards`);
    if (!taken.length || !start || !pile) return;
    const target = pile.getBoundingClientRect();
    const face = before.cards.get(play.card)?.picture || faceOf(play.card);
    if (!face) return;
    const first = taken[0].box;
    const beside = { left: first.left + first.width * 0.34, top: first.top + first.height * 0.22, width: first.width };
    const moved = taken.map(({ box, picture: own }) => ({ from: box, at: "none", copy: ghost(own, box) }));
    const played = { from: start, at: shift(start, beside), copy: ghost(face, start) };
    await played.copy.animate([{ transform: "none" }, { transform: played.at }], { duration: t, easing, fill: "forwards" }).finished;
    await Promise.all([...moved, played].map(({ from, at, copy }) => copy.animate(
      [{ transform: at }, { transform: shift(from, target) }],
      { duration: away, delay: hold, easing: "ease-in", fill: "both" },
    ).finished.then(() => copy.remove())));
    pile.parentElement.classList.add("just-grew");
    if (!play.basra) return;
    pile.parentElement.classList.add("is-basra");
    table.querySelector(".basra-flash")?.classList.add("is-on");
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(30);
  }

  // What is still under way is dropped: the next play is told from how things are.
  function clear() {
    for (const copy of document.querySelectorAll(".card.ghost")) copy.remove();
  }

  return { places, tell, clear };
})();
