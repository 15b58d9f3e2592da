import { and, asc, desc, eq, gt, inArray, lt, not, sql } from 'drizzle-orm';
import { dayAfter, toShopDay, dayText, endOfDay } from '#contract/calendar.ts';
import type { CollectState } from '#contract/collect.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { newId } from '../columns.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { findFrameById, lockFrame, isFinalized, refuseIfLocked, freeSlotsOf, type Frame } from '../frames/frames.ts';
import { countMailsOfLastHour, queueMail } from '../mail/mail.ts';
import { lockCustomerIdOfOrder, lockOrderForShare, findOrderById, type Order } from '../orders/orders.ts';
import { endLinkAndArrivals, type ArrivalTarget } from '../photos/arrivals.ts';
import { addPhotoTo, type ReceivedFile } from '../photos/add-photo.ts';
import { deletePhoto, changePhotoSettings } from '../photos/edit-photo.ts';
import { findPhotoById, readPhotosOfContributors, type PhotoScope, type Upload } from '../photos/photos.ts';
import { toNetworkPrefix } from '../networks.ts';
import { contributedPhotoCondition, waitingPhotoCondition } from '../photos/waiting-photos.ts';
import { computeSecondsUntil, type Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { readVideosOfUploads } from '../production/production.ts';
import { hashToken, issueToken, findValidTokens, readToken, revokeTokens } from '../tokens/tokens.ts';
import { collectLinks, contributors, type CollectLink, type Contributor } from './collect-links.sql.ts';

export type { CollectLink, Contributor } from './collect-links.sql.ts';

// A link that invites family and friends: each visitor adds photos to one frame under a first name. The customer
// accepts each photo before the frame is finalized (docs/decisions/0041-collect-links.md).

interface LinkScope {
  db: Db;
  clock: Clock;
}

/** A collect link with its frame and order. */
export interface CollectLinkWithOrder {
  link: CollectLink;
  frame: Frame;
  order: Order;
}

export function collectLinkStateOf(
  { link, frame }: Pick<CollectLinkWithOrder, 'link' | 'frame'>,
  now: Date,
): CollectState {
  if (isFinalized(frame)) return 'finalized';
  if (!frame.isActive || link.endsAt <= now) return 'ended';
  if (link.pausedAt !== null) return 'paused';
  return freeSlotsOf(frame) > 0 ? 'open' : 'full';
}

// The functions for the customer.

/** The latest collect link of a frame. It may have ended. */
export async function collectLinkOf(db: Db, frameId: string): Promise<CollectLink | undefined> {
  const [latest] = await db
    .select()
    .from(collectLinks)
    .where(eq(collectLinks.frameId, frameId))
    .orderBy(desc(collectLinks.createdAt), desc(collectLinks.id))
    .limit(1);
  return latest;
}

/**
 * Create a collect link for the customer's own frame. A frame has only one open link at a time. Returns the path of the
 * link. It is stored only as a hash, so it cannot be shown again; `issueCollectLinkPath` creates another path.
 */
export async function makeCollectLink(
  { db, clock }: LinkScope,
  { id: frameId, orderId }: Pick<Frame, 'id' | 'orderId'>,
  customerId: string,
  { name, lastDay }: { name: string; lastDay: string },
): Promise<string> {
  const now = clock.now();
  const today = toShopDay(now);
  const latestDay = dayAfter(today, lifetimes.collectLinkDays);
  if (lastDay < today || lastDay > latestDay) throw new Refusal('collect-day-outside', { day: dayText(latestDay) });
  return db.transaction(async (tx) => {
    if ((await lockCustomerIdOfOrder(tx, orderId)) !== customerId) throw new Refusal('not-found');
    refuseIfLocked(await lockFrame(tx, frameId)); // simultaneous requests then run one after another
    const lastLink = await collectLinkOf(tx, frameId);
    if (lastLink && lastLink.endsAt > now) throw new Refusal('collect-link-open');
    const [link] = await tx
      .insert(collectLinks)
      .values({ id: newId(), frameId, name, endsAt: endOfDay(lastDay), createdAt: now })
      .returning();
    return issueCollectLinkPath(tx, clock, link!);
  });
}

/** Create a new address for a link. Only hashes of addresses are stored, so an old address cannot be shown again. */
export async function issueCollectLinkPath(tx: Db, clock: Clock, link: CollectLink): Promise<string> {
  await lockLink(tx, clock, link.id, 'no key update'); // so that simultaneous requests cannot exceed the limit
  const validLinkTokens = await findValidTokens(tx, 'collect', link.id);
  for (const { id } of validLinkTokens.slice(
    0,
    Math.max(0, validLinkTokens.length + 1 - limits.addressesPerCollectLink),
  ))
    await revokeTokens(tx, clock, 'collect', link.id, id);
  return `/collect/${await issueToken(tx, clock, { purpose: 'collect', subjectId: link.id, seconds: secondsUntilEnd(link, clock) })}`;
}
const secondsUntilEnd = ({ endsAt }: CollectLink, clock: Clock) =>
  computeSecondsUntil(clock, endsAt) + lifetimes.collectEndedDays * 86_400;

/** Mail an invitation with the customer's collect link to an email address, at most once a day per address. */
export async function mailCollectLink(
  { db, clock, jobs }: LinkScope & { jobs: Jobs },
  { link, frame }: Pick<CollectLinkWithOrder, 'link' | 'frame'>,
  customerId: string,
  email: string,
): Promise<void> {
  const eventPrefix = `collect-link:${link.id}:`;
  await db.transaction(async (tx) => {
    await lockLink(tx, clock, link.id, 'share');
    const order = await lockOrderForShare(tx, frame.orderId);
    if (order?.customerId !== customerId) throw new Refusal('not-found');
    await lockFrame(tx, frame.id); // so that simultaneous requests cannot exceed the limit
    if ((await countMailsOfLastHour(tx, clock, eventPrefix)) >= limits.collectInvitations)
      throw new Refusal('too-many-invitations');
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `${eventPrefix}${toShopDay(clock.now())}:${hashToken(email)}`,
        to: email,
        content: {
          kind: 'collect-link',
          customerFirstName: order.firstName,
          collectionName: link.name,
          collectUrl: { link: 'collect', subjectId: link.id, until: link.endsAt.toISOString() },
        },
      },
    );
  });
}

