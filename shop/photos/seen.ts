import { eq } from 'drizzle-orm';
import type { Db } from '../ports/database.ts';
import type { Seeing, Seen } from '../ports/seeing.ts';
import { uploads, type Upload } from './photos.sql.ts';

/**
 * What a photo shows, looked at once and kept beside it; looked at again where what looks here has changed. Undefined
 * where nothing can look: what was seen by another installation is better than nothing.
 *
 * @param path its display copy on local disk
 */
export async function seenOn(
  { db, seeing }: { db: Db; seeing: Seeing },
  photo: Pick<Upload, 'id' | 'seen'>,
  path: string,
  signal?: AbortSignal,
): Promise<Seen | undefined> {
  const version = await seeing.version();
  if (version === undefined || photo.seen?.version === version) return photo.seen ?? undefined;
  const seen = await seeing.look(path, signal);
  if (!seen) return photo.seen ?? undefined;
  await db.update(uploads).set({ seen }).where(eq(uploads.id, photo.id));
  return seen;
}
