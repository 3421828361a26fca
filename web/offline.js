// Installs the service worker. The page is loaded once more under it: then files are kept for offline use, and
// memory can be shared with the worker, so that a search can be stopped at once.

const PATIENCE = 3000; // milliseconds, after which the page goes on without a service worker

export async function isolate() {
  if (!navigator.serviceWorker || navigator.serviceWorker.controller) return;
  const controlled = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", () => resolve(true), { once: true });
    setTimeout(() => resolve(false), PATIENCE);
  });
  try {
    await navigator.serviceWorker.register("service-worker.js");
  } catch {
    return; // as in a private window: the page works, but needs the network
  }
  if (await controlled) {
    location.reload();
    await new Promise(() => {}); // until the page is left
  }
}
