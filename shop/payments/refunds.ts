import { money, priceBook } from '#contract/catalog.ts';
import { packagesCovered } from '#contract/refund-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import { and, asc, eq, inArray, lt } from 'drizzle-orm';
import {
  PaymentProviderError,
  type CardPayments,
  type ChargedCard,
  type Db,
  type Refund as ProviderRefund,
} from '../ports.ts';
import { recordAct } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { returnPlaces, unusedIn, withdrawPackages, withdrawUnused } from '../frames/capacity.ts';
import { framesOfOrders, holdFramesOf, type Frame } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import {
  countRefund,
  holdOrder,
  orderById,
  orderOfIntent,
  recordOrderEvent,
  uncountRefund,
  type Order,
} from '../orders/orders.ts';
import { disputesOfOrders, isMoneyGone } from './disputes.ts';
import { movePayment, paymentOfIntent, type PaymentScope } from './payments.ts';
import { refunds, type Refund } from './payments.sql.ts';

export type { Refund } from './payments.sql.ts';

type InTransaction = Pick<PaymentScope, 'clock' | 'jobs' | 'link'> & { ownersMailbox: string };

/** What an extra package cost in this order, with its share of discount and tax. */
const packageCentsOf = ({ totalCents, subtotalCents }: Order) =>
  Math.max(1, Math.floor((priceBook.extraPackage * totalCents) / subtotalCents));

// ---------------------------------------------------------------- the owner's act

export interface RefundOffer {
  remainingCents: number;
  card: ChargedCard | null;
  unusedPhotos: number;
  unusedPackages: number;
  packageCents: number;
}

/** What can still be given back, to which card, and what would go with it. */
export async function offerRefund({ db, provider }: PaymentScope, orderId: string): Promise<RefundOffer> {
  const order = await orderById(db, orderId);
  if (!order) throw new Refusal('not-found');
  const unused = unusedIn(await framesOfOrders(db, [orderId]));
  return {
    remainingCents: order.totalCents - order.refundedCents,
    card: await cardOf(provider, order),
    unusedPhotos: unused.photos,
    unusedPackages: unused.packages,
    packageCents: packageCentsOf(order),
  };
}

/** Null while the provider cannot be asked: the refund itself waits for it anyway. */
async function cardOf(provider: CardPayments, order: Order): Promise<ChargedCard | null> {
  try {
    const intent = await provider.getIntent(order.stripePaymentIntentId);
    return (intent?.chargeId !== undefined && (await provider.payerOf(intent.chargeId)).card) || null;
  } catch (error) {
    if (error instanceof PaymentProviderError) return null;
    throw error;
  }
}

/**
 * Decide on a refund: count it, take unused capacity with it, and leave the asking to a job, all in one transaction. Of
 * many at once no more than the total is given back; the same `key` sent again is the same refund. A refund of all that
 * is left takes every unused place, a part takes whole extra packages when told to.
 */
export async function refundOrder(
  { db, clock, jobs }: PaymentScope,
  orderId: string,
  request: { amountCents?: number | undefined; reason: string; withdrawPhotos: boolean; key?: string | undefined },
  { requestId }: { requestId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const frames = await holdFramesOf(tx, orderId);
    const order = await holdOrder(tx, orderId);
    if (!order) throw new Refusal('not-found');
    const same = request.key === undefined ? undefined : await refundById(tx, request.key);
    if (same?.orderId === orderId) return;
    if (same) throw new Refusal('invalid-request');
    if ((await disputesOfOrders(tx, [orderId])).some(isMoneyGone)) throw new Refusal('payment-disputed');
    const leftCents = order.totalCents - order.refundedCents;
    if (leftCents === 0) throw new Refusal('nothing-to-refund');
    const { amountCents = leftCents, reason, withdrawPhotos } = request;
    const isCounted = await countRefund(tx, clock, orderId, amountCents);
    if (!isCounted) throw new Refusal('refund-too-large', { left: money(leftCents) });

    const packages = packagesCovered(amountCents, packageCentsOf(order), unusedIn(frames).packages);
    const photosWithdrawn =
      amountCents === leftCents
        ? await withdrawUnused(tx, frames)
        : await withdrawPackages(tx, frames, withdrawPhotos ? packages : 0);
    const id = request.key ?? newId();
    const at = clock.now();
    await tx
      .insert(refunds)
      .values({ id, orderId, amountCents, reason, photosWithdrawn, state: 'asking', createdAt: at, updatedAt: at });
    await jobs.enqueue(tx, 'ask-refund', { refundId: id });
    await recordAct(tx, clock, {
      act: 'refund-order',
      subjectId: orderId,
      before: { refundedCents: order.refundedCents, places: placesOf(frames) },
      after: { refundId: id, refundedCents: order.refundedCents + amountCents, amountCents, reason, photosWithdrawn },
      requestId,
    });
  });
}

