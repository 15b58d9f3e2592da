import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import { trashKeyFor } from '../files/files.ts';
import { deleteMailContentNaming } from '../mail/mail.ts';
import { revokeTokens } from '../tokens/tokens.ts';
import { trialFolder, type TrialScope } from './trials.ts';
import { trialFiles, trials } from './trials.sql.ts';

type EraseScope = Pick<TrialScope, 'db' | 'clock' | 'storage'>;

/** How many ended trials are read at once. */
const batchSize = 50;

/**
 * Erases every trial whose time is over: first its files, then its row. No one can see an ended trial, so a process
 * that is killed in between leaves nothing visible, and the next run erases the rest. If a file cannot be deleted, the
 * row of its trial stays. All other trials and files are erased, then the run fails with the first error and is
 * repeated.
 */
export async function eraseTrials(scope: EraseScope, signal?: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  const ignoreFailure = (erasing: Promise<void>) => erasing.catch((error: unknown) => void errors.push(error));
  for (let after = ''; ;) {
    const endedTrials = await readEndedTrialIdsAfter(scope, after);
    if (endedTrials.length === 0) break;
    for (const id of endedTrials) {
      if (signal?.aborted) return;
      await ignoreFailure(eraseTrial(scope, id));
      after = id;
    }
  }
  for await (const key of listNamelessFiles(scope)) {
    if (signal?.aborted) return;
    await ignoreFailure(scope.storage.delete(key));
  }
  if (errors.length > 0) throw errors[0];
}

/** The ids of ended trials, in the order of their ids, so that a trial that cannot be erased is not read again. */
async function readEndedTrialIdsAfter({ db, clock }: EraseScope, id: string): Promise<string[]> {
  const endedRows = await db
    .select({ id: trials.id })
    .from(trials)
    .where(and(lte(trials.endsAt, clock.now()), gt(trials.id, id)))
    .orderBy(asc(trials.id))
    .limit(batchSize);
  return endedRows.map((it) => it.id);
}

async function eraseTrial({ db, clock, storage }: EraseScope, id: string): Promise<void> {
  const files = await db.select({ key: trialFiles.key }).from(trialFiles).where(eq(trialFiles.trialId, id));
  for (const { key } of files) {
    await storage.delete(key);
    await storage.delete(trashKeyFor(key));
  }
  await db.transaction(async (tx) => {
    await deleteMailContentNaming(tx, [id]);
    await revokeTokens(tx, clock, 'trial-view', id);
    await tx.delete(trials).where(eq(trials.id, id));
  });
}

/**
 * The files that a killed process has stored but not named. The sweep would keep them in the trash for a week, but no
 * file of a trial may be older than a trial can be.
 */
async function* listNamelessFiles({ clock, storage }: EraseScope): AsyncGenerator<string> {
  const endedBefore = new Date(clock.now().getTime() - lifetimes.trialHours * 3_600_000);
  for await (const { key, modifiedAt } of storage.list(trialFolder)) if (modifiedAt < endedBefore) yield key;
  for await (const { key } of storage.list(trashKeyFor(trialFolder))) yield key;
}
