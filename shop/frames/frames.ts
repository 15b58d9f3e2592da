import { and, asc, eq, gte, inArray, isNotNull, isNull, lte, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { kinframe, includedPhotoCounts, type Cart, distributePackages } from '#contract/catalog.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import type { NamedFiles } from '../files/files.ts';
import { lockOrder, lockCustomerIdOfOrder, recordOrderEvent, startProcessing, type Order } from '../orders/orders.ts';
import { createQueryByValues } from '../rows-among.ts';
import { frames, type Frame } from './frames.sql.ts';

export type { Frame } from './frames.sql.ts';

export const photoLimitOf = (frame: Frame) => frame.basePhotos + frame.extraPhotos;
export const freeSlotsOf = (frame: Frame) => photoLimitOf(frame) - frame.usedPhotos - frame.closedPhotos;
/** Whether all photos of the frame are locked. Places bought later reopen the frame for new photos. */
export const isFinalized = (frame: Frame) => frame.finalizedAt !== null && frame.reopenedAt === null;
/**
 * Whether photos may still be added. An inactive frame was refunded before it had any photo, or its order was canceled.
 */
export const isOpen = (frame: Frame) => frame.isActive && !isFinalized(frame);
/** Whether the order waits for the photos of this frame. An order does not wait for places bought later. */
export const isOrderWaitingFor = (frame: Frame) => frame.isActive && frame.finalizedAt === null;
const takesPhotosCondition = sql`(${frames.finalizedAt} is null or ${frames.reopenedAt} is not null)`;

/** The values of every new frame. */
const newFrameDefaults = {
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
  stillAnsweredAt: null,
  isActive: true,
} as const;

/** Creates the frames of a paid cart. The extra packages are distributed round-robin. */
export async function createFrames(tx: Db, clock: Clock, orderId: string, cart: Cart): Promise<void> {
  const rows = distributePackages(cart).map((packages, index) => ({
    ...newFrameDefaults,
    id: newId(),
    orderId,
    position: index + 1,
    name: cart.productId === kinframe ? `Kinframe ${index + 1}` : 'My frame',
    deviceType: cart.productId,
    basePhotos: includedPhotoCounts.device,
    extraPhotos: packages * includedPhotoCounts.extraPackage,
    createdAt: clock.now(),
  }));
  await tx.insert(frames).values(rows);
}

/** The frames of some orders, in the sequence of the given ids, first frame first. */
export async function readFramesOfOrders(db: Db, orderIds: string[]): Promise<Frame[]> {
  const rows = await readFramesAmong(db, orderIds);
  const orderIndex = new Map(orderIds.map((id, index) => [id, index]));
  return rows.toSorted((a, b) => orderIndex.get(a.orderId)! - orderIndex.get(b.orderId)! || a.position - b.position);
}

const readFramesAmong = createQueryByValues(frames.orderId, (db, isAmong) =>
  db.select().from(frames).where(isAmong).orderBy(asc(frames.position)),
);

export const framesByIds = createQueryByValues(frames.id, (db, isAmong) => db.select().from(frames).where(isAmong));

export async function findFrameById(db: Db, id: string): Promise<Frame | undefined> {
  const [frame] = await db.select().from(frames).where(eq(frames.id, id));
  return frame;
}

/**
 * Frames whose videos became ready in a span of time and are not erased, oldest first. `after` is the last frame of the
 * page before.
 */
export const listFramesWithReadyVideos = (
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

/** The order of a frame, as a subquery. */
export const orderOfFrame = (frameId: SQLWrapper): SQL =>
  sql`(select ${frames.orderId} from ${frames} where ${frames.id} = ${frameId})`;

/**
 * Claims a place for one photo, if the frame is open and has room. The condition in this update is the only protection
 * against parallel uploads.
 */
export async function claimSlot(tx: Db, frameId: string): Promise<Frame> {
  const [claimed] = await tx
    .update(frames)
    .set({ usedPhotos: sql`${frames.usedPhotos} + 1` })
    .where(
      and(
        eq(frames.id, frameId),
        takesPhotosCondition,
        eq(frames.isActive, true),
        sql`${frames.usedPhotos} + ${frames.closedPhotos} < ${frames.basePhotos} + ${frames.extraPhotos}`,
      ),
    )
    .returning();
  if (claimed) return claimed;
  throw createFrameRefusal(await findFrameById(tx, frameId));
}

/**
 * Claims a place in the first of these frames that has a free place. The caller has locked the frames. If no frame has
 * a free place, the refusal of a full frame takes precedence over other refusals.
 */
export async function claimFirstSlot(tx: Db, candidates: readonly Frame[]): Promise<Frame> {
  const refusals: Refusal[] = [];
  for (const { id } of candidates)
    try {
      return await claimSlot(tx, id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
    }
  throw chooseMostInformative(refusals);
}
const chooseMostInformative = (refused: Refusal[]) =>
  refused.find((it) => it.code === 'photo-limit-reached') ?? refused[0] ?? new Refusal('not-found');

/** Frees the place of a deleted photo, if the frame is open. */
export async function releaseSlot(tx: Db, frameId: string): Promise<void> {
  const freedFrame = await tx
    .update(frames)
    .set({ usedPhotos: sql`${frames.usedPhotos} - 1` })
    .where(and(eq(frames.id, frameId), takesPhotosCondition))
    .returning({ id: frames.id });
  if (freedFrame.length === 0) throw new Refusal('frame-finalized');
}

export const hasFreePlace = (frame: Frame) => isOpen(frame) && freeSlotsOf(frame) > 0;

/** Refuses like `claimFirstSlot`, but early: before any bytes of a photo are processed. */
export function refuseIfAllClosed(candidates: readonly Frame[]): void {
  if (!candidates.some(hasFreePlace)) throw chooseMostInformative(candidates.map(createFrameRefusal));
}
/** Refuses a finalized or refunded frame. Allows a frame that is full. */
export function refuseIfLocked(frame: Frame): void {
  if (!isOpen(frame)) throw createFrameRefusal(frame);
}
function createFrameRefusal(frame: Frame | undefined): Refusal {
  if (!frame) return new Refusal('not-found');
  if (!frame.isActive) return new Refusal('frame-refunded');
  return new Refusal(isFinalized(frame) ? 'frame-finalized' : 'photo-limit-reached');
}

/**
 * Finalizes a frame: locks its photos, or its new photos if it was reopened. Refuses a frame without new photos. With
 * `keepPlaces`, its free places stay open. Of two concurrent calls, the second is refused.
 */
export async function markFrameFinalized(
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
    .where(
      and(
        eq(frames.id, frameId),
        eq(frames.isActive, true),
        takesPhotosCondition,
        sql`${frames.usedPhotos} > ${frames.sealedPhotos}`,
      ),
    )
    .returning();
  if (locked && keepPlaces && freeSlotsOf(locked) > 0) {
    const [reopenedFrame] = await tx
      .update(frames)
      .set({ reopenedAt: clock.now(), sealedPhotos: locked.usedPhotos })
      .where(eq(frames.id, frameId))
      .returning();
    return reopenedFrame!;
  }
  if (locked) return locked;
  const frame = await findFrameById(tx, frameId);
  throw frame && isOpen(frame) ? new Refusal('no-photos-yet') : createFrameRefusal(frame);
}

/**
 * Closes the free places that a finalized frame has kept open, if no photo was added to them. The finalized photos stay
 * as they are. A frame with places bought later stays open. Returns false if there is nothing to close.
 */
export async function closeFreeSlots(tx: Db, frameId: string): Promise<boolean> {
  const closedRows = await tx
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
  return closedRows.length > 0;
}

/**
 * Locks the frame's row until the transaction ends. Uploads then run one after another, and of two simultaneous
 * approvals of the last videos, the second sees the first. A transaction that also needs the order's row must lock the
 * order first.
 */
export async function lockFrame(tx: Db, frameId: string): Promise<Frame> {
  const [frame] = await tx.select().from(frames).where(eq(frames.id, frameId)).for('no key update');
  if (!frame) throw new Refusal('not-found');
  return frame;
}

/** Locks several frames, in the sequence in which `lockOrdersWithFrames` locks their orders. */
export async function lockFrames(tx: Db, ids: string[]): Promise<void> {
  const framesQuery = tx.select({ id: frames.id }).from(frames).where(inArray(frames.id, ids));
  await framesQuery.orderBy(asc(frames.orderId), asc(frames.position)).for('no key update');
}

/**
 * Locks an order, then all of its frames, first frame first. Until the transaction ends, no other transaction can
 * finalize, withdraw or move anything of them. For an add-on order, it also locks the order that contains the frame,
 * with all its frames, and returns only the frame of the add-on.
 */
export async function lockFramesOf(tx: Db, orderId: string): Promise<{ order: Order; lockedFrames: Frame[] }> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Refusal('not-found');
  if (order.frameId !== null) {
    const framesOrderId = (await findFrameById(tx, order.frameId))!.orderId;
    const { lockedFrames } = await lockFramesOf(tx, framesOrderId);
    return { order, lockedFrames: lockedFrames.filter((it) => it.id === order.frameId) };
  }
  const framesQuery = tx.select().from(frames).where(eq(frames.orderId, orderId)).orderBy(asc(frames.position));
  return { order, lockedFrames: await framesQuery.for('no key update') };
}
/**
 * Locks these orders with their frames. All transactions lock in the same sequence, so that they cannot deadlock:
 * add-on orders first, then orders with frames, each in id order. Returns the orders with frames.
 */
export async function lockOrdersWithFrames(tx: Db, orders: Order[]): Promise<{ order: Order; frames: Frame[] }[]> {
  const sortedOrders = orders.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id } of sortedOrders.filter((it) => it.frameId !== null)) await lockOrder(tx, id);
  const ordersWithFrames: { order: Order; frames: Frame[] }[] = [];
  for (const { id } of sortedOrders.filter((it) => it.frameId === null)) {
    const { order, lockedFrames } = await lockFramesOf(tx, id);
    ordersWithFrames.push({ order, frames: lockedFrames });
  }
  return ordersWithFrames;
}

