import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { migrationsFolder } from '#server/project-folder.ts';
import { createDatabase, describeOnEachEngine, notify, describeOnPostgres } from '#test/database.ts';
import { openDatabase } from './database.ts';

describeOnEachEngine((fresh, engine) => {
  test('a job exists exactly when its transaction commits', async () => {
    const { db, jobs } = await fresh();
    const receivedPayloads: string[] = [];
    await jobs.startWorkers('send-mail', async ({ mailId }) => void receivedPayloads.push(mailId));
    await db.transaction((tx) => jobs.enqueue(tx, 'send-mail', { mailId: 'kept' }));
    await expect(
      db.transaction(async (tx) => {
        await jobs.enqueue(tx, 'send-mail', { mailId: 'rolled back' });
        throw new Error('changed our mind');
      }),
    ).rejects.toThrow('changed our mind');
    await db.transaction((tx) => jobs.enqueue(tx, 'send-mail', { mailId: 'kept too' }));
    await vi.waitFor(() => expect(receivedPayloads.toSorted()).toEqual(['kept', 'kept too']), { timeout: 15_000 });
  });

  test('a new job starts at once, without waiting for the next poll', async () => {
    const { db, jobs } = await fresh({ pollSeconds: 3600 });
    const receivedPayloads: string[] = [];
    await jobs.startWorkers('send-mail', async ({ mailId }) => void receivedPayloads.push(mailId), { concurrency: 2 });
    for (const mailId of ['first', 'second', 'third']) {
      await db.transaction((tx) => jobs.enqueue(tx, 'send-mail', { mailId }));
      await vi.waitFor(() => expect(receivedPayloads).toContain(mailId), { timeout: 15_000 });
    }
    const manyMails = Array.from({ length: 20 }, (_, at) => ({ mailId: `of many, ${at}` }));
    await db.transaction((tx) => jobs.enqueueAll(tx, 'send-mail', manyMails));
    await vi.waitFor(() => expect(receivedPayloads).toHaveLength(23), { timeout: 15_000 });
  });

  test('when a worker takes several jobs together, each of them completes or fails on its own', async () => {
    const { db, jobs } = await fresh();
    const jobsRunTogether: string[][] = [];
    let runningJobs: string[] = [];
    await db.transaction((tx) =>
      jobs.enqueueAll(
        tx,
        'send-mail',
        ['a', 'bad', 'b', 'c', 'd'].map((mailId) => ({ mailId })),
      ),
    );
    await jobs.startWorkers(
      'send-mail',
      async ({ mailId }, { isLastTry }) => {
        runningJobs.push(mailId);
        await wait(200);
        if (runningJobs.length > 0) jobsRunTogether.push(runningJobs.toSorted());
        runningJobs = [];
        expect(isLastTry).toBe(false);
        if (mailId === 'bad') throw new Error('nobody lives there');
      },
      { together: 4 },
    );
    const readMailStates = async () => {
      const { rows } = await db.execute<{ mail: string; state: string; said: string | null }>(
        sql`select data ->> 'mailId' as mail, state, output ->> 'message' as said from jobs.job where name = 'send-mail' order by 1`,
      );
      return rows;
    };
    const createCompletedMail = (mail: string) => ({ mail, state: 'completed', said: null });
    await vi.waitFor(
      async () =>
        expect(await readMailStates()).toEqual([
          createCompletedMail('a'),
          createCompletedMail('b'),
          { mail: 'bad', state: 'retry', said: 'nobody lives there' },
          createCompletedMail('c'),
          createCompletedMail('d'),
        ]),
      { timeout: 15_000 },
    );
    expect(jobsRunTogether.map((it) => it.length)).toEqual([4, 1]);
  });

  test('a notification arrives when its transaction commits, and never when it rolls back', async () => {
    const { db, listen } = await fresh();
    const receivedPayloads: string[] = [];
    await listen('content', (payload) => receivedPayloads.push(payload));
    await db.transaction((tx) => notify(tx, 'content', 'faqs')).then(() => {});
    await db
      .transaction(async (tx) => {
        await notify(tx, 'content', 'never');
        tx.rollback();
      })
      .catch(() => {});
    await db.transaction((tx) => notify(tx, 'content', 'hero'));
    await vi.waitFor(() => expect(receivedPayloads).toEqual(['faqs', 'hero']), { timeout: 30_000 });
  });

  test('the job with the earliest `promisedSince` runs first', async () => {
    const { db, jobs } = await fresh();
    const days = [3, 1, 2];
    for (const day of days)
      await jobs.enqueue(
        db,
        'render-video',
        { videoId: `promised on day ${day}`, take: 1 },
        { promisedSince: new Date(Date.UTC(2026, 10, day)) },
      );
    const finishedQueries: string[] = [];
    await jobs.startWorkers('render-video', async ({ videoId }) => void finishedQueries.push(videoId));
    await vi.waitFor(() => expect(finishedQueries).toHaveLength(3), { timeout: 20_000 });
    expect(finishedQueries).toEqual([1, 2, 3].map((day) => `promised on day ${day}`));
  });

  test('a statement is planned each time it runs: none stays prepared on a connection', async () => {
    const { db } = await fresh();
    await db.transaction(async (tx) => {
      for (const name of ['anna', 'ben'])
        await tx.execute(sql`select from orders where search like search_pattern(${name}) and email = ${name}`);
      const { rows } = await tx.execute(
        sql`select statement from pg_prepared_statements where statement ~ ${'from orders'}`,
      );
      expect(rows).toEqual([]);
    });
  });

  test('reports every statement and its error to the observer, also inside a transaction', async () => {
    const observedStatements: string[] = [];
    const { db } = await fresh({
      observeStatement: (text) => {
        if (!/ 4[123]/.test(text)) return undefined;
        return (error) => observedStatements.push(`${/4\d/.exec(text)![0]} ${error === undefined ? 'ends' : 'fails'}`);
      },
    });
    await db.execute(sql`select 41`);
    await db
      .transaction(async (tx) => {
        await tx.execute(sql`select 42`);
        await expect(tx.execute(sql`select 43 / 0`)).rejects.toThrow();
        tx.rollback();
      })
      .catch(() => {});
    expect(observedStatements).toEqual(['41 ends', '42 ends', '43 fails']);
  });

  test('keeps only one waiting job when several jobs with the same key are enqueued', async () => {
    const { db, jobs } = await fresh();
    for (let i = 0; i < 3; i++)
      await db.transaction((tx) => jobs.enqueue(tx, 'settle-payment', { intentId: 'pi_1' }, { key: 'pi_1' }));
    const { rows } = await db.execute(sql`select count(*)::int as waiting from jobs.job where name = 'settle-payment'`);
    expect(rows).toEqual([{ waiting: 1 }]);
  });

  test('runs one backup at a time across all workers; a backup whose worker was killed does not count', async () => {
    const { db, jobs } = await fresh();
    const enqueueBackup = () => jobs.enqueue(db, 'back-up', {}, { key: 'back-up' });
    await enqueueBackup();
    await db.execute(
      sql`update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute' where name = 'back-up'`,
    );
    const endCallbacks: (() => void)[] = [];
    await jobs.startWorkers('back-up', () => new Promise((end) => endCallbacks.push(end)), { concurrency: 2 });
    await enqueueBackup();
    await vi.waitFor(() => expect(endCallbacks).toHaveLength(1), { timeout: 30_000 });
    await enqueueBackup();
    await wait(2_500); // time for the queue to poll
    expect(endCallbacks).toHaveLength(1);
    endCallbacks[0]!();
    await vi.waitFor(() => expect(endCallbacks).toHaveLength(2), { timeout: 15_000 });
    endCallbacks[1]!();
  });

  test.runIf(engine === 'embedded')(
    'a query on `db` while its transaction is open fails instead of waiting forever for the only connection',
    async () => {
      const { db } = await fresh();
      await expect(db.transaction(() => db.execute(sql`select 1`))).rejects.toThrow();
    },
  );
});

describeOnPostgres(() => {
  test('a start applies changed settings of a queue, and writes nothing if they did not change', async () => {
    const { href: url } = await createDatabase();
    const queueAfterStart = async (retriesForNext?: number) => {
      const database = await openDatabase({ url, dataDir: '', migrationsFolder });
      const { rows } = await database.db.execute<{ version: string; retries: number }>(
        sql`select xmin::text as version, retry_limit as retries from jobs.queue where name = 'send-mail'`,
      );
      if (retriesForNext !== undefined)
        await database.db.execute(sql`update jobs.queue set retry_limit = ${retriesForNext} where name = 'send-mail'`);
      await database.close();
      return rows[0]!;
    };
    const firstJobs = await queueAfterStart();
    expect(await queueAfterStart(1)).toEqual(firstJobs);
    expect((await queueAfterStart()).retries).toBe(firstJobs.retries);
  });
});
