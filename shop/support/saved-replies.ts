import { asc, eq, ne, sql } from 'drizzle-orm';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { savedReplies } from './support.sql.ts';

interface Scope {
  db: Db;
  clock: Clock;
}
/** The saved replies by title. */
export const listSavedReplies = (db: Db) =>
  db
    .select({ id: savedReplies.id, title: savedReplies.title, words: savedReplies.words })
    .from(savedReplies)
    .orderBy(asc(sql`lower(${savedReplies.title})`), asc(savedReplies.id));

/** Saves a reply under its id, or replaces it. */
export async function saveReply(
  { db, clock }: Scope,
  id: string,
  reply: { title: string; words: string },
  by: AuditAuthor,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Makes the count exact. There is no row to lock for a new reply.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('saved-replies', 0))`);
    if ((await tx.$count(savedReplies, ne(savedReplies.id, id))) >= limits.savedReplies)
      throw new Refusal('too-many-replies');
    const values = { ...reply, savedAt: clock.now() };
    await tx
      .insert(savedReplies)
      .values({ id, ...values })
      .onConflictDoUpdate({ target: savedReplies.id, set: values });
    await recordAuditEntry(tx, clock, { act: 'save-reply', subjectId: id, after: reply, ...by });
  });
}

export async function deleteReply({ db, clock }: Scope, id: string, by: AuditAuthor): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.delete(savedReplies).where(eq(savedReplies.id, id)).returning();
    if (!before) return;
    const { title, words } = before;
    await recordAuditEntry(tx, clock, { act: 'delete-reply', subjectId: id, before: { title, words }, ...by });
  });
}
