import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { repeatUntilStopped, RequestRecorder, type Random } from '../faults/scenario.ts';
import { buyFramesAsAnna } from '../people.ts';
import { baseUrl, type ShopResponse, type Browser, type TestShop } from '../shop.ts';
import { runAtInterval, percentile95 } from './run-at-interval.ts';
import { openLoadTestShop, type LoadTestShop } from './load-test-shop.ts';
import { createCountFigure, type LoadTest } from './part.ts';

const idleConnectionCount = 1000;
const slowConnections = 500;
/** Longer than the shop waits for headers, and than its interval for checking slow connections. */
const crowdedSeconds = 75;
const quietSeconds = 30;
const requestsPerSecond = 20;

/** Tests that other clients are served while many connections send nothing, or send a request one byte at a time. */
export const slowConnectionsLoadTest: LoadTest = {
  name: 'connections',
  async run({ random, share }) {
    const shop = await openLoadTestShop();
    const requestRecorder = new RequestRecorder();
    let failed = 0;
    const { browser: anna } = await buyFramesAsAnna(shop as unknown as TestShop);
    const measureTimesFor = async (seconds: number) => {
      const times: number[] = [];
      await runAtInterval(Math.ceil(seconds * requestsPerSecond * share), 1000 / requestsPerSecond, async () => {
        const startedAt = performance.now();
        if (!(await requestRecorder.sendAndCheck(requestAtRandom(random, anna, shop.browser())))) failed += 1;
        times.push(performance.now() - startedAt);
      });
      return times;
    };
    await measureTimesFor(quietSeconds / 3); // warms up, and is not counted
    const timesBefore = await measureTimesFor(quietSeconds);
    const idleAndSlowClients = new IdleAndSlowClients(shop);
    onTestFinished(() => idleAndSlowClients.closeConnections());
    await idleAndSlowClients.openConnections({
      idle: Math.ceil(idleConnectionCount * share),
      slow: Math.ceil(slowConnections * share),
    });
    const endCounting = repeatUntilStopped([async () => idleAndSlowClients.count()], 500);
    const crowdedTimes = await measureTimesFor(crowdedSeconds);
    await endCounting();
    await idleAndSlowClients.closeConnections();
    const timesAfter = await measureTimesFor(quietSeconds);

    const quietMs = percentile95([...timesBefore, ...timesAfter]);
    return {
      done: `${idleAndSlowClients.asked.idle} connections idle and ${idleAndSlowClients.asked.slow} sending a byte a second, while ${requestsPerSecond} requests a second are answered: of a hundred the slowest but five ${quietMs.toFixed(1)} ms without the crowd; ${idleAndSlowClients.closed} connections closed by the shop, each opened again`,
      figures: [
        {
          name: 'slowest of a hundred but five, in the crowd',
          value: percentile95(crowdedTimes),
          unit: 'ms',
          is: 'at most',
          limit: 3 * quietMs,
        },
        {
          name: 'connections of the crowd, on average',
          value: idleAndSlowClients.counts.reduce((sum, it) => sum + it, 0) / idleAndSlowClients.counts.length,
          unit: '',
          is: 'at least',
          limit: Math.floor(0.95 * (idleAndSlowClients.asked.idle + idleAndSlowClients.asked.slow)),
        },
        createCountFigure('requests of others that failed', failed, 0),
        createCountFigure('goodbyes to the slow without words', idleAndSlowClients.rude, 0),
      ],
      words: [...requestRecorder.words, ...idleAndSlowClients.words],
    };
  },
};

const pages = ['/', '/faq', '/gallery', '/product/kinframe', '/data/faqs.json', '/?asked'];
const customerPaths = ['/api/frame-photo-limits', '/api/uploads'];

/** A random request that visitors or customers make. */
function requestAtRandom(random: Random, anna: Browser, visitor: Browser): Promise<ShopResponse> {
  return random.below(8) === 0 ? anna.get(random.oneOf(customerPaths)) : visitor.get(random.oneOf(pages));
}

/** Matches the last response on a connection, if it contains an error message of the shop. */
const refusalPattern = /^HTTP\/1\.1 4\d\d .*\r\n\r\n\{"success":false,"message":"(\p{Lu}[^"]*\s[^"]*)"/su;

/** Connections that send nothing or are slow. When the shop closes one, it is opened again immediately. */
class IdleAndSlowClients {
  asked = { idle: 0, slow: 0 };
  readonly words = new Set<string>();
  readonly counts: number[] = [];
  closed = 0;
  /** Connections that the shop closed without a response after they had sent data. */
  rude = 0;
  readonly #shop: LoadTestShop;
  readonly #sockets = new Set<Socket>();
  #isOver = false;
  constructor(shop: LoadTestShop) {
    this.#shop = shop;
  }

  async openConnections(asked: { idle: number; slow: number }): Promise<void> {
    this.asked = asked;
    // Every second idle connection has completed one request. Every second slow one has sent its headers.
    for (let i = 0; i < asked.idle; i++) this.#openConnection(i % 2 === 0 ? '' : completeRequest);
    for (let i = 0; i < asked.slow; i++) this.#openConnection(i % 2 === 0 ? slowHeaders : slowBody);
    while (this.#held < asked.idle + asked.slow) await sleep(50);
  }
  get #held() {
    return [...this.#sockets].filter((it) => it.readyState === 'open').length;
  }
  count(): void {
    this.counts.push(this.#held);
  }
  async closeConnections(): Promise<void> {
    this.#isOver = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #openConnection(says: string): void {
    const socket = connect(Number(new URL(this.#shop.web.shop.origin).port), '127.0.0.1');
    this.#sockets.add(socket);
    const isSlow = says === slowHeaders || says === slowBody;
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.write(says.replace('ADDRESS', this.#shop.newAddress()));
    const drip = isSlow ? setInterval(() => socket.write('x'), 1_000) : undefined;
    socket
      .on('error', () => {})
      .once('close', () => {
        clearInterval(drip);
        this.#sockets.delete(socket);
        if (this.#isOver) return;
        this.closed += 1;
        const [, words] = refusalPattern.exec(received.slice(received.lastIndexOf('HTTP/1.1'))) ?? [];
        if (words !== undefined) this.words.add(words);
        else if (isSlow) this.rude += 1;
        this.#openConnection(says);
      });
  }
}

const completeRequest = 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n';
const slowHeaders = 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ';
const slowBody = [
  'POST /api/create-payment-intent HTTP/1.1',
  'host: x',
  `origin: ${baseUrl}`,
  'x-forwarded-for: ADDRESS',
  'content-type: application/json',
  'content-length: 1000',
  '\r\n',
].join('\r\n');
