import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase, notify, describeOnPostgres, openPool } from '#test/database.ts';
import { TcpProxy } from '#test/faults/tcp-proxy.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { createDrizzle } from './connections.ts';
import { openDatabase } from './database.ts';

/** Opens a database with a pool of two connections through a TCP proxy ("cable") that a test can interrupt. */
async function connectOverCable() {
  const url = await createDatabase();
  const databaseProxy = await TcpProxy.startTo(Number(url.port));
  onTestFinished(() => databaseProxy.cut());
  url.port = String(databaseProxy.port);
  const database = await openDatabase({
    url: url.href,
    dataDir: '',
    migrationsFolder,
    withJobs: false,
    poolSize: 2,
  });
  onTestFinished(() => database.close());
  return { cable: databaseProxy, ...database, connections: database.connections! };
}

describeOnPostgres(() => {
  test('a transaction releases its connection when BEGIN, COMMIT or ROLLBACK is lost on the network', async () => {
    const { cable, db, connections } = await connectOverCable();
    for (const statement of ['begin', 'commit', 'rollback', 'begin', 'commit', 'rollback']) {
      const brokenConnection = cable.cutAtMessage(statement, 'before');
      const transactionResult = db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        if (statement === 'rollback') throw new Error('our own reason');
      });
      const reason = await transactionResult.then(
        () => 'committed',
        ({ cause, message }: Error) => (cause instanceof Error ? cause.message : message),
      );
      expect(reason).toMatch(statement === 'rollback' ? 'our own reason' : /ECONNRESET|terminated|not queryable/);
      await brokenConnection;
      await cable.repair();
      expect(connections()).toMatchObject({ used: 0, waiting: 0 });
    }
    expect((await db.transaction((tx) => tx.execute(sql`select 1 as one`))).rows).toEqual([{ one: 1 }]);
  });

  test('a connection lost between two statements of a transaction fails only that transaction', async () => {
    const { cable, db, connections } = await connectOverCable();
    const transactionResult = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await cable.cut();
      await cable.repair();
      await tx.execute(sql`select 2`);
    });
    await expect(transactionResult).rejects.toThrow();
    expect(connections()).toMatchObject({ used: 0, waiting: 0 });
    expect((await db.execute(sql`select 3 as three`)).rows).toEqual([{ three: 3 }]);
  });

  test('connections for requests limit statements, locks and idle transactions to at most 30 seconds', async () => {
    const { db } = await connectOverCable();
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    for (const name of limits) {
      const { rows } = await db.execute<{ ms: number }>(
        sql`select setting::int as ms from pg_settings where name = ${name}`,
      );
      expect(rows[0]!.ms, name).toBeGreaterThan(0);
      expect(rows[0]!.ms, name).toBeLessThanOrEqual(30_000);
    }
  });

  test('a query that times out fails, and its late result reaches no later query', async () => {
    const { href } = await createDatabase();
    const db = createDrizzle(openPool(href, { query_timeout: 100 }));
    await expect(db.execute(sql`select pg_sleep(0.4), 1 as one`)).rejects.toMatchObject({
      cause: { message: 'Query read timeout' },
    });
    await vi.waitFor(async () => expect((await db.execute(sql`select 2 as two`)).rows).toEqual([{ two: 2 }]));
  });

  test('after a silently dropped connection, the listener reports one gap and receives new notifications', async () => {
    const { cable, db, listen } = await connectOverCable();
    const receivedPayloads: string[] = [];
    let gapCount = 0;
    await listen(
      'content',
      (payload) => receivedPayloads.push(payload),
      () => (gapCount += 1),
    );
    cable.stopForwarding();
    await cable.repair(); // lets new connections through; the old connection gets no error
    await vi.waitFor(() => expect(gapCount).toBe(1), { timeout: 10_000 });
    await notify(db, 'content', 'faqs');
    await vi.waitFor(() => expect(receivedPayloads).toEqual(['faqs']), { timeout: 30_000 });
    expect(gapCount).toBe(1);
  });
});
