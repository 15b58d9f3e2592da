import { taxBasis } from '#contract/amount-words.ts';
import { photosOf, productTypeOf } from '#contract/catalog.ts';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock, Db, PaymentIntent } from '../ports.ts';
import { customerById, type Customer } from '../accounts/accounts.ts';
import { issueToken } from '../accounts/tokens.ts';
import { createFrames } from '../frames/frames.ts';
import { queueMail, queueMails, type NewMail } from '../mail/mail.ts';
import { estimateDelivery } from '../orders/delivery-estimate.ts';
import { orderOfCheckout, orderOfPayment, placeOrder, type Order } from '../orders/orders.ts';
import { sayableNumber } from '../sayable-number.ts';
import {
  closePayment,
  inWords,
  modeOf,
  movePayment,
  openPayment,
  paymentById,
  paymentOfIntent,
  staleRefunds,
  unsettledPayments,
  type Payment,
  type PaymentScope,
} from './payments.ts';
import { countPaidUse } from './promotion-uses.ts';

export type Settled =
  | { state: 'paid'; order: Order; payment: Payment }
  | { state: 'processing' }
  | { state: 'unpaid'; status: PaymentIntent['status'] };

/**
 * The one way money becomes an order, called by verify-payment, the provider's webhook and the sweep: reads the intent
 * from the provider, checks it against its frozen cart, and makes order, frames and mails in one transaction. Whoever
 * comes first and however often, there is one order.
 */
export async function settle(scope: PaymentScope, intentId: string): Promise<Settled> {
  const { db, clock, provider } = scope;
  const intent = await provider.getIntent(intentId).catch(inWords);
  if (!intent) throw new Refusal('payment-not-found');
  const payment = await paymentOf(scope, intent);
  if (!payment) throw new Refusal('payment-not-found');
  if (intent.status === 'processing') return { state: 'processing' };
  if (intent.status !== 'succeeded') {
    if (intent.status === 'canceled') await closePayment(db, clock, payment.id, ['asking', 'open'], 'cancelled');
    return { state: 'unpaid', status: intent.status };
  }
  const isAsFrozen =
    intent.amountCents === payment.totalCents &&
    intent.amountReceivedCents === payment.totalCents &&
    intent.currency === payment.currency &&
    payment.livemode === modeOf(provider) &&
    intent.livemode === (payment.livemode === 'live');
  if (!isAsFrozen) {
    await reportMismatch(scope, payment, intent);
    throw new Refusal('payment-mismatch');
  }

  const ownersMailbox = await scope.ownerEmail();
  const payer = payment.details || !intent.chargeId ? {} : await provider.payerOf(intent.chargeId).catch(inWords);
  const made = await db.transaction((tx) => makeOrder(tx, { ...scope, ownersMailbox }, payment, intent.id, payer));
  if (made) return { state: 'paid', order: made, payment };
  const order = await orderOfPayment(db, payment.id);
  if (order) return { state: 'paid', order, payment };
  return { state: 'paid', order: await refundSecond(scope, payment), payment };
}

/** From where a paid intent may still become its order, or go back. */
const unsettled: Payment['state'][] = ['asking', 'open', 'cancelled', 'mismatched'];

/** Money came that is not what the cart cost: no order is made of it, and the owner hears of it once. */
async function reportMismatch(
  { db, clock, jobs, link, ownerEmail }: PaymentScope,
  payment: Payment,
  intent: PaymentIntent,
): Promise<void> {
  const to = await ownerEmail();
  await db.transaction(async (tx) => {
    if (!(await movePayment(tx, clock, payment.id, ['asking', 'open', 'cancelled'], 'mismatched'))) return;
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `owner-payment-mismatch:${payment.id}`,
        to,
        content: {
          kind: 'owner-payment-mismatch',
          paymentIntentId: intent.id,
          customerEmail: payment.details?.email,
          expectedCents: payment.totalCents,
          receivedCents: intent.amountReceivedCents,
          receivedCurrency: intent.currency === payment.currency ? undefined : intent.currency.toUpperCase(),
          adminUrl: link('/admin?tab=orders'),
        },
      },
    );
  });
}

/** The frozen payment of an intent; the metadata finds one whose row a crash left without the provider's answer. */
async function paymentOf({ db, clock }: PaymentScope, intent: PaymentIntent): Promise<Payment | undefined> {
  const known = await paymentOfIntent(db, intent.id);
  if (known) return known;
  const claimed = intent.metadata['payment_id'];
  const payment = claimed === undefined ? undefined : await paymentById(db, claimed);
  if (!payment || payment.intentId !== null) return undefined;
  await openPayment(db, clock, payment.id, { intentId: intent.id });
  return paymentOfIntent(db, intent.id);
}

