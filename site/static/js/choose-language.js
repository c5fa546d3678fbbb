/** On the root page: go to the language chosen last, or to the first of the reader's that there is. */
(() => {
  "use strict";
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const choices = document.querySelectorAll("[data-choices] a");
  /** @type {string[]} */
  const wanted = [...navigator.languages];
  try {
    wanted.unshift(localStorage.getItem("language") ?? "");
  } catch {
    // Storage is off: the browser's languages it is.
  }
  for (const language of wanted) {
    const code = language.split("-")[0].toLowerCase();
    const found = [...choices].find((choice) => code && choice.hreflang.split("-")[0] === code);
    if (found) {
      location.replace(found.href);
      return;
    }
  }
  if (choices.length) location.replace(choices[0].href);
})();
