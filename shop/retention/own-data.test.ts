import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyAndDeliverAsAnna } from '#test/delivered-order.ts';
import { anna, buyFramesAsAnna } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';
import { recordOrderEvent } from '../orders/orders.ts';

describeOnFastestEngine((fresh) => {
  test('the data download is one ZIP file of the length in its Content-Length header with all orders and original photos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyAndDeliverAsAnna(testShop);
    const { db, clock } = testShop.shop;
    const [order] = (await readAllTables(db))['orders'] as { id: string }[];
    for (const kind of ['note', 'dispute', 'fraud-warning', 'stock', 'mail'] as const)
      await recordOrderEvent(db, clock, order!.id, kind, `Only for the owner: ${kind}`);
    const response = await browser.get('/api/account/my-data.zip');
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(response.bytes).toHaveLength(Number(response.headers['content-length']));
    const [photo] = (await readAllTables(testShop.shop.db))['uploads'] as { original_key: string }[];
    const originalBytes = await buffer(await testShop.shop.storage.read(photo!.original_key));
    expect(response.bytes.includes(originalBytes)).toBe(true);
    const text = response.bytes.toString();
    for (const expected of ['my-data.html', '"orderNumber": "KF-', '"totalCents": 19900', 'Your data at Kinframe'])
      expect(text).toContain(expected);
    expect(text).toMatch(/photos\/KF-[\w-]+\/Kinframe-1-1\/01-photo\.jpg/);
    expect(text).toMatch(/videos\/KF-[\w-]+\/Kinframe-1-1\/01-photo\.mp4/);
    expect(text).not.toMatch(/argon2id|token_hash|stripe|only for the owner/i);
    expect((await testShop.browser().get('/api/account/my-data.zip')).json.code).toBe('sign-in-needed');
  });

  test('the data download has the customer’s questions with answers and the emails, once the address is proven', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const { browser } = await buyFramesAsAnna(testShop);
    for (const [email, message] of [
      [anna.email.toUpperCase(), 'It does <b>not</b> wake up.'],
      ['ben@example.com', 'A question of Ben'],
    ])
      expect(
        (await testShop.browser().post('/api/support-tickets', { name: 'Anna', email, subject: 'My frame', message }))
          .status,
      ).toBe(200);
    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    const tickets = (await owner.get('/api/support-tickets')).json as { id: string; message: string }[];
    const { id } = tickets.find(({ message }) => message.startsWith('It does'))!;
    const note = 'Only for the owner: she called twice';
    expect((await owner.call('PATCH', `/api/support-tickets/${id}`, { adminNotes: note })).status).toBe(200);
    const answer = { answer: 'Hold the button.', complete: true, key: crypto.randomUUID() };
    expect((await owner.post(`/api/admin/support-tickets/${id}/answers`, answer)).status).toBe(200);
    const fetchOwnData = async () => {
      const { bytes } = await browser.get('/api/account/my-data.zip');
      const text = bytes.toString();
      return { text, data: JSON.parse(/\{\s+"exportedAt"[^]*?\n\}/.exec(text)![0]) };
    };
    await db.execute(sql`update customers set email_proven_at = null`);
    expect((await fetchOwnData()).data).toMatchObject({ questions: [], emails: [] });
    await db.execute(sql`update customers set email_proven_at = now()`);
    const { text, data } = await fetchOwnData();
    expect(data.questions).toMatchObject([
      {
        ticketNumber: expect.stringMatching(/^T-/),
        status: 'completed',
        subject: 'My frame',
        message: 'It does <b>not</b> wake up.',
        answers: [{ words: 'Hold the button.', answeredAt: expect.any(String) }],
      },
    ]);
    const names = data.emails.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['Ticket answered', 'Ticket received', 'Receipt']));
    expect(names.filter((name: string) => name.startsWith('To you'))).toEqual([]);
    expect(text).toContain('<blockquote>It does &lt;b&gt;not&lt;/b&gt; wake up.</blockquote>');
    expect(text).toContain('<li>Ticket answered: ');
    expect(text).not.toMatch(/only for the owner|question of ben/i);
  });
});
