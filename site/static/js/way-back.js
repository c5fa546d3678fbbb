/** After following a link from one entry to another: a button that leads back to where the reader was. */
(() => {
  "use strict";
  const KEY = "way-back";
  const DEEPEST = 30;
  const button = /** @type {HTMLElement | null} */ (document.querySelector("[data-way-back]"));
  if (!button) return;

  /** @typedef {{from: string, to: string, title: string}} Step */

  /** @returns {Step[]} */
  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    } catch {
      return [];
    }
  };

  /** @param {Step[]} steps */
  const write = (steps) => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(steps.slice(-DEEPEST)));
    } catch {
      // Storage is off: the browser's own back button remains.
    }
  };

  /** @param {string} address */
  const plain = (address) => address.replace(/\?[^#]*/, "");

  const show = () => {
    const step = read().findLast((known) => known.to === plain(location.href));
    button.hidden = !step;
    button.textContent = step ? (button.dataset.wayBack ?? "").replace("{title}", step.title) : "";
  };

  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a.ref");
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const place = link.closest("article") ?? document.querySelector("main");
    const title = place?.querySelector("h1, h2, h3, h4, h5, h6")?.textContent?.trim() ?? document.title;
    const known = read().filter((step) => step.to !== plain(link.href));
    write([...known, { from: plain(location.href), to: plain(link.href), title }]);
  });
  button.addEventListener("click", () => {
    const here = plain(location.href);
    write(read().filter((step) => step.to !== here));
    history.back();
  });
  addEventListener("hashchange", show);
  addEventListener("pageshow", show);
  show();
})();
