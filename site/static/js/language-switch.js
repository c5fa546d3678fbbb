/** The language switch stays on the entry in view and keeps the query; the choice is remembered for the next visit. */
(() => {
  "use strict";
  const list = document.querySelector("[data-language-switch]");
  if (!list) return;

  /** @returns {string} the fragment of the entry being read, or of the address */
  const place = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && isRead(target)) return location.hash;
    if (scrollY < innerHeight / 2) return "";
    /** @type {HTMLElement[]} */
    const entries = [...document.querySelectorAll("article[id]")].map((entry) => /** @type {HTMLElement} */ (entry));
    const reading = entries.filter(isRead).pop();
    return reading ? `#${reading.id}` : location.hash;
  };

  /** Whether an element stands where the eye rests. @param {Element} element */
  const isRead = (element) => {
    const box = element.getBoundingClientRect();
    return box.top < innerHeight * 0.4 && box.bottom > 0;
  };

  /** @param {Event} event */
  const aim = (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link) return;
    const url = new URL(link.href);
    url.search = location.search;
    url.hash = place();
    link.href = url.href;
    try {
      localStorage.setItem("language", link.hreflang);
    } catch {
      // Storage is off: nothing to remember.
    }
  };
  for (const kind of ["pointerdown", "focusin", "click"]) list.addEventListener(kind, aim);
})();
