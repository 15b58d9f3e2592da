import { sql, type SQL } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { runInterleaved, describeOnPostgres } from '#test/database.ts';
import { quickImaging } from '#test/imaging.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { createResumableUpload } from '#test/resumable-upload.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

/** Creates an account for Anna with a photo, an incomplete upload, a collect link and an upload link. */
async function createAnnaWithLinks(it: TestShop) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  expect((await uploadTo(browser, deviceId)).status).toBe(200);
  await createResumableUpload(browser, deviceId, 1000);
  const collectForm = { name: 'A feast', lastDay: toShopDay(it.clock.now()) };
  const collectResponse = await browser.post(`/api/devices/${deviceId}/collect-link`, collectForm);
  expect(collectResponse.status, collectResponse.text).toBe(200);
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const { id } = (await browser.get('/api/auth/user')).json;
  const { uploadUrl } = (await owner.post(`/api/admin/customers/${id}/generate-upload-link`)).json;
  return {
    browser,
    owner,
    collectUrl: collectResponse.json.url as string,
    id: id as string,
    token: new URL(uploadUrl).searchParams.get('token')!,
  };
}

describeOnPostgres((fresh) => {
  const endingCalls: [how: string, (browser: Browser) => ReturnType<Browser['post']>][] = [
    ['all photos are erased', (browser) => browser.post('/api/account/erase')],
    ['the account is deleted', (browser) => browser.post('/api/account/delete')],
  ];
  const guestLocks: [who: string, waitsAt: string, SQL, SQL][] = [
    [
      'a photo of the family',
      'collect_links',
      sql`select from collect_links for share`,
      sql`select from frames for no key update`,
    ],
    [
      'a photo by an upload link',
      '"tokens"',
      sql`select from tokens where purpose = 'upload-link' for share`,
      sql`select from frames for no key update`,
    ],
    [
      'the end of the collect link',
      'collect_links',
      sql`update collect_links set ends_at = now()`,
      sql`delete from arrivals`,
    ],
    [
      'the end of the upload links',
      '"tokens"',
      sql`update tokens set revoked_at = now() where purpose = 'upload-link'`,
      sql`delete from arrivals`,
    ],
  ];
  for (const [how, end] of endingCalls)
    test.each(guestLocks)(
      `when ${how}, waits for %s before locking any row, so that both succeed`,
      async (_, at, first, then) => {
        const testShop = await openTestShop(fresh, { imaging: quickImaging });
        const { browser } = await createAnnaWithLinks(testShop);
        const endedResponse = await runInterleaved(testShop.shop.db, [first, then], at, () => end(browser));
        expect(endedResponse.status, endedResponse.text).toBe(200);
      },
    );

  test.each([
    ['finalizing', 'orders', (guest: Browser) => guest.post('/api/customer-upload/finalize')],
    [
      'a photo',
      'frames',
      (guest: Browser) => {
        const form = new FormData();
        form.append('photos[]', new Blob(['photo'], { type: 'image/jpeg' }), 'kite.jpg');
        return guest.post('/api/customer-upload', form);
      },
    ],
  ] as const)(
    '%s by an upload link locks rows in ascending order of order ids, not by date of purchase',
    async (_, lockedTable, act) => {
      const testShop = await openTestShop(fresh, { imaging: quickImaging });
      const { browser, token } = await createAnnaWithLinks(testShop);
      await buyAndVerify(browser);
      for (const { deviceId } of (await fetchFrames(browser)).filter((frame) => frame.usedPhotos === 0))
        expect((await uploadTo(browser, deviceId)).status).toBe(200);
      // Give the order with the greater id the earlier date, and fill its frame.
      await testShop.shop.db.execute(
        sql`update orders set created_at = '2020-01-01' where id = (select max(id) from orders)`,
      );
      await testShop.shop.db.execute(
        sql`update frames set closed_photos = base_photos - used_photos where order_id = (select max(id) from orders)`,
      );
      const guest = testShop.browser();
      guest.cookies.set('upload-link', token);
      const createLockQuery = (which: string) =>
        lockedTable === 'orders'
          ? sql`select from orders where id = (select ${sql.raw(which)}(id) from orders) for no key update`
          : sql`select from frames where order_id = (select ${sql.raw(which)}(id) from orders) for no key update`;
      const deletionResponse = await runInterleaved(
        testShop.shop.db,
        [createLockQuery('min'), createLockQuery('max')],
        `"${lockedTable}"`,
        () => act(guest),
      );
      expect([deletionResponse.status, deletionResponse.json.success], deletionResponse.text).toEqual([200, true]);
    },
  );

  test('locks guest orders that join an account in ascending id order', async () => {
    const testShop = await openTestShop(fresh);
    for (const guest of [testShop.browser(), testShop.browser()]) await buyAndVerify(guest);
    const browser = testShop.browser();
    expect((await browser.post('/api/auth/register', { ...anna, password: annasPassword })).status).toBe(200);
    const { confirmUrl } = (await waitAndReadEmails(testShop, 'email-confirmation:'))[0]!.content;
    const token = new URL(confirmUrl).searchParams.get('token');
    // An update moves a row to the end of the table. A query without a sort would now return the order with the smaller
    // id last.
    for (const email of ['none@example.com', anna.email])
      await testShop.shop.db.execute(sql`update orders set email = ${email} where id = (select min(id) from orders)`);
    const reminderStatements: [SQL, SQL] = [
      sql`select from orders where id = (select min(id) from orders) for share`,
      sql`select from orders where id = (select max(id) from orders) for share`,
    ];
    const confirmResponse = await runInterleaved(testShop.shop.db, reminderStatements, '"orders"', () =>
      browser.post('/api/auth/confirm-email', { token }),
    );
    expect(confirmResponse.status, confirmResponse.text).toBe(200);
    expect(await fetchFrames(browser)).toHaveLength(2);
  });

  test('returns 409 collect-ended for joining a collect link that is being erased', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { collectUrl } = await createAnnaWithLinks(testShop);
    const eraseStatements: [SQL, SQL] = [
      sql`select from collect_links, frames for update`,
      sql`delete from collect_links`,
    ];
    const joinResponse = await runInterleaved(testShop.shop.db, eraseStatements, 'collect_links|frames', () =>
      testShop.browser().post(`/api${new URL(collectUrl).pathname}/contributors`, { firstName: 'Lina' }),
    );
    expect([joinResponse.status, joinResponse.json.code]).toEqual([409, 'collect-ended']);
  });

  test('an email change waits for a photo by the upload link before it locks any row', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser } = await createAnnaWithLinks(testShop);
    await browser.post('/api/account/email', { email: 'new@example.com' });
    const { confirmUrl } = (await waitAndReadEmails(testShop, 'email-change:'))[0]!.content;
    const token = new URL(confirmUrl).searchParams.get('token');
    const addStatements: [SQL, SQL] = [
      sql`select from tokens where purpose = 'upload-link' for share`,
      sql`select from orders for no key update`,
    ];
    const moveResponse = await runInterleaved(testShop.shop.db, addStatements, '"tokens"', () =>
      browser.post('/api/auth/change-email', { token }),
    );
    expect(moveResponse.status, moveResponse.text).toBe(200);
  });
});
