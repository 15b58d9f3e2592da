import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { dayAfter, dayOf, dayWords, endOfDay } from '#contract/calendar.ts';
import type { CollectState } from '#contract/collect.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { newId } from '../columns.ts';
import { forgetRows } from '../forget.ts';
import { frameById, holdFrame, isFinalized, refuseIfLocked, remainingOf, type Frame } from '../frames/frames.ts';
import { countLastHour, queueMail } from '../mail/mail.ts';
import { holdOrderOf, keepBuyerOf, orderById, type Order } from '../orders/orders.ts';
import { endWithArrivals, type ArrivalPlace } from '../photos/arrivals.ts';
import {
  addPhotoTo,
  deletePhoto,
  photoById,
  photosOfContributors,
  type ReceivedFile,
  type Upload,
} from '../photos/photos.ts';
import { isAwaitedOf } from '../photos/waiting.ts';
import { secondsUntil, type Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Imaging } from '../ports/imaging.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { videosOfUploads } from '../production/production.ts';
import { hashOf, issueToken, livingTokens, readToken, revokeTokens } from '../tokens/tokens.ts';
import { collectLinks, contributors, type CollectLink, type Contributor } from './collect-links.sql.ts';

export type { CollectLink, Contributor } from './collect-links.sql.ts';

// A customer's call to the family: whoever has the link adds photos to one frame, under a first name. The customer
// accepts each before the frame is finalized (docs/decisions/collect-links.md).

interface LinkScope {
  db: Db;
  clock: Clock;
}
type PhotosScope = LinkScope & { imaging: Imaging; storage: Storage; workFolder: string };

/** What a collect link's token opens. */
export interface Collecting {
  link: CollectLink;
  frame: Frame;
  order: Order;
}

export function stateOf({ link, frame }: Pick<Collecting, 'link' | 'frame'>, now: Date): CollectState {
  if (isFinalized(frame)) return 'finalized';
  if (!frame.isActive || link.endsAt <= now) return 'ended';
  if (link.pausedAt !== null) return 'paused';
  return remainingOf(frame) > 0 ? 'open' : 'full';
}

// The customer's half.

/** The latest of a frame; it may have ended. */
export async function collectLinkOf(db: Db, frameId: string): Promise<CollectLink | undefined> {
  const [latest] = await db
    .select()
    .from(collectLinks)
    .where(eq(collectLinks.frameId, frameId))
    .orderBy(desc(collectLinks.createdAt), desc(collectLinks.id))
    .limit(1);
  return latest;
}

/** One link a frame of one's own at a time. Answers its path, which is told once; `addressOf` tells others. */
export async function makeCollectLink(
  { db, clock }: LinkScope,
  { id: frameId, orderId }: Pick<Frame, 'id' | 'orderId'>,
  customerId: string,
  { name, lastDay }: { name: string; lastDay: string },
): Promise<string> {
  const now = clock.now();
  const today = dayOf(now);
  const latest = dayAfter(today, lifetimes.collectLinkDays);
  if (lastDay < today || lastDay > latest) throw new Refusal('collect-day-outside', { day: dayWords(latest) });
  return db.transaction(async (tx) => {
    if ((await holdOrderOf(tx, orderId)) !== customerId) throw new Refusal('not-found');
    refuseIfLocked(await holdFrame(tx, frameId)); // of two made at once, one is first
    const last = await collectLinkOf(tx, frameId);
    if (last && last.endsAt > now) throw new Refusal('collect-link-open');
    const [link] = await tx
      .insert(collectLinks)
      .values({ id: newId(), frameId, name, endsAt: endOfDay(lastDay), createdAt: now })
      .returning();
    return addressOf(tx, clock, link!);
  });
}

/** A new address of a link: only hashes are kept, so an old one cannot be told again. */
export async function addressOf(tx: Db, clock: Clock, link: CollectLink): Promise<string> {
  await holdLink(tx, clock, link.id, 'no key update'); // what is told at once is counted
  const known = await livingTokens(tx, 'collect', link.id);
  for (const { id } of known.slice(0, Math.max(0, known.length + 1 - limits.addressesPerCollectLink)))
    await revokeTokens(tx, clock, 'collect', link.id, id);
  return `/collect/${await issueToken(tx, clock, { purpose: 'collect', subjectId: link.id, seconds: knownFor(link, clock) })}`;
}
const knownFor = ({ endsAt }: CollectLink, clock: Clock) =>
  secondsUntil(clock, endsAt) + lifetimes.collectEndedDays * 86_400;

