// A card can be dragged to the floor: let go there it is played, as by a tap; anywhere else nothing
// happens. What moves is a copy.
"use strict";

(() => {
  const START_PX = 8; // a finger is never quite still: less than this is a tap
  let drag = null;
  let swallow = false; // the click that a browser makes of the end of a drag

  const floor = () => document.querySelector("#table .floor-wrap");

  function isOver(event) {
    const at = floor()?.getBoundingClientRect();
    return Boolean(at) && event.clientX >= at.left && event.clientX <= at.right && event.clientY >= at.top && event.clientY <= at.bottom;
  }

  function lift() {
    const { button } = drag;
    drag.copy = motion.ghost(motion.picture(button), button.getBoundingClientRect());
    drag.copy.classList.add("is-held");
    drag.copy.dataset.copyOf = button.dataset.card;
    button.classList.add("is-lifted");
    atTable.preview(button);
  }

  function putBack() {
    if (!drag) return;
    drag.copy?.remove();
    drag.button.classList.remove("is-lifted");
    floor()?.classList.remove("is-target");
    if (drag.copy) atTable.preview(null);
    drag = null;
  }

  document.addEventListener("pointerdown", (event) => {
    swallow = false;
    putBack();
    const button = event.target.closest?.("#hand button");
    if (!button || !event.isPrimary || event.button !== 0 || !atTable?.mayPlay(button)) return;
    drag = { button, id: event.pointerId, x: event.clientX, y: event.clientY, copy: null };
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.button.isConnected) {
      putBack();
      return;
    }
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.copy && Math.hypot(x, y) < START_PX) return;
    if (!drag.copy) lift();
    drag.copy.style.transform = `translate(${x}px, ${y}px)`;
    floor()?.classList.toggle("is-target", isOver(event));
  });

  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { button, copy } = drag;
    if (copy) swallow = true;
    if (!copy || !isOver(event) || !button.isConnected || !atTable.mayPlay(button)) {
      putBack();
      return;
    }
    drag = null;
    floor().classList.remove("is-target");
    swallow = false;
    button.click(); // the one way a card is played; the copy lies on the floor until the answer is there
    swallow = true;
    if (!document.querySelector("#table[data-busy]")) letGo();
  });

  function letGo() {
    for (const copy of document.querySelectorAll(".card.ghost.is-held")) copy.remove();
    for (const card of document.querySelectorAll("#hand .is-lifted")) card.classList.remove("is-lifted");
  }
  document.body.addEventListener("htmx:afterRequest", letGo);

  document.addEventListener("pointercancel", putBack);
  // Without this a flick counts as a fling, which the next tap would only stop.
  document.addEventListener("touchmove", (event) => { if (drag?.copy) event.preventDefault(); }, { passive: false });
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.("#hand")) event.preventDefault(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") putBack(); });
  document.addEventListener("click", (event) => {
    if (!swallow) return;
    swallow = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
})();
