import { sql } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';
import type { FreshDatabase } from './database.ts';

export interface RecordedStatement {
  text: string;
  params: unknown[];
}

const recorders = new WeakMap<Db, { statements: RecordedStatement[] | undefined }>();

/** Returns the same function for databases whose statements `recordStatements` can record. */
export const makeRecordable =
  (fresh: FreshDatabase): FreshDatabase =>
  async (options) => {
    const recorder: { statements: RecordedStatement[] | undefined } = { statements: undefined };
    const database = await fresh({
      ...options,
      observeStatement: (text, params) => {
        if (!text.includes('pg_notify(')) recorder.statements?.push({ text, params });
        return undefined;
      },
    });
    recorders.set(database.db, recorder);
    return database;
  };

/**
 * Returns the statements that reach a database that `makeRecordable` opened while `work` runs. Delayed notifications about
 * earlier changes are left out.
 */
export async function recordStatements(db: Db, work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const recorder = recorders.get(db);
  if (!recorder) throw new Error('open the database with makeRecordable(fresh)');
  const statements: RecordedStatement[] = [];
  recorder.statements = statements;
  try {
    await work();
  } finally {
    recorder.statements = undefined;
  }
  return statements;
}

/** Returns the query plan with sequential scans disabled, because PostgreSQL prefers them for small tables. */
export const explainStatement = (db: Db, { text, params }: RecordedStatement): Promise<string> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const plainStatement = text.replaceAll(/\$(\d+)/g, (_, place) => sqlLiteral(params[Number(place) - 1]));
    const { rows } = await tx.execute(sql.raw(`explain ${plainStatement}`));
    return rows.map((row) => Object.values(row).join(' ')).join('\n');
  });

const sqlLiteral = (value: unknown) =>
  `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`;
