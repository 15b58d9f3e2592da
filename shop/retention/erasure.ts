import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { ErasedFrame, ErasureReason } from '#contract/erasure.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { lockCollectLinks, removeCollectLinks } from '../collect-links/collect-links.ts';
import { deleteDiscardedFileRows, trashKeyFor, type NamedFiles } from '../files/files.ts';
import { readFramesOfOrders, lockOrdersWithFrames, lockFramesOf, type Frame } from '../frames/frames.ts';
import {
  deleteConnectionDetails,
  findFramesToErase,
  computeFrameErasureTime,
  markErased,
  postponeErasure,
  claimErasureWarnings,
  computeLastWarningTime,
} from '../frames/frame-retention.ts';
import { removeLabelFilesOf } from '../labels/label-files.ts';
import { wasMailSentBy, queueMail, queueMails, type NewMail } from '../mail/mail.ts';
import { ordersByIds, readOrdersOf, recordOrderEvent, type Order } from '../orders/orders.ts';
import { removeArrivals } from '../photos/arrivals.ts';
import { removePhotos } from '../photos/edit-photo.ts';
import { listFilesOfPhoto } from '../photos/photos.ts';
import { wasVisibleToCustomer, type ReadProofRules } from '../production/next-frame-step.ts';
import { listFilesOfVideo, removeVideos } from '../production/production.ts';
import { deleteReturnsOf, removeReturnPhotos } from '../returns/return-files.ts';
import { lockTokens, revokeTokens } from '../tokens/tokens.ts';
import { erasures, type Erasure } from './erasure.sql.ts';

export type { Erasure } from './erasure.sql.ts';

export interface ErasureScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
  proofRules: ReadProofRules;
}
const pageSize = 200;
/** The most pages per run. The next hourly run takes the rest. */
const mostPages = 10;

/**
 * Mail the customers of frames that will be erased soon, once 14 days and once 3 days before. If both mails are due,
 * only the later mail is sent.
 */
export async function mailErasureWarnings(scope: ErasureScope): Promise<void> {
  for (let pageCount = 0; pageCount < mostPages; pageCount++) if ((await warnNextFrames(scope)) < pageSize) return;
}

const warnNextFrames = (scope: ErasureScope): Promise<number> =>
  scope.db.transaction(async (tx) => {
    const warnings = await claimErasureWarnings(tx, scope.clock, pageSize);
    const orders = await ordersByIds(tx, [...new Set(warnings.map(({ frame }) => frame.orderId))]);
    const ordersById = new Map(orders.map((order) => [order.id, order]));
    await queueMails(
      tx,
      scope,
      warnings.map(({ frame, end, days }) =>
        createWarningMail(scope, ordersById.get(frame.orderId)!, frame, end, days),
      ),
    );
    return warnings.length;
  });

/** The prefix of the events of all warnings for one erasure date. */
const createWarningPrefix = (frame: Frame, end: Date) => `photos-erased-soon:${frame.id}:${end.toISOString()}:`;

