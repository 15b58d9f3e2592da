/*
 * The player's worker: keeps the page, the list and the videos, within a budget of its own, and hands them out when the
 * network is gone. Its scope is /play/; no other page of the shop knows it.
 */
const cacheName = 'play-1';
const budgetBytes = 500e6;
/** Of what the browser gives this site, at most this part. */
const shareOfQuota = 0.5;
/** A network that answers nothing for so long is no network. */
const patienceMs = 8000;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || request.headers.has('range')) return;
  if (pathname.startsWith('/videos/')) event.respondWith(keptVideo(event));
  else if (pathname.startsWith('/play/') || pathname.startsWith('/api/play/')) event.respondWith(freshOrKept(event));
});

self.addEventListener('message', (event) => {
  const urls = event.data && event.data.drop;
  if (Array.isArray(urls)) event.waitUntil(drop(urls));
});

/** A video never changes under its address: what is kept is not asked for again. */
async function keptVideo({ request }) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.status === 200 && (await hasRoom(cache, Number(answer.headers.get('content-length')))))
    await cache.put(request.url, answer.clone()).catch(() => undefined); // full all the same: it plays from the network
  return answer;
}

/** The page and the list as they are now, or as they were. */
async function freshOrKept({ request }) {
  const cache = await caches.open(cacheName);
  const kept = () => cache.match(request.url, { ignoreVary: true });
  try {
    const answer = await inTime(fetch(request));
    if (answer.status === 200) await cache.put(request.url, answer.clone()).catch(() => undefined);
    // A shop that is down for a while takes nothing away.
    return answer.status >= 500 || answer.status === 429 ? (await kept()) || answer : answer;
  } catch (error) {
    const old = await kept();
    if (old) return old;
    throw error;
  }
}

const inTime = (answer) =>
  Promise.race([answer, new Promise((_, reject) => setTimeout(() => reject(new TypeError('no network')), patienceMs))]);

async function hasRoom(cache, bytes) {
  if (!(bytes > 0)) return false;
  const { quota = Infinity } = navigator.storage && navigator.storage.estimate ? await navigator.storage.estimate() : {};
  let used = 0;
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    used += Number((kept && kept.headers.get('content-length')) || 0);
  }
  return used + bytes <= Math.min(budgetBytes, quota * shareOfQuota);
}

async function drop(urls) {
  const cache = await caches.open(cacheName);
  await Promise.all(urls.map((url) => cache.delete(url)));
}
