// Opens what a notice of the browser tells of. It keeps nothing, and no request passes through it.
"use strict";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data, self.location.origin)));
});

// A page that is there already is left as it is: somebody may be playing on it.
async function open(address) {
  if (address.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url === address.href);
  await (there ? there.focus() : self.clients.openWindow(address.href));
}
