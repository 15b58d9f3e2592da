import { and, asc, eq, gte, inArray, isNotNull, isNull, lte, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { kinframe, photosIncluded, type Cart, dealPackages } from '#contract/catalog.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import type { NamedFiles } from '../files/files.ts';
import { holdOrder, holdOrderOf, recordOrderEvent, startProcessing, type Order } from '../orders/orders.ts';
import { preparedAmong, preparedRows } from '../prepared.ts';
import { frames, type Frame } from './frames.sql.ts';

export type { Frame } from './frames.sql.ts';

export const limitOf = (frame: Frame) => frame.basePhotos + frame.extraPhotos;
export const remainingOf = (frame: Frame) => limitOf(frame) - frame.usedPhotos - frame.closedPhotos;
/** Whether its photos are locked, all of them: places bought later open it again, for photos of their own. */
export const isFinalized = (frame: Frame) => frame.finalizedAt !== null && frame.reopenedAt === null;
/** Whether photos may still come. An inactive frame was refunded before it had any. */
export const isOpen = (frame: Frame) => frame.isActive && !isFinalized(frame);
/** Whether its order waits for its photos. Places bought later keep no order waiting. */
export const isAwaited = (frame: Frame) => frame.isActive && frame.finalizedAt === null;
const takesPhotos = sql`(${frames.finalizedAt} is null or ${frames.reopenedAt} is not null)`;

/** How every frame begins. */
const fresh = {
  serialNumber: null,
  laterPhotos: 0,
  usedPhotos: 0,
  finalizedAt: null,
  reopenedAt: null,
  sealedPhotos: 0,
  closedPhotos: 0,
  invitationCode: null,
  qrPhotoKey: null,
  connectionStatus: 'none',
  connectionSince: null,
  proofRound: 0,
  proofEndsAt: null,
  videosReadyAt: null,
  deliveredAt: null,
  keptUntil: null,
  erasureWarnedAt: null,
  erasedAt: null,
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
  const rows = await framesAmong(db, orderIds);
  const place = new Map(orderIds.map((id, index) => [id, index]));
  return rows.toSorted((a, b) => place.get(a.orderId)! - place.get(b.orderId)! || a.position - b.position);
}

const framesAmong = preparedAmong(frames.orderId, (db, isAmong) =>
  db.select().from(frames).where(isAmong).orderBy(asc(frames.position)),
);

export const framesByIds = preparedAmong(frames.id, (db, isAmong) => db.select().from(frames).where(isAmong));

export async function frameById(db: Db, id: string): Promise<Frame | undefined> {
  const [frame] = await db.select().from(frames).where(eq(frames.id, id));
  return frame;
}

/** Frames whose videos became ready in a span of time and are here, oldest first; `after` is the last of the page before. */
export const framesReady = (
  db: Db,
  { from, to, after, limit }: { from: Date; to: Date; after?: Frame | undefined; limit: number },
): Promise<Frame[]> =>
  db
    .select()
    .from(frames)
    .where(
      and(
        isNull(frames.erasedAt),
        gte(frames.videosReadyAt, from),
        lte(frames.videosReadyAt, to),
        after && sql`(${frames.videosReadyAt}, ${frames.id}) > (${after.videosReadyAt!.toISOString()}, ${after.id})`,
      ),
    )
    .orderBy(asc(frames.videosReadyAt), asc(frames.id))
    .limit(limit);

/** Which order a frame is of, inside another query. */
export const orderOfFrame = (frameId: SQLWrapper): SQL =>
  sql`(select ${frames.orderId} from ${frames} where ${frames.id} = ${frameId})`;

/** Take one photo's place, if the frame is open and has room: the one guard that parallel uploads meet. */
export async function claimPlace(tx: Db, frameId: string): Promise<Frame> {
  const [claimed] = await tx
    .update(frames)
    .set({ usedPhotos: sql`${frames.usedPhotos} + 1` })
    .where(
      and(
        eq(frames.id, frameId),
        takesPhotos,
        eq(frames.isActive, true),
        sql`${frames.usedPhotos} + ${frames.closedPhotos} < ${frames.basePhotos} + ${frames.extraPhotos}`,
      ),
    )
    .returning();
  if (claimed) return claimed;
  throw refusalOf(await frameById(tx, frameId));
}

/** Take a place in the first of these frames, which are held, that has one. Where all refuse, an open one that is full says why. */
export async function claimFirstPlace(tx: Db, candidates: readonly Frame[]): Promise<Frame> {
  const refused: Refusal[] = [];
  for (const { id } of candidates)
    try {
      return await claimPlace(tx, id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error);
    }
  throw mostTelling(refused);
}
const mostTelling = (refused: Refusal[]) =>
  refused.find((it) => it.code === 'photo-limit-reached') ?? refused[0] ?? new Refusal('not-found');

/** Give a deleted photo's place back, while the frame is open. */
export async function freePlace(tx: Db, frameId: string): Promise<void> {
  const freed = await tx
    .update(frames)
    .set({ usedPhotos: sql`${frames.usedPhotos} - 1` })
    .where(and(eq(frames.id, frameId), takesPhotos))
    .returning({ id: frames.id });
  if (freed.length === 0) throw new Refusal('frame-finalized');
}

export const hasRoom = (frame: Frame) => isOpen(frame) && remainingOf(frame) > 0;

/** Refuse early what `claimFirstPlace` would refuse, before any bytes are worked on. */
export function refuseIfAllClosed(candidates: readonly Frame[]): void {
  if (!candidates.some(hasRoom)) throw mostTelling(candidates.map(refusalOf));
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

/** Lock a frame that has photos, new ones where it was finalized before. Whoever comes second is told that it is locked. */
export async function lockPhotos(
  tx: Db,
  clock: Clock,
  frameId: string,
  { keepPlaces = false }: { keepPlaces?: boolean } = {},
): Promise<Frame> {
  const [locked] = await tx
    .update(frames)
    .set({
      finalizedAt: clock.now(),
      reopenedAt: null,
      videosReadyAt: null,
      proofRound: 0,
      proofEndsAt: null,
      deliveredAt: null,
      erasedAt: null,
    })
    .where(and(eq(frames.id, frameId), takesPhotos, sql`${frames.usedPhotos} > ${frames.sealedPhotos}`))
    .returning();
  if (locked && keepPlaces && remainingOf(locked) > 0) {
    const [kept] = await tx
      .update(frames)
      .set({ reopenedAt: clock.now(), sealedPhotos: locked.usedPhotos })
      .where(eq(frames.id, frameId))
      .returning();
    return kept!;
  }
  if (locked) return locked;
  const frame = await frameById(tx, frameId);
  throw frame && isOpen(frame) ? new Refusal('no-photos-yet') : refusalOf(frame);
}

/**
 * Close the places that a finalized frame has kept, where no photo has come into them: what was finalized before stays as
 * it is. Places that were bought for it later wait for their photos. False where there is nothing of the kind to close.
 */
export async function closeFreePlaces(tx: Db, frameId: string): Promise<boolean> {
  const closed = await tx
    .update(frames)
    .set({ reopenedAt: null })
    .where(
      and(
        eq(frames.id, frameId),
        isNotNull(frames.finalizedAt),
        isNotNull(frames.reopenedAt),
        eq(frames.laterPhotos, 0),
        sql`${frames.usedPhotos} <= ${frames.sealedPhotos}`,
      ),
    )
    .returning({ id: frames.id });
  return closed.length > 0;
}

/**
 * Hold the frame's row until the transaction ends: uploads take turns, and its last two approvals see each other.
 * Whoever also needs the order's row holds that first.
 */
export async function holdFrame(tx: Db, frameId: string): Promise<Frame> {
  const [frame] = await tx.select().from(frames).where(eq(frames.id, frameId)).for('no key update');
  if (!frame) throw new Refusal('not-found');
  return frame;
}

/** Hold several frames, in the sequence in which their orders are held (`holdAllOf`). */
export async function holdFrames(tx: Db, ids: string[]): Promise<void> {
  const some = tx.select({ id: frames.id }).from(frames).where(inArray(frames.id, ids));
  await some.orderBy(asc(frames.orderId), asc(frames.position)).for('no key update');
}

/**
 * Hold an order, then all of its frames, first frame first: nothing of it is finalized, withdrawn or moved meanwhile. Of
 * one that adds to a frame, that frame's order and its frames are held next, and the one frame is answered.
 */
export async function holdFramesOf(tx: Db, orderId: string): Promise<{ order: Order; held: Frame[] }> {
  const order = await holdOrder(tx, orderId);
  if (!order) throw new Refusal('not-found');
  if (order.frameId !== null) {
    const orderOfIt = (await frameById(tx, order.frameId))!.orderId;
    const { held } = await holdFramesOf(tx, orderOfIt);
    return { order, held: held.filter((it) => it.id === order.frameId) };
  }
  const ofOrder = tx.select().from(frames).where(eq(frames.orderId, orderId)).orderBy(asc(frames.position));
  return { order, held: await ofOrder.for('no key update') };
}
/**
 * Hold these orders with their frames, in one sequence for everyone, so that nobody waits in a circle: those that add to a
 * frame before the frame's own. Answers those with frames.
 */
export async function holdAllOf(tx: Db, orders: Order[]): Promise<{ order: Order; frames: Frame[] }[]> {
  const byId = orders.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id } of byId.filter((it) => it.frameId !== null)) await holdOrder(tx, id);
  const own: { order: Order; frames: Frame[] }[] = [];
  for (const { id } of byId.filter((it) => it.frameId === null)) {
    const { order, held } = await holdFramesOf(tx, id);
    own.push({ order, frames: held });
  }
  return own;
}

