import { money, photosIncluded, priceBook } from '#contract/catalog.ts';
import { packagesCovered } from '#contract/refund-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import { and, asc, eq, inArray, lt } from 'drizzle-orm';
import {
  PaymentProviderError,
  type CardPayments,
  type ChargedCard,
  type Refund as ProviderRefund,
} from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { recordAct } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { returnPlaces, unusedIn, withdrawPackages, withdrawUnused, type Bought } from '../frames/capacity.ts';
import { framesWithRoomOf, holdFramesOf, remainingOf, type Frame } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import {
  countRefund,
  holdOrder,
  orderById,
  orderOfPayment,
  ordersOf,
  recordOrderEvent,
  uncountRefund,
  type Order,
} from '../orders/orders.ts';
import { disputesOfOrders, isMoneyGone } from './disputes.ts';
import { followGivenBack, hasFailed, readGivenBack } from '../payments/give-back.ts';
import { closePayment, paymentById, paymentOfIntent, type Payment, type PaymentScope } from '../payments/payments.ts';
import { preparedAmong } from '../prepared.ts';
import { refunds, type Refund } from './refunds.sql.ts';

export type { Refund } from './refunds.sql.ts';

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
  const unused = unusedIn(await boughtBy(db, order, await framesWithRoomOf(order, db)));
  return {
    remainingCents: order.totalCents - order.refundedCents,
    card: await cardOf(provider, order),
    unusedPhotos: unused.photos,
    unusedPackages: unused.packages,
    packageCents: packageCentsOf(order),
  };
}

/**
 * What is left of an order's room. One that adds to a frame has what earlier refunds have not taken and newer ones leave of the
 * places that are open: photos fill, and finalizing closes, the older ones first.
 */
