import { beforeEach, expect, it, vi } from 'vitest';
import { deleteStoredFilesOfCustomers, deleteStoredFilesOfFrame, storeFile, readStoredFiles } from './stored-files.ts';

const storedValues = vi.hoisted(() => new Map<string, unknown>());
vi.mock('idb-keyval', () => ({
  createStore: () => undefined,
  set: async (key: string, value: unknown) => void storedValues.set(key, value),
  del: async (key: string) => void storedValues.delete(key),
  delMany: async (keys: string[]) => keys.forEach((key) => storedValues.delete(key)),
  entries: async () => [...storedValues],
}));

const hourMs = 3_600_000;
const anna = { id: 'anna', isGuest: false };
const ben = { id: 'ben', isGuest: false };
const lina = { id: 'collect-her-link', isGuest: true };
const storeOneFile = (key: string, { sender = anna, frameId = 'open', chosenHours = 1, restedHours = 1 } = {}) =>
  storeFile({
    sender,
    frameId: sender.isGuest ? undefined : frameId,
    key,
    file: new File([], `${key}.jpg`),
    address: undefined,
    chosenAt: Date.now() - chosenHours * hourMs,
    lastAt: Date.now() - restedHours * hourMs,
  });
const isOpen = (frameId: string | undefined) => frameId === 'open';
beforeEach(() => storedValues.clear());

it('returns unfinished files in the order they were chosen, and deletes those that can no longer be sent', async () => {
  await storeOneFile('second', { chosenHours: 2 });
  await storeOneFile('first, begun days ago', { chosenHours: 70 });
  await storeOneFile('locked meanwhile', { frameId: 'finalized' });
  await storeOneFile('another sender', { sender: ben });
  await storeOneFile('rested for too long', { restedHours: 25 });
  storedValues.set('earlier release', {
    customerId: 'anna',
    frameId: 'open',
    key: 'earlier release',
    chosenAt: Date.now(),
  });
  const foundFiles = await readStoredFiles(anna, isOpen);
  expect(foundFiles.map((it) => it.key)).toEqual(['first, begun days ago', 'second']);
  expect([...storedValues.keys()].toSorted()).toEqual(['first, begun days ago', 'second']);
});
it('keeps a guest’s files for the guest’s link when a customer signs in or out', async () => {
  await storeOneFile('hers', { sender: lina });
  await storeOneFile('at another link', { sender: { id: 'collect-another', isGuest: true } });
  await storeOneFile('a customer’s');
  expect((await readStoredFiles(lina, () => true)).map((it) => it.key)).toEqual(['hers']);
  expect((await readStoredFiles(anna, isOpen)).map((it) => it.key)).toEqual(['a customer’s']);
  await deleteStoredFilesOfCustomers();
  expect([...storedValues.keys()]).toEqual(['hers', 'at another link']);
  await readStoredFiles(lina, () => false); // the guest’s link has ended
  expect([...storedValues.keys()]).toEqual(['at another link']);
});
it('deletes the stored files of a frame that is locked, and keeps those of other frames', async () => {
  await storeOneFile('left out', { frameId: 'done' });
  await storeOneFile('waiting');
  await deleteStoredFilesOfFrame('done');
  expect([...storedValues.keys()]).toEqual(['waiting']);
});
it('deletes the files of all customers on sign-out', async () => {
  await storeOneFile('mine');
  await storeOneFile('of an earlier sender', { sender: ben });
  await deleteStoredFilesOfCustomers();
  expect(storedValues.size).toBe(0);
});