const placesOf = (frames: Frame[]) =>
  frames.map(({ id, basePhotos, extraPhotos, usedPhotos }) => ({ id, basePhotos, extraPhotos, usedPhotos }));

// ---------------------------------------------------------------- the provider's answer

/** Under this name the provider keeps our id of a refund. */
const ourId = 'refund_id';

/**
 * The job that asks the provider. What it may have been asked before is looked for first: idempotency keys are forgotten
 * after a day, and a provider may be out of reach for longer.
 */
export async function askRefund(scope: PaymentScope, refundId: string): Promise<void> {
  const { db, provider } = scope;
  const refund = await refundById(db, refundId);
  const order = refund && (await orderById(db, refund.orderId));
  if (!order || refund.state !== 'asking') return;
  const intentId = order.stripePaymentIntentId;
  try {
    const known = (await provider.refundsOf(intentId)).find((it) => it.metadata[ourId] === refundId);
    const { amountCents, reason } = refund;
    const request = { intentId, amountCents, reason, metadata: { [ourId]: refundId } };
    await note(scope, refundId, known ?? (await provider.refund(request, `order-refund-${refundId}`)));
  } catch (error) {
    if (!(error instanceof PaymentProviderError) || error.reason === 'unavailable') throw error;
    await note(scope, refundId, { status: 'failed', failureReason: error.message });
  }
}

/** The provider told of refunds of this payment: read them all anew, also those made at the provider itself. */
export async function followRefunds(scope: PaymentScope, intentId: string): Promise<void> {
  const { db, provider } = scope;
  const order = await orderOfIntent(db, intentId);
  if (!order) return followWithoutOrder(scope, intentId);
  for (const answer of (await provider.refundsOf(intentId)).toReversed()) {
    const known = await knownRefund(db, order.id, answer);
    if (known) await note(scope, known.id, answer);
    else if (stateOf(answer) !== 'failed') await recordForeign(scope, order.id, answer);
  }
}

async function followWithoutOrder({ db, clock, provider }: PaymentScope, intentId: string): Promise<void> {
  const payment = await paymentOfIntent(db, intentId);
  // Another program's of the same account, or a second payment that the shop gives back by itself.
  if (!payment || payment.state === 'refunding' || payment.state === 'refunded') return;
  if (payment.state !== 'mismatched') throw new Error(`payment ${payment.id} was refunded before it became an order`);
  const live = (await provider.refundsOf(intentId)).filter((it) => stateOf(it) !== 'failed');
  const backCents = live.reduce((sum, it) => sum + it.amountCents, 0);
  const intent = await provider.getIntent(intentId);
  if (intent && backCents >= intent.amountReceivedCents)
    await movePayment(db, clock, payment.id, ['mismatched'], 'refunded');
}

