/** Answers -> the page. */

/**
 * @typedef {{
 *   words: Record<string, string>, root: string, lang: string, found: Found, engine: InstanceType<typeof SearchEngine.Engine>,
 * }} View `lang` is the page's language, in which notes and labels are; `root` leads to the site's root
 */

const SearchResults = (() => {
  const { element, marked, rich } = SearchProse;
  const { shownOf } = SearchUnpacking;
  /** Language tags by which browsers choose fonts and voices. @type {Record<string, string>} */
  const TAGS = { zh: "zh-Hans" };
  /** Elements for emphasis, by the letters that `textpacking.py` writes. @type {Record<string, string>} */
  const EMPHASIS = { b: "strong", i: "em", c: "code" };

  /** Interface words with their values filled in. @param {Record<string, string>} words @param {string} key @param {Record<string, string>} [values] */
  const say = (words, key, values = {}) =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? values[name] : whole));

  /** @param {string} lang @returns {string} */
  const tagOf = (lang) => TAGS[lang] ?? lang;

  /** What a reader of the page calls a language; what is no code of one is left as it is. @param {View} view @param {string} lang */
  const nameOf = (view, lang) =>
    (/^[a-z]{2,3}(-[A-Z][a-z]{3})?$/.test(lang) && new Intl.DisplayNames([view.lang], { type: "language" }).of(lang)) || lang;

  /** Where a game's pages are, for who reads the answer. @param {View} view @param {string} game @returns {string} */
  const folderOf = ({ root, lang, found, engine }, game) => {
    const page = engine.store.lexicon.core.interface.includes(found.lang) ? found.lang : lang;
    return `${root}${page}/${game}/`;
  };

  /** @param {View} view @param {number} document @returns {string} */
  const addressOf = (view, document) => {
    const { game, id, kind } = view.engine.showing.place(document);
    return `${folderOf(view, game)}${kind === "faq" ? "faq" : "rules"}/index.html#${id}`;
  };

  /** @param {View} view @param {Entry} entry @returns {HTMLElement} */
  const title = (view, entry) => {
    const link = /** @type {HTMLAnchorElement} */ (element("a", "result-title"));
    link.href = addressOf(view, entry.document);
    link.lang = tagOf(entry.lang);
    link.append(...marked(entry.title, view.engine.showing.matches(entry.title, entry.lang, view.found.plan)));
    return link;
  };

  /** Game and entries above; the language too, where it is not the one asked for. @param {View} view @param {Entry} entry */
  const place = (view, entry) => {
    const { words, found, engine } = view;
    const path = element("p", "result-place", [[engine.showing.gameTitle(entry.game, found.lang), ...entry.path].join(" › ")]);
    path.lang = tagOf(found.lang);
    if (entry.lang !== found.lang) {
      path.append(" ", element("span", "result-note", [say(words, "site.text_in", { shown: nameOf(view, entry.lang) })]));
    }
    return path;
  };

  /** Makes the elements of an entry's emphasis and links. */
  /** @param {View} view @param {Entry} entry @param {Shown} shown @returns {(mark: Mark, inside: (Node | string)[]) => HTMLElement} */
  const wrapper = (view, entry, { sources }) => ({ kind, target }, inside) => {
    if (kind !== "l") return element(EMPHASIS[kind] ?? "span", "", inside);
    const isSource = target.startsWith("s");
    const link = /** @type {HTMLAnchorElement} */ (element("a", isSource ? "source" : "ref", inside));
    link.href = isSource
      ? `${folderOf(view, entry.game)}index.html#_source-${sources[Number(target.slice(1))][0]}`
      : addressOf(view, Number(target));
    return link;
  };

  /** The shards without which an answer cannot be shown whole. @param {Found} found @returns {string[]} */
  const shardsFor = ({ confident, hits }) => (confident ? [`shown-${hits[0].entry.lang}-${hits[0].entry.game}`] : []);

  /** @param {View} view @param {Entry} entry @returns {HTMLElement} */
  const whole = (view, entry) => {
    const { engine, found, words } = view;
    const shown = shownOf(engine.shards.shelf.get(shardsFor(found)[0]), entry.document);
    const wrap = wrapper(view, entry, shown);
    const text = element("div", "result-text");
    text.lang = tagOf(entry.lang);
    entry.blocks.forEach((block, n) => {
      const matches = engine.showing.matches(block.text, entry.lang, found.plan);
      const marker = block.marker === "-" ? "•" : block.marker;
      const made = element("p", block.depth ? "result-item" : "", marker ? [element("span", "result-marker", [`${marker} `])] : []);
      if (block.depth) made.dataset.depth = String(Math.min(3, block.depth));
      made.append(...rich(block.text, matches, shown.marks[n] ?? [], wrap));
      text.append(made);
    });
    const article = element("article", "", [place(view, entry), element("h2", "", [title(view, entry)]), text]);
    const pages = shown.pages ? `, ${say(words, "pages", { pages: shown.pages })}` : "";
    const sources = shown.cited.map(([, name, lang]) => `${name} (${nameOf(view, lang)}${pages})`).join("; ");
    if (sources) {
      const line = say(words, "line.labelled", { label: say(words, "sources"), text: sources });
      article.append(element("p", "result-sources", [line]));
    }
    if (shown.disputes) article.append(element("p", "result-differ", [say(words, "site.differ")]));
    return article;
  };

  /** @param {View} view @param {Entry} entry @returns {HTMLElement} */
  const short = (view, entry) => {
    const { engine, found } = view;
    const excerpt = engine.showing.excerpt(entry, found.plan);
    const line = element("p", "result-excerpt", marked(excerpt, engine.showing.matches(excerpt, entry.lang, found.plan)));
    line.lang = tagOf(entry.lang);
    return element("div", "", [element("h2", "", [title(view, entry)]), place(view, entry), line]);
  };

  /** The results as list items: the first whole if it is an answer. @param {View} view @returns {HTMLElement[]} */
  const items = (view) =>
    [...view.found.hits, ...view.found.nearest].map(({ entry }, n) => {
      const first = n === 0 && view.found.confident;
      const item = element("li", first ? "result result-first" : "result", [first ? whole(view, entry) : short(view, entry)]);
      item.dataset.entry = entry.name;
      item.dataset.lang = entry.lang;
      return item;
    });

  /** How the question was read, in the reader's language. @param {View} view @returns {string[]} */
  const notes = ({ words, found, engine, lang }) =>
    found.notes.map(({ key, values }) => {
      const meant = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, clipped(value, 60)]));
      if (values.game) meant.game = engine.showing.gameTitle(values.game, lang);
      return say(words, `note.${key}`, meant);
    });

  /** What is said above the results: notes, then their number or that there are none. @param {View} view @returns {string[]} */
  const summary = (view) => {
    const { words, found } = view;
    if (found.confident) {
      const key = found.total === 1 ? "site.result.one" : "site.result.many";
      return [...notes(view), say(words, key, { count: String(found.total) })];
    }
    const near = found.nearest.length ? [say(words, "nearest")] : [say(words, "site.result.hint")];
    return [...notes(view), say(words, "nothing", { query: clipped(found.query.text, 200) }), ...near];
  };

  /** A text that a reader typed, as much of it as tells what is meant. @param {string} text @param {number} most */
  const clipped = (text, most) => (text.length > most ? `${Array.from(text).slice(0, most - 1).join("")}…` : text);

  return { items, say, shardsFor, summary };
})();