/** Inside a transaction nothing else is asked for on the side. */
type Payer = { name?: string; email?: string };
type OrderScope = Pick<PaymentScope, 'clock' | 'jobs' | 'link'> & { ownersMailbox: string };

async function makeOrder(
  tx: Db,
  scope: OrderScope,
  payment: Payment,
  intentId: string,
  payer: Payer,
): Promise<Order | undefined> {
  const { clock } = scope;
  const signedIn = payment.customerId === null ? undefined : await customerById(tx, payment.customerId);
  const buyer = buyerOf(payment, signedIn, payer);
  const cart = { productId: payment.productId, quantity: payment.quantity, extraPackages: payment.extraPackages };
  const order = await placeOrder(tx, clock, {
    orderNumber: sayableNumber('KF'),
    customerId: signedIn?.id ?? null,
    ...buyer,
    productType: productTypeOf(cart),
    quantity: cart.quantity,
    extraPackages: cart.extraPackages,
    lines: payment.lines,
    subtotalCents: payment.subtotalCents,
    discountCents: payment.discountCents,
    promoCode: payment.promoCode,
    taxCents: payment.taxCents,
    taxRate: payment.taxRate,
    taxJurisdiction: payment.taxJurisdiction,
    totalCents: payment.totalCents,
    checkoutId: payment.checkoutId,
    paymentId: payment.id,
    stripePaymentIntentId: intentId,
  });
  if (!order) return undefined;
  await movePayment(tx, clock, payment.id, unsettled, 'settled');
  if (payment.promoCode !== null) await countPaidUse(tx, payment.id);
  await createFrames(tx, clock, order.id, cart);
  await mailReceipt(tx, scope, order);
  return order;
}

/** Who bought: as frozen at checkout, else the account that paid, else as the card's holder told the provider. */
function buyerOf({ details }: Payment, account: Customer | undefined, payer: Payer) {
  const [firstName = '', ...rest] = (payer.name ?? '').trim().split(/\s+/);
  return {
    email: details?.email ?? account?.email ?? payer.email?.trim().toLowerCase() ?? '',
    firstName: details?.firstName ?? account?.firstName ?? firstName,
    lastName: details?.lastName ?? account?.lastName ?? rest.join(' '),
    phone: details?.phone || null,
    shippingAddress: details?.address ?? null,
  };
}

async function mailReceipt(tx: Db, { clock, jobs, link, ownersMailbox }: OrderScope, order: Order): Promise<void> {
  const { orderNumber, lines, subtotalCents, discountCents, taxCents, totalCents } = order;
  const labels = { discountLabel: order.promoCode ?? undefined, taxLabel: taxBasis(order) || undefined };
  const sums = { lines, subtotalCents, discountCents, taxCents, totalCents, ...labels };
  const orderedAt = order.createdAt.toISOString();
  const shippingAddress = order.shippingAddress
    ? { name: `${order.firstName} ${order.lastName}`, ...order.shippingAddress }
    : undefined;
  // Also where somebody has opened an account under this e-mail and never confirmed it: the link proves whose it is.
  const isGuests = order.customerId === null;
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
      finishRegistrationUrl: isGuests ? { link: 'complete-registration', subjectId: order.id } : undefined,
      orderUrl: { link: 'purchase-success', subjectId: order.id },
      uploadUrl: link('/upload'),
      estimatedDelivery: order.shippingAddress ? estimateDelivery(clock.now()) : undefined,
    },
  };
  const sale: NewMail = {
    event: `owner-sale:${order.id}`,
    to: ownersMailbox,
    orderId: order.id,
    content: {
      kind: 'owner-sale',
      orderNumber,
      orderedAt,
      customerName: `${order.firstName} ${order.lastName}`.trim(),
      customerEmail: order.email,
      ...sums,
      shippingAddress,
      adminUrl: link(`/admin?tab=orders&order=${order.id}`),
    },
  };
  await queueMails(tx, { jobs, clock }, [receipt, sale]);
}

/** Lets its holder read this order's summary, and nothing else. */
export const orderAccessToken = (tx: Db, clock: Clock, orderId: string): Promise<string> =>
  issueToken(tx, clock, {
    purpose: 'order-access',
    subjectId: orderId,
    seconds: lifetimes.orderAccessDays * 86_400,
  });

