import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { kinframe, photosIncluded, type Cart, dealPackages } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock, Db } from '../ports.ts';
import { newId } from '../columns.ts';
import { preparedRows } from '../prepared.ts';
import { frames, type Frame } from './frames.sql.ts';

export type { Frame } from './frames.sql.ts';

export const limitOf = (frame: Frame) => frame.basePhotos + frame.extraPhotos;
export const remainingOf = (frame: Frame) => limitOf(frame) - frame.usedPhotos;
export const isFinalized = (frame: Frame) => frame.finalizedAt !== null;
/** Whether photos may still come. An inactive frame was refunded before it had any. */
export const isOpen = (frame: Frame) => frame.isActive && !isFinalized(frame);

/** How every frame begins. */
const fresh = {
  serialNumber: null,
  usedPhotos: 0,
  finalizedAt: null,
  invitationCode: null,
  qrPhotoKey: null,
  connectionStatus: 'none',
  videosReadyAt: null,
  deliveredAt: null,
  isActive: true,
} as const;

/** The frames a paid cart buys, with the extra packages dealt round-robin. */
export async function createFrames(tx: Db, clock: Clock, orderId: string, cart: Cart): Promise<void> {
  const rows = dealPackages(cart).map((packages, index) => ({
    ...fresh,
    id: newId(),
    orderId,
    position: index + 1,
    name: cart.productId === kinframe ? `Kinframe ${index + 1}` : 'My frame',
    deviceType: cart.productId,
    basePhotos: photosIncluded.device,
    extraPhotos: packages * photosIncluded.extraPackage,
    createdAt: clock.now(),
  }));
  await insertFrames(tx, rows);
}
const insertFrames = preparedRows(frames, (db, rows) => db.insert(frames).values(rows));

/** The frames of some orders, in the orders' sequence given, first frame first. */
export async function framesOfOrders(db: Db, orderIds: string[]): Promise<Frame[]> {
  if (orderIds.length === 0) return [];
  const rows = await db.select().from(frames).where(inArray(frames.orderId, orderIds)).orderBy(asc(frames.position));
  const place = new Map(orderIds.map((id, index) => [id, index]));
  return rows.toSorted((a, b) => place.get(a.orderId)! - place.get(b.orderId)! || a.position - b.position);
}

export async function frameById(db: Db, id: string): Promise<Frame | undefined> {
  const [frame] = await db.select().from(frames).where(eq(frames.id, id));
  return frame;
}

/** Take one photo's place, if the frame is open and has room: the one guard that parallel uploads meet. */
export async function claimPlace(tx: Db, frameId: string): Promise<Frame> {
  const [claimed] = await tx
    .update(frames)
    .set({ usedPhotos: sql`${frames.usedPhotos} + 1` })
    .where(
      and(
        eq(frames.id, frameId),
        isNull(frames.finalizedAt),
        eq(frames.isActive, true),
        sql`${frames.usedPhotos} < ${frames.basePhotos} + ${frames.extraPhotos}`,
      ),
    )
    .returning();
  if (claimed) return claimed;
  throw refusalOf(await frameById(tx, frameId));
}

/** Give a deleted photo's place back, while the frame is open. */
export async function freePlace(tx: Db, frameId: string): Promise<void> {
  const freed = await tx
    .update(frames)
    .set({ usedPhotos: sql`${frames.usedPhotos} - 1` })
    .where(and(eq(frames.id, frameId), isNull(frames.finalizedAt)))
    .returning({ id: frames.id });
  if (freed.length === 0) throw new Refusal('frame-finalized');
}

/** Refuse early what `claimPlace` would refuse, before any bytes are worked on. */
export function refuseIfClosed(frame: Frame): void {
  if (!isOpen(frame) || remainingOf(frame) <= 0) throw refusalOf(frame);
}
/** The same for what a full frame may still do. */
export function refuseIfLocked(frame: Frame): void {
  if (!isOpen(frame)) throw refusalOf(frame);
}
function refusalOf(frame: Frame | undefined): Refusal {
  if (!frame) return new Refusal('not-found');
  if (!frame.isActive) return new Refusal('frame-refunded');
  return new Refusal(isFinalized(frame) ? 'frame-finalized' : 'photo-limit-reached');
}

/** Lock a frame that has photos. Whoever comes second is told that it is locked. */
export async function lockPhotos(tx: Db, clock: Clock, frameId: string): Promise<Frame> {
  const [locked] = await tx
    .update(frames)
    .set({ finalizedAt: clock.now() })
    .where(and(eq(frames.id, frameId), isNull(frames.finalizedAt), sql`${frames.usedPhotos} > 0`))
    .returning();
  if (locked) return locked;
  const frame = await frameById(tx, frameId);
  throw frame && isOpen(frame) ? new Refusal('no-photos-yet') : refusalOf(frame);
}

/** Hold the frame's row until the transaction ends, so that its last two approvals see each other. */
export async function holdFrame(tx: Db, frameId: string): Promise<Frame> {
  const [frame] = await tx.select().from(frames).where(eq(frames.id, frameId)).for('update');
  if (!frame) throw new Refusal('not-found');
  return frame;
}

/** The same for all frames of an order, first frame first. Before the order's own row, as finalizing does. */
export const holdFramesOf = (tx: Db, orderId: string): Promise<Frame[]> =>
  tx.select().from(frames).where(eq(frames.orderId, orderId)).orderBy(asc(frames.position)).for('update');

/** True for the one who gets there first. */
export async function markVideosReady(tx: Db, clock: Clock, frameId: string): Promise<boolean> {
  const marked = await tx
    .update(frames)
    .set({ videosReadyAt: clock.now() })
    .where(and(eq(frames.id, frameId), isNull(frames.videosReadyAt)))
    .returning({ id: frames.id });
  return marked.length > 0;
}

/** Save how to reach the frame; staff connect it, and until then it is pending. */
export async function saveConnection(
  db: Db,
  frameId: string,
  connection: { invitationCode?: string | undefined; qrPhotoKey?: string | undefined },
): Promise<Frame> {
  const [saved] = await db
    .update(frames)
    .set({
      connectionStatus: 'pending',
      ...(connection.invitationCode !== undefined && { invitationCode: connection.invitationCode }),
      ...(connection.qrPhotoKey !== undefined && { qrPhotoKey: connection.qrPhotoKey }),
    })
    .where(and(eq(frames.id, frameId), isNull(frames.finalizedAt)))
    .returning();
  if (!saved) throw refusalOf(await frameById(db, frameId));
  return saved;
}

/** Orders with finalized frames, the latest finalize first. */
export async function finalizedOrderIds(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .select({ orderId: frames.orderId, latest: sql<string>`max(${frames.finalizedAt})` })
    .from(frames)
    .where(isNotNull(frames.finalizedAt))
    .groupBy(frames.orderId)
    .orderBy(sql`max(${frames.finalizedAt}) desc`)
    .limit(limit);
  return rows.map((it) => it.orderId);
}

export async function frameOfQrPhoto(db: Db, qrPhotoKey: string): Promise<Frame | undefined> {
  const [frame] = await db.select().from(frames).where(eq(frames.qrPhotoKey, qrPhotoKey));
  return frame;
}

/** Which of these stored files a frame names. */
export async function qrPhotoKeysAmong(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await db.select({ key: frames.qrPhotoKey }).from(frames).where(inArray(frames.qrPhotoKey, keys));
  return new Set(rows.flatMap((it) => it.key ?? []));
}
