// Keeps the whole app for use without a network, a version at a time.
//
// The build puts in the version, the list of files and the codes of the languages. A new version is fetched as a whole and then
// waits: it takes over when the page says so, or when the app is not open anywhere.
"use strict";

const version = "VERSION";
const files = ["FILES"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(version).then((cache) =>
      Promise.all(
        files.map(async (file) => {
          // Names that tell the content may come from the browser's memory, others must be new.
          const named = /-[0-9a-f]{12}\./.test(file);
          const answer = await fetch(file, { cache: named ? "default" : "no-cache" });
          if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
          await cache.put(file, answer);
        }),
      ),
    ),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      // The version before is kept: another tab may still run it, and ask for its engine. Caches are
      // listed in the order in which they were made.
      const old = (await caches.keys()).filter((name) => name !== version);
      await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(page(request, address.pathname));
  } else if (address.pathname !== "/service-worker.js" && !address.pathname.startsWith("/api/")) {
    event.respondWith(caches.match(address.pathname).then((kept) => kept ?? fetch(request)));
  }
});

// All pages of the app are one file; only the reader's version of it knows its own assets.
async function page(request, path) {
  const ours = path === "/" || /^\/(LANGUAGES)(\/|$)/.test(path);
  const cache = await caches.open(version);
  const kept = ours ? await cache.match("/") : undefined;
  return kept ?? fetch(request);
}
