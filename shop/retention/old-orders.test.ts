import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { quickImaging } from '#test/imaging.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { buyAddon } from '#test/paying.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { deleteBuyersOfOldOrders } from './old-orders.ts';

const dayMs = 86_400_000;
const toMsOfYears = (count: number) => count * 366 * dayMs;

/** Marks everything as shipped, delivered and erased, as after the retention period. */
async function endAllFrames({ shop: { db, clock } }: TestShop): Promise<void> {
  const now = clock.now().toISOString();
  await db.execute(sql`update orders set shipped_at = ${now}, updated_at = ${now} where shipping_address is not null`);
  await db.execute(sql`delete from production_orders`);
  await db.execute(sql`delete from videos`);
  await db.execute(sql`delete from uploads`);
  await db.execute(sql`update frames set videos_ready_at = ${now}, erased_at = ${now}`);
}
async function finalizeFrame(browser: Browser, deviceId: string): Promise<void> {
  await uploadTo(browser, deviceId);
  expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
}
async function readBuyers({ shop: { db } }: TestShop): Promise<string[]> {
  const { rows } = await db.execute<{ who: string }>(
    sql`select first_name || ' ' || last_name as who from orders order by created_at, id`,
  );
  return rows.map((it) => it.who);
}

describeOnFastestEngine((fresh) => {
  test('after 7 years, deletes the buyer of a finished order, but keeps the amounts and the tax location', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await finalizeFrame(browser, frames[0]!.deviceId);
    await endAllFrames(testShop);
    await testShop.shop.db.execute(sql`update frames set invitation_code = 'INVITE-1'`);
    const receipt = (await waitAndReadEmails(testShop, 'receipt:'))[0]!;
    const { search } = new URL(receipt.content.orderUrl);

    testShop.clock.advance(toMsOfYears(7) - 10 * dayMs);
    await deleteOldData(testShop.shop);
    expect(await readBuyers(testShop)).toEqual(['Anna Keller']);

    testShop.clock.advance(12 * dayMs);
    await deleteOldData(testShop.shop);
    await deleteOldData(testShop.shop);
    const { orders, carts, payments, frames: storedFrames, mails, customers } = await readAllTables(testShop.shop.db);
    expect(orders).toMatchObject([
      {
        first_name: 'No longer',
        last_name: 'kept',
        customer_id: null,
        email: '',
        total_cents: 19_900,
        shipping_address: { line1: '', city: 'Portland', postalCode: '97201' },
      },
    ]);
    expect(storedFrames).toMatchObject([{ invitation_code: null }]);
    expect(customers).toMatchObject([{ email: anna.email }]); // only the customer can delete the account
    for (const personal of [anna.email, 'Keller', 'Linden'])
      expect(
        JSON.stringify([
          orders,
          carts,
          payments,
          mails!.filter((mail) => (mail as { order_id: string | null }).order_id !== null),
        ]),
      ).not.toContain(personal);
    expect((await testShop.browser().get(`/api/order-summary${search}`)).json.orders).toEqual([]);
  });

  test.each<[string, (it: TestShop, browser: Browser, deviceId: string) => Promise<void>]>([
    ['is open for photos', async () => {}],
    [
      'keeps its photos',
      async (it, browser, deviceId) => {
        await finalizeFrame(browser, deviceId);
        await it.shop.db.execute(sql`update orders set shipped_at = created_at`);
      },
    ],
    [
      'has a parcel to send',
      async (it, browser, deviceId) => {
        await finalizeFrame(browser, deviceId);
        await endAllFrames(it);
        await it.shop.db.execute(sql`update orders set shipped_at = null`);
      },
    ],
    [
      'was changed since',
      async (it, browser, deviceId) => {
        await finalizeFrame(browser, deviceId);
        await endAllFrames(it);
        const twoYearsLater = new Date(it.clock.now().getTime() + toMsOfYears(2)).toISOString();
        await it.shop.db.execute(sql`update orders set updated_at = ${twoYearsLater}`);
      },
    ],
  ])('after 8 years, keeps the buyer of an order that %s', async (_, make) => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await make(testShop, browser, frames[0]!.deviceId);
    testShop.clock.advance(toMsOfYears(8));
    await deleteOldData(testShop.shop);
    expect(await readBuyers(testShop)).toEqual(['Anna Keller']);
  });

  test('keeps the buyer of a frame’s order until the retention of its add-ons is over too', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await finalizeFrame(browser, deviceId);
    testShop.clock.advance(5 * dayMs);
    await endAllFrames(testShop);
    testShop.clock.advance(toMsOfYears(4));
    await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
    await buyAddon(browser, deviceId);
    await testShop.shop.db.execute(sql`update frames set reopened_at = null`); // the add-on is delivered and erased too
    testShop.clock.advance(toMsOfYears(4));
    await deleteOldData(testShop.shop);
    expect(await readBuyers(testShop)).toEqual(['Anna Keller', 'Anna Keller']);
    testShop.clock.advance(toMsOfYears(4));
    await deleteOldData(testShop.shop);
    expect(await readBuyers(testShop)).toEqual(['No longer kept', 'No longer kept']);
  });

  test('the retention job continues after an order it must keep', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    await buyAndVerify(testShop.browser());
    testShop.clock.advance(dayMs);
    await buyFramesAsAnna(testShop, { customerDetails: { ...anna, firstName: 'Ben', email: 'ben@example.com' } });
    await endAllFrames(testShop);
    await testShop.shop.db.execute(sql`update frames set finalized_at = ${testShop.clock.now().toISOString()}
      where order_id = (select id from orders where first_name = 'Ben')`);
    testShop.clock.advance(toMsOfYears(8));
    const { db, clock } = testShop.shop;
    expect(await deleteBuyersOfOldOrders(db, clock.now(), 1, clock)).toBe(1);
    expect(await readBuyers(testShop)).toEqual(['Anna Keller', 'No longer kept']);
    expect(await deleteBuyersOfOldOrders(db, clock.now(), 1, clock)).toBe(0);
  });
});