type Answer = Pick<ProviderRefund, 'status' | 'failureReason'> & { id?: string };
/** The provider's states only move forward, so of two answers the further one is the newer. */
const steps = ['asking', 'pending', 'succeeded', 'failed'] as const satisfies Refund['state'][];
const isFurther = (a: Refund['state'], b: Refund['state']) => steps.indexOf(a) > steps.indexOf(b);
function stateOf({ status }: Pick<ProviderRefund, 'status'>): Exclude<Refund['state'], 'asking'> {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

/** Take a refund on to what the provider answered. Told twice, or late, nothing more happens. */
async function note(scope: PaymentScope, refundId: string, answer: Answer): Promise<void> {
  const { db, clock } = scope;
  const state = stateOf(answer);
  const inside: InTransaction = { ...scope, ownersMailbox: await scope.ownerEmail() };
  await db.transaction(async (tx) => {
    const [refund] = await tx.select().from(refunds).where(eq(refunds.id, refundId)).for('update');
    if (!refund || !isFurther(state, refund.state)) return;
    await tx
      .update(refunds)
      .set({ state, providerRefundId: answer.id ?? refund.providerRefundId, updatedAt: clock.now() })
      .where(eq(refunds.id, refundId));
    const order = (await orderById(tx, refund.orderId))!;
    if (state === 'failed') await takeBack(tx, inside, order, refund, answer.failureReason);
    else if (refund.state === 'asking') await tellCustomer(tx, inside, order, refund, refund.reason);
  });
}

/** Its money never left, or came back: it counts no more, and its places are the customer's again. */
async function takeBack(tx: Db, scope: InTransaction, order: Order, refund: Refund, why: string | undefined) {
  const { clock, link, ownersMailbox } = scope;
  const { id, amountCents, photosWithdrawn } = refund;
  if (photosWithdrawn > 0) await returnPlaces(tx, order.id, photosWithdrawn);
  await uncountRefund(tx, clock, order.id, amountCents);
  // Of one that was never on its way the customer has not been told.
  if (refund.state !== 'asking')
    await recordOrderEvent(
      tx,
      clock,
      order.id,
      'refund',
      `The refund of ${money(amountCents)} did not go through. We will find another way.`,
    );
  await queueMail(tx, scope, {
    event: `owner-refund-failed:${id}`,
    to: ownersMailbox,
    orderId: order.id,
    content: {
      kind: 'owner-refund-failed',
      orderNumber: order.orderNumber,
      customerEmail: order.email,
      amountCents,
      reason: why,
      photosReturned: photosWithdrawn || undefined,
      adminUrl: link(`/admin?tab=orders&order=${order.id}`),
    },
  });
}

async function tellCustomer(
  tx: Db,
  scope: Pick<InTransaction, 'clock' | 'jobs'>,
  order: Order,
  { id, amountCents, photosWithdrawn }: Pick<Refund, 'id' | 'amountCents' | 'photosWithdrawn'>,
  reason?: string,
): Promise<void> {
  const withPhotos = photosWithdrawn > 0 ? ` Unused room for ${photosWithdrawn} photos went back with it.` : '';
  const because = reason === undefined ? '.' : `: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
  const words = `Refunded ${money(amountCents)}${because}${withPhotos}`;
  await recordOrderEvent(tx, scope.clock, order.id, 'refund', words);
  await queueMail(tx, scope, {
    event: `refund:${id}`,
    to: order.email,
    orderId: order.id,
    content: {
      kind: 'refund',
      firstName: order.firstName,
      amountCents,
      orderNumber: order.orderNumber,
      reason,
      photosWithdrawn: photosWithdrawn || undefined,
      orderUrl: { link: 'order', subjectId: order.id },
    },
  });
}

/** Made at the provider itself: counted once, and told like any other. */
async function recordForeign(
  { db, clock, jobs }: PaymentScope,
  orderId: string,
  answer: ProviderRefund,
): Promise<void> {
  await db.transaction(async (tx) => {
    const frames = await holdFramesOf(tx, orderId);
    const order = await holdOrder(tx, orderId);
    if (!order || (await knownRefund(tx, orderId, answer))) return;
    const { amountCents } = answer;
    // One of ours that the provider is about to refuse holds its place: later, then.
    if (!(await countRefund(tx, clock, orderId, amountCents)))
      throw new Error(`refund ${answer.id} of order ${order.orderNumber} is more than is left of it`);
    const isWhole = order.refundedCents + amountCents === order.totalCents;
    const photosWithdrawn = isWhole ? await withdrawUnused(tx, frames) : 0;
    const at = clock.now();
    const refund = {
      id: newId(),
      orderId,
      amountCents,
      reason: 'Refunded at the payment provider.',
      state: stateOf(answer),
      providerRefundId: answer.id,
      photosWithdrawn,
      createdAt: at,
      updatedAt: at,
    };
    await tx.insert(refunds).values(refund);
    await tellCustomer(tx, { clock, jobs }, order, refund);
  });
}

// ---------------------------------------------------------------- reading

async function refundById(db: Db, id: string): Promise<Refund | undefined> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id));
  return refund;
}
async function knownRefund(db: Db, orderId: string, answer: ProviderRefund): Promise<Refund | undefined> {
  const ours = answer.metadata[ourId] === undefined ? undefined : await refundById(db, answer.metadata[ourId]);
  if (ours?.orderId === orderId) return ours;
  const [refund] = await db.select().from(refunds).where(eq(refunds.providerRefundId, answer.id));
  return refund;
}

/** Oldest first. */
export const refundsOfOrders = (db: Db, orderIds: string[]): Promise<Refund[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(refunds)
        .where(inArray(refunds.orderId, orderIds))
        .orderBy(asc(refunds.createdAt), asc(refunds.id));

// ---------------------------------------------------------------- the sweep

/** Asked for or under way for so long without a word. */
const quietMs = 6 * 3_600_000;

/** Whatever webhook or job was lost: refunds that nobody has heard of for long are asked about again. */
export async function sweepRefunds({ db, clock, jobs }: PaymentScope): Promise<void> {
  const quiet = await db
    .select()
    .from(refunds)
    .where(
      and(
        inArray(refunds.state, ['asking', 'pending']),
        lt(refunds.updatedAt, new Date(clock.now().getTime() - quietMs)),
      ),
    );
  for (const { id, orderId, state } of quiet)
    await db.transaction(async (tx) => {
      await tx.update(refunds).set({ updatedAt: clock.now() }).where(eq(refunds.id, id));
      const intentId = (await orderById(tx, orderId))!.stripePaymentIntentId;
      if (state === 'asking') await jobs.enqueue(tx, 'ask-refund', { refundId: id }, { key: id });
      else await jobs.enqueue(tx, 'follow-refunds', { intentId }, { key: intentId });
    });
}
