import type { Db } from '../ports/database.ts';
import { endAccount, type Customer } from '../accounts/accounts.ts';
import { forgetBuyersOf } from '../checkout/carts.ts';
import { isFinalized, isOpen } from '../frames/frames.ts';
import { forgetMailsAbout, forgetMailsOf } from '../mail/mail.ts';
import { forgetBuyerOf, isGivenBack } from '../orders/orders.ts';
import { forgetPayers } from '../payments/payments.ts';
import { forgetReviewsOf } from '../reviews/reviews.ts';
import { forgetTicketsOf } from '../support/support.ts';
import { revokeTokens } from '../tokens/tokens.ts';
import { eraseAllOf, forgetWhoseErasures, type Erasure, type KeepingScope, type OwnFrame } from './keeping.ts';

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
  return db.transaction(async (tx: Db) => {
    const erasure = await eraseAllOf(tx, scope, customer, 'account-deleted');
    const forgotten = await forgetBuyerOf(tx, customer.id);
    for (const { id } of forgotten)
      for (const purpose of ['order-access', 'finish-registration', 'unsubscribe', 'review'] as const)
        await revokeTokens(tx, clock, purpose, id);
    await forgetReviewsOf(
      tx,
      forgotten.map((it) => it.id),
    );
    await forgetBuyersOf(
      tx,
      forgotten.map((it) => it.checkoutId),
    );
    await forgetPayers(
      tx,
      forgotten.map((it) => it.paymentId),
    );
    await forgetMailsAbout(
      tx,
      forgotten.map((it) => it.id),
    );
    // An address that nobody has confirmed may be somebody else's, with letters and questions of their own.
    if (customer.emailConfirmedAt !== null) {
      await forgetMailsOf(tx, customer.email);
      await forgetTicketsOf(tx, customer.email);
    }
    await forgetWhoseErasures(tx, customer.id);
    await endAccount(tx, clock, customer.id);
    return erasure;
  });
}