/** The frames in which an order bought room: its own, or the one it adds to. */
export const framesWithRoomOf = ({ id, frameId }: Order, db: Db): Promise<Frame[]> =>
  frameId === null ? framesOfOrders(db, [id]) : framesByIds(db, [frameId]);

/**
 * Move an order on to production if none of its frames waits for photos any more and one at least has some. For whoever
 * has just closed a frame and holds the order: of two who close the last ones, the second sees what the first has done.
 */
export async function startIfAllIn(tx: Db, clock: Clock, orderId: string): Promise<void> {
  const all = await framesOfOrders(tx, [orderId]);
  if (all.some((it) => it.finalizedAt !== null) && !all.some(isAwaited)) await startProcessing(tx, clock, orderId);
}

/** The end of what is kept for years from then. */
export function yearsAfter(moment: Date): Date {
  const end = new Date(moment);
  end.setUTCFullYear(end.getUTCFullYear() + lifetimes.keptYears);
  return end;
}
/** Any other chosen end than one of years is nearer than this: a warning's, that of a wish taken back, or a present's. */
const nearDays = limits.giftShipDays + lifetimes.deliveryDays + 1;

/**
 * True for the one who gets there first. What was kept for years before is so with what has come to it.
 *
 * @param keptUntil at least
 */
