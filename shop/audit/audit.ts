import { and, desc, eq, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { Role } from '#contract/owner/areas.ts';
import type { AuditAct } from '#contract/owner/audit.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { readList, type List } from '../lists.ts';
import { auditTrail } from './audit.sql.ts';

/** A person in the panel: the owner, or a staff member by id. */
export interface PanelPerson {
  id: string;
  name: string;
  role: Role;
}
/** The id and the name of the owner, who has no row in the table of staff. */
export const owner: PanelPerson = { id: 'owner', name: 'Owner', role: 'owner' };

/** The request that caused an audit entry, and the person who sent the request. */
export interface AuditAuthor {
  requestId?: string;
  person?: PanelPerson | undefined;
}

export interface AuditEntry extends AuditAuthor {
  act: AuditAct;
  subjectId?: string;
  before?: unknown;
  after?: unknown;
}

/** Insert an act of the admin panel into the audit trail. No code changes or deletes rows of the trail. */
export async function recordAuditEntry(
  db: Db,
  clock: Clock,
  { act, subjectId, before, after, requestId, person }: AuditEntry,
): Promise<void> {
  const authorFields = { requestId, personId: person?.id, personName: person?.name, personRole: person?.role };
  await db.insert(auditTrail).values({ id: newId(), act, subjectId, before, after, ...authorFields, at: clock.now() });
}

/** Do an action of the owner and record it, in one transaction. If `actOf` returns undefined, nothing is recorded. */
export const doWithAuditEntry = <T>(
  { db, clock }: { db: Db; clock: Clock },
  verb: (tx: Db) => Promise<T>,
  actOf: (verbResult: T) => AuditEntry | undefined,
): Promise<T> =>
  db.transaction(async (tx) => {
    const verbResult = await verb(tx);
    const auditEntry = actOf(verbResult);
    if (auditEntry) await recordAuditEntry(tx, clock, auditEntry);
    return verbResult;
  });

/**
 * The last audit entries about one subject with the same act, newest first.
 *
 * @param part a JSON path: returns only entries that changed the value at this path
 */
export async function readLastAuditEntries(
  db: Db,
  { act, subjectId, part }: { act: AuditAct; subjectId: string; part?: string | undefined },
  limit: number,
): Promise<{ id: string; before: unknown; after: unknown; at: Date }[]> {
  const { id, before, after, at } = auditTrail;
  const extractJsonPart = (whole: PgColumn) => sql`jsonb_path_query_first(${whole}, ${part}::jsonpath)`;
  return db
    .select({ id, before, after, at })
    .from(auditTrail)
    .where(
      and(
        eq(auditTrail.subjectId, subjectId),
        eq(auditTrail.act, act),
        part === undefined ? undefined : sql`${extractJsonPart(before)} is distinct from ${extractJsonPart(after)}`,
      ),
    )
    .orderBy(desc(at), desc(id))
    .limit(limit);
}

const list: List<typeof auditTrail, 'date', never> = {
  table: auditTrail,
  sorts: { date: [auditTrail.at, auditTrail.id] },
  sort: '-date',
  filters: {},
};

/** A page of the audit trail, newest first, of everyone or of one person. */
export const listAuditTrail = (
  db: Db,
  { person, ...query }: ListQuery<'date', never> & { person?: string | undefined },
): Promise<ListResponse<typeof auditTrail.$inferSelect>> =>
  readList(db, list, query, person === undefined ? undefined : eq(auditTrail.personId, person));
