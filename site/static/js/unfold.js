/** Unfolds what is closed while printing, and closes the contents when a line in them is followed. */
(() => {
  "use strict";
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details")].filter((details) => !details.open);
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened = [];
  });

  const contents = /** @type {HTMLElement | null} */ (document.querySelector("[data-contents]"));
  contents?.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
})();
