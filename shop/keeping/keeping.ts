import { and, desc, eq, isNull } from 'drizzle-orm';
import type { ErasedFrame, ErasureReason } from '#contract/keeping.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { holdCollectLinks, removeCollectLinks } from '../collect-links/collect-links.ts';
import { takeDiscarded, trashed, type NamedFiles } from '../files/files.ts';
import { framesOfOrders, holdAllOf, holdFramesOf, type Frame } from '../frames/frames.ts';
import {
  forgetConnection,
  framesToErase,
  keptUntil,
  markErased,
  putOffErasing,
  takeWarnings,
  toldBy,
} from '../frames/kept.ts';
import { hasLeft, queueMail, queueMails, type NewMail } from '../mail/mail.ts';
import { ordersByIds, ordersOf, recordOrderEvent, type Order } from '../orders/orders.ts';
import { removeArrivals } from '../photos/arrivals.ts';
import { filesOfPhoto, removePhotos } from '../photos/photos.ts';
import { couldBeWatched, type ProofRules } from '../production/hand-over.ts';
import { filesOfVideo, removeVideos } from '../production/production.ts';
import { holdTokens, revokeTokens } from '../tokens/tokens.ts';
import { erasures, type Erasure } from './keeping.sql.ts';

export type { Erasure } from './keeping.sql.ts';

export interface KeepingScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
  proof: ProofRules;
}
const pageSize = 200;
/** What is left after so many is for the next hour. */
const mostPages = 10;

/** Every frame that ends soon has its customer told, 14 and 3 days before, each once. Of two that are due, the later. */
export async function warnOfErasing(scope: KeepingScope): Promise<void> {
  for (let pages = 0; pages < mostPages; pages++) if ((await warnSome(scope)) < pageSize) return;
}

const warnSome = (scope: KeepingScope): Promise<number> =>
  scope.db.transaction(async (tx) => {
    const warnings = await takeWarnings(tx, scope.clock, pageSize);
    const orders = await ordersByIds(tx, [...new Set(warnings.map(({ frame }) => frame.orderId))]);
    const ordersById = new Map(orders.map((order) => [order.id, order]));
    await queueMails(
      tx,
      scope,
      warnings.map(({ frame, end, days }) => warningOf(scope, ordersById.get(frame.orderId)!, frame, end, days)),
    );
    return warnings.length;
  });

/** How the events of all warnings of an end begin. */
const warningsOf = (frame: Frame, end: Date) => `photos-erased-soon:${frame.id}:${end.toISOString()}:`;

function warningOf({ link }: KeepingScope, order: Order, frame: Frame, end: Date, daysBefore: number): NewMail {
  const endsAt = end.toISOString();
  return {
    event: `${warningsOf(frame, end)}${daysBefore}`,
    to: order.email,
    orderId: order.id,
    content: {
      kind: 'photos-erased-soon',
      firstName: order.firstName,
      frameName: frame.name,
      orderNumber: order.orderNumber,
      endsAt,
      daysBefore,
      deliveryUrl: { link: 'delivery', subjectId: frame.id, until: endsAt },
      posters: { frameId: frame.id },
      ...(order.customerId !== null && { keepUrl: link('/account#photos') }),
    },
  };
}

type ErasingScope = KeepingScope & { ownerEmail: () => Promise<string> };

/** Erase the photos and videos whose days are over, of customers who have been told. */
export async function eraseOverdue(scope: ErasingScope): Promise<void> {
  for (const frame of await framesToErase(scope.db, scope.clock, pageSize * mostPages)) await eraseDue(scope, frame);
}

async function eraseDue(scope: ErasingScope, { id, orderId }: Frame): Promise<void> {
  const ownerEmail = await scope.ownerEmail();
  await scope.db.transaction(async (tx) => {
    const { order } = await holdFramesOf(tx, orderId);
    const [frame] = await framesToErase(tx, scope.clock, 1, id);
    if (!frame) return;
    const end = keptUntil(frame)!;
    // Where there is no address, there is nobody to wait for.
    const isTold = order.email === '' || (await hasLeft(tx, order.id, warningsOf(frame, end), toldBy(end)));
    if (!isTold) return putOff(tx, scope, order, frame, ownerEmail);
    await erase(tx, scope, [{ order, frames: [frame] }], {
      reason: 'time-over',
      customerId: order.customerId,
      receipt: { to: order.email, firstName: order.firstName },
    });
  });
}