/**
 * The frames in which an order bought places: the frames of the order, or for an add-on order the frame that it adds
 * to.
 */
export const findFramesWithRoomOf = ({ id, frameId }: Order, db: Db): Promise<Frame[]> =>
  frameId === null ? readFramesOfOrders(db, [id]) : framesByIds(db, [frameId]);

/**
 * Starts the production of an order if none of its frames waits for photos and at least one is finalized. The caller
 * has just closed a frame and has locked the order. So if two transactions close the last two frames, the second one
 * sees the change of the first.
 */
export async function startProductionIfReady(tx: Db, clock: Clock, orderId: string): Promise<void> {
  const allFrames = await readFramesOfOrders(tx, [orderId]);
  if (allFrames.some((it) => it.finalizedAt !== null) && !allFrames.some(isOrderWaitingFor))
    await startProcessing(tx, clock, orderId);
}

/**
 * Closes a frame for good, because its order was canceled. The caller has locked its row. A frame that has videos stays
 * with its customer, and counts as delivered. Any other frame becomes inactive; its photos stay.
 */
export async function closeCanceledFrame(tx: Db, clock: Clock, frame: Frame, hasVideos: boolean): Promise<void> {
  await tx
    .update(frames)
    .set({
      isActive: hasVideos,
      reopenedAt: null,
      proofEndsAt: null,
      // A frame without videos is no longer in production.
      ...(!hasVideos && {
        finalizedAt: sql`case when ${frames.videosReadyAt} is null then null else ${frames.finalizedAt} end`,
      }),
    })
    .where(eq(frames.id, frame.id));
  if (hasVideos) await markVideosReady(tx, clock, frame.id);
}