export async function markVideosReady(tx: Db, clock: Clock, frameId: string, keptUntil?: Date): Promise<boolean> {
  const now = clock.now();
  const near = new Date(now.getTime() + nearDays * 86_400_000).toISOString();
  const marked = await tx
    .update(frames)
    .set({
      videosReadyAt: now,
      proofEndsAt: null,
      keptUntil: sql`case when ${frames.keptUntil} > ${near}::timestamptz then ${yearsAfter(now).toISOString()}::timestamptz
        else greatest(${frames.keptUntil}, ${keptUntil?.toISOString() ?? null}::timestamptz) end`,
    })
    .where(and(eq(frames.id, frameId), isNull(frames.videosReadyAt)))
    .returning({ id: frames.id });
  return marked.length > 0;
}

/** Ask its customer to look at the videos, until then. Answers which time it is. */
export async function openProofRound(tx: Db, frameId: string, endsAt: Date): Promise<number> {
  const [asked] = await tx
    .update(frames)
    .set({ proofRound: sql`${frames.proofRound} + 1`, proofEndsAt: endsAt })
    .where(eq(frames.id, frameId))
    .returning({ round: frames.proofRound });
  return asked!.round;
}
/** Something is being made again: its customer has time for it once it is there. */
export const suspendProof = (tx: Db, frameId: string) =>
  tx.update(frames).set({ proofEndsAt: null }).where(eq(frames.id, frameId));

/** Frames of these whose customers have had their time to look, at most so many, the first that had it first. */
export const proofsOver = (
  db: Db,
  now: Date,
  limit: number,
  isAmong: (frameId: SQLWrapper) => SQL,
): Promise<{ id: string }[]> =>
  db
    .select({ id: frames.id })
    .from(frames)
    .where(and(lte(frames.proofEndsAt, now), isAmong(frames.id)))
    .orderBy(asc(frames.proofEndsAt))
    .limit(limit);

/**
 * Save how to reach the frame, at any time: it may arrive long after its photos. Staff connect it, and until then it is
 * pending. A code of null is forgotten, one that is not given stays. Refused where there is nothing to put on it any more,
 * and where the order is not this customer's any more: reading a picture takes a while.
 */
