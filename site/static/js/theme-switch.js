/** The button for a dark or light look; the choice outlives the visit. */
(() => {
  "use strict";
  const button = document.querySelector("[data-theme-switch]");
  if (!button) return;
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const show = () => button.setAttribute("aria-pressed", String(isDark()));

  button.addEventListener("click", () => {
    const look = isDark() ? "light" : "dark";
    root.dataset.theme = look;
    try {
      localStorage.setItem("theme", look);
    } catch {
      // Storage is off: the choice holds for this page.
    }
    show();
  });
  system.addEventListener("change", show);
  show();
})();
