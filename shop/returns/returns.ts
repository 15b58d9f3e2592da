import { createHash } from 'node:crypto';
import { and, desc, eq, inArray, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { output } from 'zod/mini';
import type { DeliveryTimes } from '#contract/catalog.ts';
import type { EmailContent } from '#contract/emails.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { isOpenReturn, returnReasonTexts, type ReturnForm, type ReturnState } from '#contract/return-forms.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Imaging } from '../ports/imaging.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { eraseFiles, storeFilesThenRow } from '../files/files.ts';
import { framesByIds, readFramesOfOrders, type Frame } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { lockOrder, recordOrderEvent, type Order } from '../orders/orders.ts';
import type { ReceivedFile } from '../photos/add-photo.ts';
import { developPicture } from '../photos/develop-picture.ts';
import { refundsOfOrders, type Refund } from '../refunds/refunds.ts';
import { returnFrames, returns, type Return } from './returns.sql.ts';
import { refuseReturnOutside } from './window.ts';

export type { Return } from './returns.sql.ts';

/** A return with its frames, its refund and its current state. */
export interface FullReturn extends Return {
  frames: Frame[];
  refund: Refund | undefined;
  /** What the refund returned in total: to the card and to gift cards. */
  refundedCents: number;
}

interface MailScope {
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
}
interface RequestScope extends MailScope {
  db: Db;
  imaging: Imaging;
  storage: Storage;
  ownerEmail: () => Promise<string>;
  deliveryTimes: () => Promise<DeliveryTimes>;
}

interface NewReturn extends output<typeof ReturnForm> {
  /** A repeated request with the same key, after a lost response, stores one return and sends its emails once. */
  key: string;
  photo?: ReceivedFile | undefined;
}

/**
 * Stores a customer's request to return frames of an order, and emails the customer and the owner. The photo is decoded
 * and encoded again, so that it has no metadata. Of two requests for the same frame, the second is refused.
 */
export async function requestReturn(
  scope: RequestScope,
  customerId: string,
  found: Order,
  { frameIds, reason, words, key, photo }: NewReturn,
): Promise<void> {
  const { db, clock, storage } = scope;
  const deliveryTimes = await scope.deliveryTimes();
  refuseReturnOutside(deliveryTimes, found, clock.now()); // refuse before decoding a photo, which takes longer
  const ownersMailbox = await scope.ownerEmail();
  const id = createHash('sha256').update(`${found.id}:${key}`).digest('base64url');
  const file = photo && (await developPicture(scope, customerId, photo, returnFolder));
  const storeReturn = () =>
    db.transaction(async (tx) => {
      const order = await lockOrder(tx, found.id);
      if (order?.customerId !== customerId) throw new Refusal('not-found');
      if (await findReturnById(tx, id)) return false;
      refuseReturnOutside(deliveryTimes, order, clock.now());
      if ((await tx.$count(returns, eq(returns.orderId, order.id))) >= limits.returnsPerOrder)
        throw new Refusal('too-many-returns');
      const frames = await findChosenFrames(tx, order, frameIds);
      const now = clock.now();
      await tx.insert(returns).values({
        id,
        orderId: order.id,
        state: 'requested',
        reason,
        words,
        photoKey: file?.key ?? null,
        photoBytes: file?.sizeBytes ?? null,
        requestedAt: now,
        updatedAt: now,
      });
      const claimedFrames = await tx
        .insert(returnFrames)
        .values(frames.map((frame) => ({ returnId: id, frameId: frame.id, isTaken: true })))
        .onConflictDoNothing()
        .returning({ frameId: returnFrames.frameId });
      if (claimedFrames.length < frames.length) throw new Refusal('return-open');
      await recordReturnEvent(tx, clock, order, frames, 'requested');
      await mailReturnNews(tx, scope, order, { id, frames, what: 'requested' });
      await queueMail(tx, scope, {
        event: `owner-return:${id}`,
        to: ownersMailbox,
        orderId: order.id,
        content: {
          kind: 'owner-return',
          orderNumber: order.orderNumber,
          customerName: `${order.firstName} ${order.lastName}`.trim(),
          customerEmail: order.email,
          frames: listNames(frames),
          reason: returnReasonTexts[reason],
          words: words || undefined,
          hasPhoto: file !== undefined,
          adminUrl: scope.link(`/admin?tab=orders&order=${order.id}`),
        },
      });
      return true;
    });
  await storeFilesThenRow(storage, file ? [file] : [], storeReturn, { isNamed: (isStored) => isStored });
}

/** The folder of the stored photos and labels. */
export const returnFolder = 'returns/';

async function findChosenFrames(tx: Db, order: Order, ids: string[]): Promise<Frame[]> {
  const ownFrames = await readFramesOfOrders(tx, [order.id]);
  const chosenFrames = ownFrames.filter((it) => ids.includes(it.id) && it.deviceType === 'kinframe');
  if (chosenFrames.length === 0 || chosenFrames.length < new Set(ids).size) throw new Refusal('not-found');
  return chosenFrames;
}

/** Ends a return for its customer before the package has arrived. A second call does nothing. */
export async function withdrawReturn(
  { db, clock, storage }: { db: Db; clock: Clock; storage: Storage },
  customerId: string,
  returnId: string,
): Promise<Order> {
  const foundReturn = await findReturnById(db, returnId);
  if (!foundReturn) throw new Refusal('not-found');
  const { order, files } = await db.transaction(async (tx) => {
    const order = await lockOrder(tx, foundReturn.orderId);
    if (order?.customerId !== customerId) throw new Refusal('not-found');
    const returnBefore = await lockReturn(tx, returnId);
    if (returnBefore.state === 'withdrawn') return { order, files: [] };
    if (returnBefore.state !== 'requested' && returnBefore.state !== 'approved') throw new Refusal('return-changed');
    const files = listFilesOfReturn(returnBefore);
    await changeReturn(tx, clock, returnBefore, {
      state: 'withdrawn',
      endedAt: clock.now(),
      photoKey: null,
      photoBytes: null,
      labelKey: null,
      labelBytes: null,
    });
    await recordReturnEvent(tx, clock, order, returnBefore.frames, 'withdrawn');
    return { order, files };
  });
  await eraseFiles(storage, files);
  return order;
}

// ---------------------------------------------------------------- changes by the customer and the owner

/**
 * Locks a return. Lock its order first: all transactions that change a return use this sequence, so that they cannot
 * deadlock.
 */
export async function lockReturn(tx: Db, id: string): Promise<FullReturn> {
  const [found] = await tx.select().from(returns).where(eq(returns.id, id)).for('update');
  if (!found) throw new Refusal('not-found');
  const frames = (await readFramesOfReturns(tx, [id])).get(id) ?? [];
  return withCurrentState({ ...found, frames, ...findRefund(found, await refundsOfOrders(tx, [found.orderId])) });
}

/** Frames of these returns are free for another return; all others are taken. */
const statesWithoutFrames: ReadonlySet<ReturnState> = new Set(['declined', 'replaced', 'closed', 'withdrawn']);

export async function changeReturn(
  tx: Db,
  clock: Clock,
  before: FullReturn,
  change: Partial<typeof returns.$inferInsert> & { state: ReturnState },
): Promise<FullReturn> {
  const [changed] = await tx
    .update(returns)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(returns.id, before.id))
    .returning();
  if (statesWithoutFrames.has(change.state))
    await tx.update(returnFrames).set({ isTaken: false }).where(eq(returnFrames.returnId, before.id));
  return { ...before, ...changed! };
}