export async function pauseCollectLink({ db, clock }: LinkScope, id: string, isPaused: boolean): Promise<void> {
  await db
    .update(collectLinks)
    .set({ pausedAt: isPaused ? clock.now() : null })
    .where(eq(collectLinks.id, id));
}

/**
 * End a link. Its photos stay, and contributors can still see their own photos. Incomplete uploads (arrivals) are
 * deleted.
 */
export async function endCollectLink(scope: Pick<PhotoScope, 'db' | 'clock' | 'storage'>, id: string): Promise<void> {
  await endLinkAndArrivals(scope, async (tx) => {
    await tx
      .update(collectLinks)
      .set({ endsAt: sql`least(${collectLinks.endsAt}, ${scope.clock.now().toISOString()})` })
      .where(eq(collectLinks.id, id));
    const contributorRows = await tx
      .select({ id: contributors.id })
      .from(contributors)
      .where(eq(contributors.linkId, id));
    return { guestIds: contributorRows.map((it) => it.id) };
  });
}

export async function collectLinkIdsOf(db: Db, frameIds: string[]): Promise<string[]> {
  const isOfFrames = inArray(collectLinks.frameId, frameIds);
  const links = await db.select({ id: collectLinks.id }).from(collectLinks).where(isOfFrames);
  return links.map((it) => it.id);
}
/** Lock the collect links of these frames, in id order. Lock a link before its frame, to avoid deadlocks. */
export async function lockCollectLinks(tx: Db, frameIds: string[]): Promise<void> {
  const links = tx.select({ id: collectLinks.id }).from(collectLinks).where(inArray(collectLinks.frameId, frameIds));
  await links.orderBy(asc(collectLinks.id)).for('update');
}
/**
 * End all open collect links of these frames. The caller has locked the links. Returns their number. Photos stay;
 * incomplete uploads are deleted by the caller.
 */
