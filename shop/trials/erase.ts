import { asc, eq, lte } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import { trashed } from '../files/files.ts';
import { forgetMailsNaming } from '../mail/mail.ts';
import { revokeTokens } from '../tokens/tokens.ts';
import { trialFolder, type TrialScope } from './trials.ts';
import { trialFiles, trials } from './trials.sql.ts';

type EraseScope = Pick<TrialScope, 'db' | 'clock' | 'storage'>;

/** How many ended trials are read at once. */
const atOnce = 50;

/**
 * Erases every trial whose time is over: first its files, then its row. No one can see an ended trial, so a process that
 * is killed in between leaves nothing visible, and the next run erases the rest. A file that cannot be deleted ends the
 * run; the row stays until a later run has deleted the file.
 */
export async function eraseTrials(scope: EraseScope, signal?: AbortSignal): Promise<void> {
  const { db, clock, storage } = scope;
  for (;;) {
    const ended = await db
      .select({ id: trials.id })
      .from(trials)
      .where(lte(trials.endsAt, clock.now()))
      .orderBy(asc(trials.endsAt), asc(trials.id))
      .limit(atOnce);
    if (ended.length === 0) break;
    for (const { id } of ended) {
      if (signal?.aborted) return;
      const files = await db.select({ key: trialFiles.key }).from(trialFiles).where(eq(trialFiles.trialId, id));
      for (const { key } of files) {
        await storage.delete(key);
        await storage.delete(trashed(key));
      }
      await db.transaction(async (tx) => {
        await forgetMailsNaming(tx, [id]);
        await revokeTokens(tx, clock, 'trial-view', id);
        await tx.delete(trials).where(eq(trials.id, id));
      });
    }
  }
  await eraseNameless(scope, signal);
}

/**
 * Erases files that a killed process has stored but not named. The sweep would keep them in the trash for a week, but no
 * file of a trial may be older than a trial can be.
 */
async function eraseNameless({ clock, storage }: EraseScope, signal?: AbortSignal): Promise<void> {
  const before = new Date(clock.now().getTime() - lifetimes.trialHours * 3_600_000);
  for await (const { key, modifiedAt } of storage.list(trialFolder)) {
    if (signal?.aborted) return;
    if (modifiedAt < before) await storage.delete(key);
  }
  for await (const { key } of storage.list(trashed(trialFolder))) {
    if (signal?.aborted) return;
    await storage.delete(key);
  }
}