export async function saveConnection(
  { db, clock }: { db: Db; clock: Clock },
  { id, orderId }: Pick<Frame, 'id' | 'orderId'>,
  customerId: string,
  connection: { invitationCode?: string | null | undefined; qrPhotoKey?: string | undefined },
): Promise<Frame> {
  return db.transaction(async (tx) => {
    if ((await holdOrderOf(tx, orderId)) !== customerId) throw new Refusal('not-found');
    const [saved] = await tx
      .update(frames)
      .set({
        connectionStatus: 'pending',
        connectionSince: clock.now(),
        ...(connection.invitationCode !== undefined && { invitationCode: connection.invitationCode }),
        ...(connection.qrPhotoKey !== undefined && { qrPhotoKey: connection.qrPhotoKey }),
      })
      .where(
        and(eq(frames.id, id), eq(frames.isActive, true), or(isNull(frames.erasedAt), isNotNull(frames.reopenedAt))),
      )
      .returning();
    if (saved) {
      await recordOrderEvent(tx, clock, orderId, 'connection', `${saved.name}: how to reach it was saved.`);
      return saved;
    }
    const frame = await frameById(tx, id);
    throw frame && isErased(frame) ? new Refusal('frame-erased') : refusalOf(frame);
  });
}
/** Its videos were delivered and are gone, and no others are to come. */
export const isErased = ({ erasedAt, reopenedAt }: Frame) => erasedAt !== null && reopenedAt === null;

/**
 * Staff's notes of a frame in its own cloud. What is delivered is connected; what is not connected waits for it again
 * where its customer has said how.
 */
export async function noteCloud(
  db: Db,
  clock: Clock,
  frameId: string,
  { isConnected, isDelivered }: { isConnected: boolean; isDelivered: boolean },
): Promise<{ before: Frame; after: Frame }> {
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(frames).where(eq(frames.id, frameId)).for('no key update');
    const isReachable = (before?.invitationCode ?? before?.qrPhotoKey ?? null) !== null;
    const status = isConnected || isDelivered ? 'connected' : isReachable ? 'pending' : 'none';
    const [noted] = await tx
      .update(frames)
      .set({
        connectionStatus: status,
        ...(status !== before?.connectionStatus && { connectionSince: status === 'none' ? null : clock.now() }),
        deliveredAt: isDelivered ? sql`coalesce(${frames.deliveredAt}, ${clock.now().toISOString()})` : null,
      })
      .where(and(eq(frames.id, frameId), isDelivered ? isNotNull(frames.videosReadyAt) : undefined))
      .returning();
    if (!before || !noted) throw new Refusal(before ? 'videos-not-ready' : 'not-found');
    const changes = cloudChanges(before, noted).join(', ');
    if (changes) await recordOrderEvent(tx, clock, noted.orderId, 'connection', `${noted.name}: ${changes}.`);
    return { before, after: noted };
  });
}

/** What staff's notes say that they did not say before. */
function cloudChanges(before: Frame, after: Frame): string[] {
  const isConnected = ({ connectionStatus }: Frame) => connectionStatus === 'connected';
  const changes: [then: boolean, now: boolean, done: string, undone: string][] = [
    [isConnected(before), isConnected(after), 'connected', 'not connected after all'],
    [before.deliveredAt !== null, after.deliveredAt !== null, 'the videos are on it', 'the videos are not on it yet'],
  ];
  return changes.flatMap(([then, now, done, undone]) => (then === now ? [] : [now ? done : undone]));
}

/** Whether a frame names this QR picture, and `isAllowed` lets its order's be seen. */
export async function hasQrPhoto(
  db: Db,
  qrPhotoKey: string,
  isAllowed: (orderId: SQLWrapper) => SQL,
): Promise<boolean> {
  const found = await db
    .select({ id: frames.id })
    .from(frames)
    .where(and(eq(frames.qrPhotoKey, qrPhotoKey), isAllowed(frames.orderId)));
  return found.length > 0;
}

export const qrPhotoFiles: NamedFiles = {
  folders: ['connections/'],
  async among(db, keys) {
    const rows = await db.select({ key: frames.qrPhotoKey }).from(frames).where(inArray(frames.qrPhotoKey, keys));
    return new Set(rows.flatMap((it) => it.key ?? []));
  },
  async from(db, name, limit) {
    const rows = await db
      .select({ key: frames.qrPhotoKey })
      .from(frames)
      .where(gte(frames.qrPhotoKey, `connections/${name}`))
      .orderBy(asc(frames.qrPhotoKey))
      .limit(limit);
    return rows.flatMap((it) => it.key ?? []);
  },
  every: sql`select ${frames.qrPhotoKey} as key from ${frames}`,
};