export async function endCollectLinksOf(tx: Db, clock: Clock, frameIds: string[]): Promise<number> {
  const now = clock.now();
  const endedRows = await tx
    .update(collectLinks)
    .set({ endsAt: now })
    .where(and(inArray(collectLinks.frameId, frameIds), gt(collectLinks.endsAt, now)))
    .returning({ id: collectLinks.id });
  return endedRows.length;
}
/** The number of open collect links of these frames. */
export const countCollectLinks = (db: Db, clock: Clock, frameIds: string[]): Promise<number> =>
  db.$count(collectLinks, and(inArray(collectLinks.frameId, frameIds), gt(collectLinks.endsAt, clock.now())));
/** Delete the collect links of a frame, with the names of their contributors. */
export const removeCollectLinks = (tx: Db, frameId: string) =>
  tx.delete(collectLinks).where(eq(collectLinks.frameId, frameId));

/**
 * The contributors of all collect links of a frame, with their photos. Contributors without photos are missing, and so
 * are those whose names were deleted after some time.
 */
export async function readContributions(
  db: Db,
  frameId: string,
): Promise<{ contributor: Contributor; photos: Upload[] }[]> {
  const contributorRows = await db
    .select({ contributor: contributors })
    .from(contributors)
    .innerJoin(collectLinks, eq(contributors.linkId, collectLinks.id))
    .where(eq(collectLinks.frameId, frameId))
    .orderBy(asc(contributors.createdAt), asc(contributors.id));
  const photos = await readPhotosOfContributors(
    db,
    contributorRows.map(({ contributor }) => contributor.id),
  );
  return contributorRows.flatMap(({ contributor }) => {
    const ownPhotos = photos.filter((it) => it.contributorId === contributor.id);
    return ownPhotos.length > 0 ? { contributor, photos: ownPhotos } : [];
  });
}

/** First names by contributor id. Contributors whose names were deleted are missing. */
export async function readContributorNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const contributorRows = await db
    .select({ id: contributors.id, firstName: contributors.firstName })
    .from(contributors)
    .where(inArray(contributors.id, ids));
  return new Map(contributorRows.map(({ id, firstName }) => [id, firstName]));
}

// The functions for contributors.

/** Read the collect link of a token. Undefined if the token is unknown or expired. */
export async function readCollectLinkWithOrder(db: Db, token: string): Promise<CollectLinkWithOrder | undefined> {
  const foundToken = await readToken(db, 'collect', token);
  if (!foundToken) return undefined;
  const [link] = await db.select().from(collectLinks).where(eq(collectLinks.id, foundToken.subjectId));
  const frame = link && (await findFrameById(db, link.frameId));
  const order = frame && (await findOrderById(db, frame.orderId));
  return order && { link, frame, order };
}

/** The contributor of a cookie's token, if it belongs to this link. */
export async function readContributor(db: Db, linkId: string, token: string): Promise<Contributor | undefined> {
  const foundToken = await readToken(db, 'contributor', token);
  if (!foundToken) return undefined;
  const [validLinkTokens] = await db
    .select()
    .from(contributors)
    .where(and(eq(contributors.id, foundToken.subjectId), eq(contributors.linkId, linkId)));
  return validLinkTokens;
}

