import type { Clock, Db, Storage } from '../ports.ts';
import { qrPhotoKeysAmong } from '../frames/frames.ts';
import { videoKeysAmong } from '../production/production.ts';
import { photoKeysAmong } from './photos.ts';

const folders = ['originals/', 'display/', 'thumbnails/', 'videos/', 'posters/', 'connections/', 'check/'];
/** Younger files may be about to get their row. */
const graceMs = 60 * 60_000;

/** Remove stored files that no row names any more. Answers how many went. */
export async function sweepFiles({ db, clock, storage }: { db: Db; clock: Clock; storage: Storage }): Promise<number> {
  let swept = 0;
  const youngest = clock.now().getTime() - graceMs;
  const sweep = async (keys: string[]) => {
    const named = await Promise.all([photoKeysAmong(db, keys), videoKeysAmong(db, keys), qrPhotoKeysAmong(db, keys)]);
    const orphans = keys.filter((key) => !named.some((it) => it.has(key)));
    for (const key of orphans) await storage.delete(key);
    swept += orphans.length;
  };
  for (const folder of folders) {
    let page: string[] = [];
    for await (const { key, modifiedAt } of storage.list(folder)) {
      if (modifiedAt.getTime() > youngest) continue;
      page.push(key);
      if (page.length === 200) {
        await sweep(page);
        page = [];
      }
    }
    if (page.length > 0) await sweep(page);
  }
  return swept;
}
