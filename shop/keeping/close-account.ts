import type { Db } from '../ports/database.ts';
import { endAccount, endWaysIn, type Customer } from '../accounts/accounts.ts';
import { collectLinkIdsOf } from '../collect-links/collect-links.ts';
import { framesOfOrders, holdAllOf, isFinalized, isOpen } from '../frames/frames.ts';
import { forgetMailsNaming, forgetMailsOf } from '../mail/mail.ts';
import { forgetBuyerOf, isGivenBack, ordersOf, type Order } from '../orders/orders.ts';
import { holdPaymentsFor } from '../payments/payments.ts';
import { forgetReviewsOf } from '../reviews/reviews.ts';
import { forgetTicketsOf } from '../support/support.ts';
import { revokeTokens } from '../tokens/tokens.ts';
import {
  endLinksTo,
  eraseAllOf,
  forgetWhoseErasures,
  holdLinksOf,
  type Erasure,
  type KeepingScope,
  type OwnFrame,
} from './keeping.ts';
import { endLinksToOrders, forgetWhoBought, purposesOf } from './who-bought.ts';

/** What is paid for and not done, in words, of each order that has some: it is given up with the account. */
export function unfinishedOf(own: OwnFrame[]): { orderNumber: string; words: string[] }[] {
  const byOrder = Map.groupBy(own, ({ order }) => order);
  return [...byOrder].flatMap(([order, frames]) => {
    const words = [
      ...frames.flatMap(({ frame }) => {
        if (isOpen(frame)) return `${frame.name} waits for your photos.`;
        return isFinalized(frame) && frame.videosReadyAt === null ? `The videos of ${frame.name} are being made.` : [];
      }),
      ...(order.shippingAddress && order.shippedAt === null ? ['The parcel is not on its way yet.'] : []),
    ];
    return words.length > 0 && !isGivenBack(order) ? { orderNumber: order.orderNumber, words } : [];
  });
}

/**
 * Delete an account: pictures and videos first, then everything that says who somebody is. What stays is what the law
 * makes a shop keep: the bill of each order, without a name.
 */
export async function closeAccount(scope: KeepingScope, customer: Customer): Promise<Erasure> {
  const { db, clock } = scope;
  const endReviewLinks = async (tx: Db, orders: Order[]) => {
    for (const { id } of orders) await revokeTokens(tx, clock, 'review', id);
  };
  return db.transaction(async (tx: Db) => {
    const before = await ordersOf(tx, customer.id);
    // First: who writes a review or adds a photo holds the link before the order, and is waited for while nothing else is held.
    await endReviewLinks(tx, before);
    await holdLinksOf(tx, customer.id, before);
    // In the order in which money is settled: payment, frames, customer.
    await holdPaymentsFor(tx, await purposesOf(tx, before));
    await holdAllOf(tx, before);
    await endAccount(tx, customer.id);
    // With one that was just being placed, or given to the account.
    const orders = await ordersOf(tx, customer.id);
    const frameIds = idsOf(await framesOfOrders(tx, idsOf(orders)));
    const links = await collectLinkIdsOf(tx, frameIds);
    const erasure = await eraseAllOf(tx, scope, customer, 'account-deleted');
    await forgetBuyerOf(tx, customer.id);
    await forgetReviewsOf(tx, idsOf(orders));
    await forgetWhoBought(tx, orders, await purposesOf(tx, orders));
    const receipts = (await forgetWhoseErasures(tx, customer.id)).filter((it) => it !== erasure.id);
    await forgetMailsNaming(tx, [customer.id, ...links, ...receipts]);
    // An address that nobody has confirmed may be somebody else's, with letters and questions of their own.
    if (customer.emailConfirmedAt !== null) {
      // The mails last: an answer that is being written has been waited for.
      await forgetTicketsOf(tx, customer.email);
      await forgetMailsOf(tx, customer.email);
    }
    // Last: a mail that was being written has been waited for, and what links it made end here, also those to what a frame
    // had: the erasure has ended all that were there before.
    await endLinksToOrders(tx, clock, orders);
    await endReviewLinks(tx, orders);
    for (const id of frameIds) await endLinksTo(tx, clock, id);
    await endWaysIn(tx, clock, customer.id);
    return erasure;
  });
}

const idsOf = (rows: { id: string }[]) => rows.map((it) => it.id);
