/** The data of the search, fetched as classic scripts when first needed: the one way that also works from a folder. */
/** @typedef {{ shelf: Shelf, load: (names: string[]) => Promise<unknown> }} Shards */

const SearchShards = (() => {
  /** @type {Shelf} */
  const shelf = new Map();
  /** @type {Map<string, Promise<void>>} */
  const coming = new Map();

  /** Called by every shard. @param {string} name @param {any} data */
  const register = (name, data) => {
    shelf.set(name, name.startsWith("texts-") ? SearchUnpacking.textsOf(data) : data);
  };

  /** @param {string} name @returns {Promise<void>} */
  const fetchOne = (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${document.documentElement.dataset.assets ?? ""}search/${name}.js`;
      script.onload = () => (shelf.has(name) ? resolve() : script.onerror?.("empty"));
      script.onerror = () => {
        coming.delete(name);
        reject(new Error(`cannot load ${script.src}`));
      };
      document.head.append(script);
      script.addEventListener("load", () => script.remove());
    });

  /** Resolves when all are there; a shard that failed is tried again the next time. @param {string[]} names */
  const load = (names) =>
    Promise.all(
      names.map((name) => {
        if (shelf.has(name)) return Promise.resolve();
        const known = coming.get(name) ?? fetchOne(name);
        coming.set(name, known);
        return known;
      }),
    );

  return { load, register, shelf };
})();
