import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSecondsOf, peakMegabytesOf } from './measure.ts';
import { startShop } from './shop-process.ts';

const addresses = {
  ready: '/bench/ready',
  cached: '/',
  // A page asked for with a search is rendered for whoever asks.
  rendered: '/?bench',
};
type Name = keyof typeof addresses;
/** Requests a second of the server's processor time. */
export type PageRates = Record<Name, number> & {
  /** Of `/health/live`, while others ask for pages that there are not. */
  slowestHealthMs: number;
  peakMegabytes: number;
};

const connections = 16;
const seconds = 3;
/** The first warms up and is not counted. */
const rounds = 4;

/** The home page rendered anew, from memory, and ready bytes of its size, in turns from one server process. */
export async function comparePages(): Promise<PageRates> {
  const shop = await startShop();
  try {
    const sums = { ready: none(), cached: none(), rendered: none() };
    for (let round = 0; round < rounds; round++)
      for (const name of ['ready', 'cached', 'rendered'] as const) {
        const { requests, cpuSeconds } = await ask(shop.pid, shop.origin + addresses[name]);
        if (round === 0) continue;
        sums[name].requests += requests;
        sums[name].cpuSeconds += cpuSeconds;
      }
    const rate = (name: Name) => sums[name].requests / sums[name].cpuSeconds;
    return {
      ready: rate('ready'),
      cached: rate('cached'),
      rendered: rate('rendered'),
      slowestHealthMs: await healthAmongLostVisitors(shop.origin),
      peakMegabytes: peakMegabytesOf(shop.pid),
    };
  } finally {
    await shop.close();
  }
}

const none = () => ({ requests: 0, cpuSeconds: 0 });

/** Ask for one address over and over on kept connections. */
async function ask(pid: number, url: string): Promise<{ requests: number; cpuSeconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  const cpuBefore = cpuSecondsOf(pid);
  let requests = 0;
  const visitor = async () => {
    for (; performance.now() < end; requests++) await askOnce(agent, url);
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  agent.destroy();
  return { requests, cpuSeconds: cpuSecondsOf(pid) - cpuBefore };
}

/** The slowest of the answers to somebody who asks now and then, while 40 visitors ask for unknown addresses. */
async function healthAmongLostVisitors(origin: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  let slowest = 0;
  const lost = async (visitor: number) => {
    for (let asked = 0; performance.now() < end; asked++)
      await askOnce(agent, `${origin}/nowhere/${visitor}/${asked}`, 404);
  };
  const watchful = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await askOnce(agent, `${origin}/health/live`);
      slowest = Math.max(slowest, performance.now() - started);
      await wait(20);
    }
  };
  await Promise.all([watchful(), ...Array.from({ length: 40 }, (_, visitor) => lost(visitor))]);
  agent.destroy();
  return slowest;
}

const askOnce = (agent: Agent, url: string, status = 200) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent }, (answer) => {
      if (answer.statusCode !== status) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.resume().once('end', resolve).once('error', reject);
    }).once('error', reject);
  });
