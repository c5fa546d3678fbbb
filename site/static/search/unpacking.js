/** Undoes what `textpacking.py` did to make texts small. */
/**
 * @typedef {0 | [kind: string, depth: number, marker: string]} Shape
 * @typedef {{
 *   documents: number[], lengths: number[], untitled: number[], titles: string[], aliases: string[], asks: string[],
 *   blocks: string[], shapes: Shape[][], forms: string[], codes: string, pieces: string, han: string,
 *   stems: Record<string, string>, foreign: string[],
 * }} PackedTexts `documents` and `untitled` as runs; `blocks` of all rows, one after the other; pieces a line each
 * @typedef {{
 *   documents: number[], marks: string[], from: number[][], pages: string[], disputes: number[], sources: SourceName[],
 * }} PackedShown
 * @typedef {{ start: number, end: number, kind: string, target: string }} Mark emphasis (`b`, `i`, `c`) or a link (`l`)
 * @typedef {[id: string, title: string, lang: string]} SourceName
 * @typedef {{ marks: Mark[][], cited: SourceName[], sources: SourceName[], pages: string, disputes: number }} Shown `sources`: all of the game
 */

const SearchUnpacking = (() => {
  const HAN_CODES = 0x370;

  /** Numbers told as runs: where one begins, how many there are. @param {number[]} runs @returns {number[]} */
  const numbersOf = (runs) => {
    /** @type {number[]} */
    const numbers = [];
    for (let n = 0; n < runs.length; n += 2) for (let i = 0; i < runs[n + 1]; i++) numbers.push(runs[n] + i);
    return numbers;
  };

  /** Reads texts in which characters stand for pieces of them. @param {PackedTexts} packed @returns {(text: string) => string} */
  const reader = ({ codes, pieces, han }) => {
    const known = new Map(pieces.split("\n").map((piece, n) => [codes[n], piece]));
    Array.from(han, (char, n) => known.set(String.fromCharCode(HAN_CODES + n), char));
    const any = new RegExp(`[${codes.replace(/[\]\\^-]/g, "\\$&")}\u0370-\u07ff]`, "g");
    return (text) => text.replace(any, (code) => known.get(code) ?? code);
  };

  /** A game's texts as columns. @param {PackedTexts} packed @returns {TextData} */
  const textsOf = (packed) => {
    const read = reader(packed);
    const untitled = new Set(numbersOf(packed.untitled));
    let at = 0;
    /** @param {Shape} shape @returns {BlockData} */
    const block = (shape) => {
      const text = read(packed.blocks[at++]);
      return shape ? [text, ...shape] : text;
    };
    return {
      documents: numbersOf(packed.documents),
      lengths: packed.lengths,
      titles: packed.titles.map((title, row) => (untitled.has(row) ? 0 : read(title))),
      aliases: packed.aliases.map(read),
      asks: packed.asks.map(read),
      blocks: packed.shapes.map((shapes) => shapes.map(block)),
      forms: packed.forms.map(read),
      stems: packed.stems,
      foreign: packed.foreign,
    };
  };

  /** @param {string} packed a block's spans @returns {Mark[]} */
  const spansOf = (packed) => {
    let before = 0;
    return packed.split(" ").map((span) => {
      const [, skipped, length, kind, target] = /** @type {RegExpExecArray} */ (/^(\d+)\.(\d+)(\w)(.*)$/.exec(span));
      before += Number(skipped);
      return { start: before, end: before + Number(length), kind, target };
    });
  };

  /** What only showing an entry takes. @param {PackedShown} packed @param {number} document @returns {Shown} */
  const shownOf = (packed, document) => {
    const row = numbersOf(packed.documents).indexOf(document);
    return {
      marks: packed.marks[row].split("/").map((block) => (block ? spansOf(block) : [])),
      cited: packed.from[row].map((n) => packed.sources[n]),
      sources: packed.sources,
      pages: packed.pages[row] ?? "",
      disputes: packed.disputes[row],
    };
  };

  return { shownOf, textsOf };
})();
