import { isClaimed, sampleNamed, type StoreScope } from './claim.ts';
import { trashFolder } from './files.ts';
import { fileStore } from './files.sql.ts';

/** Rows of each word whose files are looked for. */
const sampleRows = 50;

export interface FilesReport {
  /** false: the shop has not been started on this store yet. */
  isClaimed: boolean;
  /** Files that rows name, from anywhere among them, and those that are not there. */
  looked: number;
  missing: string[];
  trash: { files: number; sizeBytes: number; oldestAt: Date | undefined };
  sweepStoppedAt: Date | null;
}

/** How the stored files stand, for the doctor: looks, and changes nothing. Rejects with ForeignStore. */
export async function reportFiles(scope: StoreScope): Promise<FilesReport> {
  const { db, storage, words } = scope;
  const claimed = await isClaimed(scope);
  const sample = await sampleNamed(scope, sampleRows);
  const there = await Promise.all(sample.map((key) => storage.stat(key)));
  const absent = sample.filter((_, index) => !there[index]);
  // A file that went between the two looks, with its row, is not missed.
  const named = absent.length > 0 ? await Promise.all(words.map((word) => word.among(db, absent))) : [];
  const trash: FilesReport['trash'] = { files: 0, sizeBytes: 0, oldestAt: undefined };
  for await (const { sizeBytes, modifiedAt } of storage.list(trashFolder)) {
    trash.files += 1;
    trash.sizeBytes += sizeBytes;
    if (!trash.oldestAt || modifiedAt < trash.oldestAt) trash.oldestAt = modifiedAt;
  }
  const [row] = await db.select().from(fileStore);
  return {
    isClaimed: claimed,
    looked: sample.length,
    missing: absent.filter((key) => named.some((it) => it.has(key))),
    trash,
    sweepStoppedAt: row?.sweepStoppedAt ?? null,
  };
}
