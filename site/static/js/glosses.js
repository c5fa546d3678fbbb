/**
 * Glossary terms explain themselves on hover and focus, beside the word. Click, tap and Esc are the browser's own popovers
 * and work without this script.
 */
(() => {
  "use strict";
  const REST = 180;
  /** @type {HTMLElement | null} */
  let shown = null;
  /** @type {HTMLElement | null} */
  let opener = null;
  let timer = 0;
  /** The explanation that a click has opened: it stays when the mouse leaves. @type {Element | null} */
  let pinned = null;

  /** @param {EventTarget | null} target */
  const termAt = (target) =>
    target instanceof Element ? /** @type {HTMLButtonElement | null} */ (target.closest("button.term")) : null;

  /** @param {HTMLElement} term */
  const glossOf = (term) => document.getElementById(term.getAttribute("popovertarget") ?? "");

  /** @param {HTMLElement} gloss @param {HTMLElement} term */
  const place = (gloss, term) => {
    if (innerWidth < 640) return;
    const word = term.getBoundingClientRect();
    const box = gloss.getBoundingClientRect();
    const below = word.bottom + 6;
    const top = below + box.height < innerHeight ? below : Math.max(8, word.top - box.height - 6);
    const left = Math.max(12, Math.min(word.left, innerWidth - box.width - 12));
    gloss.style.setProperty("inset", `${top}px auto auto ${left}px`);
  };

  /** @param {HTMLElement} term */
  const open = (term) => {
    const gloss = glossOf(term);
    if (!gloss || !gloss.showPopover) return;
    if (gloss !== shown) close();
    opener = term;
    if (!gloss.matches(":popover-open")) gloss.showPopover();
    place(gloss, term);
  };

  const close = () => {
    clearTimeout(timer);
    if (shown?.matches(":popover-open")) shown.hidePopover();
  };

  /** @param {() => void} action */
  const soon = (action) => {
    clearTimeout(timer);
    timer = setTimeout(action, REST);
  };

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const term = termAt(event.target);
    const inside = event.target instanceof Node && shown?.contains(event.target);
    if (term && !(pinned && shown)) soon(() => open(term));
    else if (inside || term) clearTimeout(timer);
    else if (shown && !pinned && document.activeElement !== opener) soon(close);
    else if (!shown) clearTimeout(timer);
  });
  document.addEventListener("focusin", (event) => {
    const term = termAt(event.target);
    if (term?.matches(":focus-visible")) open(term);
  });
  document.addEventListener("focusout", (event) => {
    const to = event.relatedTarget;
    if (termAt(event.target) && to instanceof Node && !shown?.contains(to)) close();
  });
  // A click on a term that hovering has opened would close it again; it pins it instead.
  document.addEventListener(
    "click",
    (event) => {
      const term = termAt(event.target);
      if (!term) return;
      clearTimeout(timer);
      const gloss = glossOf(term);
      if (gloss && gloss === shown) event.preventDefault();
      if (gloss && gloss === pinned) close();
      else pinned = gloss;
    },
    true,
  );
  for (const gloss of document.querySelectorAll(".gloss")) {
    gloss.addEventListener("toggle", (event) => {
      const opening = /** @type {ToggleEvent} */ (event).newState === "open";
      if (opening) {
        shown = /** @type {HTMLElement} */ (gloss);
        const term = termAt(document.activeElement);
        if (term && glossOf(term) === gloss) place(shown, term);
      } else if (shown === gloss) {
        shown = opener = null;
      }
      if (!opening && pinned === gloss) pinned = null;
    });
  }
})();
