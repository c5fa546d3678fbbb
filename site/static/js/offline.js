/** Over http: the manifest, and the service worker that keeps the whole site for reading without a network. */
(() => {
  "use strict";
  if (!location.protocol.startsWith("http")) return;
  const script = /** @type {HTMLScriptElement | null} */ (document.querySelector("script[data-manifest]"));
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = script?.dataset.manifest ?? "";
  document.head.append(manifest);
  const root = new URL(document.documentElement.dataset.root ?? "./", location.href);
  addEventListener("load", () => {
    navigator.serviceWorker?.register(new URL("service-worker.js", root)).catch(() => {
      // The host or the browser does not allow it: the site works without.
    });
  });
})();
