/**
 * Keeps one build of the site, whole, for reading without a network. Above this line stand BUILD, its id, and FILES, its
 * paths with their hashes.
 *
 * A page comes from the network if it answers in time, so a changed ruling shows after one reload; so does the list of the
 * search data. Styles, scripts and the data themselves have addresses of their content: whoever has one has the right one. A
 * file whose hash is not the listed one is not kept: a host that is being updated cannot make a mixture. The browser's own
 * cache is passed by: a host that gives every build the same dates would have it answer with the old text.
 */

const PATIENCE = 3000;
const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const root = new URL("./", scope.location.href);
const listed = new URL("search-data.js", root).pathname;
// A host may have several sites, one in the folder of another too: up to its last slash a name is the site's own.
const SITE = `rules-${root.pathname}`;
const CACHE = SITE + BUILD;

/** The builds of this site that are kept, or partly. @returns {Promise<string[]>} */
async function builds() {
  return (await caches.keys()).filter((name) => name.slice(0, name.lastIndexOf("/") + 1) === SITE);
}

/** A file that is the same in every build that has it. @param {URL} url @returns {Promise<Response | undefined>} */
async function shared(url) {
  const found = (await builds()).map((cacheName) => caches.match(url, { cacheName }));
  return (await Promise.all(found)).find(Boolean);
}

/** @param {string} path @returns {Promise<void>} */
async function keep(path) {
  const cache = await caches.open(CACHE);
  const url = new URL(path, root);
  const same = path.startsWith("assets/") && (await shared(url));
  if (same) return cache.put(url, same);
  const answer = await fetch(url, { cache: "reload", integrity: FILES[path] });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  // A host may lead index.html elsewhere; an answer that came by a detour may not be shown as a page.
  await cache.put(url, answer.redirected ? new Response(await answer.blob(), { headers: answer.headers }) : answer);
}

async function keepAll() {
  const paths = Object.keys(FILES);
  while (paths.length) await Promise.all(paths.splice(0, 6).map(keep));
}

async function forgetOthers() {
  await Promise.all((await builds()).filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** @param {Request} request @returns {Promise<Response | undefined>} */
async function kept(request) {
  const url = new URL(request.url);
  url.search = url.hash = "";
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  return (await caches.open(CACHE)).match(url.href);
}

/** A page or the list: the network's, or after a while the one that is kept. @param {Request} request @returns {Promise<Response>} */
async function page(request) {
  const fresh = fetch(request.url, { cache: "reload", redirect: "manual" });
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  try {
    const first = await Promise.race([fresh, late.then(() => kept(request))]);
    return first ?? (await fresh);
  } catch (error) {
    const copy = await kept(request);
    if (copy) return copy;
    throw error;
  }
}

/** @param {Request} request @returns {Promise<Response>} */
async function file(request) {
  return (await kept(request)) ?? fetch(request);
}

scope.addEventListener("install", (event) => event.waitUntil(keepAll().then(() => scope.skipWaiting())));
scope.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(root.href)) return;
  const changing = request.mode === "navigate" || new URL(request.url).pathname === listed;
  event.respondWith(changing ? page(request) : file(request));
});