async function putOff(tx: Db, scope: ErasingScope, order: Order, frame: Frame, ownerEmail: string): Promise<void> {
  await putOffErasing(tx, scope.clock, frame);
  await queueMail(tx, scope, {
    event: `erasure-put-off:${frame.id}`,
    to: ownerEmail,
    orderId: order.id,
    content: {
      kind: 'owner-failed-job',
      job: `the warning that the photos for ${frame.name} are erased`,
      failedAt: scope.clock.now().toISOString(),
      error: 'No mail about it has left for the customer in time.',
      consequence: 'Nothing is erased: the customer is told again, every three days until such a mail leaves.',
      adminUrl: scope.link(`/admin?tab=orders&order=${order.id}`),
    },
  });
}

/**
 * Everything a customer has given us to see, gone at once: photos, videos, pictures of codes. What was not delivered yet
 * is not made any more, and places whose videos nobody could watch are open again. The rows go in this transaction, the files
 * after it.
 */
export async function eraseAllOf(
  tx: Db,
  scope: KeepingScope,
  customer: { id: string; email: string; firstName: string },
  reason: Exclude<ErasureReason, 'time-over'>,
): Promise<Erasure> {
  const orders = await ordersOf(tx, customer.id);
  await holdLinksOf(tx, customer.id, orders);
  const held = await holdAllOf(tx, orders);
  const placeOf = new Map(orders.map((order, place) => [order.id, place]));
  const newestFirst = held.toSorted((a, b) => placeOf.get(a.order.id)! - placeOf.get(b.order.id)!);
  const receipt = { to: customer.email, firstName: customer.firstName };
  return erase(tx, scope, newestFirst, { reason, customerId: customer.id, receipt });
}

/**
 * Hold the links by which others add to a customer's frames. Before the frames: whoever adds or ends a link does so, too, and
 * is waited for while nothing else is held.
 */
export async function holdLinksOf(tx: Db, customerId: string, orders: Order[]): Promise<void> {
  await holdTokens(tx, 'upload-link', customerId);
  const frames = await framesOfOrders(
    tx,
    orders.map(({ id }) => id),
  );
  await holdCollectLinks(
    tx,
    frames.map(({ id }) => id),
  );
}

/** No link opens what a frame had. Answers whether one led to its proof. */
export async function endLinksTo(tx: Db, clock: Clock, frameId: string): Promise<{ hadProof: boolean }> {
  for (const purpose of ['delivery', 'share', 'play'] as const) await revokeTokens(tx, clock, purpose, frameId);
  return { hadProof: (await revokeTokens(tx, clock, 'proof', frameId)).length > 0 };
}

async function erase(
  tx: Db,
  scope: KeepingScope,
  held: { order: Order; frames: Frame[] }[],
  erasure: Pick<Erasure, 'reason' | 'customerId' | 'receipt'>,
): Promise<Erasure> {
  const { clock, jobs, proof } = scope;
  const keys: string[] = [];
  const frames: ErasedFrame[] = [];
  let sizeBytes = 0;
  for (const { order, frames: ofOrder } of held)
    for (const frame of ofOrder) {
      // Videos before the photos that they hang on, so that the files of each are known.
      const videos = await removeVideos(tx, frame.id);
      const photos = await removePhotos(tx, frame.id);
      if (erasure.reason !== 'time-over') {
        await forgetConnection(tx, frame);
        keys.push(...(await removeArrivals(tx, frame.id)));
        await removeCollectLinks(tx, frame.id);
      }
      keys.push(...(await takeDiscarded(tx, frame.id)));
      if (photos.length === 0) continue;
      keys.push(...videos.flatMap(filesOfVideo), ...photos.flatMap(filesOfPhoto));
      sizeBytes += photos.reduce((sum, it) => sum + it.fileSize, 0);
      sizeBytes += videos.reduce((sum, it) => sum + (it.sizeBytes ?? 0), 0);
      const made = videos.filter((it) => it.videoKey !== null).length;
      frames.push({
        frameName: frame.name,
        orderNumber: order.orderNumber,
        photos: photos.length,
        videos: made,
      });
      const { hadProof } = await endLinksTo(tx, clock, frame.id);
      const watchable = videos.filter((it) => frame.videosReadyAt !== null || couldBeWatched(it, proof, hadProof));
      await markErased(tx, clock, frame, { photos: photos.length, watchable: watchable.length });
      await recordOrderEvent(tx, clock, order.id, 'photos-erased', `${frame.name}: photos and videos erased.`);
    }
  const [written] = await tx
    .insert(erasures)
    .values({
      id: newId(),
      ...erasure,
      frames,
      photos: frames.reduce((sum, it) => sum + it.photos, 0),
      videos: frames.reduce((sum, it) => sum + it.videos, 0),
      sizeBytes,
      keys,
      askedAt: clock.now(),
    })
    .returning();
  await jobs.enqueue(tx, 'finish-erasure', { erasureId: written!.id });
  return written!;
}

