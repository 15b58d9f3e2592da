import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type SQL } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { movePackage, returnSlots } from '../frames/capacity.ts';
import { claimSlot, findFrameById, readFramesOfOrders } from '../frames/frames.ts';
import { refundOrder } from '../refunds/refunds.ts';
import { finalizeFrame } from '../production/production.ts';
import { readHistoriesOf, findOrderById, recordOrderEvent } from './orders.ts';

const orderCount = 100;
const auditContext = { requestId: 'test' };
const fullRefundForm = { reason: 'Changed her mind', withdrawPhotos: true };

/**
 * Creates `count` equal orders with two frames each. In each order, the first `withPhotos` frames have a photo. Returns
 * the order ids.
 */
async function createOrdersOfTwoFrames(it: TestShop, count: number, { withPhotos }: { withPhotos: number }) {
  const { browser, frames } = await buyFramesAsAnna(it, { quantity: 2, extraPackages: 2 });
  for (const { deviceId } of frames.slice(0, withPhotos)) await uploadTo(browser, deviceId);
  const { rows } = await it.shop.db.execute<{ id: string }>(sql`select id from orders`);
  const { db } = it.shop;
  const copyRow = async (table: string, changed: SQL) => {
    const { rows: written } = await db.execute<{ name: string }>(
      sql`select column_name as name from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'`,
    );
    const listColumns = (from: SQL) =>
      sql.join(
        written.map(({ name }) => sql`${from}${sql.identifier(name)}`),
        sql`, `,
      );
    await db.execute(sql`
      insert into ${sql.identifier(table)} (${listColumns(sql``)})
      select ${listColumns(sql`(copied).`)} from (
        select jsonb_populate_record(null::${sql.identifier(table)}, to_jsonb(it) || ${changed}) as copied
        from ${sql.identifier(table)} it, generate_series(2, ${count}) n
      )
      as copies`);
  };
  const numberedColumns = (...columns: string[]) =>
    sql`jsonb_build_object(${sql.join(
      columns.map((name) => sql`${sql.raw(`'${name}'`)}, it.${sql.identifier(name)} || '-' || n`),
      sql`, `,
    )})`;
  await copyRow('payments', numberedColumns('id', 'idempotency_key', 'intent_id'));
  await copyRow(
    'orders',
    numberedColumns('id', 'order_number', 'checkout_id', 'payment_id', 'stripe_payment_intent_id'),
  );
  await copyRow('frames', numberedColumns('id', 'order_id'));
  await copyRow('uploads', numberedColumns('id', 'frame_id', 'order_id', 'file_name'));
  return [rows[0]!.id, ...Array.from({ length: count - 1 }, (_, index) => `${rows[0]!.id}-${index + 2}`)];
}
const readFrameIds = async ({ shop }: TestShop, orderId: string) =>
  (await readFramesOfOrders(shop.db, [orderId])).map((frame) => frame.id) as [string, string];

/** The status of an order, and the texts of the status changes in its history. */
async function readState({ shop }: TestShop, orderId: string) {
  const history = (await readHistoriesOf(shop.db, [orderId])).get(orderId)!;
  const statusChanges = history.filter((event) => event.kind === 'status').map((event) => event.words);
  return { status: (await findOrderById(shop.db, orderId))!.status, moves: statusChanges };
}
const processingState = { status: 'processing', moves: ['We have all your photos. We are making your videos.'] };
const pendingState = { status: 'pending', moves: [] };

/** Runs `race` on each order, one after the other, and returns the state of every order. */
async function readFramesAfterRaces(it: TestShop, orderIds: string[], race: (orderId: string) => Promise<unknown>) {
  for (const orderId of orderIds) await race(orderId);
  return Promise.all(orderIds.map((orderId) => readState(it, orderId)));
}

