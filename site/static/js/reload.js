/** While rules are written: an open page shows the new build once the server has it, at the entry that was being read. */
(() => {
  "use strict";
  const KEY = "reading-place";
  const EACH = 1000;
  const { root = "./", mark = "" } = document.documentElement.dataset;
  const marker = new URL(`${root}rules-site.json`, location.href);
  let first = "";

  /** @returns {HTMLElement[]} */
  const entries = () => [...document.querySelectorAll("article[data-entry]")].map((one) => /** @type {HTMLElement} */ (one));

  const remember = () => {
    const entry = entries().find((one) => one.getBoundingClientRect().bottom > 0);
    if (!entry || !scrollY) return;
    const { top } = entry.getBoundingClientRect();
    history.scrollRestoration = "manual";
    sessionStorage.setItem(KEY, JSON.stringify({ page: location.pathname, name: entry.dataset.entry, top }));
  };

  const recall = () => {
    const { page = "", name = "", top = 0 } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    sessionStorage.removeItem(KEY);
    history.scrollRestoration = "auto";
    const entry = entries().find((one) => one.dataset.entry === name);
    if (entry && page === location.pathname) {
      scrollBy({ top: entry.getBoundingClientRect().top - top, behavior: "instant" });
    }
  };

  /** @param {() => void} act */
  const ifStorageAllows = (act) => {
    try {
      act();
    } catch {
      // Storage is off: the browser keeps the place as it can.
    }
  };

  const look = async () => {
    try {
      const answer = document.hidden ? null : await fetch(marker, { cache: "no-cache" });
      const { build = first, pages = mark } = answer?.ok ? await answer.json() : {};
      first ||= build;
      if (build !== first || !pages.includes(mark)) {
        ifStorageAllows(remember);
        location.reload();
        return;
      }
    } catch {
      // The server has stopped; perhaps it comes back.
    }
    setTimeout(look, EACH);
  };

  addEventListener("load", () => {
    ifStorageAllows(recall);
    void look();
  });
})();
