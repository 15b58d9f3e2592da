import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { readCpuSeconds, readPeakMegabytes } from './measure.ts';
import { startShop } from './shop-process.ts';

/** Pages that the shop caches in memory. The bench compares them with the same pages as prepared bytes. */
const cachedPages = { home: '/', product: '/product/kinframe', gallery: '/gallery' };
export type CachedPageName = keyof typeof cachedPages;
/** Requests per second of the server's CPU time. */
export interface PageRates {
  cachedPages: Record<CachedPageName, { fromMemory: number; ready: number }>;
  /** The home page, rendered for each request. */
  rendered: number;
  /** The slowest response of `/health/live` while other clients request pages that do not exist. */
  slowestHealthMs: number;
  peakMegabytes: number;
}

const connectionCount = 16;
const measuredSeconds = 3;
/** The first round warms up and is not counted. */
const roundCount = 4;

/**
 * Compares the home page rendered for each request, cached pages, and prepared bytes of the same size, in turns from
 * one server process.
 */
export async function comparePages(): Promise<PageRates> {
  const shop = await startShop();
  try {
    // A page with a query string is not cached, so it is rendered for each request.
    const paths = ['/?bench', ...Object.values(cachedPages).flatMap((path) => [path, `/bench/ready${path}`])];
    const sums = new Map(paths.map((path) => [path, { requests: 0, cpuSeconds: 0 }]));
    for (let round = 0; round < roundCount; round++)
      for (const [path, sum] of sums) {
        const { requests, cpuSeconds } = await measureRequests(shop.pid, shop.origin + path);
        if (round === 0) continue;
        sum.requests += requests;
        sum.cpuSeconds += cpuSeconds;
      }
    const computeRequestsPerSecond = (path: string) => sums.get(path)!.requests / sums.get(path)!.cpuSeconds;
    const measureBothSources = (name: CachedPageName) => ({
      fromMemory: computeRequestsPerSecond(cachedPages[name]),
      ready: computeRequestsPerSecond(`/bench/ready${cachedPages[name]}`),
    });
    return {
      cachedPages: {
        home: measureBothSources('home'),
        product: measureBothSources('product'),
        gallery: measureBothSources('gallery'),
      },
      rendered: computeRequestsPerSecond('/?bench'),
      slowestHealthMs: await measureHealthAmongLostVisitors(shop.origin),
      peakMegabytes: readPeakMegabytes(shop.pid),
    };
  } finally {
    await shop.close();
  }
}

/** Requests one address repeatedly on keep-alive connections. */
async function measureRequests(pid: number, url: string): Promise<{ requests: number; cpuSeconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionCount });
  const endsAt = performance.now() + measuredSeconds * 1000;
  const cpuBefore = readCpuSeconds(pid);
  let requestCount = 0;
  const requestRepeatedly = async () => {
    for (; performance.now() < endsAt; requestCount++) await requestOnce(agent, url);
  };
  await Promise.all(Array.from({ length: connectionCount }, requestRepeatedly));
  agent.destroy();
  return { requests: requestCount, cpuSeconds: readCpuSeconds(pid) - cpuBefore };
}

/**
 * Returns the slowest response to a client that sends occasional requests while 40 visitors request unknown addresses.
 */
async function measureHealthAmongLostVisitors(origin: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const endsAt = performance.now() + measuredSeconds * 1000;
  let slowest = 0;
  const requestMissingPages = async (visitor: number) => {
    for (let sent = 0; performance.now() < endsAt; sent++)
      await requestOnce(agent, `${origin}/nowhere/${visitor}/${sent}`, 404);
  };
  const watchResponseTimes = async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      await requestOnce(agent, `${origin}/health/live`);
      slowest = Math.max(slowest, performance.now() - startedAt);
      await wait(20);
    }
  };
  await Promise.all([
    watchResponseTimes(),
    ...Array.from({ length: 40 }, (_, visitor) => requestMissingPages(visitor)),
  ]);
  agent.destroy();
  return slowest;
}

const requestOnce = (agent: Agent, url: string, status = 200) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent }, (answer) => {
      if (answer.statusCode !== status) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.resume().once('end', resolve).once('error', reject);
    }).once('error', reject);
  });
