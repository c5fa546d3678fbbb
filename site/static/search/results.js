/** Answers -> the page: text only as text nodes, on the text as it was written. */

/**
 * @typedef {{ words: Record<string, string>, root: string, lang: string, found: Found, engine: InstanceType<typeof SearchEngine.Engine> }} View
 *   `lang` is the page's language, in which notes and labels are; `root` leads to the site's root
 */

const SearchResults = (() => {
  const { merged } = SearchShowing;
  /** Language tags by which browsers choose fonts and voices. @type {Record<string, string>} */
  const TAGS = { zh: "zh-Hans" };

  /** @param {string} name @param {string} [kind] @param {(Node | string)[]} [inside] @returns {HTMLElement} */
  const element = (name, kind = "", inside = []) => {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(...inside);
    return made;
  };

  /** Interface words with their values filled in. @param {Record<string, string>} words @param {string} key @param {Record<string, string>} [values] */
  const say = (words, key, values = {}) =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? values[name] : whole));

  /** A text with what matched marked. @param {string} text @param {Span[]} spans @returns {Node[]} */
  const marked = (text, spans) => {
    /** @type {Node[]} */
    const nodes = [];
    let from = 0;
    for (const [start, end] of merged(spans)) {
      nodes.push(document.createTextNode(text.slice(from, start)), element("mark", "", [text.slice(start, end)]));
      from = end;
    }
    nodes.push(document.createTextNode(text.slice(from)));
    return nodes;
  };

  /** @param {View} view @param {Entry} entry @returns {string} */
  const addressOf = ({ root, lang, found, engine }, entry) => {
    const page = engine.store.lexicon.core.interface.includes(found.lang) ? found.lang : lang;
    return `${root}${page}/${entry.game}/${entry.kind === "faq" ? "faq" : "rules"}/index.html#${entry.id}`;
  };

  /** @param {View} view @param {Entry} entry @returns {HTMLElement} */
  const title = (view, entry) => {
    const link = /** @type {HTMLAnchorElement} */ (element("a", "result-title"));
    link.href = addressOf(view, entry);
    link.lang = TAGS[entry.lang] ?? entry.lang;
    link.append(...marked(entry.title, view.engine.showing.matches(entry.title, entry.lang, view.found.plan)));
    return link;
  };

  /** Game and entries above; the language too, where it is not the one asked for. @param {View} view @param {Entry} entry */
  const place = (view, entry) => {
    const { words, found, engine } = view;
    const path = element("p", "result-place", [[engine.showing.gameTitle(entry.game, found.lang), ...entry.path].join(" › ")]);
    path.lang = TAGS[found.lang] ?? found.lang;
    if (entry.lang !== found.lang) {
      const shown = new Intl.DisplayNames([view.lang], { type: "language" }).of(entry.lang) ?? entry.lang;
      path.append(" ", element("span", "result-note", [say(words, "site.text_in", { shown })]));
    }
    return path;
  };

  /** @param {View} view @param {Entry} entry @returns {HTMLElement} */
  const whole = (view, entry) => {
    const { engine, found, words } = view;
    const text = element("div", "result-text");
    text.lang = TAGS[entry.lang] ?? entry.lang;
    for (const block of entry.blocks) {
      const made = element("p", block.depth ? "result-item" : "", block.marker ? [`${block.marker} `] : []);
      if (block.depth) made.dataset.depth = String(Math.min(3, block.depth));
      made.append(...marked(block.text, engine.showing.matches(block.text, entry.lang, found.plan)));
      text.append(made);
    }
    const sources = entry.sources.map(([name, lang]) => `${name} (${lang})`).join("; ");
    const article = element("article", "", [place(view, entry), element("h3", "", [title(view, entry)]), text]);
    if (sources) article.append(element("p", "result-sources", [`${say(words, "sources")}: ${sources}`]));
    if (entry.disputes) article.append(element("p", "result-differ", [say(words, "site.differ")]));
    return article;
  };

  /** @param {View} view @param {Entry} entry @returns {HTMLElement} */
  const short = (view, entry) => {
    const { engine, found } = view;
    const excerpt = engine.showing.excerpt(entry, found.plan);
    const line = element("p", "result-excerpt", marked(excerpt, engine.showing.matches(excerpt, entry.lang, found.plan)));
    line.lang = TAGS[entry.lang] ?? entry.lang;
    return element("div", "", [element("h3", "", [title(view, entry)]), place(view, entry), line]);
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
      const meant = values.game ? { ...values, game: engine.showing.gameTitle(values.game, lang) } : values;
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
    return [...notes(view), say(words, "nothing", { query: clipped(found.query.text) }), ...near];
  };

  /** @param {string} text @returns {string} */
  const clipped = (text) => (text.length > 200 ? `${Array.from(text).slice(0, 199).join("")}…` : text);

  return { element, items, say, summary };
})();