/**
 * Records that the frame's customer has said in which photos people must not move. The caller has locked the frame's
 * row.
 */
export const recordStillQuestionAnswered = (tx: Db, clock: Clock, frameId: string) =>
  tx.update(frames).set({ stillAnsweredAt: clock.now() }).where(eq(frames.id, frameId));

/** The moment `keptYears` years after `moment`, when a retention for years ends. */
export function computeLongRetentionEndAfter(moment: Date): Date {
  const retentionEnd = new Date(moment);
  retentionEnd.setUTCFullYear(retentionEnd.getUTCFullYear() + lifetimes.keptYears);
  return retentionEnd;
}
/**
 * An end of retention that is further away than this means that the customer wants the frame kept for years. All other
 * postponed ends are nearer: after a late warning, after the customer no longer wants years, or for a gift.
 */
const maxPostponedDays = limits.giftShipDays + lifetimes.deliveryDays + 1;

/**
 * Marks the videos of a frame as ready. Of several concurrent calls, only the first returns true. A frame that the
 * customer already keeps for years is kept for years again, including its new videos.
 *
 * @param keptUntil the earliest end of the retention
 */
export async function markVideosReady(tx: Db, clock: Clock, frameId: string, keptUntil?: Date): Promise<boolean> {
  const now = clock.now();
  const longRetentionThreshold = new Date(now.getTime() + maxPostponedDays * 86_400_000).toISOString();
  const markedFrame = await tx
    .update(frames)
    .set({
      videosReadyAt: now,
      proofEndsAt: null,
      keptUntil: sql`case when ${frames.keptUntil} > ${longRetentionThreshold}::timestamptz then ${computeLongRetentionEndAfter(now).toISOString()}::timestamptz
        else greatest(${frames.keptUntil}, ${keptUntil?.toISOString() ?? null}::timestamptz) end`,
    })
    .where(and(eq(frames.id, frameId), isNull(frames.videosReadyAt)))
    .returning({ id: frames.id });
  return markedFrame.length > 0;
}

