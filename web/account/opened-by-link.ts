import { storeInSessionStorage, readFromSessionStorage } from '../data/tab-memory.ts';

const key = 'cameByUploadLink';

/**
 * Stores that this tab opened an upload link. If the visitor is not signed in, /upload-complete then links back to the
 * photos of the link.
 */
export function rememberOpenedByLink(): void {
  storeInSessionStorage(key, 'true');
}

export function isOpenedByLink(): boolean {
  return readFromSessionStorage(key) !== null;
}
