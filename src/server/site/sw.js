// The site without a network, after the first visit. Tables are fetched when they are asked for.

// Other sites of the same origin have caches, too: those of this one begin with its address.
const OURS = `oware ${registration.scope} `;
const CACHE = `${OURS}{VERSION}`;
const FILES = ["{FILES}"];

// What the browser has kept of an older version is asked for again.
const asked = () => FILES.map((file) => new Request(file, { cache: "no-cache" }));

addEventListener("install", (event) => {
  const kept = caches.open(CACHE).then((cache) => cache.addAll(asked()));
  event.waitUntil(kept.then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(OURS) && name !== CACHE;
  const dropped = caches
    .keys()
    .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))));
  event.waitUntil(dropped.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || request.headers.has("range")) return;
  const kept = caches.open(CACHE).then((cache) => cache.match(request, { ignoreSearch: true }));
  event.respondWith(kept.then((found) => found ?? fetch(request)));
});
