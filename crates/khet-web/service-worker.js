// Caches the whole app for offline use, one version per cache.
//
// The build inserts the version, the list of files, the check for SIMD, the language codes and the words that name pages. A new
// version is fetched completely and then waits until the page tells it to take over, or until no page of the app is open.
"use strict";

const version = "VERSION";
// The engine is cached only in the build that its worker will load.
const unusedEngine = "HAS_SIMD" ? "/engine-plain-" : "/engine-simd-";
const files = ["FILES"].filter((file) => !file.startsWith(unusedEngine));

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(version).then((cache) =>
      Promise.all(
        files.map(async (file) => {
          // Files with a content hash in their name may come from the HTTP cache, others must be revalidated.
          const hashed = /-[0-9a-f]{12}\./.test(file);
          const response = await fetch(file, { cache: hashed ? "default" : "no-cache" });
          if (!response.ok) throw new Error(`${file}: ${response.status}`);
          await cache.put(file, response);
        }),
      ),
    ),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      // Keeps the previous version, because another tab may still run it and load its engine. Caches are
      // listed in order of creation.
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
    event.respondWith(caches.match(address.pathname).then((cached) => cached ?? fetch(request)));
  }
});

// All pages of the app are one file. Serves the cached version of it, which refers to the cached assets.
async function page(request, path) {
  const isAppPage = path === "/" || /^\/(LANGUAGES|PAGES)(\/|$)/.test(path);
  const cache = await caches.open(version);
  const cached = isAppPage ? await cache.match("/") : undefined;
  return cached ?? fetch(request);
}