/** A second payment of one checkout goes back by itself. Answers the order the first one made. */
async function refundSecond({ db, clock, jobs }: PaymentScope, payment: Payment): Promise<Order> {
  const order = await orderOfCheckout(db, payment.checkoutId);
  if (!order) throw new Error(`payment ${payment.id} made no order, and its checkout has none`);
  await db.transaction(async (tx) => {
    if (await closePayment(tx, clock, payment.id, unsettled, 'refunding'))
      await jobs.enqueue(tx, 'refund-payment', { paymentId: payment.id });
  });
  return order;
}

/** The job that gives a second payment back, once however often it runs. */
export async function refundPayment(scope: PaymentScope, paymentId: string): Promise<void> {
  const { db, clock, jobs, provider, link, ownerEmail } = scope;
  const payment = await paymentById(db, paymentId);
  if (!payment || payment.state !== 'refunding' || payment.intentId === null) return;
  const { intentId } = payment;
  // The key makes it once for a day; a job that comes back later looks first.
  const made = (await provider.refundsOf(intentId)).filter((it) => it.status !== 'failed' && it.status !== 'canceled');
  const backCents = made.reduce((sum, it) => sum + it.amountCents, 0);
  const amountCents = payment.totalCents - backCents;
  if (amountCents > 0)
    await provider.refund({ intentId, amountCents, reason: 'duplicate' }, `refund-${payment.id}-${backCents}`);
  const order = await orderOfCheckout(db, payment.checkoutId);
  const to = await ownerEmail();
  await db.transaction(async (tx) => {
    if (!(await movePayment(tx, clock, payment.id, ['refunding'], 'refunded')) || !order) return;
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `second-payment-refunded:${payment.id}`,
        to,
        orderId: order.id,
        content: {
          kind: 'owner-second-payment-refunded',
          orderNumber: order.orderNumber,
          customerEmail: order.email,
          amountCents: payment.totalCents,
          adminUrl: link(`/admin?tab=orders&order=${order.id}`),
        },
      },
    );
  });
}

/** An intent nobody paid in this time is closed. */
const abandonedAfterMs = 24 * 3_600_000;
/** Sooner where it holds a use of a promotion code that others may be waiting for. */
const abandonedWithCodeAfterMs = 2 * 3_600_000;
/** A payment whose provider never answered: no browser got its client secret. */
const unansweredAfterMs = 10 * 60_000;

/** A refund that has not come through in this time is tried anew. */
const staleRefundMs = 24 * 3_600_000;
const pageSize = 200;

/**
 * Every few minutes: whatever was paid while no browser and no webhook told us becomes its order, and what
 * nobody wants any more is closed.
 */
export async function settleOpenPayments(scope: PaymentScope, onError: (error: unknown) => void): Promise<void> {
  const { db, clock, jobs } = scope;
  const now = clock.now().getTime();
  let last: Payment | undefined;
  do {
    const page = await unsettledPayments(db, { before: new Date(now - 60_000), after: last, limit: pageSize });
    for (const payment of page)
      try {
        await settleOpen(scope, payment);
      } catch (error) {
        onError(error); // the next one may well be fine
      }
    last = page.length === pageSize ? page.at(-1) : undefined;
  } while (last);

  for (const { id } of await staleRefunds(db, new Date(now - staleRefundMs))) {
    onError(new Error(`the refund of payment ${id} has not come through`));
    await db.transaction((tx) => jobs.enqueue(tx, 'refund-payment', { paymentId: id }, { key: id }));
  }
}

async function settleOpen(scope: PaymentScope, payment: Payment): Promise<void> {
  const { db, clock, provider } = scope;
  const ageMs = clock.now().getTime() - payment.createdAt.getTime();
  if (payment.intentId === null) {
    if (ageMs > unansweredAfterMs) await closePayment(db, clock, payment.id, ['asking'], 'cancelled');
    return;
  }
  const settled = await settle(scope, payment.intentId);
  const isAbandoned = ageMs > (payment.holdsPromotion ? abandonedWithCodeAfterMs : abandonedAfterMs);
  if (settled.state !== 'unpaid' || !isAbandoned) return;
  const intent = await provider.cancelIntent(payment.intentId);
  if (intent.status === 'canceled') await closePayment(db, clock, payment.id, ['open'], 'cancelled');
}

/** Photos a settled payment's order holds, as verify-payment tells. */
export const photoLimitOf = (payment: Payment): number => photosOf(payment);