function createWarningMail({ link }: ErasureScope, order: Order, frame: Frame, end: Date, daysBefore: number): NewMail {
  const endsAt = end.toISOString();
  return {
    event: `${createWarningPrefix(frame, end)}${daysBefore}`,
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

type ErasureScopeWithOwner = ErasureScope & { ownerEmail: () => Promise<string> };

/** Erase the photos and videos that have reached their erasure date, if the customer was warned by mail. */
export async function eraseOverdue(scope: ErasureScopeWithOwner): Promise<void> {
  for (const frame of await findFramesToErase(scope.db, scope.clock, pageSize * mostPages))
    await eraseDueFrame(scope, frame);
}

async function eraseDueFrame(scope: ErasureScopeWithOwner, { id, orderId }: Frame): Promise<void> {
  const ownerEmail = await scope.ownerEmail();
  await scope.db.transaction(async (tx) => {
    const { order } = await lockFramesOf(tx, orderId);
    const [frame] = await findFramesToErase(tx, scope.clock, 1, id);
    if (!frame) return;
    const erasureTime = computeFrameErasureTime(frame)!;
    // Without an email address, no one can be warned.
    const isNotified =
      order.email === '' ||
      (await wasMailSentBy(tx, order.id, createWarningPrefix(frame, erasureTime), computeLastWarningTime(erasureTime)));
    if (!isNotified) return postponeAndMailOwner(tx, scope, order, frame, ownerEmail);
    await eraseFrame(tx, scope, [{ order, frames: [frame] }], {
      reason: 'time-over',
      customerId: order.customerId,
      receipt: { to: order.email, firstName: order.firstName },
    });
  });
}

async function postponeAndMailOwner(
  tx: Db,
  scope: ErasureScopeWithOwner,
  order: Order,
  frame: Frame,
  ownerEmail: string,
): Promise<void> {
  await postponeErasure(tx, scope.clock, frame);
  await queueMail(tx, scope, {
    event: `erasure-put-off:${frame.id}`,
    to: ownerEmail,
    orderId: order.id,
    content: {
      kind: 'owner-failed-job',
      job: `the warning that the photos for ${frame.name} will be deleted`,
      failedAt: scope.clock.now().toISOString(),
      error: 'The customer didn’t get an email about this in time.',
      consequence: 'Nothing was deleted. The shop tries to email the customer again every three days.',
      adminUrl: scope.link(`/admin?tab=orders&order=${order.id}`),
    },
  });
}

/**
 * Erase everything that a customer uploaded and everything made from it: photos, videos, QR pictures. Videos that are
 * not delivered yet are canceled. A place is open again if no one could ever watch its video. The rows are deleted in
 * this transaction, the files by a job after it.
 */
export async function erasePhotosAndVideosOf(
  tx: Db,
  scope: ErasureScope,
  customer: { id: string; email: string; firstName: string },
  reason: Exclude<ErasureReason, 'time-over' | 'order-canceled'>,
): Promise<Erasure> {
  const orders = await readOrdersOf(tx, customer.id);
  await lockLinksOf(tx, customer.id, orders);
  const lockedOrders = await lockOrdersWithFrames(tx, orders);
  const indexOfOrder = new Map(orders.map((order, index) => [order.id, index]));
  const newestFirst = lockedOrders.toSorted((a, b) => indexOfOrder.get(a.order.id)! - indexOfOrder.get(b.order.id)!);
  const receipt = { to: customer.email, firstName: customer.firstName };
  return eraseFrame(tx, scope, newestFirst, { reason, customerId: customer.id, receipt });
}

/**
 * Erase all photos and videos of an order that is being canceled. The caller has locked the links, the order and its
 * frames, and notifies the customer.
 */
export const erasePhotosAndVideosOfOrder = (
  tx: Db,
  scope: ErasureScope,
  locked: { order: Order; frames: Frame[] },
): Promise<Erasure> =>
  eraseFrame(tx, scope, [locked], { reason: 'order-canceled', customerId: locked.order.customerId, receipt: null });

/**
 * Lock the links with which photos are added to a customer's frames. Call it before frames are locked: code that uses
 * or revokes a link also locks the link before the frame. So this transaction waits for that code before it locks
 * anything else.
 */
export async function lockLinksOf(tx: Db, customerId: string, orders: Order[]): Promise<void> {
  await lockTokens(tx, 'upload-link', customerId);
  const frames = await readFramesOfOrders(
    tx,
    orders.map(({ id }) => id),
  );
  await lockCollectLinks(
    tx,
    frames.map(({ id }) => id),
  );
}

/** Revoke all links to a frame's videos. Returns whether a proof link was among them. */
export async function revokeVideoLinks(tx: Db, clock: Clock, frameId: string): Promise<{ hadProof: boolean }> {
  for (const purpose of ['delivery', 'share', 'play'] as const) await revokeTokens(tx, clock, purpose, frameId);
  return { hadProof: (await revokeTokens(tx, clock, 'proof', frameId)).length > 0 };
}

async function eraseFrame(
  tx: Db,
  scope: ErasureScope,
  locked: { order: Order; frames: Frame[] }[],
  erasure: Pick<Erasure, 'reason' | 'customerId' | 'receipt'>,
): Promise<Erasure> {
  const { clock, jobs } = scope;
  const rules = await scope.proofRules(tx);
  const keys: string[] = [];
  const frames: ErasedFrame[] = [];
  let sizeBytes = 0;
  for (const { order, frames: ofOrder } of locked) {
    if (erasure.reason === 'account-deleted')
      keys.push(...(await deleteReturnsOf(tx, [order.id])), ...(await removeLabelFilesOf(tx, [order.id])));
    else if (erasure.reason !== 'time-over') keys.push(...(await removeReturnPhotos(tx, order.id)));
    for (const frame of ofOrder) {
      // Delete videos before photos. Otherwise the database would delete the videos together with the photos (on delete
      // cascade), and the keys of the video files would be lost.
      const videos = await removeVideos(tx, frame.id);
      const photos = await removePhotos(tx, frame.id);
      if (erasure.reason !== 'time-over') {
        await deleteConnectionDetails(tx, frame);
        keys.push(...(await removeArrivals(tx, frame.id)));
        await removeCollectLinks(tx, frame.id);
      }
      keys.push(...(await deleteDiscardedFileRows(tx, frame.id)));
      if (photos.length === 0) continue;
      keys.push(...videos.flatMap(listFilesOfVideo), ...photos.flatMap(listFilesOfPhoto));
      sizeBytes += photos.reduce((sum, it) => sum + it.fileSize, 0);
      sizeBytes += videos.reduce((sum, it) => sum + (it.sizeBytes ?? 0), 0);
      const madeVideos = videos.filter((it) => it.videoKey !== null || it.approvedAt !== null).length;
      frames.push({
        frameName: frame.name,
        orderNumber: order.orderNumber,
        photos: photos.length,
        videos: madeVideos,
      });
      const { hadProof } = await revokeVideoLinks(tx, clock, frame.id);
      const watchableVideos = videos.filter(
        (it) => frame.videosReadyAt !== null || wasVisibleToCustomer(it, rules, hadProof),
      );
      await markErased(tx, clock, frame, {
        photos: photos.length,
        watchable: watchableVideos.length,
        isCanceled: order.canceledAt !== null,
      });
      await recordOrderEvent(tx, clock, order.id, 'photos-erased', `Photos and videos of ${frame.name} deleted.`);
    }
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

/** Adds files to an erasure whose job has not run yet, because it was enqueued in the same transaction. */
export async function addFilesToErasure(tx: Db, id: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .update(erasures)
    .set({ keys: sql`coalesce(${erasures.keys}, '[]') || ${JSON.stringify(keys)}::jsonb` })
    .where(eq(erasures.id, id));
}

interface FinishScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  storage: Storage;
  words: readonly NamedFiles[];
}

/**
 * The job that finishes an erasure after its rows are deleted: it deletes the files, at their keys and in the trash,
 * and then queues the receipt. However often the job runs, it queues only one receipt, and never before the files are
 * deleted.
 */
export async function finishErasure({ db, clock, jobs, storage, words }: FinishScope, id: string): Promise<void> {
  const erasure = await findErasureById(db, id);
  if (!erasure || erasure.doneAt !== null) return;
  const keys = erasure.keys ?? [];
  const namedBySource = keys.length > 0 ? await Promise.all(words.map((source) => source.selectNamed(db, keys))) : [];
  for (const key of keys) {
    if (namedBySource.some((it) => it.has(key))) continue;
    await storage.delete(key);
    await storage.delete(trashKeyFor(key));
  }
  await db.transaction(async (tx) => {
    const finishedAt = clock.now();
    const [done] = await tx
      .update(erasures)
      .set({ keys: null, receipt: null, doneAt: finishedAt })
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
        content: { kind: 'photos-erased', firstName, reason, frames, erasedAt: finishedAt.toISOString() },
      },
    );
  });
}

async function findErasureById(db: Db, id: string): Promise<Erasure | undefined> {
  const [erasure] = await db.select().from(erasures).where(eq(erasures.id, id));
  return erasure;
}
/** The receipt of a customer's erasure. Refuses the receipt of another customer with `not-found`. */
export async function findErasureOf(db: Db, customerId: string, id: string): Promise<Erasure> {
  const erasure = await findErasureById(db, id);
  if (erasure?.customerId !== customerId) throw new Refusal('not-found');
  return erasure;
}
/** Move the receipts of an account to the account that replaces it. */
export async function moveErasures(tx: Db, from: string, to: string): Promise<void> {
  await tx.update(erasures).set({ customerId: to }).where(eq(erasures.customerId, from));
}

/** A customer's last 20 receipts, newest first. */
export const readErasuresOf = (db: Db, customerId: string): Promise<Erasure[]> =>
  db
    .select()
    .from(erasures)
    .where(eq(erasures.customerId, customerId))
    .orderBy(desc(erasures.askedAt), desc(erasures.id))
    .limit(20);

/** Remove the customer from their receipts. The rows stay for statistics. Returns the receipts' ids. */
export async function removeCustomerFromErasures(tx: Db, customerId: string): Promise<string[]> {
  const isOfCustomer = eq(erasures.customerId, customerId);
  const receipts = await tx
    .update(erasures)
    .set({ customerId: null })
    .where(isOfCustomer)
    .returning({ id: erasures.id });
  return receipts.map((it) => it.id);
}

export interface OwnFrame {
  order: Order;
  frame: Frame;
}
/** A customer's frames, newest order first, without those that were refunded before they had a photo. */
export async function readFramesOfCustomer(db: Db, customerId: string): Promise<OwnFrame[]> {
  const orders = (await readOrdersOf(db, customerId)).filter((order) => order.frameId === null);
  const ordersById = new Map(orders.map((order) => [order.id, order]));
  const frames = await readFramesOfOrders(
    db,
    orders.map(({ id }) => id),
  );
  return frames
    .filter((it) => it.isActive || it.usedPhotos > 0)
    .map((frame) => ({ frame, order: ordersById.get(frame.orderId)! }));
}
