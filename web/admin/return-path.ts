import { storeInSessionStorage, takeFromSessionStorage } from '../data/tab-memory.ts';
import { paths } from '../paths.ts';

const key = 'adminReturnPath';

export const rememberAdminPath = (path: string): void => storeInSessionStorage(key, path);

/**
 * Returns and removes the path that was opened before the sign-in. Storage is untrusted, so only paths of the panel are
 * returned.
 */
export function takeAdminPath(): string | undefined {
  const rememberedPath = takeFromSessionStorage(key);
  const knownPaths = [`${paths.admin}?`, paths.giftReceipt(''), `${paths.packingSlips([])}?`];
  return knownPaths.some((it) => rememberedPath?.startsWith(it)) ? rememberedPath! : undefined;
}
