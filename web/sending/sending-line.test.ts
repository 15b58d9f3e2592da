import { expect, it, vi } from 'vitest';
import { createSendingLine } from './sending-line.ts';

/** A line whose connection can be watched and cut. */
function openLine() {
  const log = { most: 0, arrived: [] as number[], pauses: [] as number[], lost: [] as number[], ended: 0 };
  const wire = { isCut: false, carries: Infinity };
  let now = 0;
  const line = createSendingLine<number>({
    send: async (item) => {
      now += 1;
      log.most = Math.max(log.most, now);
      await Promise.resolve();
      const isLost = wire.isCut || now > wire.carries;
      await Promise.resolve();
      now -= 1;
      if (!isLost) log.arrived.push(item);
      return isLost ? 'lost' : 'done';
    },
    pause: async (ms) => void log.pauses.push(ms),
    onGivenUp: (items) => log.lost.push(...items),
    onEnd: () => (log.ended += 1),
  });
  const ended = (times = 1) => vi.waitFor(() => expect(log.ended).toBe(times));
  return { line, log, wire, ended };
}
const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

it('sends as many at once as a browser does, and says once that all is over', async () => {
  const { line, log, ended } = openLine();
  line.add(ten);
  await ended();
  expect(log).toMatchObject({ most: 6, arrived: ten, pauses: [], lost: [] });
});

it('brings a slow line’s photos one after the other, without being asked', async () => {
  const { line, log, wire, ended } = openLine();
  wire.carries = 1;
  line.add(ten);
  await ended();
  expect(log.arrived.toSorted((a, b) => a - b)).toEqual(ten);
  expect(log.lost).toEqual([]);
});

it('knocks a few times at a line that is gone, then says of all that they did not arrive', async () => {
  const { line, log, wire, ended } = openLine();
  wire.isCut = true;
  line.add(ten);
  await ended();
  expect(log.pauses).toEqual([1000, 4000, 10_000]);
  expect(log.arrived).toEqual([]);
  expect(log.lost.toSorted((a, b) => a - b)).toEqual(ten);
  wire.isCut = false;
  line.add(log.lost);
  await ended(2);
  expect(log.arrived).toHaveLength(10);
});

it('leaves a busy shop alone for as long as it asks, with all that waits, and loses nothing', async () => {
  const pauses: number[] = [];
  const [arrived, lost] = [new Set<number>(), [] as number[]];
  const busyMs = 30_000;
  let isBusy = true;
  const ended = new Promise<void>((onEnd) => {
    createSendingLine<number>({
      send: async (item) => (isBusy ? { busyMs } : (arrived.add(item), 'done')),
      pause: async (ms) => {
        pauses.push(ms);
        isBusy = false;
      },
      onGivenUp: (items) => lost.push(...items),
      onEnd,
    }).add(ten);
  });
  await ended;
  expect([...arrived].toSorted((a, b) => a - b)).toEqual(ten);
  expect(lost).toEqual([]);
  expect(pauses[0]).toBeGreaterThan(10_000);
});

it('says when nothing is on its way, also to who asks when nothing is', async () => {
  const { line, log } = openLine();
  await line.ended();
  line.add(ten);
  await line.ended();
  expect(log.arrived).toEqual(ten);
});