/** Add a contributor to a link. Returns the token for the browser's cookie, and its lifetime in seconds. */
export async function addContributor(
  { db, clock }: LinkScope,
  { link, frame }: CollectLinkWithOrder,
  { firstName, address }: { firstName: string; address: string },
) {
  const state = collectLinkStateOf({ link, frame }, clock.now());
  if (state !== 'open' && state !== 'full') throw new Refusal(`collect-${state}`);
  const seconds = secondsUntilEnd(link, clock);
  const token = await db.transaction(async (tx) => {
    await refuseUnlessCollecting(tx, clock, link.id);
    await lockFrame(tx, frame.id);
    await refuseIfCrowded(tx, link.id);
    // Limit the names without photos per network, so that one network cannot use up a link's contributors.
    const networkHash = hashToken(`${link.id} ${toNetworkPrefix(address)}`);
    const isNameWithoutPhoto = and(
      eq(contributors.networkHash, networkHash),
      not(contributedPhotoCondition(contributors.id)),
    );
    const nameCount = await tx.$count(contributors, and(eq(contributors.linkId, link.id), isNameWithoutPhoto));
    if (nameCount >= limits.namesPerAddress) throw new Refusal('too-many-contributors');
    const id = newId();
    await tx.insert(contributors).values({ id, linkId: link.id, firstName, networkHash, createdAt: clock.now() });
    return issueToken(tx, clock, { purpose: 'contributor', subjectId: id, seconds });
  });
  return { token, seconds };
}

/**
 * Postpone the deletion of a contributor's name while their first photo is added. Refuses if the name is already
 * deleted.
 */
async function extendNameRetention(tx: Db, clock: Clock, id: string): Promise<void> {
  const now = clock.now();
  const halfIdleTimeAgo = new Date(now.getTime() - (lifetimes.idleNameHours / 2) * 3_600_000);
  await tx
    .update(contributors)
    .set({ createdAt: now })
    .where(
      and(
        eq(contributors.id, id),
        lt(contributors.createdAt, halfIdleTimeAgo),
        not(contributedPhotoCondition(contributors.id)),
      ),
    );
  const [validLinkTokens] = await tx.select({ id: contributors.id }).from(contributors).where(eq(contributors.id, id));
  if (!validLinkTokens) throw new Refusal('first-name-needed');
}

/**
 * Refuse more contributors with photos than the limit. The caller has locked the frame, so that simultaneous first
 * photos cannot exceed the limit.
 */
async function refuseIfCrowded(tx: Db, linkId: string): Promise<void> {
  const helperCount = await tx.$count(
    contributors,
    and(eq(contributors.linkId, linkId), contributedPhotoCondition(contributors.id)),
  );
  if (helperCount >= limits.contributorsPerLink) throw new Refusal('too-many-contributors');
}

export const renameContributor = (db: Db, id: string, firstName: string) =>
  db.update(contributors).set({ firstName }).where(eq(contributors.id, id));

export const readPhotosOfContributor = (db: Db, { id }: Contributor): Promise<Upload[]> =>
  readPhotosOfContributors(db, [id]);

/**
 * The destination of a contributor's photos. Each photo takes a place in the frame, like any photo, and waits until the
 * customer accepts it.
 */
export const createTargetOfContributor = (
  clock: Clock,
  collecting: CollectLinkWithOrder,
  { id: contributorId }: Contributor,
): ArrivalTarget => ({
  frames: [collecting.frame],
  keysOf: contributorId,
  // The photos of one sender are processed one after another. All contributors of a link count as one sender. Otherwise
  // a person could get faster processing with many made-up names.
  sender: collecting.link.id,
  guestId: contributorId,
  contributorId,
  async onAdd(tx) {
    await refuseUnlessCollecting(tx, clock, collecting.link.id);
    await extendNameRetention(tx, clock, contributorId);
    if (
      (await tx.$count(
        contributors,
        and(eq(contributors.id, contributorId), contributedPhotoCondition(contributors.id)),
      )) > 0
    )
      return;
    await lockFrame(tx, collecting.frame.id);
    await refuseIfCrowded(tx, collecting.link.id);
  },
  reword: (error) => rewordRefusal(error, collectLinkStateOf(collecting, clock.now())),
});
export const addContributedPhoto = (
  scope: PhotoScope,
  collecting: CollectLinkWithOrder,
  contributor: Contributor,
  file: ReceivedFile,
  key?: string,
): Promise<Upload> => addPhotoTo(scope, createTargetOfContributor(scope.clock, collecting, contributor), file, key);

