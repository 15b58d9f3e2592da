import { isOpenReturn } from '#contract/return-forms.ts';
import type { Db } from '../ports/database.ts';
import { endAccount, revokeAccountLinks, type Customer } from '../accounts/accounts.ts';
import { eraseRemindersOf } from '../checkout/cart-reminder-ends.ts';
import { erasePhoneOrdersOf } from '../checkout/phone-order-erasure.ts';
import { collectLinkIdsOf } from '../collect-links/collect-links.ts';
import { readFramesOfOrders, lockOrdersWithFrames, isFinalized, isOpen } from '../frames/frames.ts';
import { deleteGiftCardDataOf, findGiftCardIdsOf } from '../gift-cards/gift-cards.ts';
import { deleteMailContentNaming, deleteMailContentOfPerson } from '../mail/mail.ts';
import { deleteBuyerDataOfCustomer, isFullyRefunded, readOrdersOf, type Order } from '../orders/orders.ts';
import { deletePayerEmails, lockPaymentsFor } from '../payments/payments.ts';
import { listNames, type FullReturn } from '../returns/returns.ts';
import { deleteReviewsOf } from '../reviews/reviews.ts';
import { deleteWaiter } from '../stock/waiters.ts';
import { deleteTicketTextsOf } from '../support/support.ts';
import { revokeTokens } from '../tokens/tokens.ts';
import {
  addFilesToErasure,
  revokeVideoLinks,
  erasePhotosAndVideosOf,
  removeCustomerFromErasures,
  lockLinksOf,
  type Erasure,
  type ErasureScope,
  type OwnFrame,
} from './erasure.ts';
import { endLinksToOrders, deleteBuyerDataOfOrders, findPaymentPurposeIds } from './buyer-data.ts';

/**
 * For each order, texts that name the paid services that are not finished. The customer loses these services when the
 * account is deleted.
 */
export function unfinishedServicesOf(
  own: OwnFrame[],
  returns: FullReturn[],
): { orderNumber: string; words: string[] }[] {
  const framesByOrder = Map.groupBy(own, ({ order }) => order);
  return [...framesByOrder].flatMap(([order, frames]) => {
    const reasons = [
      ...frames.flatMap(({ frame }) => {
        if (isOpen(frame)) return `${frame.name} still needs your photos.`;
        return isFinalized(frame) && frame.videosReadyAt === null
          ? `We’re still making the videos for ${frame.name}.`
          : [];
      }),
      ...returns
        .filter((it) => it.orderId === order.id && isOpenReturn(it))
        .map((it) => `Your return of ${listNames(it.frames).join(', ')} is not finished.`),
      ...(order.shippingAddress && order.shippedAt === null ? ['Your package has not shipped yet.'] : []),
    ];
    return reasons.length > 0 && !isFullyRefunded(order) && order.canceledAt === null
      ? { orderNumber: order.orderNumber, words: reasons }
      : [];
  });
}

/**
 * Delete an account: photos and videos first, then all personal data. Only the bill of each order remains, without a
 * name, because the law requires a shop to keep it.
 */
export async function closeAccount(scope: ErasureScope, customer: Customer): Promise<Erasure> {
  const { db, clock } = scope;
  const endReviewLinks = async (tx: Db, orders: Order[]) => {
    for (const { id } of orders) await revokeTokens(tx, clock, 'review', id);
  };
  return db.transaction(async (tx: Db) => {
    const ordersBefore = await readOrdersOf(tx, customer.id);
    // Lock links first. Requests that write a review or add a photo lock the link before the order. So this transaction
    // waits for these requests before it locks anything else.
    await endReviewLinks(tx, ordersBefore);
    await lockLinksOf(tx, customer.id, ordersBefore);
    // Lock in the same order as the settling of payments: payments, frames, customer.
    const buyer = { customerId: customer.id, email: customer.emailProvenAt === null ? undefined : customer.email };
    await lockPaymentsFor(tx, [
      ...(await findPaymentPurposeIds(tx, ordersBefore)),
      ...(await findGiftCardIdsOf(tx, buyer)),
    ]);
    await lockOrdersWithFrames(tx, ordersBefore);
    await endAccount(tx, customer.id);
    // Read the orders again: one may have been placed or added to the account in the meantime.
    const orders = await readOrdersOf(tx, customer.id);
    const frameIds = idsOf(await readFramesOfOrders(tx, idsOf(orders)));
    const collectLinkIds = await collectLinkIdsOf(tx, frameIds);
    const erasure = await erasePhotosAndVideosOf(tx, scope, customer, 'account-deleted');
    await deleteBuyerDataOfCustomer(tx, customer.id);
    await deleteReviewsOf(tx, idsOf(orders));
    await deleteBuyerDataOfOrders(tx, orders, await findPaymentPurposeIds(tx, orders));
    const otherErasureIds = (await removeCustomerFromErasures(tx, customer.id)).filter((it) => it !== erasure.id);
    const giftCardIds = await deleteGiftCardDataOf(tx, buyer);
    await deletePayerEmails(tx, giftCardIds);
    await deleteMailContentNaming(tx, [customer.id, ...collectLinkIds, ...otherErasureIds, ...giftCardIds]);
    // An unproven address may belong to someone else, who has their own mails and tickets.
    if (customer.emailProvenAt !== null) {
      // Delete the mails after the tickets. If an answer to a ticket is just being written, this transaction waits for
      // it and then also deletes its mail.
      await addFilesToErasure(tx, erasure.id, await deleteTicketTextsOf(tx, customer.email));
      await deleteWaiter(tx, customer.email);
      await deleteMailContentOfPerson(tx, customer.email);
    }
    await eraseRemindersOf(tx, clock, {
      customerId: customer.id,
      email: customer.emailProvenAt === null ? undefined : customer.email,
    });
    await erasePhoneOrdersOf(tx, clock, {
      checkoutIds: orders.map((it) => it.checkoutId),
      email: customer.emailProvenAt === null ? undefined : customer.email,
    });
    // Revoke links last. A mail that was being sent has stored its tokens by now, so they are revoked too. This
    // includes links to frames: the erasure revoked only the links that existed before.
    await endLinksToOrders(tx, clock, orders);
    await endReviewLinks(tx, orders);
    for (const id of frameIds) await revokeVideoLinks(tx, clock, id);
    await revokeAccountLinks(tx, clock, customer.id);
    return erasure;
  });
}

const idsOf = (rows: { id: string }[]) => rows.map((it) => it.id);
