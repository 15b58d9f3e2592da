import { and, asc, eq, gte, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm';
import type { DeleteOldRows } from '../delete-old-rows.ts';
import type { NamedFiles } from '../files/files.ts';
import type { Db } from '../ports/database.ts';
import { listFilesOfReturn, returnFolder } from './returns.ts';
import { returns } from './returns.sql.ts';

const keyColumns = { photoKey: returns.photoKey, labelKey: returns.labelKey };
const emptyFileFields = { photoKey: null, photoBytes: null, labelKey: null, labelBytes: null };
const hasFiles = or(isNotNull(returns.photoKey), isNotNull(returns.labelKey))!;

export const returnNamedFiles: NamedFiles = {
  folders: [returnFolder],
  async selectNamed(db, wanted) {
    const rows = await db
      .select(keyColumns)
      .from(returns)
      .where(or(inArray(returns.photoKey, wanted), inArray(returns.labelKey, wanted)));
    return new Set(rows.flatMap(listFilesOfReturn));
  },
  async listNamedFrom(db, name, limit) {
    const foundKeys: string[] = [];
    for (const column of [returns.photoKey, returns.labelKey]) {
      const rows = await db
        .select({ key: column })
        .from(returns)
        .where(gte(column, `${returnFolder}${name}`))
        .orderBy(asc(column))
        .limit(limit);
      foundKeys.push(...rows.flatMap((it) => it.key ?? []));
    }
    return foundKeys.toSorted().slice(0, limit);
  },
  every: sql`select unnest(array[${returns.photoKey}, ${returns.labelKey}]) as key from ${returns}`,
};

/**
 * Removes the photos and labels of returns that have not changed for a long time. A request that the owner has not
 * answered keeps its photo. The sweep of unreferenced files then deletes the files.
 */
export const deleteOldReturnFiles: DeleteOldRows = async (db, before, limit) => {
  const oldestReturns = db
    .select({ id: returns.id })
    .from(returns)
    .where(and(hasFiles, lt(returns.updatedAt, before), ne(returns.state, 'requested')))
    .orderBy(returns.updatedAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  const clearedReturns = await db
    .update(returns)
    .set(emptyFileFields)
    .where(inArray(returns.id, oldestReturns))
    .returning({ id: returns.id });
  return clearedReturns.length;
};

/**
 * Removes the customer's photos from the returns of an order, because the customer erases all photos. The caller has
 * locked the order. Returns the keys of the files, which the caller must delete after the commit.
 */
export async function removeReturnPhotos(tx: Db, orderId: string): Promise<string[]> {
  const returnsWithPhoto = and(eq(returns.orderId, orderId), isNotNull(returns.photoKey));
  const rows = await tx.select({ photoKey: returns.photoKey }).from(returns).where(returnsWithPhoto).for('update');
  await tx.update(returns).set({ photoKey: null, photoBytes: null }).where(returnsWithPhoto);
  return rows.flatMap((it) => it.photoKey ?? []);
}

/**
 * Deletes the returns of these orders, because the buyer's data is deleted. The caller has locked the orders. Returns
 * the keys of the files, which the caller must delete after the commit.
 */
export async function deleteReturnsOf(tx: Db, orderIds: string[]): Promise<string[]> {
  if (orderIds.length === 0) return [];
  const deletedRows = await tx.delete(returns).where(inArray(returns.orderId, orderIds)).returning(keyColumns);
  return deletedRows.flatMap(listFilesOfReturn);
}
