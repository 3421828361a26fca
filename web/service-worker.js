// Keeps every file of the page for offline use, and isolates the page so that memory can be shared. A static host
// need not send the headers for that. VERSION is set when the page is built: another version, another cache.
const CACHE = "gameplay-VERSION";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("gameplay-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
})()));

function isolated(response) {
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return isolated(kept);
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return isolated(response);
}

self.addEventListener("fetch", (event) => {
  const here = new URL(event.request.url).origin === self.location.origin;
  if (event.request.method === "GET" && here) event.respondWith(answer(event.request));
});
