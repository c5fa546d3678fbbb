/** Before the first paint: says that scripts run, and applies the remembered look. */
(() => {
  "use strict";
  const root = document.documentElement;
  root.dataset.js = "";
  try {
    const look = localStorage.getItem("theme");
    if (look === "dark" || look === "light") root.dataset.theme = look;
  } catch {
    // Storage is off: the system's look it is.
  }
})();
