/**
 * The search on the pages: results while the reader types, in place.
 *
 * Hooks: `<html data-lang data-root data-assets>`; `form[data-search-box]` in the header, its answers in `[data-answers]`; on
 * the search page `form[data-search-form]` with its filters, answers in `ol[data-results]`, told in `[data-search-status]`.
 * Needs `<script src="{{ asset("search.js") }}" defer></script>` on every page and `css/results.css` among the styles.
 */
(() => {
  if (typeof document === "undefined") return;
  const { element } = SearchProse;
  const { items, say, shardsFor, summary } = SearchResults;
  const { dataset } = document.documentElement;
  const lang = dataset.lang || "en";
  const engine = new SearchEngine.Engine(SearchShards);
  /** Milliseconds within which an answer does not disturb typing. */
  const FAST = 100;
  const FILTERS = /** @type {const} */ (["game", "lang", "kind"]);

  /** @returns {Promise<unknown>} what the first question will need */
  const prepare = () => Promise.all([SearchShards.load([`words-${lang}`]), engine.prepare(lang)]);

  /** A search box with the place for its answers. */
  class Box {
    /** @param {HTMLFormElement} form @param {HTMLElement} list @param {HTMLElement} status @param {number} limit */
    constructor(form, list, status, limit) {
      this.form = form;
      this.list = list;
      this.status = status;
      this.limit = limit;
      this.input = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
      this.asked = "";
      this.turn = 0;
      this.timer = 0;
      this.took = 0;
      this.composing = false;
      this.listen();
    }

    listen() {
      const { form, input } = this;
      input.addEventListener("focus", () => void prepare().catch(() => {}), { once: true });
      input.addEventListener("compositionstart", () => (this.composing = true));
      input.addEventListener("compositionend", () => {
        this.composing = false;
        this.soon();
      });
      input.addEventListener("input", () => this.soon());
      input.addEventListener("keydown", (event) => this.onKey(event));
      this.list.addEventListener("keydown", (event) => this.onListKey(event));
      form.addEventListener("change", (event) => {
        if (event.target !== input) this.soon();
      });
      form.addEventListener("submit", (event) => this.onSubmit(event));
    }

    /** Ask once the keys rest: at once where answers come fast. */
    soon() {
      if (this.composing) return;
      clearTimeout(this.timer);
      this.list.ariaBusy = "true";
      this.timer = setTimeout(() => void this.ask(), this.took < FAST ? 0 : Math.min(150, this.took));
    }

    /** @returns {Options} */
    options() {
      /** @type {Options} */
      const options = { limit: this.limit, fallback: lang };
      for (const name of FILTERS) {
        const field = this.form.elements.namedItem(name);
        if (field instanceof HTMLSelectElement && field.value) options[name] = field.value;
      }
      return options;
    }

    async ask() {
      const text = this.input.value;
      const options = this.options();
      const asked = JSON.stringify([text, options]);
      if (asked === this.asked) return this.rest();
      this.asked = asked;
      const turn = ++this.turn;
      this.remember(text, options);
      if (!text.trim()) return this.show([], []);
      try {
        await SearchShards.load([`words-${lang}`]);
        const found = await engine.ask(text, options);
        await SearchShards.load(shardsFor(found));
        if (turn !== this.turn) return;
        const view = { words: SearchShards.shelf.get(`words-${lang}`), root: dataset.root ?? "", lang, found, engine };
        this.show(items(view), summary(view));
        this.after(view);
        this.took = engine.took;
      } catch (error) {
        this.asked = "";
        this.show([], [document.querySelector("[data-told]")?.getAttribute("data-failed") ?? ""]);
        throw error;
      }
    }

    rest() {
      this.list.ariaBusy = null;
    }

    /** @param {HTMLElement[]} results @param {string[]} said */
    show(results, said) {
      this.rest();
      const at = this.links.findIndex((link) => link === document.activeElement);
      this.list.replaceChildren(...results);
      if (at >= 0) (this.links[at] ?? this.input).focus();
      this.status.replaceChildren(...said.map((line) => element("p", "", [line])));
    }

    /** @param {View} _view */
    after(_view) {}

    /** @param {string} _text @param {Options} _options */
    remember(_text, _options) {}

    /** @param {SubmitEvent} _event */
    onSubmit(_event) {}

    /** @returns {HTMLElement[]} */
    get links() {
      return [...this.list.querySelectorAll("a")].filter((link) => link.classList.contains("result-title"));
    }

    /** @param {KeyboardEvent} event */
    onKey(event) {
      if (event.isComposing || this.composing) return;
      if (event.key === "ArrowDown" && this.links.length) {
        event.preventDefault();
        this.links[0].focus();
      } else if (event.key === "Escape" && this.input.value) {
        event.preventDefault();
        this.clear();
      }
    }

    /** @param {KeyboardEvent} event */
    onListKey(event) {
      const links = this.links;
      const at = links.findIndex((link) => link === document.activeElement);
      if (event.key === "Escape") {
        this.input.focus();
        this.clear();
      } else if (event.key === "ArrowDown" && at + 1 < links.length) links[at + 1].focus();
      else if (event.key === "ArrowUp") (links[at - 1] ?? this.input).focus();
      else return;
      event.preventDefault();
    }

    clear() {
      this.input.value = "";
      clearTimeout(this.timer);
      void this.ask();
    }
  }

  /** The box in the header: its answers lie over the page. */
  class HeaderBox extends Box {
    /** @param {HTMLFormElement} form @param {HTMLElement} panel */
    constructor(form, panel) {
      const status = element("div", "search-status");
      const list = element("ol", "results");
      const more = element("p", "result-all");
      status.setAttribute("role", "status");
      panel.append(status, list, more);
      super(form, list, status, 6);
      this.panel = panel;
      this.more = more;
      panel.addEventListener("click", (event) => {
        if (event.target instanceof Element && event.target.closest("a")) this.panel.hidden = true;
      });
      document.addEventListener("pointerdown", (event) => {
        if (!(event.target instanceof Node) || (!panel.contains(event.target) && !form.contains(event.target))) panel.hidden = true;
      });
      this.input.addEventListener("focus", () => (panel.hidden = !this.input.value.trim() || !this.status.childElementCount));
    }

    /** @override @param {HTMLElement[]} results @param {string[]} said */
    show(results, said) {
      this.panel.hidden = !said.length;
      this.more.replaceChildren();
      super.show(results, said);
    }

    /** @override @param {View} view */
    after({ words, found }) {
      if (found.total <= found.hits.length) return;
      const link = /** @type {HTMLAnchorElement} */ (element("a", "", [say(words, "site.result.all", { count: String(found.total) })]));
      link.href = `${this.form.action}?q=${encodeURIComponent(this.input.value)}`;
      this.more.append(link);
    }
  }

  /** The search page: the question and its filters live in the address. */
  class PageBox extends Box {
    /** @override @param {SubmitEvent} event */
    onSubmit(event) {
      event.preventDefault();
      clearTimeout(this.timer);
      void this.ask();
    }

    /** @override @param {string} text @param {Options} options */
    remember(text, options) {
      const query = new URLSearchParams();
      if (text) query.set("q", text);
      for (const name of FILTERS) if (options[name]) query.set(name, options[name] ?? "");
      history.replaceState(history.state, "", `?${query}`);
    }

    /** Take question and filters from the address. */
    read() {
      const query = new URLSearchParams(location.search);
      this.input.value = query.get("q") ?? this.input.value;
      for (const name of FILTERS) {
        const field = this.form.elements.namedItem(name);
        const value = query.get(name) ?? "";
        if (field instanceof HTMLSelectElement && [...field.options].some((option) => option.value === value)) field.value = value;
      }
      void (this.input.value ? this.ask() : engine.begin(lang).catch(() => {}));
    }
  }

  const header = document.querySelector("form[data-search-box]");
  const panel = document.querySelector("[data-answers]");
  const form = document.querySelector("form[data-search-form]");
  const list = document.querySelector("[data-results]");
  const status = document.querySelector("[data-search-status]");
  /** @type {Box | null} */
  let box = null;
  if (form instanceof HTMLFormElement && list instanceof HTMLElement && status instanceof HTMLElement) {
    const page = new PageBox(form, list, status, 20);
    page.read();
    box = page;
  } else if (header instanceof HTMLFormElement && panel instanceof HTMLElement) {
    box = new HeaderBox(header, panel);
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !box) return;
    const target = event.target;
    if (target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))) return;
    event.preventDefault();
    box.input.focus();
    box.input.select();
  });
})();
