import { taxBasisText } from '#contract/amount-text.ts';
import type { Db } from '../ports/database.ts';
import { queueMails, type NewMail } from '../mail/mail.ts';
import { estimateDelivery } from '../orders/delivery-estimate.ts';
import { recipientNameOf } from '../orders/gifts.ts';
import type { Order } from '../orders/orders.ts';
import type { PlacingScope } from '../payments/purpose.ts';

/** Queues the buyer's receipt and the owner's email about the sale. */
export async function mailReceipt(
  tx: Db,
  { clock, jobs, link, ownersMailbox, deliveryTimes }: PlacingScope,
  order: Order,
): Promise<void> {
  const { orderNumber } = order;
  const { sums, orderedAt, shippingAddress, gift } = collectReceiptFacts(order);
  // Also true if an unproven account has this email. The link in the receipt then proves who owns the address.
  const isGuestOrder = order.customerId === null;
  const receipt: NewMail = {
    event: `receipt:${order.id}`,
    to: order.email,
    orderId: order.id,
    content: {
      kind: 'receipt',
      customerFirstName: order.firstName,
      orderNumber,
      orderedAt,
      ...sums,
      shippingAddress,
      gift,
      finishRegistrationUrl: isGuestOrder ? { link: 'complete-registration', subjectId: order.id } : undefined,
      orderUrl: { link: 'purchase-success', subjectId: order.id },
      uploadUrl: isGuestOrder ? undefined : link('/upload'),
      estimatedDelivery: order.shippingAddress
        ? estimateDelivery(deliveryTimes, clock.now(), order.gift?.shipOn)
        : undefined,
    },
  };
  await queueMails(tx, { jobs, clock }, [receipt, createSaleEmail({ link, ownersMailbox }, order)]);
  await jobs.enqueue(tx, 'announce-sale', { orderId: order.id });
}

/** The owner's email about a sale of any kind. */
export function createSaleEmail(
  { link, ownersMailbox }: Pick<PlacingScope, 'link' | 'ownersMailbox'>,
  order: Order,
): NewMail {
  const { id, orderNumber, firstName, lastName, email } = order;
  const { sums, orderedAt, shippingAddress, gift } = collectReceiptFacts(order);
  return {
    event: `owner-sale:${id}`,
    to: ownersMailbox,
    orderId: id,
    content: {
      kind: 'owner-sale',
      orderNumber,
      orderedAt,
      customerName: `${firstName} ${lastName}`.trim(),
      customerEmail: email,
      ...sums,
      shippingAddress,
      gift,
      adminUrl: link(`/admin?tab=orders&order=${id}`),
    },
  };
}

function collectReceiptFacts(order: Order) {
  const { lines, subtotalCents, discountCents, taxCents, totalCents, giftCardCents, shippingAddress } = order;
  const labels = { discountLabel: order.promoCode ?? undefined, taxLabel: taxBasisText(order) || undefined };
  return {
    sums: {
      lines,
      subtotalCents,
      discountCents,
      taxCents,
      totalCents,
      ...(giftCardCents > 0 && { giftCardCents }),
      ...labels,
    },
    orderedAt: order.createdAt.toISOString(),
    gift: order.gift ?? undefined,
    shippingAddress: shippingAddress ? { name: recipientNameOf(order), ...shippingAddress } : undefined,
  };
}
