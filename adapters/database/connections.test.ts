import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase, notify, onPostgres } from '#test/database.ts';
import { Cable } from '#test/faults/cable.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { openDatabase } from './database.ts';
import { PreparedConnection } from './prepared-connection.ts';

/** Opens a database with a pool of two connections through a TCP proxy ("cable") that a test can interrupt. */
async function overCable() {
  const url = await createDatabase();
  const cable = await Cable.to(Number(url.port));
  onTestFinished(() => cable.cut());
  url.port = String(cable.port);
  const database = await openDatabase({
    url: url.href,
    dataDir: '',
    migrationsFolder,
    withJobs: false,
    poolSize: 2,
  });
  onTestFinished(() => database.close());
  return { cable, ...database, connections: database.connections! };
}

onPostgres(() => {
  test('a transaction releases its connection when BEGIN, COMMIT or ROLLBACK is lost on the network', async () => {
    const { cable, db, connections } = await overCable();
    for (const words of ['begin', 'commit', 'rollback', 'begin', 'commit', 'rollback']) {
      const broken = cable.cutAt(words, 'before');
      const run = db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        if (words === 'rollback') throw new Error('our own reason');
      });
      await expect(run).rejects.toThrow(words === 'rollback' ? 'our own reason' : /ECONNRESET|terminated/);
      await broken;
      await cable.mend();
      expect(connections()).toMatchObject({ used: 0, waiting: 0 });
    }
    expect((await db.transaction((tx) => tx.execute(sql`select 1 as one`))).rows).toEqual([{ one: 1 }]);
  });

  test('a connection lost between two statements of a transaction fails only that transaction', async () => {
    const { cable, db, connections } = await overCable();
    const run = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await cable.cut();
      await cable.mend();
      await tx.execute(sql`select 2`);
    });
    await expect(run).rejects.toThrow();
    expect(connections()).toMatchObject({ used: 0, waiting: 0 });
    expect((await db.execute(sql`select 3 as three`)).rows).toEqual([{ three: 3 }]);
  });

  test('connections for requests limit statements, locks and idle transactions to at most 30 seconds', async () => {
    const { db } = await overCable();
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    for (const name of limits) {
      const { rows } = await db.execute<{ ms: number }>(
        sql`select setting::int as ms from pg_settings where name = ${name}`,
      );
      expect(rows[0]!.ms, name).toBeGreaterThan(0);
      expect(rows[0]!.ms, name).toBeLessThanOrEqual(30_000);
    }
  });

  test('when a query times out, its promise or callback gets an error, and the late result is ignored', async () => {
    const connectionString = (await createDatabase()).href;
    const asLong = 'select pg_sleep(0.4), $1::int as one';
    const ask = [
      (connection: pg.Client) => connection.query(asLong, [1]),
      (connection: pg.Client) =>
        new Promise((resolve, reject) =>
          connection.query(asLong, [1], (error, answer) => (error ? reject(error) : resolve(answer))),
        ),
    ];
    for (const way of ask) {
      const connection = new PreparedConnection({ connectionString, query_timeout: 100 });
      await connection.connect();
      const isAnswered = once(connection, 'drain');
      await expect(way(connection)).rejects.toThrow('Query read timeout');
      await isAnswered;
      expect((await connection.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
      await connection.end();
    }
  });

  test('after a silently dropped connection, the listener reports one gap and receives new notifications', async () => {
    const { cable, db, listen } = await overCable();
    const received: string[] = [];
    let gaps = 0;
    await listen(
      'content',
      (payload) => received.push(payload),
      () => (gaps += 1),
    );
    cable.fallSilent();
    await cable.mend(); // lets new connections through; the old connection gets no error
    await vi.waitFor(() => expect(gaps).toBe(1), { timeout: 10_000 });
    await notify(db, 'content', 'faqs');
    await vi.waitFor(() => expect(received).toEqual(['faqs']), { timeout: 30_000 });
    expect(gaps).toBe(1);
  });
});
