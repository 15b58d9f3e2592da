import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import { limits } from '#contract/limits.ts';

/** The person who sends the photos: a customer, or a guest with a link. */
export interface Sender {
  id: string;
  isGuest: boolean;
}

/** A chosen photo that has not arrived yet. The browser stores it, so that the upload continues after a reload. */
export interface StoredFile {
  sender: Sender;
  /** Undefined for a guest: the link determines the frame. */
  frameId: string | undefined;
  file: File;
  /** An idempotency key: the shop adds the photo to the frame once, no matter how often it is sent. */
  key: string;
  /**
   * Photos that were chosen together have the same `selection`; `place` is the photo's index among them. Undefined in
   * files stored by an earlier release.
   */
  chosen?: { selection: string; place: number };
  /** The URL that the pieces are sent to. */
  address: string | undefined;
  chosenAt: number;
  /** When a page last continued this upload. The file is deleted after `arrivalHours`, as on the server. */
  lastAt: number;
}

/**
 * Ignores an error if the browser cannot store files (a private window, a full disk). Uploads still work, but a reload
 * loses the files that have not arrived.
 */
const tryWithStore = <T>(work: (store: UseStore) => Promise<T>): Promise<T | undefined> =>
  Promise.resolve()
    .then(() => work(createStore('kinframe-photos', 'on-their-way')))
    .catch(() => undefined);

export const storeFile = (stored: StoredFile) => tryWithStore((store) => set(stored.key, stored, store));
export const deleteStoredFile = (key: string) => tryWithStore((store) => del(key, store));

/** Call this after sign-out: deletes the files of all customers. Keeps guests' files, because they belong to a link. */
export const deleteStoredFilesOfCustomers = () => deleteStoredWhere(({ sender }) => !isGuestSender(sender));
/** Call this after a frame is locked: deletes the files for this frame that have not arrived. */
export const deleteStoredFilesOfFrame = (frameId: string) => deleteStoredWhere(({ frameId: its }) => its === frameId);

/**
 * Returns the sender's unfinished files that may still be sent, oldest first. Deletes all files that are too old, and
 * the sender's files that can no longer be sent. For a customer, also deletes files that another customer left in this
 * browser.
 */
export async function readStoredFiles(
  sender: Sender,
  mayStillGo: (frameId: string | undefined) => boolean,
): Promise<StoredFile[]> {
  const isFromSender = (it: StoredFile) => it.sender?.id === sender.id;
  const isTooOld = (it: StoredFile) => {
    if (!(Date.now() - it.lastAt < limits.arrivalHours * 3_600_000)) return true;
    return isFromSender(it) ? !mayStillGo(it.frameId) : !isGuestSender(it.sender) && !sender.isGuest;
  };
  const foundFiles = await deleteStoredWhere(isTooOld);
  return foundFiles.filter(isFromSender).toSorted((a, b) => a.chosenAt - b.chosenAt);
}

/** `sender` is undefined in files stored by an earlier release. */
const isGuestSender = (sender: Sender | undefined) => sender?.isGuest === true;

/** Deletes the files for which `isToGo` returns true. Returns the remaining files. */
async function deleteStoredWhere(isToGo: (it: StoredFile) => boolean): Promise<StoredFile[]> {
  const foundFiles = ((await tryWithStore((store) => entries<string, StoredFile>(store))) ?? []).map(([, it]) => it);
  const keys = foundFiles.filter(isToGo).map(({ key }) => key);
  if (keys.length > 0) await tryWithStore((store) => delMany(keys, store));
  return foundFiles.filter((it) => !isToGo(it));
}
