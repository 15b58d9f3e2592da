import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import { limits } from '#contract/limits.ts';

/** Whose photos: a customer's, or a guest's who has a link. */
export interface Sender {
  id: string;
  isGuest: boolean;
}

/** A chosen photo until it has arrived: kept by the browser, so that it goes on after a reload. */
export interface KeptFile {
  sender: Sender;
  /** Undefined where the guest's link knows. */
  frameId: string | undefined;
  file: File;
  /** However often it is sent, its frame takes it once. */
  key: string;
  /** What it was chosen with, and its place there; undefined in what an earlier release has kept. */
  chosen?: { selection: string; place: number };
  /** Where its pieces go. */
  address: string | undefined;
  chosenAt: number;
  /** When a page last took it up: what rests longer than the shop waits is forgotten. */
  lastAt: number;
}

/** A browser that keeps nothing (a private window, a full disk) sends all the same; only a reload then loses what waits. */
const unlessUnable = <T>(work: (store: UseStore) => Promise<T>): Promise<T | undefined> =>
  Promise.resolve()
    .then(() => work(createStore('kinframe-photos', 'on-their-way')))
    .catch(() => undefined);

export const keepFile = (kept: KeptFile) => unlessUnable((store) => set(kept.key, kept, store));
export const forgetFile = (key: string) => unlessUnable((store) => del(key, store));

/** Nobody signed in here any more. What came by a link is its guest's still. */
export const forgetCustomersFiles = () => forgetWhere(({ sender }) => !isGuests(sender));
/** A frame is locked: what has not arrived is left out. */
export const forgetFilesTo = (frameId: string) => forgetWhere(({ frameId: its }) => its === frameId);

/**
 * What is still to be sent of this sender's, where it may still go. What rested for too long or has nowhere to go is
 * forgotten, and what another customer left here.
 */
export async function keptFiles(
  sender: Sender,
  mayStillGo: (frameId: string | undefined) => boolean,
): Promise<KeptFile[]> {
  const isOurs = (it: KeptFile) => it.sender?.id === sender.id;
  const isOver = (it: KeptFile) => {
    if (!(Date.now() - it.lastAt < limits.arrivalHours * 3_600_000)) return true;
    return isOurs(it) ? !mayStillGo(it.frameId) : !isGuests(it.sender) && !sender.isGuest;
  };
  const found = await forgetWhere(isOver);
  return found.filter(isOurs).toSorted((a, b) => a.chosenAt - b.chosenAt);
}

/** Undefined in what an earlier release has kept. */
const isGuests = (sender: Sender | undefined) => sender?.isGuest === true;

/** Answers those that stay. */
async function forgetWhere(isToGo: (it: KeptFile) => boolean): Promise<KeptFile[]> {
  const found = ((await unlessUnable((store) => entries<string, KeptFile>(store))) ?? []).map(([, it]) => it);
  const gone = found.filter(isToGo).map(({ key }) => key);
  if (gone.length > 0) await unlessUnable((store) => delMany(gone, store));
  return found.filter((it) => !isToGo(it));
}
