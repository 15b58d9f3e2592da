import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { customerById, holdCustomer, type Customer } from '../accounts/accounts.ts';
import { newId } from '../columns.ts';
import { framesOfOrders, holdAllOf, isOpen, type Frame } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { orderById, ordersOf } from '../orders/orders.ts';
import { endWithArrivals, type ArrivalPlace } from '../photos/arrivals.ts';
import { addPhotoTo, deletePhoto, photoById, type ReceivedFile, type Upload } from '../photos/photos.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Imaging } from '../ports/imaging.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { finalizeIn, videosOfUploads } from '../production/production.ts';
import {
  closeTokens,
  hashOf,
  holdToken,
  holdTokens,
  issueToken,
  livingTokens,
  readToken,
  revokeTokens,
} from '../tokens/tokens.ts';

// A link that fills a customer's frames without signing in: made by the owner, mailed, seven days, ended at any time.

const purpose = 'upload-link';

interface LinkScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}
type PhotosScope = Pick<LinkScope, 'db' | 'clock'> & { imaging: Imaging; storage: Storage; workFolder: string };

export interface UploadLink {
  token: string;
  customer: Customer;
  expiresAt: Date;
  /** Finalized through it: it only shows. */
  isClosed: boolean;
}

/** A link for the owner to pass on; the customer is mailed one of their own. Both end when the customer's links are ended. */
export async function makeUploadLink({ db, clock, jobs }: LinkScope, customerId: string) {
  const seconds = lifetimes.uploadLinkDays * 86_400;
  return db.transaction(async (tx) => {
    const customer = await holdCustomer(tx, customerId);
    if (!customer) throw new Refusal('not-found');
    const token = await issueToken(tx, clock, { purpose, subjectId: customerId, seconds });
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `upload-link:${customerId}:${newId()}`,
        to: customer.email,
        content: {
          kind: 'upload-link',
          firstName: customer.firstName,
          uploadUrl: { link: 'customer-upload', subjectId: customerId },
        },
      },
    );
    return {
      path: `/customer-upload?token=${token}`,
      expiresAt: new Date(clock.now().getTime() + seconds * 1000),
    };
  });
}

export async function uploadLinksOf(db: Db, customerId: string) {
  if (!(await customerById(db, customerId))) throw new Refusal('not-found');
  return livingTokens(db, purpose, customerId);
}

/**
 * What they brought stays; what is half sent goes.
 *
 * @param also what is to be written in the same transaction
 */
export async function endUploadLinks(
  scope: Pick<PhotosScope, 'db' | 'clock' | 'storage'>,
  customerId: string,
  also?: (tx: Db) => Promise<void>,
) {
  if (!(await customerById(scope.db, customerId))) throw new Refusal('not-found');
  await endWithArrivals(scope, async (tx) => {
    await holdTokens(tx, purpose, customerId);
    const guestIds = await revokeTokens(tx, scope.clock, purpose, customerId);
    await also?.(tx);
    return { guestIds };
  });
}

/** Undefined where the link is unknown, ended or too old. */
export async function readUploadLink(db: Db, token: string): Promise<UploadLink | undefined> {
  const read = await readToken(db, purpose, token);
  const customer = read && (await customerById(db, read.subjectId));
  return customer && { token, customer, expiresAt: read.expiresAt, isClosed: read.closedAt !== null };
}

/** The frames that a customer's link fills, in the order in which it does: as they were bought. */
export async function framesToFill(db: Db, customerId: string): Promise<Frame[]> {
  const orders = (await ordersOf(db, customerId)).toReversed();
  const frames = await framesOfOrders(
    db,
    orders.map((it) => it.id),
  );
  return frames.filter((it) => it.isActive);
}

export async function addByLink(
  scope: PhotosScope,
  link: UploadLink,
  file: ReceivedFile,
  key?: string,
): Promise<Upload> {
  if (link.isClosed) throw new Refusal('link-closed');
  return addPhotoTo(scope, await placeByLink(scope.db, link), file, key);
}
/** Where photos go that come by a link. */
export async function placeByLink(db: Db, { token, customer }: UploadLink): Promise<ArrivalPlace> {
  return {
    frames: await framesToFill(db, customer.id),
    keysOf: customer.id,
    sender: customer.id,
    guestId: hashOf(token),
    admit: (tx) => refuseUnlessOpen(tx, token),
  };
}

export async function deleteByLink(scope: PhotosScope, { token, customer }: UploadLink, id: string): Promise<void> {
  const upload = await photoById(scope.db, id);
  const order = upload && (await orderById(scope.db, upload.orderId));
  if (!upload || order?.customerId !== customer.id) throw new Refusal('not-found');
  const isLocked = async (tx: Db) => (await videosOfUploads(tx, [upload.id])).length > 0;
  // The link before the frame, as finalizing does.
  await deletePhoto(scope, upload, isLocked, (tx) => refuseUnlessOpen(tx, token));
}

/**
 * Lock the open frames that have new photos, all in one step, and let the customer's links only show from then on. What
 * is being added comes first or not at all.
 */
export async function finalizeByLink(scope: LinkScope, { token, customer }: UploadLink): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const wasOpen = await closeTokens(tx, scope.clock, { purpose, subjectId: customer.id, token });
    if (!wasOpen) throw await whyNot(tx, token);
    await holdAllOf(tx, await ordersOf(tx, customer.id));
    const open = (await framesToFill(tx, customer.id)).filter(isOpen);
    const filled = open.filter((it) => it.usedPhotos > it.sealedPhotos);
    if (filled.length === 0) throw new Refusal(open.length > 0 ? 'no-photos-yet' : 'frame-finalized');
    for (const { id } of filled) await finalizeIn(tx, scope, id);
  });
}

async function refuseUnlessOpen(tx: Db, token: string): Promise<void> {
  if (!(await holdToken(tx, purpose, token))) throw await whyNot(tx, token);
}
const whyNot = async (tx: Db, token: string) =>
  new Refusal((await readToken(tx, purpose, token)) ? 'link-closed' : 'link-expired');
