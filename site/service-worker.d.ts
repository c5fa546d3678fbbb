/** What `rules site` writes above the service worker: the build's id, and the hash of each path. */
declare const BUILD: string;
declare const FILES: Record<string, string>;