describeOnPostgres((fresh) => {
  test('starts production of an order once when its two last frames are finalized at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const orderIds = await createOrdersOfTwoFrames(testShop, orderCount, { withPhotos: 2 });
    const states = await readFramesAfterRaces(testShop, orderIds, async (orderId) =>
      Promise.all((await readFrameIds(testShop, orderId)).map((frameId) => finalizeFrame(testShop.shop, frameId))),
    );
    expect(states).toEqual(orderIds.map(() => processingState));
  });

  test('starts production once when one frame is finalized while the other is refunded', async () => {
    const testShop = await openTestShop(fresh);
    const orderIds = await createOrdersOfTwoFrames(testShop, orderCount, { withPhotos: 1 });
    const states = await readFramesAfterRaces(testShop, orderIds, async (orderId) => {
      const [full] = await readFrameIds(testShop, orderId);
      return Promise.all([
        finalizeFrame(testShop.shop, full),
        refundOrder(testShop.shop, orderId, fullRefundForm, auditContext),
      ]);
    });
    expect(states).toEqual(orderIds.map(() => processingState));
  });

  test('starts production once when several refunds withdraw the last open frame at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const orderIds = await createOrdersOfTwoFrames(testShop, orderCount, { withPhotos: 1 });
    const states = await readFramesAfterRaces(testShop, orderIds, async (orderId) => {
      const [full] = await readFrameIds(testShop, orderId);
      await finalizeFrame(testShop.shop, full);
      const request = { ...fullRefundForm, key: crypto.randomUUID() };
      return Promise.all([1, 2, 3].map(() => refundOrder(testShop.shop, orderId, request, auditContext)));
    });
    expect(states).toEqual(orderIds.map(() => processingState));
  });

  test('does not deadlock when all mutations of an order run at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const mutationResults: PromiseSettledResult<unknown>[] = [];
    for (const orderId of await createOrdersOfTwoFrames(testShop, orderCount, { withPhotos: 2 })) {
      const [first, second] = await readFrameIds(testShop, orderId);
      const sourceFrame = (await findFrameById(db, first))!;
      const concurrentMutations = [
        finalizeFrame(testShop.shop, second),
        refundOrder(testShop.shop, orderId, { ...fullRefundForm, amountCents: 100 }, auditContext),
        movePackage(db, sourceFrame, second),
        db.transaction((tx) => claimSlot(tx, first)),
        db.transaction((tx) => returnSlots(tx, testShop.clock, orderId, 1)),
        refundOrder(testShop.shop, orderId, fullRefundForm, auditContext),
        finalizeFrame(testShop.shop, first),
      ];
      mutationResults.push(...(await Promise.allSettled(concurrentMutations)));
    }
    const rejectedReasons = mutationResults.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason.name] : [],
    );
    expect(rejectedReasons.filter((name) => name !== 'Refusal')).toEqual([]);
  });
});

describeOnEachEngine((fresh) => {
  test('starts production when the last open frame is withdrawn, unless no frame is finalized', async () => {
    const testShop = await openTestShop(fresh);
    const [order, untouched] = (await createOrdersOfTwoFrames(testShop, 2, { withPhotos: 1 })) as [string, string];
    const [full] = await readFrameIds(testShop, order);
    await finalizeFrame(testShop.shop, full);
    expect(await readState(testShop, order)).toEqual(pendingState);
    await refundOrder(testShop.shop, order, fullRefundForm, auditContext);
    expect(await readState(testShop, order)).toEqual(processingState);

    await refundOrder(testShop.shop, untouched, fullRefundForm, auditContext);
    expect(await readState(testShop, untouched)).toEqual(pendingState); // the frame with a photo can still be finalized
    const [kept] = await readFrameIds(testShop, untouched);
    await finalizeFrame(testShop.shop, kept);
    expect(await readState(testShop, untouched)).toEqual(processingState);
  });

  test('the migration starts production of orders that an earlier release left pending', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const [left, set, open] = (await createOrdersOfTwoFrames(testShop, 3, { withPhotos: 1 })) as [
      string,
      string,
      string,
    ];
    for (const orderId of [left, set]) {
      const [full] = await readFrameIds(testShop, orderId);
      await finalizeFrame(testShop.shop, full);
      await db.execute(sql`update frames set is_active = false where order_id = ${orderId} and id <> ${full}`);
    }
    await recordOrderEvent(db, testShop.clock, set, 'status', 'Status set to pending.');
    const migration = readFileSync(join(migrationsFolder, '0005_kept_no_longer.sql'), 'utf8');
    await db.execute(sql.raw(migration.split('--> statement-breakpoint')[0]!));
    // The migration writes the text of its release.
    expect(await readState(testShop, left)).toEqual({
      ...processingState,
      moves: ['All photos are in. Your videos are being made.'],
    });
    expect((await readState(testShop, set)).status).toBe('pending'); // the status that the owner set does not change
    expect(await readState(testShop, open)).toEqual(pendingState);
  });
});
