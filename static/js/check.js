// Checks a match in the reader's own browser, step by step, with fair.js. What this browser noted
// before the deal is what table.js has kept there (kept.js); who logged out since has it no more.
"use strict";

(() => {
  const show = (root) => { for (const el of root.querySelectorAll("[data-needs-script]")) el.hidden = false; };
  show(document);
  document.addEventListener("htmx:afterSettle", () => show(document));
  document.addEventListener("htmx:wsAfterMessage", () => show(document));

  // Numbers in the digits that the reader wants; cards and hashes as they are.
  const arab = document.documentElement.dataset.digits === "arab";
  const inDigits = (value) => (arab && typeof value === "number" ? String(value).replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[digit]) : value);
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => inDigits(values[name]));

  function noted(match) {
    const note = JSON.parse(kept.read(`match:${match}`));
    const { seat } = document.getElementById("table").dataset;
    return note && seat !== "" ? { ...note, seat: Number(seat) } : null;
  }

  // Where two packs first differ, in words; else the two values.
  function reason(section, step) {
    if (step.step !== "pack") return fill(section.dataset.sayDiffers, step);
    const [found, expected] = [step.found.split(" "), step.expected.split(" ")];
    const place = expected.findIndex((card, i) => card !== found[i]);
    return fill(section.dataset.sayPlace, { place: place + 1, found: found[place], expected: expected[place] });
  }

  function line(section, step) {
    const name = step.step === "noted" && step.ok === null ? "not-noted" : step.step;
    const item = section.querySelector("template").content.querySelector(`[data-step="${name}"]`).cloneNode(true);
    item.textContent = fill(item.textContent, step);
    item.dataset.ok = String(step.ok);
    if (step.ok === false && step.found !== undefined) {
      const why = document.createElement("code");
      why.textContent = reason(section, step);
      item.append(why);
    }
    return item;
  }

  async function run(section) {
    const list = section.querySelector(".check-steps");
    const verdicts = section.querySelectorAll("[data-verdict]");
    for (const verdict of verdicts) verdict.hidden = true;
    list.replaceChildren();
    list.hidden = false;
    let sound = true;
    try {
      const answer = await fetch(section.dataset.record);
      if (!answer.ok) throw new Error(String(answer.status));
      const record = await answer.json();
      for (const step of fair.check(record, noted(record.match))) {
        list.append(line(section, step));
        if (step.ok === false) sound = false;
      }
    } catch {
      list.append(line(section, { step: "failed", ok: false }));
      return;
    }
    section.querySelector(`[data-verdict="${sound ? "sound" : "wrong"}"]`).hidden = false;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest('[data-action="check"]');
    if (button) run(button.closest("#check"));
  });
})();
