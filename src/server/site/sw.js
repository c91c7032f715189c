// The site without a network, after the first visit. Tables are fetched when they are asked for.

const VERSION = "{VERSION}";
const FILES = ["{FILES}"];

addEventListener("install", (event) => {
  const kept = caches.open(VERSION).then((cache) => cache.addAll(FILES));
  event.waitUntil(kept.then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const dropped = caches
    .keys()
    .then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))));
  event.waitUntil(dropped.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || request.headers.has("range")) return;
  const kept = caches.open(VERSION).then((cache) => cache.match(request, { ignoreSearch: true }));
  event.respondWith(kept.then((found) => found ?? fetch(request)));
});
