// What calls the reader: the icon in the tab, sounds, a phone that buzzes and whose screen stays on
// while a match runs; and the offer, once, to confirm each play.
"use strict";

(() => {
  const BASRA_MS = 30;
  const TURN_MS = 15;
  const OFFERED = "offered-confirm";
  const shell = document.getElementById("main");
  const icon = document.getElementById("icon");
  const wantsSound = document.documentElement.hasAttribute("data-sounds");
  let table = document.getElementById("table");
  if (!table) return;

  const isMine = () => table.dataset.seat !== "";
  const runs = () => table.dataset.status === "playing";
  const isMyTurn = () => runs() && isMine() && table.dataset.turn === "me";

  document.addEventListener("basra:table", (event) => {
    const { old, plays } = event.detail;
    table = event.detail.table;
    if (icon) icon.href = isMyTurn() ? shell.dataset.iconTurn : shell.dataset.icon;
    if (old) tell(old, plays);
    keepAwake();
    offer();
  });
  document.addEventListener("basra:low", () => sounds("low"));

  // ------------------------------------------------------------ sounds and buzzing

  function sounds(name) {
    if (wantsSound && typeof sound === "object") sound.play(name);
  }

  function buzz(ms) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(ms);
  }

  function tell(old, plays) {
    const basra = plays.some((play) => play.basra);
    const capture = plays.some((play) => play.took.length);
    if (basra) buzz(BASRA_MS);
    if (plays.length) sounds(basra ? "basra" : capture ? "capture" : "play");
    if (!runs() && old.status === "playing") {
      sounds("end");
    } else if (isMyTurn() && (old.turn !== "me" || old.status !== "playing" || plays.length > 1)) {
      setTimeout(() => sounds("turn"), plays.length ? 350 : 0); // after the card has come down
      if (wantsSound && !basra) buzz(TURN_MS);
    }
  }

  // ------------------------------------------------------------ the screen stays on

  let lock = null;
  let asking = false;

  async function keepAwake() {
    const wanted = runs() && isMine() && !document.hidden;
    if (!wanted) {
      lock?.release().catch(() => {});
      lock = null;
    } else if (navigator.wakeLock && !asking && (!lock || lock.released)) {
      asking = true;
      try {
        lock = await navigator.wakeLock.request("screen");
      } catch {
        lock = null; // a battery that is low, or a browser that does not want to
      }
      asking = false;
      if (lock && !(runs() && isMine())) keepAwake();
    }
  }
  document.addEventListener("visibilitychange", keepAwake);

  // ------------------------------------------------------------ the offer

  // After the first match by touch. However it is answered, it does not come again.
  function offer() {
    const form = table.querySelector("[data-offer]");
    if (form && matchMedia("(pointer: coarse)").matches && kept.works() && !kept.read(OFFERED)) form.hidden = false;
  }

  const noteOffered = () => kept.write(OFFERED, "yes");
  document.addEventListener("submit", (event) => { if (event.target.matches("[data-offer]")) noteOffered(); });
  document.addEventListener("click", (event) => {
    const no = event.target.closest("[data-offer] [data-action='no-thanks']");
    if (!no) return;
    noteOffered();
    no.closest("[data-offer]").hidden = true;
    document.querySelector(".result .btn-primary")?.focus();
  });
})();
