import { clear, createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import { limits } from '#contract/limits.ts';

/** A chosen photo until it has arrived: kept by the browser, so that it goes on after a reload. */
export interface KeptFile {
  customerId: string;
  frameId: string;
  file: File;
  /** However often it is sent, its frame takes it once. */
  key: string;
  /** Where its pieces go. */
  address: string | undefined;
  chosenAt: number;
}

/** A browser that keeps nothing (a private window, a full disk) sends all the same; only a reload then loses what waits. */
const unlessUnable = <T>(work: (store: UseStore) => Promise<T>): Promise<T | undefined> =>
  Promise.resolve()
    .then(() => work(createStore('kinframe-photos', 'on-their-way')))
    .catch(() => undefined);

export const keepFile = (kept: KeptFile) => unlessUnable((store) => set(kept.key, kept, store));
export const forgetFile = (key: string) => unlessUnable((store) => del(key, store));

/** Nobody signed in here any more. */
export const forgetAllFiles = () => unlessUnable((store) => clear(store));
/** A frame is locked: what has not arrived is left out. */
export const forgetFilesTo = (frameId: string) => forgetWhere(({ frameId: its }) => its === frameId);

/**
 * What is still to be sent of this customer's to the frames that are open. Anything else is forgotten: another's, or what
 * is too old for the shop or has no frame to go to.
 */
export async function keptFiles(customerId: string, openFrames: ReadonlySet<string>): Promise<KeptFile[]> {
  const isOurs = (it: KeptFile) =>
    it.customerId === customerId &&
    openFrames.has(it.frameId) &&
    Date.now() - it.chosenAt < limits.arrivalHours * 3_600_000;
  const found = await forgetWhere((it) => !isOurs(it));
  return found.toSorted((a, b) => a.chosenAt - b.chosenAt);
}

/** Answers those that stay. */
async function forgetWhere(isToGo: (it: KeptFile) => boolean): Promise<KeptFile[]> {
  const found = ((await unlessUnable((store) => entries<string, KeptFile>(store))) ?? []).map(([, it]) => it);
  const gone = found.filter(isToGo).map(({ key }) => key);
  if (gone.length > 0) await unlessUnable((store) => delMany(gone, store));
  return found.filter((it) => !isToGo(it));
}
