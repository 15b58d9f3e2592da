import { beforeEach, expect, it, vi } from 'vitest';
import { forgetAllFiles, forgetFilesTo, keepFile, keptFiles } from './kept-files.ts';

const browser = vi.hoisted(() => new Map<string, unknown>());
vi.mock('idb-keyval', () => ({
  createStore: () => undefined,
  set: async (key: string, value: unknown) => void browser.set(key, value),
  del: async (key: string) => void browser.delete(key),
  delMany: async (keys: string[]) => keys.forEach((key) => browser.delete(key)),
  entries: async () => [...browser],
  clear: async () => browser.clear(),
}));

const hour = 3_600_000;
const keep = (key: string, { customerId = 'anna', frameId = 'open', ageHours = 1 } = {}) =>
  keepFile({
    customerId,
    frameId,
    key,
    file: new File([], `${key}.jpg`),
    address: undefined,
    chosenAt: Date.now() - ageHours * hour,
  });
beforeEach(() => browser.clear());

it('goes on with what is still to be sent, and forgets what has nowhere to go', async () => {
  await keep('second');
  await keep('first', { ageHours: 2 });
  await keep('locked meanwhile', { frameId: 'finalized' });
  await keep('somebody else', { customerId: 'ben' });
  await keep('old', { ageHours: 25 });
  const kept = await keptFiles('anna', new Set(['open']));
  expect(kept.map((it) => it.key)).toEqual(['first', 'second']);
  expect([...browser.keys()].toSorted()).toEqual(['first', 'second']);
});
it('forgets the files of a frame that is locked, and no others', async () => {
  await keep('left out', { frameId: 'done' });
  await keep('waiting');
  await forgetFilesTo('done');
  expect([...browser.keys()]).toEqual(['waiting']);
});
it('leaves nothing behind whoever signs out', async () => {
  await keep('mine');
  await keep('of somebody before', { customerId: 'ben' });
  await forgetAllFiles();
  expect(browser.size).toBe(0);
});
