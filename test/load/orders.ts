import { sql } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';
import { createGuestBuyers } from '../faults/guest-buyers.ts';
import { RequestRecorder } from '../faults/scenario.ts';
import { findMissingItems, readStoredState } from '../faults/stored-state.ts';
import { runAtInterval, createStopwatch } from './run-at-interval.ts';
import { openLoadTestShop } from './load-test-shop.ts';
import { createCountFigure, type LoadTest } from './part.ts';
import { startSendingWebhooks } from './webhooks.ts';

const buyersPerSecond = 10;
const seconds = 60;
/** How far the last purchase may be behind schedule. Buyers who wait longer after paying leave for another shop. */
const maxDelaySeconds = 5;

/** Ten buyers per second, while webhooks report their payments twice and out of order. */
export const ordersLoadTest: LoadTest = {
  name: 'orders',
  async run({ random, share }) {
    const shop = await openLoadTestShop();
    const requestRecorder = new RequestRecorder();
    const buyerCount = Math.ceil(buyersPerSecond * seconds * share);
    const stopWebhooks = startSendingWebhooks(shop, random);
    const readSecondsTaken = createStopwatch();
    await runAtInterval(buyerCount, 1000 / buyersPerSecond, createGuestBuyers(shop.browser, requestRecorder));
    const secondsBehind = Math.max(0, readSecondsTaken() - buyerCount / buyersPerSecond);
    const webhookCount = await stopWebhooks();

    const { web, provider, mail } = shop;
    const { names } = await web.pollUntilComplete(
      (db) => readStoredState(db, web.files),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    const orders = new Set(names);
    const paidNames = new Set((await provider.listChargedIntents()).map((it) => `paid:${it}`));
    const countedRows = await web.readDatabase(readOrderRows);
    const arrivedIds = await mail.arrived();
    return {
      done: `${buyersPerSecond} buyers a second for ${Math.round(buyerCount / buyersPerSecond)} s, every third gone after paying; ${webhookCount} webhooks, each sent twice, in random order`,
      figures: [
        createCountFigure('paid at the provider', paidNames.size, buyerCount),
        {
          name: 'the last had paid after the last beat',
          value: secondsBehind,
          unit: 's',
          is: 'at most',
          limit: maxDelaySeconds,
        },
        createCountFigure('orders', countedRows.orders, paidNames.size),
        createCountFigure('orders without a payment', [...orders].filter((it) => !paidNames.has(it)).length, 0),
        createCountFigure('payments without an order', [...paidNames].filter((it) => !orders.has(it)).length, 0),
        createCountFigure('frames', countedRows.frames, paidNames.size),
        createCountFigure('payments settled', countedRows.settled, paidNames.size),
        createCountFigure('payments in any other state', countedRows.unsettled, 0),
        createCountFigure('receipts', countedRows.receipts, paidNames.size),
        createCountFigure('emails of a sale to the owner', countedRows.sales, paidNames.size),
        createCountFigure('emails that arrived', new Set(arrivedIds).size, countedRows.emails),
        createCountFigure('emails that arrived twice', arrivedIds.length - new Set(arrivedIds).size, 0),
      ],
      words: requestRecorder.words,
    };
  },
};

async function readOrderRows(db: Db) {
  const countEmailsSql = (event: string) => sql`(select count(*) from mails where starts_with(event, ${event}))::int`;
  const { rows } = await db.execute<
    Record<'orders' | 'frames' | 'settled' | 'unsettled' | 'receipts' | 'sales' | 'emails', number>
  >(sql`select
    (select count(*) from orders)::int as orders,
    (select count(*) from frames)::int as frames,
    (select count(*) from payments where state = 'settled')::int as settled,
    (select count(*) from payments where state <> 'settled')::int as unsettled,
    ${countEmailsSql('receipt:')} as receipts,
    ${countEmailsSql('owner-sale:')} as sales,
    ${countEmailsSql('')} as emails`);
  return rows[0]!;
}