const eventTexts: Record<ReturnState, string> = {
  requested: 'Return requested',
  approved: 'Return approved',
  declined: 'Return declined',
  received: 'Returned package received',
  refunded: 'Return refunded',
  replaced: 'Return ended with a replacement',
  closed: 'Return ended',
  withdrawn: 'Return withdrawn',
};

/** Adds a state to the order's history. The text has no reasons, because histories outlive the customer's data. */
export const recordReturnEvent = (tx: Db, clock: Clock, order: Order, frames: Frame[], state: ReturnState) =>
  recordOrderEvent(tx, clock, order.id, 'return', `${eventTexts[state]}: ${listNames(frames).join(', ')}.`);

interface ReturnMail {
  id: string;
  frames: Frame[];
  what: Extract<EmailContent, { kind: 'return-news' }>['what'];
  answer?: string | undefined;
  hasLabel?: boolean | undefined;
  /** Set if the customer can get several emails with the same `what`. */
  key?: string | undefined;
}

export const mailReturnNews = (
  tx: Db,
  scope: MailScope,
  order: Order,
  { id, frames, what, answer, hasLabel, key }: ReturnMail,
): Promise<void> =>
  queueMail(tx, scope, {
    event: `return-${what}:${id}${key === undefined ? '' : `:${key}`}`,
    to: order.email,
    orderId: order.id,
    content: {
      kind: 'return-news',
      firstName: order.firstName,
      orderNumber: order.orderNumber,
      what,
      frames: listNames(frames),
      answer: answer || undefined,
      hasLabel,
      orderUrl: scope.link(`/orders/${order.orderNumber}`),
    },
  });