/**
 * Write the title of a contributor's own photo, or remove it with an empty text. After the customer has accepted the
 * photo, only the customer changes its title.
 */
export async function setContributionCaption(
  scope: PhotoScope,
  { id }: Contributor,
  photoId: string,
  caption: string,
): Promise<Upload> {
  const upload = await findPhotoById(scope.db, photoId);
  if (!upload || upload.contributorId !== id) throw new Refusal('not-found');
  // Called while the frame is locked, which accepting also locks.
  const isLocked = async (tx: Db) => {
    if ((await readVideosOfUploads(tx, [upload.id])).length > 0) return true;
    if ((await findPhotoById(tx, upload.id))?.waitingSince === null) throw new Refusal('photo-accepted');
    return false;
  };
  return changePhotoSettings(scope, upload, { caption }, isLocked).catch((error: unknown) => {
    throw error instanceof Refusal ? rewordRefusal(error) : error;
  });
}

/** Delete a contributor's own photo, even an accepted one, as long as it is not finalized. */
export async function deleteOwnContribution(scope: PhotoScope, { id }: Contributor, photoId: string): Promise<void> {
  const upload = await findPhotoById(scope.db, photoId);
  if (!upload || upload.contributorId !== id) throw new Refusal('not-found');
  const isLocked = async (tx: Db) => (await readVideosOfUploads(tx, [upload.id])).length > 0;
  await deletePhoto(scope, upload, isLocked).catch((error: unknown) => {
    throw error instanceof Refusal ? rewordRefusal(error) : error;
  });
}

/**
 * Refuse if the link is paused or ended. Locks the link's row. So a request that pauses or ends the link waits for
 * photos that are being added, and later photos are refused.
 */
async function refuseUnlessCollecting(tx: Db, clock: Clock, linkId: string): Promise<void> {
  const link = await lockLink(tx, clock, linkId, 'share');
  if (link.pausedAt !== null) throw new Refusal('collect-paused');
}

/** Lock a link that has not ended, until the transaction ends. Lock it before its order and frame. */
async function lockLink(tx: Db, clock: Clock, id: string, how: 'share' | 'no key update'): Promise<CollectLink> {
  const [link] = await tx.select().from(collectLinks).where(eq(collectLinks.id, id)).for(how);
  if (!link || link.endsAt <= clock.now()) throw new Refusal('collect-ended');
  return link;
}

/** Replace refusals that mention packages or support, which do not concern contributors. */
function rewordRefusal(error: Refusal, state: CollectState = 'open'): Refusal {
  if (error.code === 'photo-limit-reached') return new Refusal(state === 'open' ? 'collect-full' : `collect-${state}`);
  if (error.code === 'frame-finalized') return new Refusal('collect-finalized');
  return error.code === 'frame-refunded' ? new Refusal('collect-ended') : error;
}

/**
 * Delete links that ended long ago, with the names of their contributors. Their photos stay. A link with a waiting
 * photo is kept, because the customer needs the name to decide about the photo.
 */
export const deleteOldCollectLinks = deleteOldRows(
  collectLinks,
  collectLinks.id,
  collectLinks.endsAt,
  sql`not exists (select from ${contributors}
    where ${contributors.linkId} = ${collectLinks.id} and ${waitingPhotoCondition(contributors.id)})`,
);

/** Delete contributors who added no photos. They must enter a first name again. */
export const deleteNamesWithoutPhotos = deleteOldRows(
  contributors,
  contributors.id,
  contributors.createdAt,
  not(contributedPhotoCondition(contributors.id)),
);
