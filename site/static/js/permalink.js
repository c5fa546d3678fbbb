/** A click on an entry's own link copies it, and says so. */
(() => {
  "use strict";
  const told = /** @type {HTMLElement | null} */ (document.querySelector("[data-told]"));
  if (!told) return;
  let timer = 0;

  /** @param {string | undefined} text */
  const tell = (text) => {
    told.textContent = text ?? "";
    clearTimeout(timer);
    timer = setTimeout(() => (told.textContent = ""), 2500);
  };

  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a.permalink");
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const copying = navigator.clipboard?.writeText(link.href) ?? Promise.reject(new Error("no clipboard"));
    copying.then(
      () => tell(told.dataset.copied),
      () => tell(told.dataset.notCopied),
    );
  });
})();