/** Send a link of one's own to somebody, once a day and mailbox. */
export async function mailCollectLink(
  { db, clock, jobs }: LinkScope & { jobs: Jobs },
  { link, frame }: Pick<Collecting, 'link' | 'frame'>,
  customerId: string,
  email: string,
): Promise<void> {
  const begins = `collect-link:${link.id}:`;
  await db.transaction(async (tx) => {
    await holdLink(tx, clock, link.id, 'share');
    const order = await keepBuyerOf(tx, frame.orderId);
    if (order?.customerId !== customerId) throw new Refusal('not-found');
    await holdFrame(tx, frame.id); // what goes out at once is counted
    if ((await countLastHour(tx, clock, begins)) >= limits.collectInvitations)
      throw new Refusal('too-many-invitations');
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `${begins}${dayOf(clock.now())}:${hashOf(email)}`,
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

/** What it brought stays, and whoever brought it may still look at it; what is half sent goes. */
export async function endCollectLink(scope: Pick<PhotosScope, 'db' | 'clock' | 'storage'>, id: string): Promise<void> {
  await endWithArrivals(scope, async (tx) => {
    await tx
      .update(collectLinks)
      .set({ endsAt: sql`least(${collectLinks.endsAt}, ${scope.clock.now().toISOString()})` })
      .where(eq(collectLinks.id, id));
    const people = await tx.select({ id: contributors.id }).from(contributors).where(eq(contributors.linkId, id));
    return { guestIds: people.map((it) => it.id) };
  });
}

export async function collectLinkIdsOf(db: Db, frameIds: string[]): Promise<string[]> {
  const those = inArray(collectLinks.frameId, frameIds);
  const links = await db.select({ id: collectLinks.id }).from(collectLinks).where(those);
  return links.map((it) => it.id);
}
/** Whoever adds by these frames' links, or ends one, holds it before the frame. */
export async function holdCollectLinks(tx: Db, frameIds: string[]): Promise<void> {
  const links = tx.select({ id: collectLinks.id }).from(collectLinks).where(inArray(collectLinks.frameId, frameIds));
  await links.orderBy(asc(collectLinks.id)).for('update');
}
/** No link calls for photos of this frame any more, and who answered is forgotten. */
export const removeCollectLinks = (tx: Db, frameId: string) =>
  tx.delete(collectLinks).where(eq(collectLinks.frameId, frameId));

/** Who brought photos to a frame, through whichever link, with these. Names are forgotten in time, and their photos not. */
export async function contributionsTo(
  db: Db,
  frameId: string,
): Promise<{ contributor: Contributor; photos: Upload[] }[]> {
  const people = await db
    .select({ contributor: contributors })
    .from(contributors)
    .innerJoin(collectLinks, eq(contributors.linkId, collectLinks.id))
    .where(eq(collectLinks.frameId, frameId))
    .orderBy(asc(contributors.createdAt), asc(contributors.id));
  const photos = await photosOfContributors(
    db,
    people.map(({ contributor }) => contributor.id),
  );
  return people.flatMap(({ contributor }) => {
    const own = photos.filter((it) => it.contributorId === contributor.id);
    return own.length > 0 ? { contributor, photos: own } : [];
  });
}

/** First names by contributor, of those that are still known. */
export async function namesOfContributors(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const people = await db
    .select({ id: contributors.id, firstName: contributors.firstName })
    .from(contributors)
    .where(inArray(contributors.id, ids));
  return new Map(people.map(({ id, firstName }) => [id, firstName]));
}

// The family's half.

/** Undefined where nothing of this token is known, or no longer. */
export async function readCollecting(db: Db, token: string): Promise<Collecting | undefined> {
  const read = await readToken(db, 'collect', token);
  if (!read) return undefined;
  const [link] = await db.select().from(collectLinks).where(eq(collectLinks.id, read.subjectId));
  const frame = link && (await frameById(db, link.frameId));
  const order = frame && (await orderById(db, frame.orderId));
  return order && { link, frame, order };
}

/** Who a cookie says that somebody is, at this link. */
export async function readContributor(db: Db, linkId: string, token: string): Promise<Contributor | undefined> {
  const read = await readToken(db, 'contributor', token);
  if (!read) return undefined;
  const [known] = await db
    .select()
    .from(contributors)
    .where(and(eq(contributors.id, read.subjectId), eq(contributors.linkId, linkId)));
  return known;
}

/** Answers the token by which this browser is known from now on, and for how many seconds. */
export async function joinCollecting({ db, clock }: LinkScope, { link, frame }: Collecting, firstName: string) {
  const state = stateOf({ link, frame }, clock.now());
  if (state !== 'open' && state !== 'full') throw new Refusal(`collect-${state}`);
  const seconds = knownFor(link, clock);
  const token = await db.transaction(async (tx) => {
    await refuseUnlessCollecting(tx, clock, link.id);
    await holdFrame(tx, frame.id);
    if ((await tx.$count(contributors, eq(contributors.linkId, link.id))) >= limits.contributorsPerLink)
      throw new Refusal('too-many-contributors');
    const id = newId();
    await tx.insert(contributors).values({ id, linkId: link.id, firstName, createdAt: clock.now() });
    return issueToken(tx, clock, { purpose: 'contributor', subjectId: id, seconds });
  });
  return { token, seconds };
}

export const renameContributor = (db: Db, id: string, firstName: string) =>
  db.update(contributors).set({ firstName }).where(eq(contributors.id, id));

export const photosOfContributor = (db: Db, { id }: Contributor): Promise<Upload[]> => photosOfContributors(db, [id]);

/** Where a contributor's photos go: each takes a place like any photo, and waits for the customer. */
export const placeOfContributor = (
  clock: Clock,
  collecting: Collecting,
  { id: contributorId }: Contributor,
): ArrivalPlace => ({
  frames: [collecting.frame],
  keysOf: contributorId,
  // Whoever makes up names gets no more turns by them: those of one link share theirs.
  sender: collecting.link.id,
  guestId: contributorId,
  contributorId,
  admit: (tx) => refuseUnlessCollecting(tx, clock, collecting.link.id),
  kindly: (error) => kindly(error, stateOf(collecting, clock.now())),
});
export const contribute = (
  scope: PhotosScope,
  collecting: Collecting,
  contributor: Contributor,
  file: ReceivedFile,
  key?: string,
): Promise<Upload> => addPhotoTo(scope, placeOfContributor(scope.clock, collecting, contributor), file, key);

/** One's own, as long as the frame is open: also one that the customer has accepted. */
export async function takeBack(scope: PhotosScope, { id }: Contributor, photoId: string): Promise<void> {
  const upload = await photoById(scope.db, photoId);
  if (!upload || upload.contributorId !== id) throw new Refusal('not-found');
  const isLocked = async (tx: Db) => (await videosOfUploads(tx, [upload.id])).length > 0;
  await deletePhoto(scope, upload, isLocked).catch((error: unknown) => {
    throw error instanceof Refusal ? kindly(error) : error;
  });
}

/** The link's row is held: pausing and ending wait for what is being added, and what comes after them is refused. */
async function refuseUnlessCollecting(tx: Db, clock: Clock, linkId: string): Promise<void> {
  const link = await holdLink(tx, clock, linkId, 'share');
  if (link.pausedAt !== null) throw new Refusal('collect-paused');
}

/** A link that has not ended, and does not until the transaction ends. Held before its order and frame. */
async function holdLink(tx: Db, clock: Clock, id: string, how: 'share' | 'no key update'): Promise<CollectLink> {
  const [link] = await tx.select().from(collectLinks).where(eq(collectLinks.id, id)).for(how);
  if (!link || link.endsAt <= clock.now()) throw new Refusal('collect-ended');
  return link;
}

/** Guests are told nothing of packages and support; what holds longest is said first. */
function kindly(error: Refusal, state: CollectState = 'open'): Refusal {
  if (error.code === 'photo-limit-reached') return new Refusal(state === 'open' ? 'collect-full' : `collect-${state}`);
  if (error.code === 'frame-finalized') return new Refusal('collect-finalized');
  return error.code === 'frame-refunded' ? new Refusal('collect-ended') : error;
}

/**
 * Links whose end is long past, with the names of those who used them; what they brought stays. Whoever decides about a
 * photo wants to know whose it is: a link of which one waits is kept.
 */
export const forgetCollectLinks = forgetRows(
  collectLinks,
  collectLinks.id,
  collectLinks.endsAt,
  sql`not exists (select from ${contributors}
    where ${contributors.linkId} = ${collectLinks.id} and ${isAwaitedOf(contributors.id)})`,
);
