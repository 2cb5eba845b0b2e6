// The lobby while waiting: goes to the table that #call names, when a push brings it.
"use strict";

(() => {
  const socket = document.querySelector("[ws-connect]");
  if (!socket) return;

  const answer = () => {
    const address = document.getElementById("call")?.dataset.go ?? "";
    if (!/^\/(?!\/)/.test(address)) return;
    watcher.disconnect();
    location.assign(address);
  };

  const watcher = new MutationObserver(answer);
  watcher.observe(socket, { attributes: true, childList: true, subtree: true });
})();