interface FinishScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  storage: Storage;
  words: readonly NamedFiles[];
}

/**
 * The job behind an erasure, whose rows are known to be gone: delete the files, wherever they lie, then tell whoever
 * asked. However often it runs, they are told once, and never before the bytes are gone.
 */
export async function finishErasure({ db, clock, jobs, storage, words }: FinishScope, id: string): Promise<void> {
  const erasure = await erasureById(db, id);
  if (!erasure || erasure.doneAt !== null) return;
  const keys = erasure.keys ?? [];
  const named = keys.length > 0 ? await Promise.all(words.map((word) => word.among(db, keys))) : [];
  for (const key of keys) {
    if (named.some((it) => it.has(key))) continue;
    await storage.delete(key);
    await storage.delete(trashed(key));
  }
  await db.transaction(async (tx) => {
    const doneAt = clock.now();
    const [done] = await tx
      .update(erasures)
      .set({ keys: null, receipt: null, doneAt })
      .where(and(eq(erasures.id, id), isNull(erasures.doneAt)))
      .returning({ id: erasures.id });
    if (!done || !erasure.receipt) return;
    const { to, firstName } = erasure.receipt;
    const { reason, frames } = erasure;
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `photos-erased:${id}`,
        to,
        content: { kind: 'photos-erased', firstName, reason, frames, erasedAt: doneAt.toISOString() },
      },
    );
  });
}

async function erasureById(db: Db, id: string): Promise<Erasure | undefined> {
  const [erasure] = await db.select().from(erasures).where(eq(erasures.id, id));
  return erasure;
}
/** A customer's own receipt. */
export async function erasureOf(db: Db, customerId: string, id: string): Promise<Erasure> {
  const erasure = await erasureById(db, id);
  if (erasure?.customerId !== customerId) throw new Refusal('not-found');
  return erasure;
}
/** Newest first. */
export const erasuresOf = (db: Db, customerId: string): Promise<Erasure[]> =>
  db
    .select()
    .from(erasures)
    .where(eq(erasures.customerId, customerId))
    .orderBy(desc(erasures.askedAt), desc(erasures.id))
    .limit(20);

/** Receipts stay for the figures; whose they were is forgotten. Answers which they are. */
export async function forgetWhoseErasures(tx: Db, customerId: string): Promise<string[]> {
  const whose = eq(erasures.customerId, customerId);
  const receipts = await tx.update(erasures).set({ customerId: null }).where(whose).returning({ id: erasures.id });
  return receipts.map((it) => it.id);
}

export interface OwnFrame {
  order: Order;
  frame: Frame;
}
/** The frames a customer's photos are in, newest order first. */
export async function framesOfCustomer(db: Db, customerId: string): Promise<OwnFrame[]> {
  const orders = (await ordersOf(db, customerId)).filter((order) => order.frameId === null);
  const ordersById = new Map(orders.map((order) => [order.id, order]));
  const frames = await framesOfOrders(
    db,
    orders.map(({ id }) => id),
  );
  return frames.filter((it) => it.isActive).map((frame) => ({ frame, order: ordersById.get(frame.orderId)! }));
}
