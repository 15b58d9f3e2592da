import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, isNull } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import type { Frame } from '../frames/frames.ts';
import { addPhotoTo, createCustomerTarget } from '../photos/add-photo.ts';
import { reorderPhotos } from '../photos/edit-photo.ts';
import { photosOfFrames, type Upload } from '../photos/photos.ts';
import { readVideosByUpload } from '../production/production.ts';
import { findTrialFile, validTrialCondition, findTrialOfBrowser, type TrialScope } from './trials.ts';
import { trials } from './trials.sql.ts';

/**
 * Puts the photo of a browser's trial on a customer's frame, as the first of its photos. It is added like every other
 * photo, with the same limits, and gets its own video without a word mark. Of several simultaneous calls, one succeeds.
 */
export async function claimTrial(
  scope: TrialScope & { onError: (error: unknown) => void },
  browserToken: string | undefined,
  frame: Frame,
  customerId: string,
): Promise<Upload> {
  const { db, clock, storage, workFolder } = scope;
  const trial = await findTrialOfBrowser(scope, browserToken);
  const originalFile = trial && (await findTrialFile(db, trial.id, 'original'));
  if (!trial || !originalFile) throw new Refusal('not-found');
  if (trial.claimedAt !== null) throw new Refusal('trial-claimed');
  const target = createCustomerTarget(frame, customerId);
  const admitTrial = async (tx: Db) => {
    const claimedTrial = await tx
      .update(trials)
      .set({ claimedAt: clock.now() })
      .where(and(eq(trials.id, trial.id), isNull(trials.claimedAt), validTrialCondition(clock)))
      .returning({ id: trials.id });
    if (claimedTrial.length === 0) throw new Refusal('trial-claimed');
    await target.onAdd?.(tx);
  };
  const temporaryFolder = await mkdtemp(join(workFolder, 'claim-'));
  try {
    // Storing a photo may move its file, and the trial still needs its own.
    const path = join(temporaryFolder, 'photo');
    await storage.withLocalFile(originalFile.key, (stored) => copyFile(stored, path));
    const { originalFileName: name, fileSize: sizeBytes } = trial;
    const photo = await addPhotoTo(scope, { ...target, onAdd: admitTrial }, { path, name, sizeBytes });
    // The photo is on the frame now, so the customer must not read that it is not.
    await moveToFront(db, photo).catch(scope.onError);
    return photo;
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

/** If the customer changes the frame at the same time, the photo stays where it is. */
async function moveToFront(db: Db, { id, frameId }: Upload): Promise<void> {
  const ids = (await photosOfFrames(db, [frameId])).map((it) => it.id);
  const videosOfPhotos = await readVideosByUpload(db, ids);
  const otherPhotoIds = ids.filter((it) => it !== id && !videosOfPhotos.has(it));
  if (otherPhotoIds.length === 0) return;
  await reorderPhotos(db, frameId, [id, ...otherPhotoIds], (tx, all) => readVideosByUpload(tx, all)).catch(
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    },
  );
}
