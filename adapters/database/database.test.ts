import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { eachEngine } from '#test/database.ts';
import { notify } from './database.ts';

eachEngine((fresh, engine) => {
  test('a job exists exactly when its transaction commits', async () => {
    const { db, jobs } = await fresh();
    const heard: string[] = [];
    await jobs.work('send-mail', async ({ mailId }) => void heard.push(mailId));
    await db.transaction((tx) => jobs.enqueue(tx, 'send-mail', { mailId: 'kept' }));
    await expect(
      db.transaction(async (tx) => {
        await jobs.enqueue(tx, 'send-mail', { mailId: 'rolled back' });
        throw new Error('changed our mind');
      }),
    ).rejects.toThrow('changed our mind');
    await db.transaction((tx) => jobs.enqueue(tx, 'send-mail', { mailId: 'kept too' }));
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(['kept', 'kept too']), { timeout: 15_000 });
  });

  test('a job is taken at once, not when the queue is next looked at', async () => {
    const { db, jobs } = await fresh({ pollSeconds: 3600 });
    const heard: string[] = [];
    await jobs.work('send-mail', async ({ mailId }) => void heard.push(mailId), { atOnce: 2 });
    for (const mailId of ['first', 'second', 'third']) {
      await db.transaction((tx) => jobs.enqueue(tx, 'send-mail', { mailId }));
      await vi.waitFor(() => expect(heard).toContain(mailId), { timeout: 15_000 });
    }
    const many = Array.from({ length: 20 }, (_, at) => ({ mailId: `of many, ${at}` }));
    await db.transaction((tx) => jobs.enqueueAll(tx, 'send-mail', many));
    await vi.waitFor(() => expect(heard).toHaveLength(23), { timeout: 15_000 });
  });

  test('a notification is heard when its transaction commits, not when it rolls back', async () => {
    const { db, listen } = await fresh();
    const heard: string[] = [];
    await listen('content', (payload) => heard.push(payload));
    await db.transaction((tx) => notify(tx, 'content', 'faqs')).then(() => {});
    await db
      .transaction(async (tx) => {
        await notify(tx, 'content', 'never');
        tx.rollback();
      })
      .catch(() => {});
    await db.transaction((tx) => notify(tx, 'content', 'hero'));
    await vi.waitFor(() => expect(heard).toEqual(['faqs', 'hero']));
  });

  test('a key keeps one waiting job', async () => {
    const { db, jobs } = await fresh();
    for (let i = 0; i < 3; i++)
      await db.transaction((tx) => jobs.enqueue(tx, 'settle-payment', { intentId: 'pi_1' }, { key: 'pi_1' }));
    const { rows } = await db.execute(sql`select count(*)::int as waiting from jobs.job where name = 'settle-payment'`);
    expect(rows).toEqual([{ waiting: 1 }]);
  });

  test.runIf(engine === 'embedded')(
    'the database used inside a transaction is an error, not a wait for ever',
    async () => {
      const { db } = await fresh();
      await expect(db.transaction(() => db.execute(sql`select 1`))).rejects.toThrow();
    },
  );
});