/**
 * Starts a round of the proof, in which the customer can check the videos until `endsAt`. Returns the number of the
 * round.
 */
export async function openProofRound(tx: Db, frameId: string, endsAt: Date): Promise<number> {
  const [proofRow] = await tx
    .update(frames)
    .set({ proofRound: sql`${frames.proofRound} + 1`, proofEndsAt: endsAt })
    .where(eq(frames.id, frameId))
    .returning({ round: frames.proofRound });
  return proofRow!.round;
}
/** Suspends the proof while a video is made again. When the video is ready, the customer gets a new period to check. */
export const pauseProof = (tx: Db, frameId: string) =>
  tx.update(frames).set({ proofEndsAt: null }).where(eq(frames.id, frameId));

/**
 * At most `limit` frames whose proof has ended, the longest ended first. `isAmong` limits the frames that are searched.
 */
export const findFramesWithEndedProof = (
  db: Db,
  now: Date,
  limit: number,
  isAmong: (frameId: SQLWrapper, orderId: SQLWrapper) => SQL,
): Promise<{ id: string }[]> =>
  db
    .select({ id: frames.id })
    .from(frames)
    .where(and(lte(frames.proofEndsAt, now), isAmong(frames.id, frames.orderId)))
    .orderBy(asc(frames.proofEndsAt))
    .limit(limit);

/**
 * At most `limit` finalized frames whose videos are not ready, the first finalized first. `isAmong` limits the frames
 * that are searched.
 */
export const findFramesNotReady = (
  db: Db,
  limit: number,
  isAmong: (frameId: SQLWrapper, orderId: SQLWrapper, proofEndsAt: SQLWrapper) => SQL,
): Promise<{ id: string }[]> =>
  db
    .select({ id: frames.id })
    .from(frames)
    .where(
      and(
        isNotNull(frames.finalizedAt),
        isNull(frames.videosReadyAt),
        isAmong(frames.id, frames.orderId, frames.proofEndsAt),
      ),
    )
    .orderBy(asc(frames.finalizedAt), asc(frames.id))
    .limit(limit);

