import { sql } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';

export interface RecordedStatement {
  text: string;
  params: unknown[];
}

/**
 * Returns the statements that reach the database while `work` runs. Statements inside transactions are left out, as are
 * delayed notifications about earlier changes.
 */
export async function recordStatements(db: Db, work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = [];
  // Drizzle accepts a logger only when a database is opened, and calls it for each statement.
  const session = (db as unknown as { session: { logger: { logQuery(text: string, params: unknown[]): void } } })
    .session;
  const { logger } = session;
  session.logger = {
    logQuery: (text, params) => void (text.includes('pg_notify(') || statements.push({ text, params })),
  };
  try {
    await work();
  } finally {
    session.logger = logger;
  }
  return statements;
}

/** Returns the query plan with sequential scans disabled, because PostgreSQL prefers them for small tables. */
export const planOf = (db: Db, { text, params }: RecordedStatement): Promise<string> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const plain = text.replaceAll(/\$(\d+)/g, (_, place) => literal(params[Number(place) - 1]));
    const { rows } = await tx.execute(sql.raw(`explain ${plain}`));
    return rows.map((row) => Object.values(row).join(' ')).join('\n');
  });

const literal = (value: unknown) =>
  `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`;
