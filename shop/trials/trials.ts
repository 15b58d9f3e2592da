import { and, asc, eq, gt, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { lifetimes, limits } from '#contract/limits.ts';
import { photoTypes } from '#contract/photo-types.ts';
import { Refusal } from '#contract/refusals.ts';
import type { TrialVideoView, TrialView } from '#contract/trials.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { recordCartOfTrial, type CartPaidCondition } from '../analytics/trial-counts.ts';
import { newId } from '../columns.ts';
import { storeFilesThenRow, type NamedFiles } from '../files/files.ts';
import { queueMail } from '../mail/mail.ts';
import { toNetworkPrefix } from '../networks.ts';
import { hashSha256, withCheckedPhoto, type ReceivedFile } from '../photos/add-photo.ts';
import type { PhotoScope } from '../photos/photos.ts';
import { hasRenderWorkForOrders } from '../production/previews.ts';
import { hashToken, tokenMatchCondition, readToken } from '../tokens/tokens.ts';
import { findOrCreateBrowserToken, computeKeyedHash, computeSecondsUntilFree, reserveTrialSlot } from './slots.ts';
import { trialFiles, trials, type Trial, type TrialFile } from './trials.sql.ts';

export type { Trial } from './trials.sql.ts';

export interface TrialScope extends PhotoScope {
  /** Whether visitors can try the shop: the settings allow it, and the animator of this machine makes all videos. */
  hasTrials: (db: Db) => Promise<boolean>;
}

export const trialFolder = 'trials/';
const networkLimit = { most: limits.trialsPerNetwork, seconds: 86_400 };
const mailsPerMailbox = { most: limits.trialMails, seconds: 3600 };
const trialMailLimit = { most: limits.trialMails, seconds: 86_400 };

export const validTrialCondition = (clock: Clock) => gt(trials.endsAt, clock.now());
export const activeTrialCondition = inArray(trials.state, ['waiting', 'seeing', 'animating']);

/** The trial of the browser whose cookie contains this token. */
export async function findTrialOfBrowser(
  { db, clock }: { db: Db; clock: Clock },
  token: string | undefined,
): Promise<Trial | undefined> {
  if (token === undefined) return undefined;
  const [trial] = await db
    .select()
    .from(trials)
    .where(and(eq(trials.browserHash, hashToken(token)), validTrialCondition(clock)));
  return trial;
}

interface Visitor {
  /** The token in the cookie of the visitor's browser. */
  browserToken: string | undefined;
  /** The visitor's IP address. Undefined if the limits are off. */
  address: string | undefined;
}

/**
 * Starts a trial with a photo and puts it in line. An earlier trial of the browser ends, unless it has the same photo:
 * then nothing is started, so that two tabs with one photo make one video, and a photo can be sent again if the
 * response was lost. Returns the token for the browser's cookie.
 */
export async function startTrial(
  scope: TrialScope,
  file: ReceivedFile,
  { browserToken, address }: Visitor,
): Promise<{ trial: Trial; browserToken: string }> {
  const { db, clock, storage, jobs } = scope;
  if (!(await scope.hasTrials(db))) throw new Refusal('trial-off');
  const networkHash = address === undefined ? null : await computeKeyedHash(db, 'network', toNetworkPrefix(address));
  const token = await findOrCreateBrowserToken(db, browserToken);
  const knownTrial = await findTrialOfBrowser(scope, token);
  if (knownTrial && isSamePhoto(knownTrial, await hashSha256(file.path)))
    return { trial: knownTrial, browserToken: token };
  // An early check, so that no photo is decoded for nothing. The check in the transaction below is the final one.
  await refuseOverLimits(db, clock, networkHash);
  const trial = await withCheckedPhoto(scope, file, networkHash ?? trialFolder, async (photo) => {
    const storedId = newId();
    const storedFileOf = (kind: TrialFile['kind'], path: string, ending: string, contentType: string) => ({
      kind,
      path,
      contentType,
      key: `${trialFolder}${storedId}-${kind}.${ending}`,
    });
    const files = [
      storedFileOf('original', file.path, photoTypes[photo.mime][0], photo.mime),
      storedFileOf('display', photo.displayPath, 'jpg', 'image/jpeg'),
      storedFileOf('thumbnail', photo.thumbnailPath, 'webp', 'image/webp'),
    ];
    const recordTrial = () =>
      db.transaction(async (tx) => {
        // One trial starts at a time. This gives the waiting trials one order, and two tabs cannot start two trials.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('trials', 0))`);
        const browserHash = hashToken(token);
        const [earlier] = await tx
          .select()
          .from(trials)
          .where(and(eq(trials.browserHash, browserHash), validTrialCondition(clock)))
          .for('update');
        if (earlier && isSamePhoto(earlier, photo.sha256)) return { trial: earlier, isNew: false };
        if (earlier) await endTrial(tx, scope, earlier.id);
        // A trial whose time is over keeps the hash until it is erased.
        await tx.update(trials).set({ browserHash: null }).where(eq(trials.browserHash, browserHash));
        await refuseOverLimits(tx, clock, networkHash);
        const now = clock.now();
        if (networkHash !== null && !(await reserveTrialSlot(tx, now, networkHash, networkLimit)))
          throw await createTrialLimitRefusal(tx, clock, networkHash);
        const [started] = await tx
          .insert(trials)
          .values({
            id: newId(),
            browserHash,
            networkHash,
            state: 'waiting',
            originalFileName: photo.names,
            fileSize: file.sizeBytes,
            sha256: photo.sha256,
            width: photo.width,
            height: photo.height,
            createdAt: now,
            endsAt: new Date(now.getTime() + lifetimes.trialHours * 3_600_000),
          })
          .returning();
        const rows = files.map(({ key, kind, contentType }) => ({ key, kind, contentType, trialId: started!.id }));
        await tx.insert(trialFiles).values(rows);
        await queueTrialVideos(tx, jobs);
        return { trial: started!, isNew: true };
      });
    return (await storeFilesThenRow(storage, files, recordTrial, { isNamed: (named) => named.isNew })).trial;
  });
  return { trial, browserToken: token };
}

const isSamePhoto = (trial: Trial, sha256: string) => trial.sha256 === sha256 && trial.state !== 'failed';

async function refuseOverLimits(db: Db, clock: Clock, networkHash: string | null): Promise<void> {
  if (networkHash !== null && (await computeSecondsUntilFree(db, clock, networkHash, networkLimit)) > 0)
    throw await createTrialLimitRefusal(db, clock, networkHash);
  if ((await db.$count(trials, and(activeTrialCondition, validTrialCondition(clock)))) >= limits.trialsInLine)
    throw new Refusal('trial-queue-full');
}

async function createTrialLimitRefusal(db: Db, clock: Clock, networkHash: string) {
  const retryAfterSeconds = Math.max(1, await computeSecondsUntilFree(db, clock, networkHash, networkLimit));
  return new Refusal('trial-limit-reached', { retryAfterSeconds });
}

/** Enqueues the job that makes the videos, in the caller's transaction. At most one such job waits. */
export const queueTrialVideos = (tx: Db, jobs: Jobs, options: { afterSeconds?: number } = {}) =>
  jobs.enqueue(tx, 'make-trial', {}, { key: 'films', ...options });

/**
 * Ends a trial: from now on no one can see it. A job in the same transaction erases its files and its row. Returns
 * false if it has already ended.
 */
export async function endTrial(
  tx: Db,
  { clock, jobs }: Pick<TrialScope, 'clock' | 'jobs'>,
  id: string,
): Promise<boolean> {
  const endedRows = await tx
    .update(trials)
    .set({ endsAt: clock.now(), browserHash: null })
    .where(and(eq(trials.id, id), validTrialCondition(clock)))
    .returning({ id: trials.id });
  if (endedRows.length > 0) await jobs.enqueue(tx, 'erase-trials', {}, { key: 'ended' });
  return endedRows.length > 0;
}

/** Erases the trial of a browser at the visitor's request. */
export async function eraseOwnTrial(scope: TrialScope, browserToken: string | undefined): Promise<void> {
  const trial = await findTrialOfBrowser(scope, browserToken);
  if (!trial || !(await scope.db.transaction((tx) => endTrial(tx, scope, trial.id)))) throw new Refusal('not-found');
}

const readFilesOf = (db: Db, trialId: string): Promise<TrialFile[]> =>
  db.select().from(trialFiles).where(eq(trialFiles.trialId, trialId)).orderBy(asc(trialFiles.key));

/** A stored file of a trial. */
export async function findTrialFile(db: Db, trialId: string, kind: TrialFile['kind']): Promise<TrialFile | undefined> {
  return (await readFilesOf(db, trialId)).find((it) => it.kind === kind);
}

const createUrlOfFile = ({ key }: TrialFile) => `/trials/${key.slice(trialFolder.length)}`;

/** What the visitor's page shows. */
export async function createTrialView(
  scope: Pick<TrialScope, 'db' | 'clock' | 'jobs'>,
  trial: Trial,
): Promise<TrialView> {
  const { db, clock } = scope;
  const files = await readFilesOf(db, trial.id);
  const findFileUrl = (kind: TrialFile['kind']) => {
    const file = files.find((it) => it.kind === kind);
    return file ? createUrlOfFile(file) : null;
  };
  const isWaiting = trial.state === 'waiting';
  const isAheadInQueue = or(
    lt(trials.createdAt, trial.createdAt),
    and(eq(trials.createdAt, trial.createdAt), lt(trials.id, trial.id)),
  );
  return {
    state: trial.state,
    ahead: isWaiting
      ? await db.$count(trials, and(activeTrialCondition, validTrialCondition(clock), isAheadInQueue))
      : 0,
    waitsForOrders: isWaiting && (await hasRenderWorkForOrders(scope)),
    progress: trial.progress,
    originalFileName: trial.originalFileName,
    photoUrl: findFileUrl('thumbnail') ?? '',
    filmUrl: findFileUrl('film'),
    posterUrl: findFileUrl('poster'),
    endsAt: trial.endsAt.toISOString(),
    isOnFrame: trial.claimedAt !== null,
  };
}

/** The video that a mailed link opens. It gives no access to anything else of the trial. */
export async function readTrialVideo(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
): Promise<{ trialId: string; endsAt: Date; film: TrialVideoView } | undefined> {
  const foundToken = await readToken(db, 'trial-view', token);
  if (!foundToken) return undefined;
  const [trial] = await db
    .select()
    .from(trials)
    .where(and(eq(trials.id, foundToken.subjectId), eq(trials.state, 'ready'), validTrialCondition(clock)));
  const files = trial ? await readFilesOf(db, trial.id) : [];
  const [film, poster] = (['film', 'poster'] as const).map((kind) => files.find((it) => it.kind === kind));
  if (!trial || !film || !poster) return undefined;
  const { id: trialId, endsAt } = trial;
  return {
    trialId,
    endsAt,
    film: { filmUrl: createUrlOfFile(film), posterUrl: createUrlOfFile(poster), endsAt: endsAt.toISOString() },
  };
}

/**
 * The stored file of /trials/{fileName}. Undefined if it does not exist or the visitor may not see it. A browser sees
 * the files of its own trial, except the original. A mailed link gives access to the video and its poster.
 */
export async function findTrialFileByName(
  { db, clock }: { db: Db; clock: Clock },
  fileName: string,
  { browserToken, viewTokens }: { browserToken: string | undefined; viewTokens: string[] },
): Promise<{ key: string; contentType: string } | undefined> {
  const isOwnTrial = browserToken === undefined ? sql`false` : eq(trials.browserHash, hashToken(browserToken));
  const isVideoOfLink = and(
    inArray(trialFiles.kind, ['film', 'poster']),
    tokenMatchCondition(['trial-view'], viewTokens, trials.id),
  );
  const [found] = await db
    .select({ key: trialFiles.key, contentType: trialFiles.contentType, kind: trialFiles.kind })
    .from(trialFiles)
    .innerJoin(trials, eq(trialFiles.trialId, trials.id))
    .where(and(eq(trialFiles.key, trialFolder + fileName), validTrialCondition(clock), or(isOwnTrial, isVideoOfLink)));
  return found && found.kind !== 'original' ? found : undefined;
}

/**
 * Mails the link to the video of a browser's trial. The address is deleted as soon as the mail is sent. Until the limit
 * of an hour is over, only a keyed hash of it is stored.
 */
export async function mailTrial(scope: TrialScope, browserToken: string | undefined, email: string): Promise<void> {
  const { db, clock, hasTrials } = scope;
  if (!(await hasTrials(db))) throw new Refusal('trial-off');
  const ownTrial = await findTrialOfBrowser(scope, browserToken);
  if (!ownTrial) throw new Refusal('not-found');
  const mailbox = await computeKeyedHash(db, 'mail', email);
  await db.transaction(async (tx) => {
    const [trial] = await tx
      .select()
      .from(trials)
      .where(and(eq(trials.id, ownTrial.id), validTrialCondition(clock)))
      .for('update');
    if (!trial) throw new Refusal('not-found');
    if (trial.state !== 'ready') throw new Refusal('trial-not-ready');
    const now = clock.now();
    const isWithinLimit =
      (await reserveTrialSlot(tx, now, `trial:${trial.id}`, trialMailLimit)) &&
      (await reserveTrialSlot(tx, now, mailbox, mailsPerMailbox));
    if (!isWithinLimit) throw new Refusal('trial-mail-limit');
    const endsAt = trial.endsAt.toISOString();
    await queueMail(tx, scope, {
      event: `trial-film:${trial.id}:${newId()}`,
      to: email,
      content: { kind: 'trial-film', watchUrl: { link: 'trial-film', subjectId: trial.id, until: endsAt }, endsAt },
    });
  });
}

/** Notes that the browser of a trial is about to pay a cart, for the owner's funnel. */
export async function recordCartOfTrialBrowser(
  scope: { db: Db; clock: Clock; isCartPaid: CartPaidCondition },
  browserToken: string | undefined,
  cartId: string,
): Promise<void> {
  const trial = await findTrialOfBrowser(scope, browserToken);
  if (trial) await recordCartOfTrial(scope.db, scope.isCartPaid, { id: trial.id, cartId });
}

/** Backups leave out trials: the query `every` returns no file keys, and the tables are not copied. */
export const trialNamedFiles: NamedFiles = {
  folders: [trialFolder],
  async selectNamed(db, keys) {
    const rows = await db.select({ key: trialFiles.key }).from(trialFiles).where(inArray(trialFiles.key, keys));
    return new Set(rows.map((it) => it.key));
  },
  async listNamedFrom(db, name, limit) {
    const rows = await db
      .select({ key: trialFiles.key })
      .from(trialFiles)
      .where(gte(trialFiles.key, trialFolder + name))
      .orderBy(asc(trialFiles.key))
      .limit(limit);
    return rows.map((it) => it.key);
  },
  every: sql`select null::text as key`,
};