async function boughtBy(db: Db, order: Order, frames: Frame[]): Promise<Bought> {
  if (order.frameId === null) return { frames };
  const [frame] = frames;
  if (!frame || order.customerId === null) return { frames, later: 0 };
  const additions = (await ordersOf(db, order.customerId)).filter((it) => it.frameId === frame.id);
  const live = (
    await refundsOfOrders(
      db,
      additions.map((it) => it.id),
    )
  ).filter((it) => it.state !== 'failed');
  const left = ({ id, extraPackages }: Order) =>
    extraPackages * photosIncluded.extraPackage -
    live.filter((it) => it.orderId === id).reduce((sum, it) => sum + it.photosWithdrawn, 0);
  const own = additions.find((it) => it.id === order.id);
  if (!own) return { frames, later: 0 };
  const newer = additions.filter((it) => it.createdAt > own.createdAt).reduce((sum, it) => sum + left(it), 0);
  // What the owner has taken of them is not there any more, and the frame’s own places are no part of it.
  const open = Math.min(remainingOf(frame), frame.laterPhotos);
  return { frames, later: Math.min(left(own), Math.max(0, open - newer)) };
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
    const { order, held } = await holdFramesOf(tx, orderId);
    const same = request.key === undefined ? undefined : await refundById(tx, request.key);
    if (same?.orderId === orderId) return;
    if (same) throw new Refusal('invalid-request');
    if ((await disputesOfOrders(tx, [orderId])).some(isMoneyGone)) throw new Refusal('payment-disputed');
    const leftCents = order.totalCents - order.refundedCents;
    if (leftCents === 0) throw new Refusal('nothing-to-refund');
    const { amountCents = leftCents, reason, withdrawPhotos } = request;
    const isCounted = await countRefund(tx, clock, orderId, amountCents);
    if (!isCounted) throw new Refusal('refund-too-large', { left: money(leftCents) });

    const bought = await boughtBy(tx, order, held);
    const packages = packagesCovered(amountCents, packageCentsOf(order), unusedIn(bought).packages);
    const photosWithdrawn =
      amountCents === leftCents
        ? await withdrawUnused(tx, clock, bought)
        : await withdrawPackages(tx, bought, withdrawPhotos ? packages : 0);
    const id = request.key ?? newId();
    const at = clock.now();
    await tx.insert(refunds).values({
      id,
      paymentId: order.paymentId,
      orderId,
      amountCents,
      reason,
      photosWithdrawn,
      state: 'asking',
      createdAt: at,
      updatedAt: at,
    });
    await jobs.enqueue(tx, 'ask-refund', { refundId: id });
    await recordAct(tx, clock, {
      act: 'refund-order',
      subjectId: orderId,
      before: { refundedCents: order.refundedCents, places: placesOf(held) },
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
  if (!refund || refund.state !== 'asking') return;
  const intentId = await intentOf(db, refund);
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
  const payment = await paymentOfIntent(db, intentId);
  if (!payment) return; // another program's, of the same account
  const order = await orderOfPayment(db, payment.id);
  if (!order) return followWithoutOrder(scope, payment, intentId);
  for (const answer of (await provider.refundsOf(intentId)).toReversed()) {
    const known = await knownRefund(db, payment.id, answer);
    if (known) await note(scope, known.id, answer);
    else if (stateOf(answer) !== 'failed') await recordForeign(scope, order.id, answer);
  }
}

async function followWithoutOrder(scope: PaymentScope, payment: Payment, intentId: string): Promise<void> {
  // A second payment, which the shop gives back by itself, or one that the owner has closed.
  if (['refunding', 'refunded', 'closed'].includes(payment.state))
    return (await followGivenBack(scope, payment, intentId)) ? undefined : followRefunds(scope, intentId);
  if (payment.state !== 'mismatched') throw new Error(`payment ${payment.id} was refunded before it became an order`);
  const { leftCents } = await readGivenBack(scope, payment, intentId);
  if (leftCents === 0) await closePayment(scope, payment, ['mismatched'], 'refunded');
}

type Answer = Pick<ProviderRefund, 'status' | 'failureReason'> & { id?: string };
/** The provider's states only move forward, so of two answers the further one is the newer. */
const steps = ['asking', 'pending', 'succeeded', 'failed'] as const satisfies Refund['state'][];
const isFurther = (a: Refund['state'], b: Refund['state']) => steps.indexOf(a) > steps.indexOf(b);
function stateOf(answer: Pick<ProviderRefund, 'status'>): Exclude<Refund['state'], 'asking'> {
  if (answer.status === 'succeeded') return 'succeeded';
  return hasFailed(answer) ? 'failed' : 'pending';
}

/** Take a refund on to what the provider answered. Told twice, or late, nothing more happens. */
async function note(scope: PaymentScope, refundId: string, answer: Answer): Promise<void> {
  const { db, clock } = scope;
  const state = stateOf(answer);
  const inside: InTransaction = { ...scope, ownersMailbox: await scope.ownerEmail() };
  await db.transaction(async (tx) => {
    // Its order first: what holds an order may add a refund, and would wait for this one.
    const { orderId } = (await refundById(tx, refundId))!;
    const order = (await holdOrder(tx, orderId))!;
    const [refund] = await tx.select().from(refunds).where(eq(refunds.id, refundId)).for('update');
    if (!refund || !isFurther(state, refund.state)) return;
    await tx
      .update(refunds)
      .set({ state, providerRefundId: answer.id ?? refund.providerRefundId, updatedAt: clock.now() })
      .where(eq(refunds.id, refundId));
    if (state === 'failed') await takeBack(tx, inside, order, refund, answer.failureReason);
    else if (refund.state === 'asking') await tellCustomer(tx, inside, order, refund, refund.reason);
  });
}

/** Its money never left, or came back: it counts no more, and its places are the customer's again. */
async function takeBack(tx: Db, scope: InTransaction, order: Order, refund: Refund, why: string | undefined) {
  const { clock, link, ownersMailbox } = scope;
  const { id, amountCents, photosWithdrawn } = refund;
  if (photosWithdrawn > 0) await returnPlaces(tx, clock, order.id, photosWithdrawn);
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
    const { order, held } = await holdFramesOf(tx, orderId);
    if (await knownRefund(tx, order.paymentId, answer)) return;
    const { amountCents } = answer;
    // One of ours that the provider is about to refuse holds its place: later, then.
    if (!(await countRefund(tx, clock, orderId, amountCents)))
      throw new Error(`refund ${answer.id} of order ${order.orderNumber} is more than is left of it`);
    const isWhole = order.refundedCents + amountCents === order.totalCents;
    const photosWithdrawn = isWhole ? await withdrawUnused(tx, clock, await boughtBy(tx, order, held)) : 0;
    const at = clock.now();
    const refund = {
      id: newId(),
      paymentId: order.paymentId,
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

/** Nothing is given back of a payment that has no intent. */
const intentOf = async (db: Db, { paymentId }: Refund) => (await paymentById(db, paymentId))!.intentId!;

async function refundById(db: Db, id: string): Promise<Refund | undefined> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id));
  return refund;
}
async function knownRefund(db: Db, paymentId: string, answer: ProviderRefund): Promise<Refund | undefined> {
  const ours = answer.metadata[ourId] === undefined ? undefined : await refundById(db, answer.metadata[ourId]);
  if (ours?.paymentId === paymentId) return ours;
  const [refund] = await db.select().from(refunds).where(eq(refunds.providerRefundId, answer.id));
  return refund;
}

/** Oldest first. */
export const refundsOfOrders = preparedAmong(refunds.orderId, (db, isAmong) =>
  db.select().from(refunds).where(isAmong).orderBy(asc(refunds.createdAt), asc(refunds.id)),
);

// ---------------------------------------------------------------- the sweep

/** Asked for or under way for so long without a word. */
const quietMs = 6 * 3_600_000;
const mostAtOnce = 200;

/**
 * Whatever webhook or job was lost: refunds that nobody has heard of for long are asked about again, longest first. They
 * count as heard of from now on, so that the next run takes others.
 */
export async function sweepRefunds({ db, clock, jobs }: PaymentScope): Promise<void> {
  const quiet = await db
    .select()
    .from(refunds)
    .where(
      and(
        inArray(refunds.state, ['asking', 'pending']),
        lt(refunds.updatedAt, new Date(clock.now().getTime() - quietMs)),
      ),
    )
    .orderBy(asc(refunds.updatedAt))
    .limit(mostAtOnce);
  for (const refund of quiet)
    await db.transaction(async (tx) => {
      const { id, state } = refund;
      await tx.update(refunds).set({ updatedAt: clock.now() }).where(eq(refunds.id, id));
      const intentId = await intentOf(tx, refund);
      if (state === 'asking') await jobs.enqueue(tx, 'ask-refund', { refundId: id }, { key: id });
      else await jobs.enqueue(tx, 'follow-refunds', { intentId }, { key: intentId });
    });
}
