import { isClaimed, sampleFileKeys, type StoreScope } from './claim.ts';
import { trashFolder } from './files.ts';
import { fileStore } from './files.sql.ts';

/** The number of rows of each module whose files are checked. */
const sampleRows = 50;

export interface StoredFilesReport {
  /** False if the shop has not been started on this store yet. */
  isClaimed: boolean;
  /** The size of the random sample of named files, and the keys of those that are missing. */
  looked: number;
  missing: string[];
  trash: { files: number; sizeBytes: number; oldestAt: Date | undefined };
  sweepStoppedAt: Date | null;
}

/** A report on the stored files, for the doctor command. It changes nothing. Rejects with StoreOfOtherShop. */
export async function reportStoredFiles(scope: StoreScope): Promise<StoredFilesReport> {
  const { db, storage, fileSources } = scope;
  const isStorageClaimed = await isClaimed(scope);
  const sampleKeys = await sampleFileKeys(scope, sampleRows);
  const sampleStats = await Promise.all(sampleKeys.map((key) => storage.stat(key)));
  const absentFiles = sampleKeys.filter((_, index) => !sampleStats[index]);
  // Check the rows again: a file that was deleted with its row in the meantime is not missing.
  const namedBySource =
    absentFiles.length > 0 ? await Promise.all(fileSources.map((source) => source.selectNamed(db, absentFiles))) : [];
  const trash: StoredFilesReport['trash'] = { files: 0, sizeBytes: 0, oldestAt: undefined };
  for await (const { sizeBytes, modifiedAt } of storage.list(trashFolder)) {
    trash.files += 1;
    trash.sizeBytes += sizeBytes;
    if (!trash.oldestAt || modifiedAt < trash.oldestAt) trash.oldestAt = modifiedAt;
  }
  const [row] = await db.select().from(fileStore);
  return {
    isClaimed: isStorageClaimed,
    looked: sampleKeys.length,
    missing: absentFiles.filter((key) => namedBySource.some((it) => it.has(key))),
    trash,
    sweepStoppedAt: row?.sweepStoppedAt ?? null,
  };
}
