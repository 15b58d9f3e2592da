import { sql } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';

export interface Statement {
  text: string;
  params: unknown[];
}

/**
 * The statements that reach the database while `work` runs. Those inside of transactions are left out, and news of what was
 * done before, which are told a moment later.
 */
export async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  // Drizzle takes a logger only where a database is opened, and asks for it at each statement.
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

/** How the database goes about it where it may not simply read whole tables, which on small ones it rather would. */
export const planOf = (db: Db, { text, params }: Statement): Promise<string> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const plain = text.replaceAll(/\$(\d+)/g, (_, place) => literal(params[Number(place) - 1]));
    const { rows } = await tx.execute(sql.raw(`explain ${plain}`));
    return rows.map((row) => Object.values(row).join(' ')).join('\n');
  });

const literal = (value: unknown) =>
  `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`;
