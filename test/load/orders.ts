import { sql } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';
import { createGuestBuyers } from '../faults/guest-buyers.ts';
import { Ledger } from '../faults/scenario.ts';
import { findMissingItems, readStoredState } from '../faults/stored-state.ts';
import { runAtInterval, createStopwatch } from './run-at-interval.ts';
import { openLoadTestShop } from './load-test-shop.ts';
import { countCheck, type LoadTest } from './part.ts';
import { sendWebhooks } from './webhooks.ts';

const buyersPerSecond = 10;
const seconds = 60;
/** How far the last purchase may be behind schedule. Buyers who wait longer after paying leave for another shop. */
const patienceSeconds = 5;

/** Ten buyers per second, while webhooks report their payments twice and out of order. */
export const ordersLoadTest: LoadTest = {
  name: 'orders',
  async run({ random, share }) {
    const shop = await openLoadTestShop();
    const ledger = new Ledger();
    const buyerCount = Math.ceil(buyersPerSecond * seconds * share);
    const stopWebhooks = sendWebhooks(shop, random);
    const secondsTaken = createStopwatch();
    await runAtInterval(buyerCount, 1000 / buyersPerSecond, createGuestBuyers(shop.browser, ledger));
    const secondsBehind = Math.max(0, secondsTaken() - buyerCount / buyersPerSecond);
    const webhookCount = await stopWebhooks();

    const { web, provider, mail } = shop;
    const { names } = await web.pollUntilComplete(
      (db) => readStoredState(db, web.files),
      (stored) => findMissingItems(ledger, stored),
    );
    const orders = new Set(names);
    const paidNames = new Set((await provider.listChargedIntents()).map((it) => `paid:${it}`));
    const countedRows = await web.look(readOrderRows);
    const arrivedIds = await mail.arrived();
    return {
      done: `${buyersPerSecond} buyers a second for ${Math.round(buyerCount / buyersPerSecond)} s, every third gone after paying; ${webhookCount} webhooks, each sent twice, in random order`,
      figures: [
        countCheck('paid at the provider', paidNames.size, buyerCount),
        {
          name: 'the last had paid after the last beat',
          value: secondsBehind,
          unit: 's',
          is: 'at most',
          limit: patienceSeconds,
        },
        countCheck('orders', countedRows.orders, paidNames.size),
        countCheck('orders without a payment', [...orders].filter((it) => !paidNames.has(it)).length, 0),
        countCheck('payments without an order', [...paidNames].filter((it) => !orders.has(it)).length, 0),
        countCheck('frames', countedRows.frames, paidNames.size),
        countCheck('payments settled', countedRows.settled, paidNames.size),
        countCheck('payments in any other state', countedRows.unsettled, 0),
        countCheck('receipts', countedRows.receipts, paidNames.size),
        countCheck('emails of a sale to the owner', countedRows.sales, paidNames.size),
        countCheck('emails that arrived', new Set(arrivedIds).size, countedRows.emails),
        countCheck('emails that arrived twice', arrivedIds.length - new Set(arrivedIds).size, 0),
      ],
      words: ledger.words,
    };
  },
};

async function readOrderRows(db: Db) {
  const emailCount = (event: string) => sql`(select count(*) from mails where starts_with(event, ${event}))::int`;
  const { rows } = await db.execute<
    Record<'orders' | 'frames' | 'settled' | 'unsettled' | 'receipts' | 'sales' | 'emails', number>
  >(sql`select
    (select count(*) from orders)::int as orders,
    (select count(*) from frames)::int as frames,
    (select count(*) from payments where state = 'settled')::int as settled,
    (select count(*) from payments where state <> 'settled')::int as unsettled,
    ${emailCount('receipt:')} as receipts,
    ${emailCount('owner-sale:')} as sales,
    ${emailCount('')} as emails`);
  return rows[0]!;
}
