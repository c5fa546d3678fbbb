/** Texts -> elements: text only as text nodes, on the text as it was written. */

const SearchProse = (() => {
  const { merged } = SearchShowing;

  /** @param {string} name @param {string} [kind] @param {(Node | string)[]} [inside] @returns {HTMLElement} */
  const element = (name, kind = "", inside = []) => {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(...inside);
    return made;
  };

  /** A text with what matched marked. @param {string} text @param {Span[]} spans @returns {(Node | string)[]} */
  const marked = (text, spans) => rich(text, spans, [], () => element("span"));

  /**
   * A text with its emphasis and links, and in these what matched marked.
   *
   * @param {string} text @param {Span[]} spans what matched
   * @param {Mark[]} marks in the order in which they begin, the longer first
   * @param {(mark: Mark, inside: (Node | string)[]) => HTMLElement} wrap makes the element of a mark
   * @returns {(Node | string)[]}
   */
  const rich = (text, spans, marks, wrap) => {
    const hits = merged(spans);
    /** @type {(from: number, to: number) => (Node | string)[]} */
    const plain = (from, to) => {
      const nodes = [];
      let at = from;
      for (const [start, end] of hits) {
        if (start >= to || end <= from) continue;
        const first = Math.max(start, from);
        nodes.push(text.slice(at, first), element("mark", "", [text.slice(first, Math.min(end, to))]));
        at = Math.min(end, to);
      }
      return [...nodes, text.slice(at, to)];
    };
    /** @type {(from: number, to: number, inside: Mark[]) => (Node | string)[]} */
    const part = (from, to, inside) => {
      const nodes = [];
      let at = from;
      for (const [n, mark] of inside.entries()) {
        if (mark.start < at) continue;
        const nested = inside.slice(n + 1).filter((other) => other.end <= mark.end);
        nodes.push(...plain(at, mark.start), wrap(mark, part(mark.start, mark.end, nested)));
        at = mark.end;
      }
      return [...nodes, ...plain(at, to)];
    };
    return part(0, text.length, marks);
  };

  return { element, marked, rich };
})();
