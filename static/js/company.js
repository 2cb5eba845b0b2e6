// On every page of who is logged in: what the server says of other people. News only names its
// topics; whatever on the page shows one of them asks for itself anew ("news-<topic>" is what it
// waits for). A call leads to the table of a ranked match.
"use strict";

(() => {
  const heard = (message) => /^<i data-news="([a-z ]+)"/.exec(message)?.[1].split(" ") ?? [];
  const called = (message) => /data-go="(\/(?!\/)[^"]*)"/.exec(message)?.[1];

  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    const { message } = event.detail;
    const topics = heard(message);
    if (topics.length) event.preventDefault();
    for (const topic of topics) htmx.trigger(document.body, `news-${topic}`);
    const address = called(message);
    // A running table has its own way to leave; every other page goes at once.
    if (address && !document.querySelector("#main[ws-connect]")) location.assign(address);
  });

  // While a socket was away, news may have been missed.
  const ALL = ["bell", "challenges", "people", "queue", "talk", "lobby"];
  let wasDown = false;
  document.addEventListener("htmx:wsClose", () => { wasDown = true; });
  document.addEventListener("htmx:wsOpen", () => {
    if (wasDown) for (const topic of ALL) htmx.trigger(document.body, `news-${topic}`);
    wasDown = false;
  });
})();
