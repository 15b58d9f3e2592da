import { expect, it, vi } from 'vitest';
import { createUploadQueue } from './upload-queue.ts';

/** A queue whose connection the test can watch and cut. */
function createTestQueue() {
  const log = { most: 0, arrived: [] as number[], pauses: [] as number[], lost: [] as number[], ended: 0 };
  const connectionState = { isCut: false, carries: Infinity };
  let now = 0;
  const uploadQueue = createUploadQueue<number>({
    send: async (item) => {
      now += 1;
      log.most = Math.max(log.most, now);
      await Promise.resolve();
      const isLost = connectionState.isCut || now > connectionState.carries;
      await Promise.resolve();
      now -= 1;
      if (!isLost) log.arrived.push(item);
      return isLost ? 'lost' : 'done';
    },
    pause: async (ms) => void log.pauses.push(ms),
    onGivenUp: (items) => log.lost.push(...items),
    onEnd: () => (log.ended += 1),
  });
  const waitForEnd = (times = 1) => vi.waitFor(() => expect(log.ended).toBe(times), { timeout: 30_000 });
  return { line: uploadQueue, log, wire: connectionState, ended: waitForEnd };
}
const tenItems = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

it('sends six items at a time, and calls onEnd once when all are done', async () => {
  const { line, log, ended: waitForEnd } = createTestQueue();
  line.add(tenItems);
  await waitForEnd();
  expect(log).toMatchObject({ most: 6, arrived: tenItems, pauses: [], lost: [] });
});

it('sends one item at a time after parallel items were lost on a slow connection', async () => {
  const { line, log, wire, ended: waitForEnd } = createTestQueue();
  wire.carries = 1;
  line.add(tenItems);
  await waitForEnd();
  expect(log.arrived.toSorted((a, b) => a - b)).toEqual(tenItems);
  expect(log.lost).toEqual([]);
});

it('retries three times when there is no connection, then gives up on all items', async () => {
  const { line, log, wire, ended: waitForEnd } = createTestQueue();
  wire.isCut = true;
  line.add(tenItems);
  await waitForEnd();
  expect(log.pauses).toEqual([1000, 4000, 10_000]);
  expect(log.arrived).toEqual([]);
  expect(log.lost.toSorted((a, b) => a - b)).toEqual(tenItems);
  wire.isCut = false;
  line.add(log.lost);
  await waitForEnd(2);
  expect(log.arrived).toHaveLength(10);
});

it('pauses all items for the requested time when the shop is busy, and loses none', async () => {
  const pauses: number[] = [];
  const [arrived, lost] = [new Set<number>(), [] as number[]];
  const busyMs = 30_000;
  let isBusy = true;
  const endedPromise = new Promise<void>((onEnd) => {
    createUploadQueue<number>({
      send: async (item) => (isBusy ? { busyMs } : (arrived.add(item), 'done')),
      pause: async (ms) => {
        pauses.push(ms);
        isBusy = false;
      },
      onGivenUp: (items) => lost.push(...items),
      onEnd,
    }).add(tenItems);
  });
  await endedPromise;
  expect([...arrived].toSorted((a, b) => a - b)).toEqual(tenItems);
  expect(lost).toEqual([]);
  expect(pauses[0]).toBeGreaterThan(10_000);
});

it('ended() resolves when all items are sent, and at once when no item was added', async () => {
  const { line, log } = createTestQueue();
  await line.waitUntilIdle();
  line.add(tenItems);
  await line.waitUntilIdle();
  expect(log.arrived).toEqual(tenItems);
});
