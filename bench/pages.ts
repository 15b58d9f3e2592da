import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { cpuSecondsOf, peakMegabytesOf } from './measure.ts';
import { startShop } from './shop-process.ts';

export interface PageRates {
  /** Requests a second of the server's processor time. */
  ready: number;
  rendered: number;
  cached: number;
  peakMegabytes: number;
}
const connections = 16;
const seconds = 4;

/** The home page rendered anew, from memory, and a ready string of its size, in turns from one server process. */
export async function comparePages(): Promise<PageRates> {
  const shop = await startShop(['--import', 'tsx', join(import.meta.dirname, 'pages-server.ts')]);
  try {
    const rate = (path: string) => requestsPerCpuSecond(shop.pid, shop.origin + path);
    for (const path of ['/bench/ready', '/?bench', '/']) await rate(path); // warm-up
    const ready = await rate('/bench/ready');
    const rendered = await rate('/?bench');
    const cached = await rate('/');
    return { ready, rendered, cached, peakMegabytes: peakMegabytesOf(shop.pid) };
  } finally {
    await shop.close();
  }
}

async function requestsPerCpuSecond(pid: number, url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  const cpuBefore = cpuSecondsOf(pid);
  let requests = 0;
  const visitor = async () => {
    while (performance.now() < end) {
      await fetchWith(agent, url);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  agent.destroy();
  return requests / (cpuSecondsOf(pid) - cpuBefore);
}

const fetchWith = (agent: Agent, url: string) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.resume().once('end', resolve).once('error', reject);
    }).once('error', reject);
  });
