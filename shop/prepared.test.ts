import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { eachEngine } from '#test/database.ts';
import { mails } from './mail/mail.sql.ts';
import { prepared, preparedRows } from './prepared.ts';

const insertMails = preparedRows(mails, (db, rows) =>
  db.insert(mails).values(rows).onConflictDoNothing().returning({ id: mails.id }),
);
const findMail = prepared<{ id: string }, (typeof mails.$inferSelect)[]>((db, value) =>
  db
    .select()
    .from(mails)
    .where(eq(mails.id, value('id'))),
);
const mail = (id: string) => ({
  id,
  event: `receipt:${id}`,
  to: 'anna@example.com',
  orderId: null,
  content: { kind: 'password-reset', customerFirstName: '“Anna”\n', resetUrl: 'http://localhost/' } as never,
  queuedAt: new Date('2026-03-01T12:00:00.125Z'),
  sentAt: null,
});

eachEngine((fresh) => {
  test('writes and reads the same rows as the plain query builder, with null and dates', async () => {
    const { db } = await fresh();
    await insertMails(db, [mail('a')]);
    await insertMails(db, [mail('b'), { ...mail('c'), sentAt: new Date(5), content: null }]);
    const plain = await db.select().from(mails).orderBy(mails.id);
    expect(plain).toEqual([mail('a'), mail('b'), { ...mail('c'), sentAt: new Date(5), content: null }]);
    expect(await findMail(db, { id: 'c' })).toEqual([plain[2]]);
    expect(await findMail(db, { id: 'nobody' })).toEqual([]);
  });

  test('rolls a prepared statement back when its transaction is rolled back', async () => {
    const { db } = await fresh();
    await db
      .transaction(async (tx) => {
        expect(await insertMails(tx, [mail('a'), mail('a')])).toEqual([{ id: 'a' }]);
        tx.rollback();
      })
      .catch(() => {});
    expect(await findMail(db, { id: 'a' })).toEqual([]);
  });
});
