/** Over http: the manifest, and the service worker that keeps the whole site for reading without a network. */
(() => {
  "use strict";
  if (!location.protocol.startsWith("http")) return;
  const script = /** @type {HTMLScriptElement | null} */ (document.querySelector("script[data-manifest]"));
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = script?.dataset.manifest ?? "";
  document.head.append(manifest);
  const worker = new URL(`${document.documentElement.dataset.root}service-worker.js`, location.href);
  addEventListener("load", () => {
    navigator.serviceWorker?.register(worker).catch(() => {
      // The host or the browser does not allow it: the site works without.
    });
  });
})();