/**
 * Saves the connection details of a frame. This is allowed at any time, because the frame may arrive long after its
 * photos. The frame is pending until staff connect it. Details that are not given do not change. Refuses if no videos
 * are left to put on the frame. Also refuses if the order no longer belongs to this customer, which can change while a
 * picture is read.
 */
export async function saveConnection(
  { db, clock }: { db: Db; clock: Clock },
  { id, orderId }: Pick<Frame, 'id' | 'orderId'>,
  customerId: string,
  connection: {
    invitationCode?: string | undefined;
    /** The invitation code that was read from the QR picture. It never replaces a code that is already saved. */
    codeInQr?: string | undefined;
    qrPhotoKey?: string | undefined;
  },
): Promise<Frame> {
  return db.transaction(async (tx) => {
    if ((await lockCustomerIdOfOrder(tx, orderId)) !== customerId) throw new Refusal('not-found');
    const [saved] = await tx
      .update(frames)
      .set({
        connectionStatus: 'pending',
        connectionSince: clock.now(),
        ...(connection.codeInQr !== undefined && {
          invitationCode: sql`coalesce(${frames.invitationCode}, ${connection.codeInQr})`,
        }),
        ...(connection.invitationCode !== undefined && { invitationCode: connection.invitationCode }),
        ...(connection.qrPhotoKey !== undefined && { qrPhotoKey: connection.qrPhotoKey }),
      })
      .where(
        and(eq(frames.id, id), eq(frames.isActive, true), or(isNull(frames.erasedAt), isNotNull(frames.reopenedAt))),
      )
      .returning();
    if (saved) {
      await recordOrderEvent(tx, clock, orderId, 'connection', `Connection details saved for ${saved.name}.`);
      return saved;
    }
    const frame = await findFrameById(tx, id);
    throw frame && isErased(frame) ? new Refusal('frame-erased') : createFrameRefusal(frame);
  });
}
/** Whether the videos of the frame were delivered and erased, and no other videos will follow. */
export const isErased = ({ erasedAt, reopenedAt }: Frame) => erasedAt !== null && reopenedAt === null;

/**
 * Records what staff did with a frame in the cloud of its manufacturer: whether they connected it and put the videos on
 * it. A delivered frame counts as connected. A frame that is not connected is pending again if its customer has saved
 * connection details.
 */
export async function recordCloudState(
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
    const changes = describeCloudChanges(before, noted).join(', ');
    if (changes) await recordOrderEvent(tx, clock, noted.orderId, 'connection', `${noted.name}: ${changes}.`);
    return { before, after: noted };
  });
}

/** Describes the changes between two states of a frame, for the history of its order. */
function describeCloudChanges(before: Frame, after: Frame): string[] {
  const isConnected = ({ connectionStatus }: Frame) => connectionStatus === 'connected';
  const changes: [then: boolean, now: boolean, done: string, undone: string][] = [
    [isConnected(before), isConnected(after), 'connected', 'not connected after all'],
    [before.deliveredAt !== null, after.deliveredAt !== null, 'the videos are on it', 'the videos are not on it yet'],
  ];
  return changes.flatMap(([then, now, done, undone]) => (then === now ? [] : [now ? done : undone]));
}

/** Whether a frame names this QR picture and `isAllowed` permits its order. */
export async function hasQrPhoto(
  db: Db,
  qrPhotoKey: string,
  isAllowed: (orderId: SQLWrapper) => SQL,
): Promise<boolean> {
  const foundRows = await db
    .select({ id: frames.id })
    .from(frames)
    .where(and(eq(frames.qrPhotoKey, qrPhotoKey), isAllowed(frames.orderId)));
  return foundRows.length > 0;
}

export const qrPhotoFiles: NamedFiles = {
  folders: ['connections/'],
  async selectNamed(db, keys) {
    const rows = await db.select({ key: frames.qrPhotoKey }).from(frames).where(inArray(frames.qrPhotoKey, keys));
    return new Set(rows.flatMap((it) => it.key ?? []));
  },
  async listNamedFrom(db, name, limit) {
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
