/** The contents mark the entry being read, and close when a line in them is followed. */
(() => {
  "use strict";
  const contents = /** @type {HTMLElement | null} */ (document.querySelector("[data-contents]"));
  if (!contents) return;
  const still = matchMedia("(width >= 64rem)");
  /** @type {Map<string, HTMLAnchorElement>} */
  const lines = new Map([...contents.querySelectorAll("a")].map((line) => [line.hash.slice(1), line]));
  /** @type {Set<Element>} */
  const seen = new Set();
  /** @type {HTMLAnchorElement | undefined} */
  let current;

  /** Scrolls the contents, and nothing else, so that a line can be seen. @param {HTMLElement} line */
  const reveal = (line) => {
    const top = line.getBoundingClientRect().top - contents.getBoundingClientRect().top;
    if (top < 0 || top > contents.clientHeight - 2 * line.clientHeight) contents.scrollTop += top - contents.clientHeight / 3;
  };

  const mark = () => {
    const reading = [...document.querySelectorAll("article[id]")].filter((entry) => seen.has(entry)).pop();
    const line = lines.get(reading?.id ?? "");
    if (!line || line === current) return;
    current?.removeAttribute("aria-current");
    current = line;
    line.setAttribute("aria-current", "true");
    if (still.matches) reveal(line);
  };

  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      mark();
    },
    { rootMargin: "0px 0px -65% 0px" },
  );
  for (const entry of document.querySelectorAll("article[id]")) observer.observe(entry);

  contents.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
  contents.addEventListener("toggle", () => current && reveal(current));
})();