export const listNames = (frames: Frame[]) => frames.map((it) => it.name);

// ---------------------------------------------------------------- reading

export async function findReturnById(db: Db, id: string): Promise<Return | undefined> {
  const [found] = await db.select().from(returns).where(eq(returns.id, id));
  return found;
}

/** The returns of these orders, newest first. */
export async function readReturnsOfOrders(db: Db, orderIds: string[]): Promise<FullReturn[]> {
  if (orderIds.length === 0) return [];
  const rows = await db
    .select()
    .from(returns)
    .where(inArray(returns.orderId, orderIds))
    .orderBy(desc(returns.requestedAt), desc(returns.id));
  if (rows.length === 0) return [];
  const frames = await readFramesOfReturns(
    db,
    rows.map((it) => it.id),
  );
  const refunds = await refundsOfOrders(db, orderIds);
  return rows.map((row) =>
    withCurrentState({
      ...row,
      frames: frames.get(row.id) ?? [],
      ...findRefund(row, refunds),
    }),
  );
}

/** The refund of a return, and the sum of its parts that did not fail. */
function findRefund({ refundId }: Return, all: Refund[]): Pick<FullReturn, 'refund' | 'refundedCents'> {
  if (refundId === null) return { refund: undefined, refundedCents: 0 };
  const parts = all.filter((it) => (it.partOfId ?? it.id) === refundId && it.state !== 'failed');
  return {
    refund: all.find((it) => it.id === refundId),
    refundedCents: parts.reduce((sum, it) => sum + it.amountCents, 0),
  };
}

/** Whether another return of this frame is open or has ended with a refund. */
export const isFrameTaken = (all: FullReturn[], frameId: string): boolean =>
  all.some((it) => (isOpenReturn(it) || it.state === 'refunded') && it.frames.some((frame) => frame.id === frameId));

/** A return whose refund has failed counts as received, because the customer still waits for the money. */
const withCurrentState = (row: FullReturn): FullReturn => ({
  ...row,
  state: row.state === 'refunded' && row.refund?.state === 'failed' ? 'received' : row.state,
});

async function readFramesOfReturns(db: Db, ids: string[]): Promise<Map<string, Frame[]>> {
  const rows = await db.select().from(returnFrames).where(inArray(returnFrames.returnId, ids));
  const frames = await framesByIds(db, [...new Set(rows.map((it) => it.frameId))]);
  const framesById = new Map(frames.map((it) => [it.id, it]));
  const framesByReturn = Map.groupBy(rows, (it) => it.returnId);
  return new Map(
    [...framesByReturn].map(([id, own]) => [
      id,
      own.map((it) => framesById.get(it.frameId)!).toSorted((a, b) => a.position - b.position),
    ]),
  );
}

/** The stored files of a return. */
export const listFilesOfReturn = ({ photoKey, labelKey }: Pick<Return, 'photoKey' | 'labelKey'>): string[] =>
  [photoKey, labelKey].filter((key) => key !== null);

/** The key of a return's photo or label, if `isAllowed` permits the order. */
export async function returnFileKey(
  db: Db,
  id: string,
  kind: 'photo' | 'label',
  isAllowed: (orderId: SQLWrapper) => SQL,
): Promise<string | undefined> {
  const [found] = await db
    .select({ key: kind === 'photo' ? returns.photoKey : returns.labelKey })
    .from(returns)
    .where(and(eq(returns.id, id), isAllowed(returns.orderId)));
  return found?.key ?? undefined;
}
