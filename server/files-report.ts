import { lifetimes } from '#contract/limits.ts';
import { reportStoredFiles } from '#shop/files/report.ts';
import { namedFiles } from './named-files.ts';
import type { Shop } from './shop.ts';

/** Describes the state of the stored files. Rejects with that description if something is wrong. */
export async function checkFiles({ db, storage }: Pick<Shop, 'db' | 'storage'>): Promise<string> {
  const { isClaimed, looked, missing, trash, sweepStoppedAt } = await reportStoredFiles({
    db,
    storage,
    fileSources: namedFiles,
  });
  const lines = [
    missing.length === 0
      ? `${looked} named files looked for: all there`
      : `${looked} named files looked for: ${missing.length} missing, such as ${missing.slice(0, 5).join(', ')}`,
    trash.oldestAt
      ? `trash: ${trash.files} ${trash.files === 1 ? 'file' : 'files'}, ${formatMegabytes(trash.sizeBytes)}, the oldest since ${trash.oldestAt.toISOString()}, each erased after ${lifetimes.trashDays} days`
      : 'trash: empty',
    ...(isClaimed ? [] : ['new: the first start marks it as this shop’s']),
    ...(sweepStoppedAt
      ? [
          `not swept since ${sweepStoppedAt.toISOString()}: too many files at once that no row names. Is the database an older copy than the files? If not, SWEEP_LIMIT=off lets the next sweep take them`,
        ]
      : []),
  ];
  const text = lines.join('\n       ');
  if (missing.length > 0 || sweepStoppedAt) throw new Error(text);
  return text;
}

const formatMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
