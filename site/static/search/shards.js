/**
 * The data of the search, fetched as classic scripts when first needed: the one way that also works from a folder. How their
 * files are called stands in a list, itself fetched like them. It names the pages of its build by their marks, and a page that
 * is not among them takes nothing of it: it is older or newer than the data.
 */
/** @typedef {{ shelf: Shelf, load: (names: string[]) => Promise<unknown> }} Shards */

const SearchShards = (() => {
  /** @type {Shelf} */
  const shelf = new Map();
  /** @type {Map<string, Promise<void>>} */
  const coming = new Map();
  /** Addresses under which nothing of use came. @type {Set<string>} */
  const failed = new Set();

  /** Called by every shard, and by the list as one named `build`. @param {string} name @param {any} data */
  const register = (name, data) => {
    if (name === "build" && !data.pages.includes(document.documentElement.dataset.mark)) return;
    shelf.set(name, name.startsWith("texts-") ? SearchUnpacking.textsOf(data) : data);
  };

  /**
   * Where a shard is. The list has the address that a page of its build alone names, once; else one that no cache knows.
   *
   * @param {string} name @returns {Promise<string>}
   */
  const addressOf = async (name) => {
    const { dataset } = document.documentElement;
    const { root, assets, listed } = dataset;
    if (name === "build") {
      delete dataset.listed;
      return listed ?? `${root}search-data.js?${Date.now()}`;
    }
    await load(["build"]);
    return `${assets}search/${name}-${shelf.get("build").files[name]}.js`;
  };

  /**
   * A host may say of an old page and of half a shard that they never change: the browser's cache is given what there is now,
   * once, for when the page is reloaded; in this page a shard that failed is asked for past all caches.
   *
   * @param {string} name @returns {Promise<void>}
   */
  const fetchOne = async (name) => {
    const script = document.createElement("script");
    let address = "";
    try {
      address = await addressOf(name);
      script.src = failed.has(address) ? `${address}?${Date.now()}` : address;
      await new Promise((resolve, reject) => {
        script.onload = resolve;
        script.onerror = reject;
        document.head.append(script);
      });
      if (shelf.has(name)) return;
      if (name === "build") address = location.href;
      if (location.protocol.startsWith("http") && !failed.has(address)) await (await fetch(address, { cache: "reload" })).blob();
      throw new Error("empty");
    } catch {
      coming.delete(name);
      failed.add(address);
      throw new Error(`cannot load ${name}`);
    } finally {
      script.remove();
    }
  };

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
